"""What results say: reports in words and tables, plots, and the page of a comparison."""
