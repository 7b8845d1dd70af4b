"""LensKit's own models, trained on ratings made at random, and what they recommend."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from lenskit.basic import (
    BiasScorer,
    PopScorer,
    RandomSelector,
    TrainingItemsCandidateSelector,
    UserTrainingHistoryLookup,
)
from lenskit.batch import BatchPipelineRunner
from lenskit.data import ID, ItemList, ItemListCollection, RecQuery, from_interactions_df
from lenskit.knn import ItemKNNScorer
from lenskit.pipeline import PipelineBuilder, topn_pipeline
from lenskit.splitting import SampleN, sample_users

MODELS: dict[str, Any] = {
    "popular": PopScorer(),
    "item-knn": ItemKNNScorer(k=10),
    "bias": BiasScorer(),
}
"""Scores of bias often tie, those of popular sometimes."""


class Experiment(NamedTuple):
    """What an experiment with LensKit has in the end.

    Attributes:
        train: What the models were trained on.
        test: The test lists, with ratings, keyed by user.
        runs: By model, its recommendations, keyed by user.
        recs: All of them in one collection, keyed by model and user.
    """

    train: Any
    test: Any
    runs: dict[str, Any]
    recs: Any


def experiment(ratings: pd.DataFrame, *, users: int) -> Experiment:
    """Hold out five ratings of each of so many users, train the models on the others, and recommend."""
    rng = np.random.default_rng(11)
    split = sample_users(from_interactions_df(ratings), users, SampleN(5, rng=rng), rng=rng)
    pipelines = {name: topn_pipeline(model, n=20) for name, model in MODELS.items()}
    pipelines["random"] = _at_random()
    runner = BatchPipelineRunner(n_jobs=1)
    runner.recommend()
    runs, recs = {}, ItemListCollection.empty(["model", "user_id"])
    for name, pipeline in pipelines.items():
        pipeline.train(split.train)
        runs[name] = runner.run(pipeline, split.test).output("recommendations")
        recs.add_from(runs[name], model=name)
    return Experiment(split.train, split.test, runs, recs)


def _at_random() -> Any:
    """Twenty items at random, without scores."""
    pipeline = PipelineBuilder()
    query = pipeline.create_input("query", RecQuery, ID, ItemList)
    user = pipeline.add_component("history", UserTrainingHistoryLookup, query=query)
    items = pipeline.add_component("candidates", TrainingItemsCandidateSelector, query=user)
    select = RandomSelector(n=20, rng=(7, "user"))
    pipeline.add_component("recommender", select, items=items, query=query)
    pipeline.default_component("recommender")
    return pipeline.build()


def made_up_ratings() -> pd.DataFrame:
    """Ratings of 90 users, who like some of 120 items for their kind and some as everybody likes them."""
    rng = np.random.default_rng(7)
    users, items = rng.normal(size=(90, 3)), rng.normal(size=(120, 3))
    liking = users @ items.T + rng.gumbel(size=120) + rng.gumbel(size=(90, 120))
    user, item = np.nonzero(liking > np.quantile(liking, 0.8, axis=1)[:, None])
    stars = np.clip(np.round(liking[user, item] - 1), 1, 5)
    return pd.DataFrame({"user_id": 500 + user, "item_id": 1000 + 7 * item, "rating": stars})
