"""Serving: processes, the port, the name in the house, and requests on their way to threads."""
