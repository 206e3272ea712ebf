"""Studies on a cluster of two worker processes, of which one is killed in the middle."""

from __future__ import annotations

import json
import os
import signal

import pytest
from conftest import lines, python

import warpspan

pytest.importorskip("distributed")


def test_rows_are_the_same_on_a_cluster(grid, client):
    expected = warpspan.study(grid, threads=1, frame="lines")
    assert warpspan.study(grid, client=client, frame="lines") == expected


def test_a_worker_that_is_killed_loses_nothing(grid, client, tmp_path):
    grid["study"]["samples"] = 20
    expected = sorted(warpspan.study(grid, threads=2, frame="lines"))
    before = client.run(os.getpid)
    assert len(before) == 2
    killed = []

    def kill(done, cells):
        if not killed and 0 < done < cells:
            killed.append(done)
            os.kill(next(iter(before.values())), signal.SIGKILL)

    out = tmp_path / "rows.ndjson"
    warpspan.study(grid, client=client, out=out, progress=kill)
    assert killed and killed[0] < len(expected) / 2, "it was in the middle"
    assert lines(out.read_text()) == expected
    client.wait_for_workers(2)
    assert set(client.run(os.getpid).values()) != set(before.values())


def test_a_stopped_study_goes_on_elsewhere(grid, client, tmp_path):
    out = tmp_path / "rows.parquet"

    class Stop(Exception):
        pass

    def stop(done, cells):
        if done:
            raise Stop

    with pytest.raises(Stop):
        warpspan.study(grid, threads=1, out=out, progress=stop)
    assert not out.exists()
    warpspan.study(grid, client=client, out=out, resume=True)
    table = pytest.importorskip("pyarrow.parquet").read_table(out)
    assert table.num_rows == 96 and len(set(table["seed"].to_pylist())) == 96


def test_the_package_as_a_program_of_a_scheduler(grid, cluster, tmp_path):
    file, out = tmp_path / "grid.json", tmp_path / "rows.ndjson"
    file.write_text(json.dumps(grid), encoding="utf-8")
    answer = python("-m", "warpspan", "study", file, "--scheduler", cluster.scheduler_address, "--out", out)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert lines(out.read_text()) == sorted(warpspan.study(grid, frame="lines"))


def test_what_a_client_does_not_take(grid, client):
    with pytest.raises(TypeError, match="threads are this machine's"):
        warpspan.study(grid, client=client, threads=2)
    with pytest.raises(warpspan.DocumentError):
        warpspan.study({"warpspan": 1, "study": {}}, client=client)
