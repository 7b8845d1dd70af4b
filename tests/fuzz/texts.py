"""TREC files, mostly legal, some with a few things wrong in them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.fuzz.strict_reader import Kind

TOPICS = ("301", "302", "q-1", "007")
DOCUMENTS = (
    "d1",
    "d2",
    "d3",
    "FT911-3",
    '"d"',
    "#1",
    "a,b",
    "NA",
    "é",
    "文",
    "d\u00a0x",
    "d\u2028x",
)
NUMBERS = ("1", "2", "0", "-1", "2.5", ".5", "5.", "+3", "1e3", "-2E-2", "0.1", "1e-400")
# What is a number to some readers and none to others, or stands where something else belongs.
ODD_FIELDS = (
    *("nan", "-NaN", "inf", "-Infinity", "iNf", "infinit", "nan(1)", "null", "None", "True", "NA"),
    *(
        "1e400",
        "881250949",
        "1_000",
        "0x10",
        "0x1p3",
        "1d5",
        "1f",
        "１",
        "٣",
        "−1",
        "1,5",
        "1e",
        "e5",
        "1e+",
        "1.2.3",
    ),
    *(
        ".",
        "+",
        "-",
        "--1",
        "+-1",
        "1.0",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
    ),
    *("9" * 400, "0" * 400 + "1", "." + "0" * 400 + "1", "-" * 3000, "1e999999999999999999999"),
    *(
        "Q0",
        "0",
        "x" * 5000,
        '"',
        '"a',
        "'",
        "#",
        "\\",
        "\ufeff",
        "\u0085",
        "\u3000",
        "{",
        "[",
        "\x1b[2J",
    ),
)
BLANKS = (" ", "\t", "  ", " \t", "\t\t", "\t \t ")
ENDS = ("\n", "\r\n")
ODD_BYTES = (
    *(bytes([i]) for i in range(33)),
    *(
        b"\x7f",
        b"\x80",
        b"\xa0",
        b"\xc2\x85",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xe3\x80\x80",
        b"\xe9",
    ),
    *(
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\xf4\x90\x80\x80",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\r\r\n",
        b"\n\r",
        b"#",
        b'"',
    ),
)


@dataclass(frozen=True)
class File:
    """The bytes that are drawn, between legal lines that are not."""

    kind: Kind
    content: bytes
    before: int = 0
    after: int = 0
    tagged: bool = True

    @property
    def whole(self) -> bytes:
        """All of the file."""
        first, last = (
            self._legal(name, count) for name, count in (("f", self.before), ("l", self.after))
        )
        return first + self.content + (b"\n" * bool(last) + last)

    def _legal(self, name: str, count: int) -> bytes:
        tag = " tag" * self.tagged
        line = f"301 Q0 {name}%d %d 1.5{tag}\n" if self.kind == "run" else f"301 0 {name}%d 1\n"
        fields = line.count("%d")
        return "".join(line % ((i,) * fields) for i in range(count)).encode()


@st.composite
def text_files(draw: st.DrawFn, kind: Kind, most_faults: int = 3) -> File:
    """Up to 8 lines, with up to so many things wrong, and sometimes many legal lines around them."""
    tagged = draw(st.booleans())
    usual = draw(st.sampled_from((" ", "\t")))
    lines = draw(st.lists(_lines(kind, tagged, usual), min_size=1, max_size=8))
    content = b"".join(lines)
    for _ in range(draw(st.integers(0, most_faults))):
        content = draw(spoilt(content))
    many = st.sampled_from((0, 0, 0, 0, 1, 3000))
    return File(kind, content, draw(many), draw(many), tagged)


@st.composite
def _lines(draw: st.DrawFn, kind: Kind, tagged: bool, usual: str) -> bytes:
    topic, document, number = (draw(st.sampled_from(pool)) for pool in (TOPICS, DOCUMENTS, NUMBERS))
    if kind == "qrels":
        fields = [topic, draw(st.sampled_from(("0", "1", "4.5", "Q0"))), document, number]
    else:
        rank = draw(st.sampled_from(("1", "2", "0", "-1", "17")))
        fields = [topic, "Q0", document, rank, number, "tag"][: 5 + tagged]
    blanks = st.just(usual) | st.sampled_from(BLANKS)
    ends = st.just("") | st.sampled_from(("", " ", "\t"))
    text = draw(ends) + draw(blanks).join(fields) + draw(ends) + draw(st.sampled_from(ENDS))
    return text.encode()


@st.composite
def spoilt(draw: st.DrawFn, content: bytes, separator: bytes | None = None) -> bytes:
    """The content after one change: of a field, of a line, of a byte, or of its end.

    Args:
        content: Lines.
        separator: What stands between fields; blanks, if not given.
    """
    how = draw(st.sampled_from(("field", "field", "field", "line", "byte", "end")))
    if how == "field":
        lines = content.split(b"\n")
        at = draw(st.integers(0, len(lines) - 1))
        fields = (
            lines[at].split(separator) if separator else lines[at].replace(b"\t", b" ").split(b" ")
        )
        place = draw(st.integers(0, len(fields) - 1))
        change = draw(st.sampled_from(("replace", "replace", "insert", "remove", "double")))
        odd = draw(st.sampled_from(ODD_FIELDS)).encode()
        fields[place : place + (change in ("replace", "remove"))] = {
            "replace": [odd],
            "insert": [odd],
            "remove": [],
            "double": [fields[place]],
        }[change]
        lines[at] = (separator or draw(st.sampled_from((b" ", b"  ", b"\t")))).join(fields)
        return b"\n".join(lines)
    if how == "line":
        lines = content.split(b"\n")
        at = draw(st.integers(0, len(lines) - 1))
        new = draw(st.sampled_from((lines[at], b"", b" \t", b"\r", lines[0], lines[-1])))
        lines.insert(at, new)
        return b"\n".join(lines)
    at = draw(st.integers(0, len(content)))
    if how == "end":
        return content[:at]
    odd_bytes = draw(st.sampled_from(ODD_BYTES) | st.binary(min_size=1, max_size=2))
    return content[:at] + odd_bytes + content[at + draw(st.integers(0, 1)) :]
