"""How results show themselves: as their report, at a prompt and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irpref.render.report import Report


class SeenAsReport:
    """A result that people see as its report: a text, in colour at the prompt of a terminal, or HTML."""

    def _view(self) -> Report:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self._view())

    def __repr__(self) -> str:
        return repr(self._view())

    def _repr_html_(self) -> str:
        return self._view().to_html()


class SeenAsItsReport(SeenAsReport):
    """A result with one report, as which people see it."""

    @property
    def report(self) -> Report:
        """The result as a report."""
        raise NotImplementedError

    def _view(self) -> Report:
        return self.report
