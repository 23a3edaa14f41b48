"""The camera: cards from a photo, in place of taps."""
