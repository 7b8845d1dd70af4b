"""Compare rankings directly, pair by pair, and score tied rankings exactly."""

# The names stand in __init__.pyi; the module of each is imported when it is first asked for. That file
# is read then too: the command irpref needs no name, and does not wait for it.
_attached = []


def _names():
    if not _attached:
        import lazy_loader

        _attached[:] = lazy_loader.attach_stub(__name__, __file__)
    return _attached


def __getattr__(name):
    get, _, names = _names()
    return names if name == "__all__" else get(name)


def __dir__():
    return _names()[1]()
