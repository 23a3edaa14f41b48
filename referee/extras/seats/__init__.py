"""Everybody's own pad: each player's phone has a seat, and enters what that player holds."""
