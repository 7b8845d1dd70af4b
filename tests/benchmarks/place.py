"""Where the collections and the peers of the benchmarks are; what is not there is made."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from make_collection import write_collection
from make_users import write_users
from peers import build_trec_eval
from works import qrels_path, run_paths

__all__ = ["Place"]


@dataclass(frozen=True)
class Place:
    """Where collections and peers are.

    Attributes:
        folder: The folder of the collections that are made.
        trec_covid: The folder of TREC-COVID's qrels and runs, or None.
        checkouts: The peers' checkouts, by name.
        sample: How many runs the slow peers compare.
        times: How often each work is done.
    """

    folder: Path
    trec_covid: Path | None
    checkouts: dict[str, Path | None] = field(default_factory=dict)
    sample: int = 8
    times: int = 3

    def checkout(self, name: str) -> Path:
        path = self.checkouts[name]
        if path is None:
            raise LookupError(f"it needs --{name}")
        return path

    @cached_property
    def trec_eval(self) -> Path:
        scratch = tempfile.mkdtemp(dir=self.folder)
        return build_trec_eval(self.checkout("trec-eval"), Path(scratch))

    @cached_property
    def robust(self) -> Path:
        """As large as Robust04: 110 runs, 249 topics, 1,000 documents each."""
        return self._made("robust", write_collection)

    @cached_property
    def covid(self) -> Path:
        if self.trec_covid is None:
            raise LookupError("it needs --trec-covid")
        return self.trec_covid

    @cached_property
    def users(self) -> Path:
        return self._of_users("users", 100_000, parquet=False)

    @cached_property
    def users_parquet(self) -> Path:
        return self._of_users("users-parquet", 100_000, parquet=True)

    @cached_property
    def million(self) -> Path:
        return self._of_users("million", 1_000_000, parquet=True)

    @cached_property
    def thousand(self) -> Path:
        """1,000 systems."""
        return self._made(
            "thousand",
            lambda folder: write_collection(
                folder, systems=1000, topics=100, depth=100, judged=200, corpus=50_000
            ),
        )

    def rewritten(self, name: str, change: Callable[[bytes], bytes], ending: str = "") -> Path:
        """Ten runs of the collection of the size of Robust04, written otherwise."""

        def write(folder: Path) -> None:
            (folder / "runs").mkdir()
            (folder / "qrels.txt").symlink_to(qrels_path(self.robust).resolve())
            for path in run_paths(self.robust)[:10]:
                (folder / "runs" / f"{path.name}{ending}").write_bytes(change(path.read_bytes()))

        return self._made(name, write)

    def _of_users(self, name: str, users: int, *, parquet: bool) -> Path:
        return self._made(
            name,
            lambda folder: write_users(folder, users=users, systems=10, depth=20, parquet=parquet),
        )

    def _made(self, name: str, make: Callable[[Path], None]) -> Path:
        folder = self.folder / name
        if not folder.exists():
            print(f"making {folder}", file=sys.stderr)
            folder.mkdir(parents=True)
            make(folder)
        return folder
