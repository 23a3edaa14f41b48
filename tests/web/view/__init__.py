"""How values look."""
