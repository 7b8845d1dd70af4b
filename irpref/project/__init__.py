"""The second step: each ranking onto the positions of its topic's relevant items."""
