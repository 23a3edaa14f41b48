"""Tests in a real browser: what a person sees and taps."""
