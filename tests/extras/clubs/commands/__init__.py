"""`referee club`."""
