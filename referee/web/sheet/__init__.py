"""The pages of one score sheet."""
