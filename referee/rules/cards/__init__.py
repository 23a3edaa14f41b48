"""Cards and what they form: runs, groups of nine."""
