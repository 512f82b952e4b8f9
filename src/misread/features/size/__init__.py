"""The planner: clusters, segments and runs for a difference or a width, and what each way of checking costs."""
