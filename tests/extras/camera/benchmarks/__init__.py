"""How well, how fast and with how few taps cards are read from photos: `python -m benchmarks`."""

#: Measured together with the others; the rest have options of their own.
TOPICS = ("photos",)
