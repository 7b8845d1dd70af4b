"""HTML: reports as fragments for notebooks and as whole pages, and the page of a comparison."""
