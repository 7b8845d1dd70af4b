"""HTML: reports as fragments for notebooks and as whole pages, and the look of all of them."""
