"""The commands, one module each for what belongs together; `console` is what they share."""
