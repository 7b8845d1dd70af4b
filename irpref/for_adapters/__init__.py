"""What adapters to other frameworks take from irpref, beside its public names.

An adapter imports ``irpref`` and this module, and nothing else of irpref, so that all else may move. The
module of each name is imported when the name is first asked for: an adapter may import this one early.

What a call asks for:
    ``from_keywords`` makes options of irpref (:class:`irpref.Reading`) of the keywords of a function, whose
    type is ``ReadingOptions``; ``reading_for`` adds what preferences need. ``as_criteria`` finds the
    preferences and measures (each a ``Criterion``) that ``ComparedBy`` or ``AnyCriterion`` mean, by default
    ``DEFAULT_PREFERENCES``; ``as_measure`` finds a measure. ``known_names`` has all
    by name: each class is a ``Named``.
    ``check_choice``, ``check_count``, ``check_flag`` and ``check_share`` refuse other values of an option,
    and ``by_text`` names of one text; ``AnyCorrection``, ``Order`` and ``Progress`` are the types of some.

What is said:
    ``unknown`` is the error for a name that nothing has, with the ``nearest`` one that there is, and
    ``refuse_unknown_options`` raises it for options; ``warn`` warns at the line of the user. ``refusing``
    makes an error of input of what another library raises, and ``needing`` says how to get that library.
    Errors and warnings are in the ``Words`` for data of recommenders where one is ``speaking`` these.
    ``shortened`` and ``shown`` write a value of the user, ``spelled`` an
    ``Option`` in an error. ``signature`` says how results were made;
    a ``Report`` shows one.

What is read:
    ``read_qrels`` and ``read_run`` make a table of a file, a frame or a dict; ``name_runs`` names several
    runs, and ``source_of`` is what errors call one. ``plain_number`` makes a value that has a text of any
    number. ``names_of_systems`` are those in the ``system_column`` of a table, and
    ``several_systems`` is the error where it may have one only. ``columns_found`` says which column is
    which, and ``refuse_missing_columns`` refuses a frame without one, and
    ``refuse_growth`` a file that would fill the memory. ``read_to_fault`` reads until the first mistake,
    and ``sound`` raises it; ``wrong_number`` says what is wrong with a grade. A ``Kind`` is what a table
    holds, such as a run, and ``EMPTY`` has no rows. ``files_below`` are the files in a folder, and
    ``is_mark`` says of a name in one that it is of no data.

Where relevant items stand:
    ``rank_run`` ranks a table of a run: a ``Ranking``. ``locate_rankings`` finds the positions of all
    relevant items in several runs: ``Placements``, which go through preferences and measures by
    ``TopicBatch``. ``read_ranking`` reads and ranks one run, with ``Judgments``. ``placements_at`` takes
    positions that the framework knows, ``UNRETRIEVED`` where an item has none.

What follows from it:
    ``topic_values`` are numbers by topic, ``Totals`` their sums over all topics (``totals_of_pairs``),
    and ``win_rates`` the share of wins of each system. ``sum_part`` sums a part of the topics, as a
    ``SummedPart``; parts add up. ``difference`` subtracts, and is 0 where floats would leave noise. Arrays
    are ``Floats``; ``at_least`` says which grades are relevant.

How pairs are tested:
    ``compare_pairs`` tests all pairs of a comparison, and ``TooFewTopicsError`` says that it cannot.
    ``check_pairs`` says which significant differences hold, and ``fragile_words`` warns of others.
    ``TESTS`` names the tests, and ``known_test`` finds one. ``adjust`` corrects p-values;
    ``CORRECTION_NAMES`` has the corrections as reports write them.
"""

import ast
from pathlib import Path

import lazy_loader

# The names stand in __init__.pyi, by the module that each comes from.
_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
__getattr__, __dir__, __all__ = lazy_loader.attach(
    "irpref",
    submod_attrs={
        node.module: [name.name for name in node.names]
        for node in _STUB.body
        if isinstance(node, ast.ImportFrom) and node.module
    },
)
