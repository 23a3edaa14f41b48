"""Tests of the camera."""
