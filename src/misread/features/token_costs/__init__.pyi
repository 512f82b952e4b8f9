"""Every name of misread.features.token_costs, once, with its home."""

from .token_costs import PRICES as PRICES
from .token_costs import ModelPrice as ModelPrice
from .token_costs import TokenEfficiency as TokenEfficiency
from .token_costs import TokenScore as TokenScore
from .token_costs import token_efficiency as token_efficiency
