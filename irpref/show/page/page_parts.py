"""The page of a comparison: its report, and the numbers of every pair that its scripts draw."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.base.arrays import Floats, Values
from irpref.base.escape import UNSEEN, escaped
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_facts import PairFacts
from irpref.pairwise.pair_table import PairTable
from irpref.report.markup import LATEX_SIGNS
from irpref.show.reports.answers import judged_words, pair_answer, tie_words
from irpref.show.reports.comparison_report import OUTCOMES, outcome_headings

if TYPE_CHECKING:
    from markupsafe import Markup

# gzip; higher levels take several times as long on long repetitions, for 2 % less.
_LEVEL, _GZIP = 6, 31
_NEARLY = 1e-6
_DECIMALS, _SCORE_DECIMALS, _ONE_DECIMAL, _PERCENT = 1000, 10_000, 10, 100


@dataclass(frozen=True, eq=False)
class Parts:
    """The arrays and texts of a page, packed, by name."""

    packed: dict[str, Packed] = field(default_factory=dict)

    def add(self, name: str, values: Values, scale: int = 1) -> str:
        """The name of an array, now packed."""
        self.packed[name] = pack(values, scale)
        return name

    def add_all(self, place: str, content: Any, scale: int = 1) -> Any:
        """The same content, with the names of the arrays in it, now packed; those of floats scaled."""
        if isinstance(content, Mapping):
            return {
                name: self.add_all(f"{place}/{name}", each, scale) for name, each in content.items()
            }
        if isinstance(content, np.ndarray):
            return self.add(place, content, scale if content.dtype.kind == "f" else 1)
        return content

    def add_json(self, name: str, value: object) -> None:
        """Add texts, or lists of them."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        # Half of a character, as damaged files have them, is no UTF-8.
        self.packed[name] = Packed(_packed(text.encode("utf-8", "replace")), "json")

    def add_grades(self, name: str, grades: Floats) -> dict[str, Any]:
        """Grades as numbers of their values, which are few."""
        values = np.unique(grades[~np.isnan(grades)])
        codes = np.searchsorted(values, grades).astype(np.float64)
        codes[np.isnan(grades)] = np.nan
        return {"grades": self.add(name, codes), "grade_values": values.tolist()}


def interactive_page(body: Markup, facts: Mapping[str, Any], parts: Parts, title: str) -> str:
    """The page of a comparison, whole: it needs no network, and its scripts draw what stands in it.

    Args:
        body: What people see.
        facts: What the scripts read. Every text is ready to be shown: what a screen would obey is escaped
            (:func:`.escaped`).
        parts: What the facts name.
        title: What the window is called.
    """
    from irpref.report.html.document import document, scripts

    arrays = {
        name: {"type": part.type, "shape": part.shape, "scale": part.scale}
        for name, part in parts.packed.items()
    }
    data = {"facts": {**facts, "latex": LATEX_SIGNS, "arrays": arrays}}
    packed = {name: part.text for name, part in parts.packed.items()}
    return document(body, title=title, running=[scripts()], data=data, packed=packed)


def compared_pairs(
    parts: Parts,
    place: str,
    criterion: Criterion,
    made: str,
    values: Floats,
    table: PairTable,
    said: Mapping[str, Any],
) -> dict[str, Any]:
    """One preference or measure, for all pairs.

    Args:
        parts: What its arrays are added to.
        place: What their names begin with.
        criterion: The preference or measure.
        made: How its results were made.
        values: Its values, or its relations (:func:`.every_pair`).
        table: What was counted of each pair.
        said: Its reasons in words (:func:`.sentences`).
    """
    signs, headings = {"wins": 1, "losses": -1}, {**OUTCOMES, **outcome_headings([criterion])}
    outcomes, related = criterion.outcomes, criterion.has_relations
    relations = [
        {"cell": escaped(each.cell("{a}", "{b}")), "sign": each.sign}
        for each in criterion.relations
    ]
    counts = np.stack([table[name] for name in outcomes])
    tiny = np.where(np.abs(values) < 0.5 / _DECIMALS, np.sign(values), 0.0)
    return {
        "name": escaped(str(criterion)),
        "signature": escaped(made),
        "outcomes": [
            {
                "name": escaped(name),
                "heading": escaped(headings.get(name, name)),
                "sign": signs.get(name, 0),
            }
            for name in outcomes
        ],
        "relations": relations if related else None,
        "relation": parts.add(f"{place}/relations", values) if related else None,
        "values": None
        if related
        else parts.add(f"{place}/values", values, _scale(values, _DECIMALS)),
        # Who is ahead by less than is written.
        "tiny": None if related or not tiny.any() else parts.add(f"{place}/tiny", tiny),
        "means": parts.add(f"{place}/means", table["mean"], _DECIMALS),
        "counts": parts.add(f"{place}/counts", counts, _scale(counts, _ONE_DECIMAL)),
        "reasons": parts.add_all(f"{place}/reasons", said, _SCORE_DECIMALS),
    }


