"""The commands, in modules of those that belong together; `console` is what they share."""
