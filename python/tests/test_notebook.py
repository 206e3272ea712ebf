"""The notebook's cells run one after the other, and come to what it says."""

from __future__ import annotations

import importlib.util
import json

import pytest
from conftest import ROOT


def test_the_notebook_runs(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "python" / "examples" / "latency.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in notebook["cells"]:
        drawn = "figure" in cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and (not drawn or importlib.util.find_spec("matplotlib")):
            exec("".join(cell["source"]), names)
    assert names["again"].equals(names["table"])
    each = names["table"].set_index(["warps", "scheduler"])["each"]
    assert each[32, "round-robin"] == each[64, "round-robin"] == 10
    assert each[8, "greedy-then-oldest"] < each[8, "round-robin"]
    assert names["scenario"]["warps"]["count"] == 8
