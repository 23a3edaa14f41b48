"""The commands, a module for each group; they share `console`."""
