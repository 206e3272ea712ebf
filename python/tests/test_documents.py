"""Documents: run, certified, checked, as links and back; what is wrong with them; Ctrl-C."""

from __future__ import annotations

import copy
import json
import pickle
import signal
import subprocess
import sys
import threading

import pytest
from conftest import PATIENCE, ROOT, python

import warpspan


def test_a_document_is_a_dict_a_text_a_link_or_a_path(document, tmp_path):
    file = tmp_path / "three.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    for given in (document, json.dumps(document), warpspan.link(document), file):
        report = warpspan.run(given)
        assert (report["makespan"], report["lab"], report["scenario"]) == (6, "warps", "three warps")
        assert report.pop("seconds") >= 0


def test_reports_are_those_of_the_command_line(document, command_line, tmp_path):
    for name in ("figure-2", "paredes-example", "tasks-controller"):
        file = ROOT / "www" / "scenarios" / f"{name}.json"
        theirs = json.loads(command_line("run", file).stdout)
        ours = warpspan.run(file)
        assert ours["seconds"] >= 0
        ours, theirs = ({key: report[key] for key in report if "seconds" not in key} for report in (ours, theirs))
        assert ours == theirs, name


def test_certificates_are_accepted_and_changed_ones_are_not(document):
    document["warps"]["method"] = {"exact": {}}
    certificate = warpspan.certify(document)
    assert warpspan.check(certificate)["accepted"] is True
    changed = copy.deepcopy(certificate)
    changed["lower"]["makespan"] += 1
    verdict = warpspan.check(changed)
    assert verdict["accepted"] is False and "lower: the schedule takes 7 cycles, not 8" in verdict["reasons"]
    del changed["checksum"]
    with pytest.raises(warpspan.DocumentError, match="checksum: missing"):
        warpspan.check(changed)


def test_links_go_there_and_back(document):
    link = warpspan.link(document)
    assert link.startswith("#v=1&s=")
    assert warpspan.open(link)["warps"]["count"] == 3
    whole = warpspan.link(document, "https://example.org/warpspan/", hide=True, theme="dark")
    assert whole.startswith("https://example.org/warpspan/#v=1&s=") and "&hide=1" in whole and "theme=dark" in whole
    assert warpspan.open(whole) == warpspan.open(link)


def test_every_problem_has_its_place(document):
    document["warps"].update(kernel="LXL", count=0)
    with pytest.raises(warpspan.DocumentError) as caught:
        warpspan.run(document)
    error = caught.value
    assert [problem.place for problem in error.problems] == ["warps.kernel", "warps.count"]
    assert (error.place, error.problems[1].found, error.problems[1].expected) == (
        "warps.kernel",
        "0",
        "a whole number, 1 to 64",
    )
    assert str(error).splitlines()[1] == "warps.count: 0, expected a whole number, 1 to 64"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again)) == (error.problems, str(error))


def test_what_is_no_document_is_refused():
    for text in ("", "{", "[]", "#v=1&s=broken"):
        with pytest.raises(warpspan.DocumentError):
            warpspan.run(text)
    with pytest.raises(TypeError, match="a dict, a text or a path, not int"):
        warpspan.run(7)
    with pytest.raises(ValueError):
        warpspan.run({"warpspan": float("nan")})
    with pytest.raises(FileNotFoundError):
        warpspan.run(ROOT / "no such file")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_ctrl_c_ends_a_search(endless):
    # Whoever starts tests in the background may have had the signal ignored.
    heard = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"import signal, sys, warpspan; {heard}; print('begun', flush=True); warpspan.run(sys.argv[1])"
    child = subprocess.Popen(
        [sys.executable, "-c", code, json.dumps(endless)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=PATIENCE)
    assert said.strip().endswith("KeyboardInterrupt"), said


def test_the_interpreter_is_let_go(endless):
    code = """
import os, sys, threading, warpspan
threading.Thread(target=warpspan.run, args=(sys.argv[1],), daemon=True).start()
print(warpspan.run('{"warpspan": 1, "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}}}')["makespan"])
sys.stdout.flush()
os._exit(0)
"""
    answer = python("-c", code, json.dumps(endless))
    assert (answer.returncode, answer.stdout) == (0, "6\n"), answer.stderr


def test_documents_run_in_several_threads(document):
    found = []
    runs = [threading.Thread(target=lambda: found.append(warpspan.run(document)["makespan"])) for _ in range(4)]
    for thread in runs:
        thread.start()
    for thread in runs:
        thread.join(PATIENCE)
    assert found == [6] * 4
