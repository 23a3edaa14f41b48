"""Seats in a real browser."""
