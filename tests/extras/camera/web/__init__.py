"""Cards from a photo, on the pages."""
