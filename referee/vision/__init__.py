"""Cards read from a photo: bytes in, cards out (docs/camera.md). No web, no storage.

`reading` brings NumPy and Pillow; `process`, which has a process of its own read, brings neither.
"""
