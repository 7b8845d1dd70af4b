"""Preferences and measures from text, and the text of them.

Every preference or measure that a module of ``irpref.methods.preferences`` or of
``irpref.methods.measures`` has under a public name is known by that name, in any case: a new one needs
no entry anywhere.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from irpref.base.checks import check_whole
from irpref.base.errors import nearest
from irpref.base.escape import shown
from irpref.base.named import Named
from irpref.methods import measures, preferences
from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.custom import FunctionPreference
from irpref.methods.preferences.scores import MeasureDifference

if TYPE_CHECKING:
    import pandas as pd


AnyMeasure: TypeAlias = Named | str
"""A measure, or its text."""
AnyCriterion: TypeAlias = Criterion | Named | str | Callable[..., float]
"""A preference, a measure, the text of either, or a function of two position vectors."""
AnyScores: TypeAlias = Mapping[str, "pd.DataFrame"]
ComparedBy: TypeAlias = AnyCriterion | AnyScores | Iterable[AnyCriterion | AnyScores]
"""What systems are compared by: one or several, and by their names scores of other tools and judgments."""

# Python's parser needs a stack for what is nested; nobody writes so long a text.
_LONGEST = 100_000
# A name, and a cutoff as trec_eval writes it: P_10 or ndcg_cut.10. ranx's rbp.50 has no cutoff.
_HEAD = re.compile(r"\s*(?!(?i:rbp)\.)([A-Za-z_][\w-]*?)(?:[_.](\d+)\s*$|(?=\s*(?:[@(]|$)))")

ELSEWHERE = {
    "AP": ("map", "map_cut"),
    "F1": ("set_f", "setf"),
    "P": ("precision", "set_p", "setp"),
    "R": ("recall", "set_recall", "setr"),
    "RP": ("rprec", "r-precision"),
    "RR": ("mrr", "recip_rank"),
    "Success": ("hit_rate", "accuracy"),
    "nDCG": ("ndcg_cut",),
}
"""What trec_eval, ranx, ir_measures and sentence-transformers call the same, in lower case."""
_SAME = {name: meant for meant, names in ELSEWHERE.items() for name in names}
# What else they have, and what is nearest here, if anything is.
_ALIKE = {"dcg": "nDCG", "hits": "Success", "ndcg_burges": "nDCG(dcg='exp-log2')"}
_MEANT = {**dict.fromkeys(("bpref", "err", "gm_map", "infap")), **_ALIKE, **_SAME}


@cache
def known_names() -> Mapping[str, Named]:
    """The preferences and measures by name.

    Example:
        >>> known_names()["rrLP"]
        rrLP
    """
    found: dict[str, Named] = {}
    for package in (preferences, measures):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, Named) and not name.startswith("_"):
                    found[name] = value
    return MappingProxyType(dict(sorted(found.items())))


def written_here(text: str) -> str:
    """A text with its name and cutoff as irpref writes them, if they are understood."""
    head = _HEAD.match(text)
    names = {**_SAME, **{name.lower(): name for name in known_names()}}
    if head is None or (meant := names.get(head[1].lower())) is None:
        return text
    return f"{meant}@{head[2]}" if head[2] else meant + text[head.end() :]


def parse(text: str) -> Named:
    """The preference or measure that a text names; the inverse of ``str``.

    Args:
        text: ``NAME``, ``NAME(option=value, …)``, either with ``@cutoff`` behind it. The name may be in any
            case, or what trec_eval, ranx and ir_measures call the same.

    Raises:
        ValueError: The name or an option is unknown (the nearest is suggested), or the text is not of
            that form.

    Example:
        >>> parse("RPP(weights='dcg')@100")
        RPP(weights='dcg')@100
        >>> parse("dcgRPP@100"), parse("dcgRPP@100") == parse("RPP(weights='dcg')@100")
        (dcgRPP@100, True)
        >>> parse("rpp@10"), parse("map"), parse("recip_rank"), parse("ndcg_cut_10")
        (RPP@10, AP, RR, nDCG@10)
    """
    shape = (
        f"{shown(text)} must read NAME, NAME(option=value) or NAME@cutoff, like "
        "\"RPP(weights='dcg')@100\""
    )
    try:
        with warnings.catch_warnings():
            # Of Python, about code that nobody runs.
            warnings.simplefilter("ignore", SyntaxWarning)
            written = written_here(text).strip() if len(text) <= _LONGEST else ""
            tree = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(shape) from None
    cutoff: object = None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        cutoff, tree = _literal(tree.right, shape), tree.left
    options: dict[str, object] = {}
    if isinstance(tree, ast.Call):
        given = [keyword.arg for keyword in tree.keywords]
        if tree.args or None in given or len(set(given)) < len(given):
            raise ValueError(shape)
        options = {str(each.arg): _literal(each.value, shape) for each in tree.keywords}
        tree = tree.func
    if not isinstance(tree, ast.Name):
        raise ValueError(shape)
    known = known_names()
    if tree.id not in known:
        raise _unknown("preference or measure", [tree.id])
    found = known[tree.id]
    if options:
        try:
            found = found(**options)
        except TypeError as error:
            raise ValueError(str(error)) from None
    return found if cutoff is None else found @ cutoff  # type: ignore[operator]


def _literal(node: ast.expr, shape: str) -> object:
    try:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError):
            given = shown(ast.unparse(node))
            raise ValueError(f"{shape}; {given} is not a plain value") from None
    except RecursionError:
        raise ValueError(shape) from None


def _meant_here(given: Any) -> Any:
    """What a text, or an object of ir_measures, stands for here; any other object as it is.

    Raises:
        ValueError: There is nothing that ir_measures' object stands for, or it has options of other calls.
    """
    if isinstance(given, str):
        return parse(given)
    # By the names of its classes, as ir_measures need not be installed.
    if all(each.__module__.partition(".")[0] != "ir_measures" for each in type(given).__mro__):
        return given
    if not hasattr(given, "core"):
        raise ValueError(
            f"{given} is an object of ir_measures: give its text, if irpref has it, or its scores, by "
            "irpref_ir_measures.scores"
        )
    found = given.core()
    if others := [name for name in given.params if not hasattr(found, name)]:
        raise ValueError(
            f"{given}: leave out {' and '.join(others)}: here all pairs are compared, without a reference, "
            "and judged_only and duplicates are options of compare, evaluate and collect"
        )
    return found


def as_criterion(given: Any) -> Criterion:
    """What an object, a text or a function stands for, to compare systems by.

    Args:
        given: A preference or a measure, its text, or a function of two position vectors.

    Raises:
        ValueError: It is none.

    Example:
        >>> as_criterion("RPP@10"), as_criterion("nDCG@10")
        (RPP@10, nDCG@10)
    """
    found = _meant_here(given)
    if isinstance(found, Criterion):
        return found
    if isinstance(found, Named):
        return MeasureDifference(as_measure(found))
    if callable(found):
        return FunctionPreference(function=found)
    raise ValueError(f"give irpref's preference or measure, its text or a function, not {given!r}")


def as_criteria(given: Any) -> list[Criterion]:
    """What objects, texts, functions and ``{name: scores}`` stand for, each once.

    Raises:
        ValueError: One of them is unknown, two have one name, or there is none.

    Example:
        >>> as_criteria(["RPP", "dcgRPP@10", "RPP"])
        [RPP, dcgRPP@10]
    """
    chosen: list[Criterion] = []
    for each in _listed(given, "preference or measure", Named):
        if isinstance(each, Mapping):
            chosen += [_given(table, str(name)) for name, table in each.items()]
        else:
            chosen.append(as_criterion(each))
    return check_names(list(dict.fromkeys(chosen)))


def _given(table: Any, name: str) -> Criterion:
    """The scores or the side-by-side judgments that a table has."""
    from irpref.methods.outcome_table import outcome_table
    from irpref.methods.score_tables import frame_of, score_table

    frame = (
        frame_of(table, "scores or judgments")[0] if isinstance(table, str | os.PathLike) else table
    )
    if {"outcome", "winner"} & {str(name).lower() for name in getattr(frame, "columns", ())}:
        return outcome_table(table, name)
    return score_table(table, name)


def check_names(criteria: list[Criterion]) -> list[Criterion]:
    """The criteria, if results can name them.

    Raises:
        ValueError: There is none, two different ones have one name, or one has half of a character in it.
    """
    if not criteria:
        raise ValueError("there is no preference to compare by")
    texts = [str(criterion) for criterion in criteria]
    check_whole("preference", texts)
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(
                f"two different preferences are both called {text!r}; give them other names"
            )
    return criteria


def find_criterion(given: AnyCriterion | None, compared: Sequence[Criterion]) -> Criterion:
    """The one of some criteria that is meant; the first one if none is named.

    Raises:
        ValueError: It is not among them.
    """
    if given is None:
        return compared[0]
    by_text = {str(criterion): criterion for criterion in compared}
    if isinstance(given, str) and given in by_text:
        return by_text[given]
    try:
        found = as_criterion(given)
    except ValueError as error:
        raise ValueError(f"{error}; compared: {', '.join(by_text)}") from None
    same = [criterion for criterion in compared if criterion.of_one_run == found.of_one_run]
    # Scores of another tool have the name of their measure, in any spelling.
    tables = [each for each in compared if each.named is None]
    same += [each for each in tables if str(each) == str(found) or _meant_by(str(each)) == found]
    if not same:
        raise ValueError(f"{found} was not compared; compared: {', '.join(by_text)}")
    return same[0]


def _meant_by(text: str) -> Criterion | None:
    try:
        return as_criterion(text)
    except ValueError:
        return None


def as_measure(given: Any) -> Measure:
    """The measure that an object or a text stands for.

    Raises:
        ValueError: It is none.

    Example:
        >>> as_measure("TieRR@10")
        TieRR@10
    """
    found = _meant_here(given)
    if not isinstance(found, Measure):
        is_preference = isinstance(found, Criterion)
        hint = " but a preference: compare() and `irpref compare` take it" if is_preference else ""
        raise ValueError(f"{found} is not a measure{hint}")
    return found


def as_measures(given: Any) -> list[Measure]:
    """The measures that objects and texts stand for, each once.

    Raises:
        ValueError: One is no measure, or there is none.
    """
    chosen = list(dict.fromkeys(map(as_measure, _listed(given, "measure", Measure))))
    if not chosen:
        raise ValueError("there is no measure to evaluate by")
    return chosen


def _listed(given: Any, kind: str, of: type[Named]) -> list[Any]:
    """What is given, one object or several.

    Raises:
        ValueError: Some texts name nothing that there is; the error names them all, and what there is.
    """
    alone = isinstance(given, str | Mapping) or not isinstance(given, Iterable)
    listed = [given] if alone else list(given)
    names = [_HEAD.match(written_here(text)) for text in listed if isinstance(text, str)]
    heads = dict.fromkeys(name[1] for name in names if name)
    if strangers := [name for name in heads if name not in known_names()]:
        raise _unknown(kind, strangers, of)
    return listed


def _unknown(kind: str, names: Sequence[str], of: type[Named] = Named) -> ValueError:
    """The error for names of which none is known: all of them, and all that there are of a type."""
    known = [name for name, each in known_names().items() if isinstance(each, of)]
    said = []
    for name in names:
        near = name.lower() if name.lower() in _MEANT else nearest(name, [*known, *_MEANT])
        meant = near and _MEANT.get(near, near)
        said.append(f"{shown(name)} (did you mean {meant!r}?)" if meant else shown(name))
    all_of_them = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
    return ValueError(
        f"unknown {kind}{'s' * (len(names) > 1)} {all_of_them}; there are {', '.join(known)}"
    )
