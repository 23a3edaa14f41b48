"""Cards from a photo: read, shown for correction, and only then filled into a form."""
