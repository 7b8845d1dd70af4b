"""JSON files and tables with a header, mostly legal."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.strict_reader import NAMES, Kind
from tests.fuzz.texts import DOCUMENTS, ENDS, NUMBERS, TOPICS, spoilt

_KEYS = ('"d1"', '"d2"', '"FT911-3"', '"\\u00e9"', '"d\\u0031"', '"7"', '"a b"', '"d\\/1"')
_ODD_KEYS = (
    '""',
    '" "',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\n"',
    '"\\u202e"',
    "d",
    "1",
    "null",
)
_VALUES = ("1", "2.5", "-1", "0", "1e3", "1E-400", "0.1", "-0.0", "12345678901234567890")
_ODD_VALUES = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "1e400",
        "9" * 400,
        "9" * 5000,
        "-0",
        "true",
        "null",
        "[]",
        "[1]",
    ),
    *(
        "{}",
        '{"d": 1}',
        '"1"',
        '"1_000"',
        '"１"',
        '" 1"',
        '"x"',
        '"nan"',
        '"inf"',
        ".5",
        "+1",
        "01",
        "0x1",
    ),
    *("[" * 3000, '{"d":' * 3000, '"' + "x" * 5000 + '"', "'1'", "1,", ""),
)


@st.composite
def json_files(draw: st.DrawFn) -> bytes:
    """Objects ``{topic: {document: number}}`` as text, with up to three things wrong."""
    odd = draw(st.integers(0, 9))
    keys = st.sampled_from(_KEYS + _ODD_KEYS if odd == 1 else _KEYS)
    values = st.sampled_from(_VALUES + _ODD_VALUES if odd in (2, 3) else _VALUES)
    # Keys that are there twice only sometimes.
    unique = None if odd == 4 else lambda pair: pair[0]
    documents = st.lists(st.tuples(keys, values), max_size=4, unique_by=unique).map(_object)
    inner = documents | values if odd == 5 else documents
    content = draw(st.lists(st.tuples(keys, inner), max_size=3, unique_by=unique).map(_object))
    content = (
        draw(st.sampled_from(("", "\ufeff", " \n"))) + content + draw(st.sampled_from(("", "\n")))
    )
    return _twice_spoilt(draw, content.encode(), odd in (6, 7))


def _object(pairs: list[tuple[str, str]]) -> str:
    return "{" + ",\n ".join(f"{key}: {value}" for key, value in pairs) + "}"


@st.composite
def headed_files(draw: st.DrawFn, kind: Kind) -> bytes:
    """Tables whose first line names the columns, with up to two things wrong."""
    odd = draw(st.integers(0, 9))
    wanted = ["topic", "document", "grade" if kind == "qrels" else "score"]
    wanted += draw(st.lists(st.sampled_from(("rank", "subtopic", "other")), unique=True))
    if odd == 1:
        wanted.append(draw(st.sampled_from(wanted)))
    wanted = draw(st.permutations(wanted))
    names = [draw(st.sampled_from(NAMES.get(name, ("tag", "docid", "1")))) for name in wanted]
    if odd == 2:
        names[draw(st.integers(0, len(names) - 1))] = draw(
            st.sampled_from(("", "x", "QID", " qid"))
        )
    values = {
        "topic": st.sampled_from(TOPICS),
        "document": st.sampled_from(
            [name for name in DOCUMENTS if '"' not in name and "," not in name]
        ),
        "rank": st.sampled_from(("1", "2", "3.0", "", "x")),
        "subtopic": st.sampled_from(("0", "1", "4.5", "")),
        "other": st.sampled_from(("", "nan", "x y")),
    }
    rows = st.tuples(*(values.get(name, st.sampled_from(NUMBERS)) for name in wanted))
    separator = draw(st.sampled_from(("\t", ",")))
    lines = [separator.join(line) for line in [names, *draw(st.lists(rows, max_size=6))]]
    content = draw(st.sampled_from(("", "\ufeff", "\n"))) + draw(st.sampled_from(ENDS)).join(lines)
    return _twice_spoilt(draw, content.encode(), odd > 5, separator.encode())


def _twice_spoilt(draw: st.DrawFn, content: bytes, odd: bool, separator: bytes = b",") -> bytes:
    for _ in range(draw(st.integers(1, 2)) if odd else 0):
        content = draw(spoilt(content, separator))
    return content
