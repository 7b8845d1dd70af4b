"""What a relation counts as."""

from __future__ import annotations

import pytest

from irpref.methods.preferences.criterion import Relation


def test_a_count_that_is_nearly_wins_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="unknown outcome 'win'; did you mean 'wins'"):
        Relation("+", "win")
