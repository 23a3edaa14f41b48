"""Referee: the companion that lies beside a real deck of cards."""

__version__ = "0.1.0"
