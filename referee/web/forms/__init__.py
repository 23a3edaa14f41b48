"""Forms: what they ask for, and what was filled in."""
