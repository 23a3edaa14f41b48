"""Referee: the companion that goes with a real deck of cards."""

__version__ = "0.1.0"
