"""Benchmarks: `python -m benchmarks` measures and prints a table."""
