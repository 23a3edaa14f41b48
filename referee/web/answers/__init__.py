"""What is true of every answer: security, caches, static files, limits, errors."""
