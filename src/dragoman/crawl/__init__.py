"""Scores become the next URL: records of servers, strategies, the frontier and the simulator."""
