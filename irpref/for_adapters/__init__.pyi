# __init__.py says what the names are, and imports the module of each when it is first asked for.
from ..api.summed_part import SummedPart, sum_part
from ..base.arrays import Floats, at_least
from ..base.checks import by_text, check_choice, check_count, check_flag, check_share
from ..base.errors import (
    nearest,
    needing,
    refuse_missing_columns,
    refuse_unknown_options,
    refusing,
    unknown,
    warn,
)
from ..base.escape import shortened, shown
from ..base.keywords import from_keywords
from ..base.literals import DEFAULT_PREFERENCES, AnyCorrection, Order, Progress
from ..base.message import Option, spelled
from ..base.named import Named
from ..base.reading_options import ReadingOptions, reading_for
from ..base.tolerance import difference
from ..base.wording import Words, speaking
from ..methods.gains import plain_number
from ..methods.names import (
    AnyCriterion,
    ComparedBy,
    as_criteria,
    as_measure,
    known_names,
)
from ..methods.preferences.criterion import Criterion
from ..pairwise.pair_checks import check_pairs
from ..pairwise.pair_tests import compare_pairs
from ..pairwise.signature import signature
from ..pairwise.topic_values import topic_values
from ..pairwise.totals import Totals, totals_of_pairs
from ..positions.given_positions import UNRETRIEVED, placements_at
from ..positions.judgments import Judgments
from ..positions.locating import locate_rankings, read_ranking
from ..positions.placements import Placements
from ..positions.ranking import Ranking, rank_run
from ..positions.topic_batch import TopicBatch
from ..read import read_qrels, read_run, read_to_fault, sound, source_of, wrong_number
from ..read.column_names import columns_found, system_column
from ..read.files import refuse_growth
from ..read.names_of_runs import name_runs
from ..read.stored import files_below, is_mark, names_of_systems, several_systems
from ..read.text import EMPTY, Kind
from ..report.report import Report
from ..show.reports.check_words import fragile_words
from ..show.reports.comparison_notes import CORRECTION_NAMES
from ..stats.corrections import adjust
from ..stats.method import TooFewTopicsError
from ..stats.orders.win_rates import win_rates
from ..stats.tests import TESTS, known_test

__all__ = [
    "CORRECTION_NAMES",
    "DEFAULT_PREFERENCES",
    "EMPTY",
    "TESTS",
    "UNRETRIEVED",
    "AnyCorrection",
    "AnyCriterion",
    "ComparedBy",
    "Criterion",
    "Floats",
    "Judgments",
    "Kind",
    "Named",
    "Option",
    "Order",
    "Placements",
    "Progress",
    "Ranking",
    "ReadingOptions",
    "Report",
    "SummedPart",
    "TooFewTopicsError",
    "TopicBatch",
    "Totals",
    "Words",
    "adjust",
    "as_criteria",
    "as_measure",
    "at_least",
    "by_text",
    "check_choice",
    "check_count",
    "check_flag",
    "check_pairs",
    "check_share",
    "columns_found",
    "compare_pairs",
    "difference",
    "files_below",
    "fragile_words",
    "from_keywords",
    "is_mark",
    "known_names",
    "known_test",
    "locate_rankings",
    "name_runs",
    "names_of_systems",
    "nearest",
    "needing",
    "placements_at",
    "plain_number",
    "rank_run",
    "read_qrels",
    "read_ranking",
    "read_run",
    "read_to_fault",
    "reading_for",
    "refuse_growth",
    "refuse_missing_columns",
    "refuse_unknown_options",
    "refusing",
    "several_systems",
    "shortened",
    "shown",
    "signature",
    "sound",
    "source_of",
    "speaking",
    "spelled",
    "sum_part",
    "system_column",
    "topic_values",
    "totals_of_pairs",
    "unknown",
    "warn",
    "win_rates",
    "wrong_number",
]
