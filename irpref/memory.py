"""The memory budget: how many numbers a step may hold at once, of which each place takes a share.

Results do not depend on it but for the order in which numbers are summed, and so for the last digits.
"""

MEMORY = 1 << 22
"""Numbers of 8 bytes, 32 MB, that a step may hold in memory."""
CACHE = 1 << 18
"""Numbers that stay in the processor's cache while they are worked on."""
