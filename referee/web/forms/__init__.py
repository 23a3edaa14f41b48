"""Forms: their fields, and reading what was filled in."""
