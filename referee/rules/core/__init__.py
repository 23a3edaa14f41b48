"""What a game is: the interface of every game, and the values it takes and returns."""
