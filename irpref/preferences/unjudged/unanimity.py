"""What is certain of IPSO's relation, however the unjudged documents are judged."""

from __future__ import annotations

import numpy as np

from irpref.preferences.unjudged.open_lists import Certain, OpenPairs

_EQUAL, _AHEAD, _BEHIND, _MIXED, _UNCERTAIN = range(5)


def certain_relations(pairs: OpenPairs) -> Certain:
    """The relations of Moffat & Mackenzie (2024, section 2) that hold under all judgments.

    One judgment makes the lead least at every depth at once: relevant are the documents that the second
    ranking has earlier, or alone. So the first ranking is behind at some depth under some judgments if and
    only if its least lead is below 0 somewhere, and ahead at some depth under all judgments if and only if
    its least lead is above 0 somewhere. O(k) for each pair.

    Returns:
        Codes: 0 equal, 1 ahead, 2 behind, 3 not separable, 4 uncertain. A ranking is unbeaten if it is
        behind at no depth.
    """
    lowest, low, high, highest = (np.zeros(len(pairs.first), dtype=np.int32) for _ in range(4))
    for least, most in pairs.leads():
        np.minimum(lowest, least, out=lowest)
        np.maximum(low, least, out=low)
        np.minimum(high, most, out=high)
        np.maximum(highest, most, out=highest)
    first_unbeaten, second_unbeaten = lowest >= 0, highest <= 0
    ahead, behind = low > 0, high < 0
    codes = np.select(
        [
            first_unbeaten & second_unbeaten,
            first_unbeaten & ahead,
            second_unbeaten & behind,
            ahead & behind,
        ],
        [_EQUAL, _AHEAD, _BEHIND, _MIXED],
        _UNCERTAIN,
    )
    return Certain(codes.astype(np.uint8), first_unbeaten, second_unbeaten)
