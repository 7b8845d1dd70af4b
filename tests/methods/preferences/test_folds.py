"""The table of folds: one for each mode, of which the options choose one."""

from __future__ import annotations

import pickle

import pytest

from irpref.methods.preferences import IPSO, LP, LR, RPP, Preference, preference, rrLP
from irpref.methods.preferences.folds import PlainFold
from irpref.methods.preferences.tie_aware import ExpectedFold
from irpref.methods.preferences.unjudged_aware import CertainFold
from tests.methods.preferences.every_preference import ALL, later

BINARY = (LP, LR, RPP(graded=False), IPSO)
KINDS = {"plain": PlainFold, "expected": ExpectedFold, "certain": CertainFold}


@pytest.mark.parametrize("asked", BINARY, ids=str)
def test_options_choose_the_mode_and_the_preference_stays_what_it_is(asked: Preference) -> None:
    for options, mode in (({}, "plain"), ({"ties": "expected"}, "expected")):
        chosen = asked(**options)
        assert (type(chosen), chosen.mode) == (type(asked), mode)
        assert isinstance(chosen.chosen, KINDS[mode])
    certain = asked(unjudged="any") @ 10
    assert (type(certain), certain.mode) == (type(asked), "certain")
    assert isinstance(certain.chosen, CertainFold)


@pytest.mark.parametrize("asked", [*ALL, rrLP(ties="expected")], ids=str)
def test_the_table_has_the_folds_of_the_modes_that_can_be_asked_for(asked: Preference) -> None:
    modes = {"plain"}
    modes |= {"expected"} if hasattr(asked, "ties") else set()
    modes |= {"certain"} if hasattr(asked, "unjudged") else set()
    assert set(asked.folds) == modes
    assert all(isinstance(fold, KINDS[mode]) for mode, fold in asked.folds.items())
    assert all(fold.of is asked for fold in asked.folds.values())


def test_a_function_has_one_fold() -> None:
    assert list(preference(later).folds) == ["plain"]


@pytest.mark.parametrize("asked", [LP, RPP(ties="expected"), IPSO(unjudged="any") @ 5], ids=str)
def test_a_preference_with_its_folds_can_be_sent_to_another_process(asked: Preference) -> None:
    sent = pickle.loads(pickle.dumps(asked))
    assert sent == asked
    assert type(sent.chosen) is type(asked.chosen)
