"""Compare rankings directly, pair by pair, and score tied rankings exactly."""

import lazy_loader

# The names stand in __init__.pyi; the module of each is imported when it is first asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
