"""Step 2: find the position of every relevant item in every ranking."""
