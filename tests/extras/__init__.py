"""Each folder here tests the extra of its name; the tests of the base need none."""
