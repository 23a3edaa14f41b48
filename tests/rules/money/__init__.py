"""Counters on the move, and settling up."""
