"""The numbers that pictures and the page draw."""
