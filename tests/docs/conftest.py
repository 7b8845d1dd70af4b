"""The browser that pages are opened in."""

from tests.browser import browser

__all__ = ["browser"]
