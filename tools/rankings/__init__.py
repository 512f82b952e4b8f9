"""What published rankings survive: public sets with all outputs, counted under several regimes, by cluster."""
