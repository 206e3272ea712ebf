"""Studies on one machine: rows, frames, files, going on, Ctrl-C, the command line."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest
from conftest import ROOT, lines, python

import warpspan


def test_rows_are_those_of_the_command_line_byte_for_byte(grid, command_line, tmp_path):
    file = tmp_path / "grid.json"
    file.write_text(json.dumps(grid), encoding="utf-8")
    theirs = {threads: command_line("study", file, "--threads", threads) for threads in (1, 2)}
    assert all((answer.returncode, answer.stderr) == (0, "") for answer in theirs.values())
    assert lines(theirs[1].stdout) == lines(theirs[2].stdout)
    for threads in (1, 2):
        ours = warpspan.study(grid, threads=threads, frame="lines")
        assert len(ours) == 96 and sorted(ours) == lines(theirs[1].stdout)


def test_frames_have_a_column_for_each_axis_and_measure(grid):
    columns = ["warps", "cores", "sample", "seed", "makespan", "each", "odd", "problem"]
    rows = warpspan.study(grid, frame="rows")
    assert [row["sample"] for row in rows[:5]] == [0, 1, 2, 3, 0], "in the order of the cells"
    failed = [row for row in rows if "problem" in row]
    assert failed and {row["point"]["warps"] for row in failed} == {4}
    pandas = pytest.importorskip("pandas")
    table = warpspan.study(grid)
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == columns
    assert table["warps"].tolist() == [row["point"]["warps"] for row in rows]
    assert table["problem"].notna().sum() == len(failed) == table["makespan"].isna().sum()
    means = table.dropna(subset=["makespan"]).groupby("warps")["makespan"].mean()
    assert means.is_monotonic_increasing or means.iloc[-1] > means.iloc[0]


def test_the_scenario_of_a_cell_gives_its_row(grid):
    rows = warpspan.study(grid, frame="rows")
    for number in (0, 17, 95):
        scenario = warpspan.cell(grid, number)
        assert scenario["warps"]["count"] == rows[number]["point"]["warps"]
        assert warpspan.run(scenario)["makespan"] == rows[number]["values"]["makespan"]
    with pytest.raises(IndexError):
        warpspan.cell(grid, 96)


def test_polars_gets_the_same(grid):
    polars = pytest.importorskip("polars")
    table = warpspan.study(grid, frame="polars")
    assert isinstance(table, polars.DataFrame) and table.height == 96
    rows = warpspan.study(grid, frame="rows")
    assert table["makespan"].to_list() == [row.get("values", {}).get("makespan") for row in rows]


def test_files_hold_the_same_rows(grid, tmp_path):
    ours = sorted(warpspan.study(grid, frame="lines"))
    ndjson = warpspan.study(grid, out=tmp_path / "rows.ndjson")
    assert lines(ndjson.read_text()) == ours
    csv = warpspan.study(grid, out=str(tmp_path / "rows.csv"))
    assert len(csv.read_text().splitlines()) == 97
    table = pytest.importorskip("pyarrow.parquet").read_table(warpspan.study(grid, out=tmp_path / "rows.parquet"))
    assert {name: str(kind) for name, kind in zip(table.schema.names, table.schema.types)} == {
        "warps": "int64",
        "cores": "int64",
        "sample": "int64",
        "seed": "int64",
        "makespan": "int64",
        "each": "double",
        "odd": "double",
        "problem": "string",
    }
    found = {(row["warps"], row["cores"], row["sample"]): row for row in table.to_pylist()}
    for row in map(json.loads, ours):
        there = found.pop((row["point"]["warps"], row["point"]["cores"], row["sample"]))
        assert there["seed"] == row["seed"] and there["problem"] == row.get("problem")
        values = row.get("values", dict.fromkeys(("makespan", "each", "odd")))
        assert {name: there[name] for name in values} == values
    assert not found
    assert sorted(file.name for file in tmp_path.iterdir()) == ["rows.csv", "rows.ndjson", "rows.parquet"]


def test_a_stopped_study_goes_on(grid, tmp_path):
    out = tmp_path / "rows.ndjson"
    heard = []

    def stop(done, cells):
        heard.append((done, cells))
        if done:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        warpspan.study(grid, threads=2, out=out, progress=stop)
    before = out.read_text().splitlines()
    assert 0 < len(before) and heard[-1][1] == 96
    with pytest.raises(warpspan.DocumentError, match="--resume to go on"):
        warpspan.study(grid, out=out)
    with out.open("a") as file:
        file.write('{"point": {"wa')
    heard.clear()
    warpspan.study(grid, out=out, resume=True, progress=lambda done, cells: heard.append((done, cells)))
    assert lines(out.read_text()) == sorted(warpspan.study(grid, frame="lines"))
    assert heard[-1] == (96 - len(before), 96 - len(before)), "what was there is not computed again"


def test_what_goes_wrong_is_told_before_anything_runs(grid, document, monkeypatch):
    with pytest.raises(ValueError, match="frame='excel': expected one of 'pandas'"):
        warpspan.study(grid, frame="excel")
    with pytest.raises(TypeError, match="out="):
        warpspan.study(grid, resume=True)
    with pytest.raises(warpspan.DocumentError, match="document: no study"):
        warpspan.study(document)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pandas", None)
        with pytest.raises(ImportError, match="pip install pandas"):
            warpspan.study(grid)
    grid["study"]["axes"][0]["path"] = "warps.counts"
    with pytest.raises(warpspan.DocumentError, match=r"study.axes\[0\].path"):
        warpspan.study(grid)


def test_the_package_as_a_program(grid, tmp_path):
    answer = python("-m", "warpspan", "study", "-", "--threads", 2, text=json.dumps(grid))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert lines(answer.stdout) == sorted(warpspan.study(grid, frame="lines"))
    missing = python("-m", "warpspan", "study", tmp_path / "none.json")
    assert missing.returncode == 2 and "expected a file that can be read" in missing.stderr
    file = ROOT / "www" / "scenarios" / "figure-2.json"
    answer = python("-m", "warpspan", "study", file)
    said = f'{file}: document: no study, expected {{"warpspan": 1, "study": {{...}}}}\n'
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", said)
    assert python("-m", "warpspan", "study", file, "--resume").returncode == 2
