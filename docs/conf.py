"""How Sphinx builds the documentation: ``make docs``, then open site/index.html."""

import sys
from importlib import metadata
from pathlib import Path

from sphinx.ext import autosummary

sys.path.insert(0, str(Path(__file__).parent))
import docstrings

project = "irpref"
release = metadata.version("irpref")
copyright = "The irpref developers"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "docstrings",
    "mathml",
    "pictures",
]
templates_path = ["_templates"]
exclude_patterns = ["_templates", "upstream", "found"]

html_theme = "furo"
html_title = "irpref"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
# Of an example, copy what was typed.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

# Sections can be linked to as on GitHub.
myst_heading_anchors = 3
# ::: for tabs, :term: by its own word, $…$ for formulas.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
html_math_renderer = "mathml"

napoleon_numpy_docstring = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
# A method that only does what its base class says is found there.
autodoc_inherit_docstrings = False
# Types stand in the signatures, a parameter a line where they are long.
python_display_short_literal_types = True
python_maximum_signature_line_length = 110
add_module_names = False

# The sentence of a table does not end at the number of an equation.
autosummary.WELL_KNOWN_ABBREVIATIONS += ("Eq.",)
# Some names differ in case only, and some file systems do not tell those apart.
autosummary_filename_map = {
    name: f"{name}-function" for name in ("irpref.preference", "irpref.plan")
}
autosummary_context = docstrings.for_templates
# Those are functions, which cannot be kept for the next build, and need not be.
suppress_warnings = ["config.cache"]

# The inventories hold just the names that are referred to, so that a build loads nothing.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3/", "inventories/python.txt"),
    "matplotlib": ("https://matplotlib.org/stable/", "inventories/matplotlib.txt"),
    "numpy": ("https://numpy.org/doc/stable/", "inventories/numpy.txt"),
    "pandas": ("https://pandas.pydata.org/docs/", "inventories/pandas.txt"),
    "polars": ("https://docs.pola.rs/api/python/stable/", "inventories/polars.txt"),
    "scipy": ("https://docs.scipy.org/doc/scipy/", "inventories/scipy.txt"),
}
# It brings PyTorch, and is not installed where the documentation is built.
autodoc_mock_imports = ["lenskit"]
nitpick_ignore_regex = [
    # What preferences and measures are handed: for who writes one, in the source.
    (
        "py:class",
        r".*\.(TopicBatch|TiedRankings|PositionSums|RelevantItems|SelectionIndex|OpenPairs|Certain|Fold|Reasons)",
    ),
    # What placements keep of the lists.
    ("py:class", r".*\.(FirstDocuments|UnjudgedDocuments)"),
    # Of the adapter of ir_measures: a type variable, and a text that carries a run.
    ("py:class", r".*\.Bound|Reference"),
    # Of ranx, which has no reference pages with an inventory.
    ("py:class", r"ranx\..*"),
    # Of LensKit, which is not installed.
    ("py:class", r"lenskit\..*"),
    # What makes a figure of a size.
    ("py:class", "NewFigure"),
    # A type variable of what is made once.
    ("py:class", r".*\.Made"),
]
