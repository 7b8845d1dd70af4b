"""Whether a value can be what an option is set to.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Number, Real
from typing import Any, TypeVar, get_args

from irpref.base.errors import unknown
from irpref.base.escape import HALVED, is_whole, shown
from irpref.base.message import Option, refusal

Checked = TypeVar("Checked")

# No list is longer, and 32 bits hold it.
_MOST = 2**31 - 1


def check_count(name: str, number: object, *, most: int = _MOST) -> int:
    """The number as an int.

    Args:
        name: What it is, for the error: words, or the name of an option.
        number: The number.
        most: The greatest number that can be used.

    Raises:
        ValueError: It is not a whole number above 0, or greater than the greatest.

    Example:
        >>> check_count("a cutoff", 10)
        10
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or int(number) < 1:
        raise refusal(Option(name), f" must be a whole number of at least 1, not {shown(number)}")
    if int(number) > most:
        said = f" must be a whole number of at most {most}, not {shown(number)}"
        raise refusal(Option(name), said)
    return int(number)


def check_several(
    name: str, given: Any, check: Callable[[str, Any], Checked], *, like: object
) -> tuple[Checked, ...]:
    """What is given, one value or several, each once.

    Args:
        name: The name of the option.
        given: The value, or several; a text is one.
        check: Makes what is kept of the name and of a value, or refuses that.
        like: A value that could be given, for the error.

    Raises:
        ValueError: There is none, or one is refused.

    Example:
        >>> check_several("depths", [10, 20, 10], check_count, like=10)
        (10, 20)
        >>> check_several("depths", 5, check_count, like=10)
        (5,)
    """
    several = isinstance(given, Iterable) and not isinstance(given, str)
    listed = list(given) if several else [given]
    if not listed:
        raise refusal(Option(name), f" names none: give one at least, such as {like!r}")
    return tuple(dict.fromkeys(check(name, each) for each in listed))


def check_fraction(name: str, value: Any) -> float:
    """The fraction as a float.

    Raises:
        ValueError: It is not above 0 and at most 1.

    Example:
        >>> check_fraction("fractions", 1)
        1.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        said = f" are the shares that are kept, above 0 and at most 1, such as 0.2; not {value!r}"
        raise refusal(Option(name), said)
    return float(value)


def check_number(name: str, value: Any) -> int | float:
    """The value as an int or a float.

    Raises:
        ValueError: It is not a finite number.

    Example:
        >>> check_number("rel", 2)
        2
    """
    # Of numpy's numbers the plain one.
    number = value.item() if isinstance(value, Number) and hasattr(value, "item") else value
    # An int may be greater than every float.
    most = sys.float_info.max
    if isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= most:
        return number
    raise refusal(Option(name), f" must be a finite number, not {shown(value)}")


def check_above_zero(name: str, value: Any) -> int | float:
    """The value as a finite number above 0.

    Raises:
        ValueError: It is none.
    """
    if (number := check_number(name, value)) <= 0:
        raise refusal(Option(name), f" must be above 0, not {shown(value)}")
    return number


def check_share(name: str, value: Any) -> float:
    """The value as a number above 0 and below 1.

    Raises:
        ValueError: It is no number, or not between 0 and 1.
    """
    return check_between(name, check_number(name, value))


def check_choice(name: str, value: Any, choices: Any) -> Any:
    """The value, which must be one of a ``Literal``.

    Raises:
        ValueError: It is not; the nearest one is named.
    """
    if not isinstance(value, str) or value not in get_args(choices):
        raise unknown(Option(name), value, get_args(choices))
    return value


def check_flag(name: str, value: Any) -> bool:
    """The value, which must be True or False.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, bool):
        raise refusal(Option(name), f" must be True or False, not {value!r}")
    return value


def check_between(name: str, value: float) -> float:
    """The value, which must be a number above 0 and below 1.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, Real) or not 0 < value < 1:
        raise refusal(Option(name), f" must lie between 0 and 1, not {value!r}")
    return value


def check_whole(kind: str, names: Iterable[str]) -> None:
    """Refuse a name with half of a character in it; ``kind`` is the word for it in the error."""
    for name in names:
        if not is_whole(name):
            raise ValueError(f"the {kind} {shown(name)} {HALVED}")


def by_text(named: Mapping[Any, Checked], kind: str) -> dict[str, Checked]:
    """The same by the texts of its names; ``kind`` is the word for one of them in the error.

    Raises:
        ValueError: Two names are one text.

    Example:
        >>> by_text({1: "a", "1": "b"}, "run")
        Traceback (most recent call last):
        ...
        ValueError: two runs have the same name as text, such as 1 and '1'; rename one
    """
    found = {str(name): each for name, each in named.items()}
    if len(found) < len(named):
        raise ValueError(f"two {kind}s have the same name as text, such as 1 and '1'; rename one")
    return found
