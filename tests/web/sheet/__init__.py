"""The pages of one sheet."""
