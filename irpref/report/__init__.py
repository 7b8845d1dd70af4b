"""A report, its tables, and the formats that it is written in; it knows no retrieval."""
