"""Cards read from a photo: bytes in, cards out. No web, no storage; NumPy and Pillow carry it.

    from referee.vision.reading import read

    reading = read(Path("hand.jpg").read_bytes())
    [card.text for card in reading.cards]    # ["9H", "10D", "*"]

`reading` imports NumPy and Pillow, so import it only once there is a photo; `process` imports
neither and reads photos in a subprocess that does. docs/camera.md explains how it works, how
accurate it is, and what it was trained on.
"""
