"""The site: `make docs` writes it to site/, and runs every example on the way."""

import os
import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))
# Examples run one after the other, as on a small machine; the one of Dask imports in its workers.
os.environ.setdefault("OMP_NUM_THREADS", "2")

project = "kpca"
author = "The kpca developers"
project_copyright = author
version = release = version_of("kpca")

extensions = [
    "mathematics",  # extensions/mathematics.py: formulas as MathML
    "myst_parser",
    "numpydoc",
    "pages",  # extensions/pages.py: what stands elsewhere in the repository
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["tutorial", "**/GALLERY_HEADER.rst", "**sg_execution_times.rst"]
templates_path = ["templates"]
suppress_warnings = ["config.cache"]  # functions among the settings of the gallery
smartquotes = False  # or --options lose a dash
nitpicky = True
# `name` in a docstring is a link where the site has that name; what begins with kpca has to be one.
default_role = "py:obj"
nitpick_ignore_regex = [("py:obj", r"(?!kpca\.).*")]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_dmath_allow_digits = False  # $23,999 is an amount
html_math_renderer = "mathml"
myst_heading_anchors = 3

autosummary_generate = True
autosummary_imported_members = True
autodoc_typehints = "none"  # numpydoc says them, with shapes
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"  # or names do not fit into the contents
numpydoc_show_class_members = False
# Examples in docstrings are run by `make test`, those of these pages by `make docs`.
doctest_test_doctest_blocks = ""

sphinx_gallery_conf = {
    "examples_dirs": ["tutorial", "../examples"],
    "gallery_dirs": ["generated/tutorial", "generated/examples"],
    "within_subsection_order": "pages.taught",
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1,
    "doc_module": ("kpca",),
    "backreferences_dir": "generated/backreferences",
    "reset_modules": ("matplotlib", "pages.style"),
}

html_theme = "pydata_sphinx_theme"
html_title = "kpca"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
ONE_PAGE = ("index", "generated/tutorial/plot_lecture", "generated/tutorial/plot_errors")
html_sidebars = {page: [] for page in ONE_PAGE}
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "show_nav_level": 1,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
