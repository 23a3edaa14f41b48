"""What lies between the wire and the pages."""
