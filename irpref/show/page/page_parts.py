"""The page of a comparison: its report, and the numbers of every pair that its scripts draw."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from irpref.base.arrays import Floats, Values
from irpref.base.escape import visible
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.feeds.page_numbers import EveryPair, FirstLists, RelevantPositions
from irpref.pairwise.verdict import Answer, Doubts
from irpref.report.markup import LATEX_SIGNS
from irpref.report.report import Report
from irpref.show.page.sentences import Sentences
from irpref.show.reports.comparison_notes import relation_notes
from irpref.show.reports.comparison_report import outcome_headings
from irpref.show.reports.verdict_report import paragraph

# gzip; higher levels take several times as long on long repetitions, for 2 % less.
_LEVEL, _GZIP = 6, 31
_NEARLY = 1e-6
_DECIMALS, _SCORE_DECIMALS, _PERCENT = 1000, 10_000, 100


@dataclass(frozen=True, eq=False)
class ComparedPairs:
    """What a page shows of one preference or measure.

    Attributes:
        criterion: The preference or measure.
        signature: How its results were made.
        numbers: Its numbers for every pair.
        sentences: Its reasons in words, of (T, P) topics and pairs.
    """

    criterion: Criterion
    signature: str
    numbers: EveryPair
    sentences: Sentences


@dataclass(frozen=True, eq=False, kw_only=True)
class PageContents:
    """What a page shows. The pairs are those of the first P systems, as :func:`.pairs_of` has them.

    Attributes:
        report: What stands above: a leaderboard, all against a baseline, or one pair.
        systems: All systems, best first.
        paired: How many of them, from the best, are in the pairs.
        topics: The topics.
        baseline: The system that the report compares all others with, by its number; None if there is none.
        compared: The numbers of each preference or measure.
        verdicts: What each pair comes to in words, as forms and numbers; None if there are only scores.
        how: How the pairs were tested, in a sentence each; none if they were not.
        profiles: Where each pair is won, and where lost (:func:`.pair_profiles`); None of scores.
        positions: Where the relevant documents are; None if there are only scores.
        lists: The first documents; None if they were not kept.
        queries: Texts of topics, by their names.
        texts: Texts of documents, by their names.
        notes: What the page leaves out, and why.
    """

    report: Report
    systems: Sequence[str]
    paired: int
    topics: Sequence[str]
    baseline: int | None
    compared: Sequence[ComparedPairs]
    verdicts: Mapping[str, Any] | None = None
    how: tuple[str, ...] = ()
    profiles: tuple[Floats, Floats] | None = None
    positions: RelevantPositions | None = None
    lists: FirstLists | None = None
    queries: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()


class _Parts:
    """The arrays and texts of a page, packed, by name."""

    def __init__(self) -> None:
        self.packed: dict[str, Packed] = {}

    def add(self, name: str, values: Values | None, scale: int = 1) -> str | None:
        """The name of an array, now packed; None where there is no array."""
        if values is None:
            return None
        self.packed[name] = pack(values, scale)
        return name

    def add_json(self, name: str, value: object) -> str:
        self.packed[name] = pack_json(value)
        return name

    def add_grades(self, name: str, grades: Floats) -> dict[str, Any]:
        """Grades as numbers of their values, which are few."""
        values = np.unique(grades[~np.isnan(grades)])
        codes = np.searchsorted(values, grades).astype(np.float64)
        codes[np.isnan(grades)] = np.nan
        return {"grades": self.add(name, codes), "grade_values": values.tolist()}


def interactive_page(contents: PageContents) -> str:
    """The page of a comparison, whole: it needs no network, and its scripts draw what stands in it."""
    from irpref.report.html.document import document, filled, scripts

    facts, parts = page_parts(contents)
    body = filled("report", report=contents.report, whole=True).strip() + filled("explorer")
    return document(
        body,
        title=contents.report.title,
        running=[scripts()],
        data={"facts": facts},
        packed=parts,
    )


def page_parts(contents: PageContents) -> tuple[dict[str, Any], dict[str, str]]:
    """What the scripts of a page read: the facts, and the packed parts by name.

    Every text is ready to be shown: what a screen would obey is escaped (:func:`.visible`).
    Systems and topics that then look the same get numbers, as fields and addresses name them.
    """
    parts = _Parts()
    facts = {
        "title": visible(contents.report.title),
        "systems": _distinct(_visible(contents.systems)),
        "compared": contents.paired,
        # The two that are shown first: the baseline and the best other system, the better one first.
        "pair": None if contents.baseline is None else (0, contents.baseline or 1),
        "baseline": contents.baseline,
        "rows": _rows(contents),
        "topics": _distinct(_visible(contents.topics)),
        "queries": _texts(contents.queries, contents.topics) if contents.queries else [],
        "preferences": [
            _preference(parts, f"{number}", each) for number, each in enumerate(contents.compared)
        ],
        "counted": parts.add(
            "counted", np.max([each.numbers.topics for each in contents.compared], axis=0)
        ),
        "verdicts": None if contents.verdicts is None else {"how": " ".join(contents.how)},
        "relation_notes": _visible(
            relation_notes([each.criterion for each in contents.compared], "{a}")
        ),
        "profile": _profile(parts, contents.profiles),
        "positions": _positions(parts, contents.positions),
        "lists": _lists(parts, contents.lists, contents.texts),
        "notes": _visible(contents.notes),
        "signatures": _visible(contents.report.signatures),
        "latex": LATEX_SIGNS,
    }
    if contents.verdicts is not None:
        parts.add_json("verdicts", contents.verdicts)
    facts["arrays"] = {
        name: {"type": part.type, "shape": part.shape, "scale": part.scale}
        for name, part in parts.packed.items()
    }
    return facts, {name: part.text for name, part in parts.packed.items()}


def _rows(contents: PageContents) -> list[int]:
    """The system of each row of the first table, where a row is a system."""
    table = contents.report.tables[0].frame
    if "system" not in table.columns:
        return []
    number = {name: index for index, name in enumerate(contents.systems)}
    return [number[name] for name in table["system"]]


def _preference(parts: _Parts, place: str, each: ComparedPairs) -> dict[str, Any]:
    criterion, numbers = each.criterion, each.numbers
    relations = criterion.relations if numbers.relations is not None else None
    signs, headings = {"wins": 1, "losses": -1}, outcome_headings([criterion])
    values = numbers.values
    whole = np.isnan(values) | (values == np.rint(values))
    counts = np.stack(list(numbers.counts.values()))
    return {
        "name": visible(str(criterion)),
        "signature": visible(each.signature),
        "outcomes": [
            {
                "name": visible(name),
                "heading": visible(headings.get(name, name)),
                "sign": signs.get(name, 0),
            }
            for name in numbers.counts
        ],
        "relations": None
        if relations is None
        else [{"label": visible(each.label), "sign": each.sign} for each in relations],
        "relation": parts.add(f"{place}/relations", numbers.relations),
        "values": None
        if relations is not None
        else parts.add(f"{place}/values", values, 1 if whole.all() else _DECIMALS),
        "means": parts.add(f"{place}/means", numbers.mean, _DECIMALS),
        "counts": parts.add(
            f"{place}/counts", counts, 1 if (counts == np.rint(counts)).all() else 10
        ),
        "reasons": _reasons(parts, f"{place}/reasons", each),
    }


def _reasons(parts: _Parts, place: str, each: ComparedPairs) -> dict[str, Any]:
    sentences = each.sentences
    return {
        "forms": [form.text for form in sentences.forms],
        "said": [
            {slot: visible(text) for slot, text in form.said.items()} for form in sentences.forms
        ],
        "form": parts.add(f"{place}/form", sentences.form),
        "columns": {
            name: parts.add(f"{place}/{name}", column) for name, column in sentences.columns.items()
        },
        "rest": None
        if sentences.rest is None
        else {
            "slot": sentences.rest[0],
            "of": parts.add(f"{place}/rest", sentences.rest[2]),
            "less": sentences.rest[1],
        },
        "at_level": None if sentences.rel is None else {"rel": sentences.rel},
        "scores": parts.add(f"{place}/scores", sentences.scores, _SCORE_DECIMALS),
    }


def _profile(parts: _Parts, profiles: tuple[Floats, Floats] | None) -> dict[str, Any] | None:
    if profiles is None:
        return None
    won, lost = profiles
    shares = {"wins": won, "losses": lost, "net": won - lost}
    packed = {name: parts.add(f"profile/{name}", of, _PERCENT) for name, of in shares.items()}
    return {"bins": len(won), **packed}


def _positions(parts: _Parts, positions: RelevantPositions | None) -> dict[str, Any] | None:
    if positions is None:
        return None
    return {
        "relevant": parts.add("positions/relevant", positions.relevant),
        "found": parts.add("positions/found", positions.found),
        "steps": parts.add("positions/steps", positions.steps),
        **parts.add_grades("positions/grades", positions.grades),
    }


def _lists(
    parts: _Parts, lists: FirstLists | None, texts: Mapping[str, str]
) -> dict[str, Any] | None:
    if lists is None:
        return None
    parts.add_json("lists/names", _visible(lists.names))
    if texts:
        parts.add_json("lists/texts", _texts(texts, lists.names))
    return {
        "depth": lists.depth,
        "lengths": parts.add("lists/lengths", lists.lengths),
        "documents": parts.add("lists/documents", lists.documents),
        "ties": parts.add("lists/ties", lists.tied),
        "starts": parts.add("lists/starts", lists.starts),
        "named": parts.add("lists/named", lists.named),
        **parts.add_grades("lists/grades", lists.grades),
        "names": "lists/names",
        "texts": bool(texts),
    }


def _visible(texts: Iterable[str]) -> list[str]:
    return [visible(text) for text in texts]


def _distinct(names: Sequence[str]) -> list[str]:
    """The names; where several are the same, all but the first with a number: ``"x"``, ``"x (2)"``."""
    new, taken, found = set(names), set(names), []
    for name in names:
        own = name
        if name in new:
            new.remove(name)
        else:
            own = next(each for n in count(2) if (each := f"{name} ({n})") not in taken)
            taken.add(own)
        found.append(own)
    return found


def _texts(texts: Mapping[str, str], names: Iterable[str]) -> list[str | None]:
    return [visible(texts[name]) if name in texts else None for name in names]


# In a group, so that a split keeps the numbers.
_NUMBER = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)")


def verdicts_in_words(verdicts: Iterable[tuple[list[Answer], Doubts]]) -> dict[str, Any]:
    """The paragraphs with ``{a}`` and ``{b}`` for the two systems, as :func:`numbers_apart` gives them.

    Two systems that share no topic have an empty one.
    """
    return numbers_apart(
        paragraph("{a}", "{b}", answers, doubts) if answers else "" for answers, doubts in verdicts
    )


def numbers_apart(texts: Iterable[str]) -> dict[str, Any]:
    """Texts that are alike but for their numbers, which are short when they are packed so.

    Returns:
        forms: the texts with ``#`` for each number. form: the form of each text. numbers: for the first
        ``#`` of a form, its numbers in all texts, as they are written; and so on. A form with fewer has
        empty texts.

    Example:
        >>> numbers_apart(["won 1 of 12", "won 1,034 of 2e+06"])
        {'forms': ['won # of #'], 'form': [0, 0], 'numbers': [['1', '1,034'], ['12', '2e+06']]}
    """
    forms: dict[str, int] = {}
    form, found = [], []
    for text in texts:
        # Words and numbers take turns.
        parts = _NUMBER.split(text)
        form.append(forms.setdefault("#".join(parts[::2]), len(forms)))
        found.append(parts[1::2])
    most = max(map(len, found), default=0)
    padded = ([*numbers, *[""] * (most - len(numbers))] for numbers in found)
    columns = [list(column) for column in zip(*padded, strict=True)]
    return {"forms": list(forms), "form": form, "numbers": columns}


@dataclass(frozen=True)
class Packed:
    """An array or a JSON value, packed.

    Attributes:
        text: Base64 of gzip of the bytes.
        type: The type of the numbers; ``"json"`` if it is no array.
        shape: The shape of the array.
        scale: What the numbers were multiplied by.
    """

    text: str
    type: str
    shape: tuple[int, ...] = ()
    scale: int = 1


def pack(values: Values, scale: int = 1) -> Packed:
    """Pack numbers as whole ones of the shortest type that holds them.

    The least value of a signed type, and the greatest of an unsigned one, stand for NaN. Numbers that no
    type of 4 bytes holds stay as they are, of 8 bytes. Bytes of equal significance stand together, since
    the high ones are much alike.

    Args:
        values: The numbers.
        scale: What to multiply them by before they are rounded, such as 1000 for three decimals.

    Example:
        >>> packed = pack(np.array([0.25, -0.5, np.nan]), scale=1000)
        >>> packed.type, packed.shape, packed.scale
        ('int16', (3,), 1000)
        >>> list(zlib.decompress(base64.b64decode(packed.text), 31))  # 250, -500, the least one
        [250, 12, 0, 0, 254, 128]
    """
    whole = values if values.dtype.kind in "iub" else _scaled(values, scale)
    missing = np.isnan(whole) if whole.dtype.kind == "f" else np.zeros(whole.shape, dtype=np.bool_)
    known = whole[~missing]
    least, greatest = (int(known.min()), int(known.max())) if known.size else (0, 0)
    for name in ("uint8", "uint16", "uint32") if least >= 0 else ("int8", "int16", "int32"):
        limits = np.iinfo(name)
        absent = limits.max if least >= 0 else limits.min
        if (greatest < absent) if least >= 0 else (least > absent and greatest <= limits.max):
            chosen = np.where(missing, 0, whole).astype(np.dtype(name).newbyteorder("<"))
            chosen[missing] = absent
            return Packed(_packed(_by_significance(chosen)), name, values.shape, scale)
    exact = values.astype("<f8")
    return Packed(_packed(_by_significance(exact)), "float64", values.shape)


def pack_json(value: object) -> Packed:
    """Pack texts, or lists of them."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Half of a character, as damaged files have them, is no UTF-8.
    return Packed(_packed(text.encode("utf-8", "replace")), "json")


def _scaled(values: Floats, scale: int) -> Floats:
    """The numbers times the scale, rounded as Python rounds when it writes them."""
    times = values * scale
    whole = np.asarray(np.rint(times))
    # The product may be rounded to a half, from which rint would go the wrong way.
    near = np.abs(times - np.floor(times) - 0.5) < _NEARLY
    if near.any():
        decimals = len(str(scale)) - 1
        for value in np.unique(values[near]):
            whole[values == value] = round(float(f"{value:.{decimals}f}") * scale)
    return whole


def _by_significance(values: Values) -> bytes:
    flat = np.ascontiguousarray(values).reshape(-1)
    return flat.view(np.uint8).reshape(-1, flat.itemsize).T.tobytes()


def _packed(content: bytes) -> str:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")
