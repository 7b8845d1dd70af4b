"""An experiment with LensKit that all tests share; where LensKit is not installed, none of them runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.adapters.lenskit.experiment import Experiment


@pytest.fixture(scope="session")
def trained() -> Experiment:
    from tests.adapters.lenskit.experiment import experiment, made_up_ratings

    return experiment(made_up_ratings(), users=60)
