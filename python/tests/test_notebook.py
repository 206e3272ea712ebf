"""The notebook runs from top to bottom, and comes to what it says."""

from __future__ import annotations

import importlib.util
import json
from typing import Any, Dict, List

import pytest
from conftest import PATIENCE, ROOT

NOTEBOOK = ROOT / "python" / "examples" / "latency.ipynb"
#: What the last cell is asked for; a line of its own, as cells may print, too.
CHECK = """
assert again.equals(table)
each = table.set_index(["warps", "scheduler"])["each"]
assert each[32, "round-robin"] == each[64, "round-robin"] == 10
assert each[8, "greedy-then-oldest"] < each[8, "round-robin"]
assert scenario["warps"]["count"] == 8
print("checked")
"""


def there(*modules: str) -> bool:
    """Whether all of them can be imported."""
    return all(importlib.util.find_spec(module) for module in modules)


def cells() -> List[Dict[str, Any]]:
    """What is run of it, in order."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.fixture(autouse=True)
def packages(tmp_path, monkeypatch):
    """What it imports besides the package; it writes into a folder of its own."""
    pytest.importorskip("pandas")
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(
    not there("nbclient", "ipykernel", "matplotlib"), reason="nbclient, ipykernel or matplotlib is not installed"
)
def test_the_notebook_runs_in_a_kernel(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(CHECK))
    NotebookClient(notebook, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert drawn, "it draws the figure"
    assert "checked" in notebook.cells[-1].outputs[-1]["text"]


def test_its_cells_run_one_after_the_other():
    names: Dict[str, Any] = {}
    for cell in cells():
        drawn = "figure" in cell["metadata"].get("tags", [])
        if not drawn or there("matplotlib"):
            exec("".join(cell["source"]), names)
    exec(CHECK, names)
