"""Names as people may see them."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from irpref.base.errors import InputError, unknown
from irpref.base.escape import escaped, shortened

ANY_TEXT = st.text(st.characters(categories=None), max_size=200)


@given(ANY_TEXT)
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    shown = escaped(text)
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown
    )
    shown.encode()


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert escaped(text) == text


@given(ANY_TEXT)
def test_what_is_left_out_is_only_the_middle(text: str) -> None:
    shown = shortened(text, longest=21)
    if len(text) <= 21:
        assert shown == escaped(text)
    else:
        assert shown == f"{escaped(text[:10])}…{escaped(text[-10:])}"


def test_errors_show_short_and_visible_names_and_keep_the_real_ones() -> None:
    document = "d" + "9" * 1000 + "\x1b[2J"
    error = InputError(
        "the document is there twice", source="a\nb.txt", topic="\r7", document=document
    )
    assert not set("\x1b\n\r") & set(str(error))
    assert len(str(error)) < 200
    assert (error.document, error.topic) == (document, "\r7")
    assert len(str(unknown("preference", "x" * 10_000, ["RPP"]))) < 200
