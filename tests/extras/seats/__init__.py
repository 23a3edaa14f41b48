"""Each phone with its own pad."""
