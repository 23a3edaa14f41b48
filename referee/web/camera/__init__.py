"""Cards from a photo, on the way into a form: received, read, mended, and only then put in."""
