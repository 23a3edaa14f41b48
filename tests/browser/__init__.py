"""What a person sees and taps, in a real browser."""
