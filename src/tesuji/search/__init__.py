"""Search and players: from a position and an evaluator to a move."""
