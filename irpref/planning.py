"""What a plan of how many topics to judge is made for: its options, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from irpref.checks import check_alpha, check_count, check_number
from irpref.keywords import on_command_line, or_none
from irpref.message import Message, Option
from irpref.visible import shown

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, kw_only=True)
class Planning:
    """What a plan is made for.

    Attributes:
        difference: The least mean value that must be found, on either side; as a number above 0.
        sd: The standard deviation of the values of a pair over the topics; None to take a pilot's.
        power: How likely it must be that the test finds the difference.
        pairs: How many pairs will be tested.
        alpha: Significance level of all pairs together.
        rng: A seed or Generator for the simulation on a pilot; None draws a seed.

    Raises:
        ValueError: A number is out of range.

    Example:
        >>> planning = Planning(difference=-0.2, pairs=5)
        >>> planning.difference, planning.level
        (0.2, 0.01)
    """

    difference: float = field(
        metadata=on_command_line(
            "the least mean value that must be found, such as 0.2", metavar="D", number=float
        )
    )
    sd: float | None = field(
        default=None,
        metadata=on_command_line(
            "standard deviation of the values over topics, if there is no pilot",
            metavar="SD",
            number=float,
        ),
    )
    power: float = field(
        default=0.8,
        metadata=on_command_line(
            "how likely the difference must be found (default: 0.8)", metavar="P", number=float
        ),
    )
    pairs: int = field(
        default=1,
        metadata=on_command_line("how many pairs will be tested (default: 1)", number=int),
    )
    alpha: float = field(
        default=0.05,
        metadata=on_command_line("significance level (default: 0.05)", metavar="A", number=float),
    )
    rng: int | np.random.Generator | None = field(
        default=0,
        metadata=on_command_line(
            "seed of the simulation; none draws one and shows it (default: 0)",
            flag="--seed",
            number=or_none(int),
        ),
    )

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        object.__setattr__(self, "pairs", check_count("pairs", self.pairs))
        difference = abs(float(check_number("difference", self.difference)))
        object.__setattr__(self, "difference", difference)
        if self.difference == 0:
            raise ValueError(
                "no number of topics finds a difference of 0: give the least that matters"
            )
        if not self.alpha < check_number("power", self.power) < 1:
            raise ValueError(
                Message(
                    Option("power"),
                    f" must lie between alpha ({self.alpha:g}) and 1, not {shown(self.power)}",
                )
            )
        if self.sd is not None:
            if check_number("sd", self.sd) <= 0:
                raise ValueError(Message(Option("sd"), f" must be above 0, not {shown(self.sd)}"))
            object.__setattr__(self, "sd", float(self.sd))

    @property
    def level(self) -> float:
        """The significance level of each pair, where a formula plans for Bonferroni's correction."""
        return self.alpha / self.pairs
