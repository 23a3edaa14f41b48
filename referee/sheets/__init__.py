"""What can be done with a score sheet: read and score a file, open, record, undo, share, export."""
