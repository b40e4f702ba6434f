"""The documentation site: Sphinx reads the Markdown of this folder as it stands (make docs).

Pages link to files of the repository outside this folder, as a code host shows them. On the site such a link leads
to the repository where pyproject.toml names its address (project.urls, Source), and is plain text until then.
"""

import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

ROOT = Path(__file__).resolve().parent.parent
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_SOURCE = _PROJECT["urls"].get("Source", "").rstrip("/")

project = _PROJECT["name"]
author = _PROJECT["authors"][0]["name"]
version = release = _PROJECT["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["README.md"]  # the index for code hosts; index.md is the home page
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
smartquotes = False  # they make a dash of the two hyphens of an option

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = "jperrant"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["report-sample.html"]
html_show_copyright = False


def _lead_outside(app: Any, doctree: Any) -> None:
    """Turn links to files outside this folder into links to the repository or text; name pages by their titles."""
    here = Path(app.env.doc2path(app.env.docname)).parent
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node.astext() == f"{Path(node.get('reftarget', '')).name}.md":
            node["refexplicit"] = False  # [m2.md](m2.md): the site shows the page's title
        place = here / node.get("reftarget", "")
        found = next((path.resolve() for path in (place, place.with_suffix(".md")) if path.exists()), None)
        if node.get("refdomain") != "doc" or found is None or found.is_relative_to(app.srcdir):
            continue
        inside = node.children
        if _SOURCE:
            link = f"{_SOURCE}/blob/main/{found.relative_to(ROOT).as_posix()}"
            inside = [nodes.reference("", "", *inside, refuri=link, internal=False)]
        node.replace_self(inside)


def setup(app: Any) -> None:
    """Register what this site adds to Sphinx."""
    app.connect("doctree-read", _lead_outside)
