"""A scenario as the page shows it, within a notebook."""

from __future__ import annotations

import html
import json
import os
from typing import Optional

from . import _native
from ._documents import Document, text_of

#: The variable that tells the page's address where no call does.
VARIABLE = "WARPSPAN_PAGE"

# The embedded page tells how high it is; scripts run in notebooks that are trusted.
_FIT = """<script>
(() => {
  const frame = document.currentScript.previousElementSibling;
  addEventListener("message", (event) => {
    if (event.source === frame.contentWindow && String(event.data?.type).startsWith("warpspan-")) {
      frame.height = event.data.height;
    }
  });
})();
</script>"""


class Shown:
    """A scenario; a notebook shows it as the embedded page."""

    def __init__(self, document: Document, page: Optional[str], hide: bool, theme: Optional[str]) -> None:
        text = text_of(document)
        self.document = json.loads(_native.open(_native.link(text, False, False, None)))
        self.page = page or os.environ.get(VARIABLE)
        self.link = _native.link(text, True, hide, theme)

    def __repr__(self) -> str:
        return f"{self.page or ''}{self.link}"

    def _repr_html_(self) -> str:
        if self.page:
            return _native.frame(self.page, self.link, str(self.document.get("title", "scenario"))) + _FIT
        hint = f"Set {VARIABLE} to the page's address, or show(document, page=...), to see it here."
        text = html.escape(json.dumps(self.document, indent=2, ensure_ascii=False))
        return f"<p>{hint}</p><pre>{text}</pre>"


def show(
    document: Document, page: Optional[str] = None, *, hide: bool = False, theme: Optional[str] = None
) -> Shown:
    """Shows a scenario in a notebook as the embedded page, at ``page`` or else at ``$WARPSPAN_PAGE``.

    With ``hide`` the page asks what one expects before it shows the answer; ``theme`` is ``"dark"`` or ``"light"``.
    """
    return Shown(document, page, hide, theme)
