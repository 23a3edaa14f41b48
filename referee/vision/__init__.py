"""Cards read from a photo: bytes in, cards out. No web, no storage; NumPy and Pillow carry it.

    from referee.vision.reading import read

    reading = read(Path("hand.jpg").read_bytes())
    [card.text for card in reading.cards]    # ["9H", "10D", "*"]

`reading` brings NumPy and Pillow with it, so import it only where a photo has come; `process` reads
photos without them, in a process that has them. docs/camera.md tells how it works, how well, and
what it was trained on.
"""
