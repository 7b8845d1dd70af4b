"""The last step: results as text."""
