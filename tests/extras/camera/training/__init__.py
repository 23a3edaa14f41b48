"""How the weights of the camera were made: made-up photos of made-up cards, and two networks.

Not a part of the program: it needs PyTorch, Debian's fonts and a morning. See docs/camera.md.
"""
