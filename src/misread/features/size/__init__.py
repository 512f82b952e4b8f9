"""The planner: clusters, segments and runs for a difference or a width."""
