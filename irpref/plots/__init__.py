"""Pictures, one file each: they draw what ``summarise`` gives them, and compute nothing."""
