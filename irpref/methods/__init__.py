"""Ways to compare rankings (preferences) and to score one (measures), and their names."""
