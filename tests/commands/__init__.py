"""What the commands print, and how they end."""
