"""The commands, one module each for what belongs together, and what they share.

`reading` is what goes in, `console` what comes out, `lines` both of them line by line.
"""
