"""Tests of the camera's pages."""
