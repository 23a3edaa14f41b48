"""How cards form runs and groups."""
