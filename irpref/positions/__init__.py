"""Where the relevant items stand in every ranking, and parts of a collection."""
