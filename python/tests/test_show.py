"""A scenario in a notebook."""

from __future__ import annotations

import warpspan


def test_a_notebook_shows_the_embedded_page(document, monkeypatch):
    monkeypatch.delenv("WARPSPAN_PAGE", raising=False)
    shown = warpspan.show(document, "https://example.org/warpspan/")
    html = shown._repr_html_()
    assert html.startswith('<iframe src="https://example.org/warpspan/#v=1&amp;s=') and "&amp;embed=1" in html
    assert 'title="Warpspan: three warps"' in html
    assert repr(shown).startswith("https://example.org/warpspan/#v=1&s=")
    assert warpspan.open(repr(shown))["warps"]["count"] == 3
    monkeypatch.setenv("WARPSPAN_PAGE", "http://localhost:8080/")
    assert 'src="http://localhost:8080/#v=1' in warpspan.show(document, theme="dark")._repr_html_()


def test_without_a_page_it_says_how_to_get_one(document, monkeypatch):
    monkeypatch.delenv("WARPSPAN_PAGE", raising=False)
    document["title"] = "</pre><script>alert(1)</script>"
    html = warpspan.show(document)._repr_html_()
    assert "WARPSPAN_PAGE" in html and "<script>" not in html
