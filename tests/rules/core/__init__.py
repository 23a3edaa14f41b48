"""Tests of what every game is made of."""
