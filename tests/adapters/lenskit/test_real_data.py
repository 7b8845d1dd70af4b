"""Real ratings and recommendations, of the collections that lie beside the repository."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest
from lenskit.data import ItemListCollection
from pandas.testing import assert_frame_equal

import irpref
from irpref import PairTest
from irpref_lenskit import compare
from tests.adapters.lenskit.as_dicts import grades, run
from tests.adapters.lenskit.experiment import experiment

NAMES = ["user_id", "_", "item_id"]
PREFERENCES = ["RPP", "LP", "LR", "IPSO@10", "TienDCG@10"]


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    if not (shared_data / "recsys-ml-small").is_dir():
        pytest.skip("shared data absent")
    return shared_data / "recsys-ml-small"


@pytest.fixture(scope="module")
def ratings(folder: Path) -> pd.DataFrame:
    path = folder / "qrels.ratings.txt"
    return pd.read_csv(path, sep=r"\s+", header=None, names=[*NAMES, "rating"]).drop(columns="_")


def test_recommenders_of_a_study(folder: Path, ratings: pd.DataFrame) -> None:
    names = ["bprmf", "ease", "mostpop", "userknn"]
    paths = [folder / "runs" / f"{name}.txt.gz" for name in names]
    frames = []
    for name, path in zip(names, paths, strict=True):
        with gzip.open(path) as file:
            frame = pd.read_csv(
                file, sep=r"\s+", header=None, names=[*NAMES, "rank", "score", "tag"]
            )
        frames.append(frame[["user_id", "item_id", "score"]].assign(model=name))
    recs = ItemListCollection.from_df(pd.concat(frames), ["model", "user_id"])
    test = ItemListCollection.from_df(ratings, "user_id")
    found = compare(recs, test, PREFERENCES, relevance="rating")
    expected = irpref.compare(folder / "qrels.ratings.txt", paths, PREFERENCES)
    assert set(found.topics) == set(expected.topics)
    for preference in PREFERENCES:
        mean = found.mean(preference).loc[names, names]
        systems = list(expected.systems)
        assert_frame_equal(
            mean,
            expected.mean(preference)
            .loc[systems, systems]
            .set_axis(names, axis=0)
            .set_axis(names, axis=1),
        )


def test_models_trained_on_real_ratings(ratings: pd.DataFrame) -> None:
    rated = ratings.groupby("user_id")["item_id"].transform("size")
    trained = experiment(ratings[rated >= 15], users=150)
    with pytest.warns(UserWarning, match="model 'bias': all items of a user have one score"):
        found = compare(
            trained.recs, trained.test, PREFERENCES, relevance="rating", reference="bias"
        )
    runs = {name: run(recs) for name, recs in trained.runs.items()}
    expected = irpref.compare(grades(trained.test, "rating"), runs, PREFERENCES)
    for preference in PREFERENCES:
        assert_frame_equal(found.mean(preference), expected.mean(preference))
        assert_frame_equal(
            found.test(preference, test=PairTest(rng=1)),
            expected.test(preference, baseline="bias", test=PairTest(rng=1)),
        )
