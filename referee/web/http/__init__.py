"""What lies between the wire and the pages: serving, security, caches, errors."""