def _scale(values: Values, decimals: int) -> int:
    """What to multiply numbers by: these decimals, unless all are whole or NaN."""
    return 1 if (np.isnan(values) | (values == np.rint(values))).all() else decimals


def profiles(parts: Parts, won: Floats, lost: Floats, half: Floats) -> dict[str, Any]:
    """Where each pair is won, where lost, and how sure the difference is (:func:`.pair_profiles`)."""
    named = {"wins": won, "losses": lost, "net": won - lost, "half": half}
    return {"bins": len(won), **parts.add_all("profile", named, _PERCENT)}


def positions(parts: Parts, grades: Floats, **found: Any) -> dict[str, Any]:
    """Where the relevant documents are (:func:`.relevant_positions`)."""
    return {**parts.add_all("positions", found), **parts.add_grades("positions/grades", grades)}


def first_documents(
    parts: Parts, texts: Mapping[str, str], names: Sequence[str], grades: Floats, **found: Any
) -> dict[str, Any]:
    """The first documents of every ranking (:func:`.first_lists`), and texts of some by their names."""
    parts.add_json("lists/names", all_escaped(names))
    if texts:
        parts.add_json("lists/texts", texts_of(texts, names))
    return {
        **parts.add_all("lists", found),
        **parts.add_grades("lists/grades", grades),
        "names": "lists/names",
        "texts": bool(texts),
    }


def all_escaped(texts: Iterable[str]) -> list[str]:
    return [escaped(text) for text in texts]


def texts_of(texts: Mapping[str, str], names: Iterable[str]) -> list[str | None]:
    """The texts of these names, escaped; None where there is none."""
    return [escaped(texts[name]) if name in texts else None for name in names]


# In a group, so that a split keeps the numbers; and what reads like a slot in the name of a preference.
_NUMBER = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?|#|\{[ab]\})")
# Halves of characters stand for the two systems and the end of a paragraph: no name has any.
_A, _B, _END = "\ud800", "\ud801", "\ud802"
_SLOTS = {_A: "{a}", _B: "{b}", _END: "\n"}


def answers_in_words(known: Iterable[PairFacts]) -> dict[str, Any]:
    """The answers with ``{a}`` and ``{b}`` for the two systems, as :func:`numbers_apart` gives them."""
    slots = (replace(facts, a=_A, b=_B) for facts in known)
    parts = ((*pair_answer(pair), *tie_words(pair), *judged_words(pair)) for pair in slots)
    said = numbers_apart(map(_END.join, parts))
    forms = [
        UNSEEN.sub(lambda sign: _SLOTS.get(sign[0]) or escaped(sign[0]), form)
        for form in said["forms"]
    ]
    return {**said, "forms": forms}


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
    columns = list(map(list, zip_longest(*found, fillvalue="")))
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
    # One number more, for what is missing.
    kind = np.min_scalar_type(greatest + 1 if least >= 0 else min(least, -greatest) - 1)
    if kind.itemsize <= 4:
        absent = np.iinfo(kind).max if least >= 0 else np.iinfo(kind).min
        chosen = np.where(missing, 0, whole).astype(kind.newbyteorder("<"))
        chosen[missing] = absent
        return Packed(_packed(_by_significance(chosen)), kind.name, values.shape, scale)
    exact = values.astype("<f8")
    return Packed(_packed(_by_significance(exact)), "float64", values.shape)


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
