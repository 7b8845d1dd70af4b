"""What every room may use: errors, checks, options, texts of values, exact sums, workers."""
