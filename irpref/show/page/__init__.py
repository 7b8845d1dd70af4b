"""The page of a comparison: the numbers of every pair, packed for the scripts that draw them."""
