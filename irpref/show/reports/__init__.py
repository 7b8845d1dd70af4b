"""What each result says, in words and tables."""
