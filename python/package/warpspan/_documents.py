"""Documents: run, certified, checked, as links and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Union, cast

from . import _native

#: A document: a dict, a text, or the path to a file.
Document = Union[Mapping[str, Any], str, "os.PathLike[str]"]


def text_of(document: Document) -> str:
    """The text of a document."""
    if isinstance(document, str):
        return document
    if isinstance(document, os.PathLike):
        return Path(document).read_text(encoding="utf-8")
    if isinstance(document, Mapping):
        return json.dumps(document, ensure_ascii=False, allow_nan=False)
    kind = type(document).__name__
    raise TypeError(f"a document is a dict, a text or a path, not {kind}")


def run(document: Document) -> Dict[str, Any]:
    """Computes what a document asks, and returns its report."""
    return cast(Dict[str, Any], json.loads(_native.run(text_of(document))))


def certify(document: Document) -> Dict[str, Any]:
    """Runs a document about warps, and returns a certificate: the result, with all it takes to check it."""
    return cast(Dict[str, Any], json.loads(_native.certify(text_of(document))))


def check(certificate: Document) -> Dict[str, Any]:
    """Checks a certificate without what made it; ``accepted`` in the answer says whether its claims hold."""
    return cast(Dict[str, Any], json.loads(_native.check(text_of(certificate))))


def check_logs(*logs: "Union[str, os.PathLike[str]]", device: Optional[str] = None) -> Dict[str, Any]:
    """Checks the scheduling examiner's logs of one run, given by their paths, against the scheduling rules.

    ``conforms`` in the answer says whether all rules are kept, and ``violations`` lists where they are not.
    """
    texts = [(os.fspath(log), Path(log).read_text(encoding="utf-8")) for log in logs]
    return cast(Dict[str, Any], json.loads(_native.check_logs(texts, device)))


def link(document: Document, page: str = "", *, hide: bool = False, theme: Optional[str] = None) -> str:
    """A document as a share link: what stands behind the address of the page, or all of it.

    With ``hide`` whoever opens it is asked first; ``theme`` is ``"dark"`` or ``"light"``.
    """
    return page + _native.link(text_of(document), False, hide, theme)


def open(link: str) -> Dict[str, Any]:
    """The document in a share link, or in an address that ends in one."""
    return cast(Dict[str, Any], json.loads(_native.open(link)))
