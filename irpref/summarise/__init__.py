"""Summaries over topics and systems."""
