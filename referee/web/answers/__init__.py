"""Handling common to all responses: security, caches, static files, rate limits, errors."""
