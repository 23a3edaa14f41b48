"""Cards read from a photo: bytes in, cards out (docs/camera.md). No web, no storage.

`reading` brings NumPy and Pillow; `process`, which reads in a process of its own, brings neither.
"""

import os

# Before NumPy is loaded: on matrices this small several threads gain little, and beside other work
# they wait for one another and take four times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
