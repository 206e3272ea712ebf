"""How long GPU threads can take in the worst case, and why.

A document is a dict, a text, or a path to a file; a text is JSON, a share link, or anything else that the command
line reads. Results are dicts, as ``warpspan run`` prints them. Whatever is wrong with a document is a
:class:`DocumentError` with the place of every problem. The interpreter is let go while something is computed, and
Ctrl-C is heard.

    >>> import warpspan
    >>> document = {"warpspan": 1, "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}}}
    >>> warpspan.run(document)["makespan"]
    6
"""

from ._documents import Document, certify, check, check_logs, link, open, run
from ._errors import DocumentError, Problem
from ._native import __version__
from ._show import Shown, show
from ._study import Row, cell, study

__all__ = [
    "Document",
    "DocumentError",
    "Problem",
    "Row",
    "Shown",
    "__version__",
    "cell",
    "certify",
    "check",
    "check_logs",
    "link",
    "open",
    "run",
    "show",
    "study",
]
