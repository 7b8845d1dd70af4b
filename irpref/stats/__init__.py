"""Statistics of arrays, independent of retrieval."""
