"""Step 4: summaries over topics and systems."""
