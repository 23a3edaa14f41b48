"""The interface of every game, and the values that it takes and returns."""
