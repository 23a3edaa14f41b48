"""How well, how fast and with how few taps cards are read from photos: `python -m benchmarks`."""

import referee.extras.camera.vision  # noqa: F401 - before NumPy, which it keeps to one thread

#: Measured together with the others; the rest have options of their own.
TOPICS = ("photos",)
LEFT_OUT_IF_SHORT = ()
UNDISTURBED = ()
