"""What a game is: the face every game has, and the values that pass through it."""
