"""Tests of the camera in a real browser."""
