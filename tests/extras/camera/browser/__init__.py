"""What a browser shows of photos."""
