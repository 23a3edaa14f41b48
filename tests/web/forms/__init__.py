"""Forms: what they ask for and what they make of it."""
