"""HTML: reports as fragments for notebooks and as whole pages, and where the page of a comparison begins."""
