"""What tests share: a study, the command line beside the package, and a cluster of two worker processes."""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, TextIO

import pytest

ROOT = Path(__file__).parents[2]
#: Standard error of whoever runs the tests.
STDERR = pytest.StashKey[TextIO]()
#: After this a program is taken to hang. It ends a hang and decides nothing else.
PATIENCE = 600


def pytest_configure(config: pytest.Config) -> None:
    """Keeps standard error as it is before pytest captures it."""
    config.stash[STDERR] = os.fdopen(os.dup(sys.__stderr__.fileno()), "w")


@pytest.fixture(autouse=True)
def ends(pytestconfig: pytest.Config) -> Iterator[None]:
    """Ends a test that hangs, and all that come after it, with where each thread is."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=pytestconfig.stash[STDERR])
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def document() -> Dict[str, Any]:
    """A set of warps that is over before one looks."""
    return {
        "warpspan": 1,
        "title": "three warps",
        "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}},
    }


@pytest.fixture
def endless() -> Dict[str, Any]:
    """A search that nobody lives to see the end of."""
    machine = {"L": 2, "C": 3, "S": 1, "issue": 4}
    kernel = "3(5L 9C 2S 7C 2L 9C S L 4C)"
    return {"warpspan": 1, "warps": {"kernel": kernel, "count": 64, "machine": machine, "method": {"exact": {}}}}


@pytest.fixture
def grid() -> Dict[str, Any]:
    """A study of 96 cells that are drawn, and of which some fail."""
    warps = {
        "kernel": {"generate": "kernel", "length": 24},
        "count": 1,
        "machine": {"L": 1, "C": 2},
        "method": {"beam": {"width": 10}},
    }
    return {
        "warpspan": 1,
        "title": "a grid",
        "study": {
            "base": {"warps": warps},
            "axes": [
                {"path": "warps.count", "name": "warps", "from": 1, "to": 12},
                {"path": "warps.machine.C", "name": "cores", "values": [1, 2]},
            ],
            "samples": 4,
            "measures": {"makespan": "makespan", "each": "makespan / count", "odd": "1 / (count - 4)"},
        },
    }


@pytest.fixture(scope="session")
def command_line() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Calls the command line that was built from the same sources."""
    found = os.environ.get("WARPSPAN_BINARY")
    if found is None:
        pytest.skip("$WARPSPAN_BINARY names no command line to compare with")

    def call(*words: object) -> "subprocess.CompletedProcess[str]":
        return called(found, *words)

    return call


def called(*words: object, text: str = "") -> "subprocess.CompletedProcess[str]":
    """Calls a program."""
    return subprocess.run(
        [str(word) for word in words], input=text, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def python(*words: object, text: str = "") -> "subprocess.CompletedProcess[str]":
    """Calls this Python."""
    return called(sys.executable, *words, text=text)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes of one thread each, and their scheduler."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    """A client of the cluster."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        yield client


def lines(text: str) -> List[str]:
    """The lines of a text, sorted."""
    return sorted(text.splitlines())
