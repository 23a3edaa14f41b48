"""Each folder here tests the extra of its name; those of the base do without any."""
