"""Orders of systems from counts of wins, which know nothing of retrieval."""
