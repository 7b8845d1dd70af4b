# for_adapters.py says what the names are, and imports the module of each when it is first asked for.
from .arrays import Flags, Floats, Integers, Values
from .checks import check_choice, check_count, check_flag, check_number
from .choices import DEFAULT_PREFERENCES, Alternative, AnyCorrection, Correction, Order, Progress
from .cli import main
from .errors import unknown, warn
from .keywords import from_keywords
from .message import Option, spelled
from .names import AnyCriterion, AnyMeasure, ComparedBy, as_criteria, as_measure, known_names
from .needs import reading_for
from .noise import difference
from .options import Named
from .pair_test import AnyTest
from .preferences.criterion import Criterion
from .project.given_positions import UNRETRIEVED, placements_at
from .project.judgments import Judgments
from .project.placements import Placements
from .project.placing import place_rankings, read_ranking
from .project.ranking import Ranking, rank_run
from .project.topic_batch import TopicBatch
from .read import name_runs, read_qrels, read_run, read_to_fault
from .read.column_names import columns_found
from .read.columns import column_of_pandas, names_of, text_of_id
from .read.files import source_of
from .read.text import EMPTY, Kind
from .reading import ReadingOptions
from .render.comparison_notes import CORRECTION_NAMES
from .render.markup import clean_latex
from .stats.corrections import adjust
from .stats.margins import margin_tests, too_few_decided
from .stats.method import Method, PairSums
from .stats.orders.win_rates import win_rates
from .stats.tests import TESTS, known_test
from .summarise.pair_tests import compare_pairs
from .summarise.signature import parts_of_reading, signature
from .summarise.topic_values import topic_values, topic_win_rates
from .summarise.totals import Totals
from .summed_part import SummedPart, sum_part
from .visible import shortened, shown

__all__ = [
    "CORRECTION_NAMES",
    "DEFAULT_PREFERENCES",
    "EMPTY",
    "TESTS",
    "UNRETRIEVED",
    "Alternative",
    "AnyCorrection",
    "AnyCriterion",
    "AnyMeasure",
    "AnyTest",
    "ComparedBy",
    "Correction",
    "Criterion",
    "Flags",
    "Floats",
    "Integers",
    "Judgments",
    "Kind",
    "Method",
    "Named",
    "Option",
    "Order",
    "PairSums",
    "Placements",
    "Progress",
    "Ranking",
    "ReadingOptions",
    "SummedPart",
    "TopicBatch",
    "Totals",
    "Values",
    "adjust",
    "as_criteria",
    "as_measure",
    "check_choice",
    "check_count",
    "check_flag",
    "check_number",
    "clean_latex",
    "column_of_pandas",
    "columns_found",
    "compare_pairs",
    "difference",
    "from_keywords",
    "known_names",
    "known_test",
    "main",
    "margin_tests",
    "name_runs",
    "names_of",
    "parts_of_reading",
    "place_rankings",
    "placements_at",
    "rank_run",
    "read_qrels",
    "read_ranking",
    "read_run",
    "read_to_fault",
    "reading_for",
    "shortened",
    "shown",
    "signature",
    "source_of",
    "spelled",
    "sum_part",
    "text_of_id",
    "too_few_decided",
    "topic_values",
    "topic_win_rates",
    "unknown",
    "warn",
    "win_rates",
]
