"""Serving: worker processes, the port, the local network name, and passing requests to threads."""
