"""Tests of the commands: what they print, and their exit status."""
