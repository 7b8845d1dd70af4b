"""Statistics of arrays, which know nothing of retrieval."""
