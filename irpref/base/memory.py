"""The memory budget: how many numbers a step may hold at once, of which each place takes a share.

Results do not depend on it but for the order in which numbers are summed, and so for the last digits.
"""

import os

MEMORY = 1 << 22
"""Numbers of 8 bytes, 32 MB, that a step may hold in memory."""
CACHE = 1 << 18
"""Numbers that stay in the processor's cache while they are worked on."""


def batches(size: int, each: int, most: int) -> list[slice]:
    """Cut rows into batches: each row needs ``each`` numbers, and a batch holds ``most`` of them at most.

    Example:
        >>> batches(5, each=10, most=25)
        [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, most // max(1, each))
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]


def memory_here() -> float:
    """How many bytes of memory this computer has; infinity where the system does not say."""
    known = hasattr(os, "sysconf")
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else float("inf")
