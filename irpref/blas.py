"""One thread of BLAS: in workers, its own threads only get in each other's way, and change digits.

BLAS shares large products among its threads, and the order of a sum of floats changes its last digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock

__all__ = ["one_blas_thread"]


class _Limit:
    """How many ask for one thread. The limit holds for the whole process, so the last one lifts it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asking = 0
        self._set: AbstractContextManager[object] | None = None

    def ask(self) -> None:
        with self._lock:
            self._asking += 1
            if self._asking == 1:
                # Slow to import.
                from threadpoolctl import threadpool_limits

                self._set = threadpool_limits(1, user_api="blas")

    def release(self) -> None:
        with self._lock:
            self._asking -= 1
            if not self._asking and self._set is not None:
                self._set.__exit__(None, None, None)


_LIMIT = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Products of matrices within take one thread; several threads may be within at a time.

    Example:
        >>> import numpy as np
        >>> with one_blas_thread():
        ...     (np.ones((2, 3)) @ np.ones((3, 2))).tolist()
        [[3.0, 3.0], [3.0, 3.0]]
    """
    _LIMIT.ask()
    try:
        yield
    finally:
        _LIMIT.release()
