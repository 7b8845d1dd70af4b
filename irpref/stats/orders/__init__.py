"""Orders of systems from counts of wins, independent of retrieval."""
