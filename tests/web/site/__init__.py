"""The pages beside the sheets."""
