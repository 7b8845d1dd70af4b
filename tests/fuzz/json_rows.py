"""Rows in JSON, mostly legal: lists of objects and JSON Lines, with up to three things wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.texts import spoilt

NAMES = ('"x"', '"y"', '"7"', "7", "7.5", "301.0", "0", '"\\u00e9"', '" "')
NUMBERS = ("1", "0", "-1", "0.25", "-0.9", "1e-3", '"0.5"', "1.0")
WORDS = ('"a"', '"b"', '"tie"', '" Tie (bothbad)"', '"model_a"')
_LARGE = ("9007199254740993", "9007199254740993.0", "9007199254740992.0", "18446744073709551617")
_ODD = (
    *('""', "null", "true", "NaN", "Infinity", "-Infinity", "1e400", "-1e999", "1e101", "[]", "{}"),
    *('["x"]', '"\\ud800"', '"\\ufeffx"', '"x"', '"1_0"', '"nan"', '"inf"', '"1e400"'),
    *(*_LARGE, "9" * 400, "9" * 5000, '{"a": 1e400}'),
)
_ENDS = st.sampled_from(("\n", "\r\n", "\n\n", "\n \n"))


@st.composite
def json_rows(draw: st.DrawFn, columns: dict[str, tuple[str, ...]]) -> bytes:
    """The bytes of a file.

    Args:
        columns: The usual values of each column, as JSON writes them.
    """
    odd = draw(st.integers(0, 9))
    listed = draw(st.booleans())
    separator = draw(st.sampled_from((",", ",\n", " ,\r\n"))) if listed else draw(_ENDS)
    # Types were once inferred from so many.
    rows = [
        {name: values[0] if values is not NAMES else f'"{row}"' for name, values in columns.items()}
        for row in range(draw(st.sampled_from((0, 0, 0, 110))))
    ]
    for _ in range(draw(st.integers(1, 5))):
        row = {name: draw(st.sampled_from(values)) for name, values in columns.items()}
        if odd in (1, 2, 3):
            row[draw(st.sampled_from(list(columns)))] = draw(st.sampled_from(_ODD))
        if odd in (3, 4):
            del row[draw(st.sampled_from(list(row)))]
        if odd == 5:
            row[draw(st.sampled_from(("other", "more")))] = draw(st.sampled_from(_ODD))
        rows.append(row)
    content = separator.join(_object(draw, row, odd == 6) for row in rows)
    content = f"[{content}]" if listed else content
    blanks = draw(st.sampled_from(("", "", "\ufeff", " ", "\n", " " * 100, "\ufeff" + "\n" * 70)))
    made = (blanks + content + draw(st.sampled_from(("", "\n", " " * 80)))).encode()
    for _ in range(draw(st.integers(1, 2)) if odd > 7 else 0):
        made = draw(spoilt(made, draw(st.sampled_from((b",", b":", b'"')))))
    return made


def _object(draw: st.DrawFn, row: dict[str, str], odd: bool) -> str:
    pairs = [(f'"{name}"', value) for name, value in draw(st.permutations(list(row.items())))]
    if odd and draw(st.booleans()):
        name, _ = draw(st.sampled_from(pairs))
        mark = draw(st.sampled_from(("", "\ufeff", "\\ufeff", "\\uFEff")))
        pairs.append((name[0] + mark + name[1:], draw(st.sampled_from(NUMBERS))))
    return "{" + ", ".join(f"{name}: {value}" for name, value in pairs) + "}"
