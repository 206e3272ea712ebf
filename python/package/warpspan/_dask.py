"""Cells as futures of Dask, in batches.

Dask schedules, moves and retries; here is only how many cells make a batch, and how many batches wait. The study
itself is a task, too, and its text an input of the others: where the worker that holds it dies, Dask makes it again.
"""

from __future__ import annotations

import functools
import time
import uuid
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Optional, Tuple

from ._native import Study, __version__

if TYPE_CHECKING:
    from distributed import Client

#: The first cell of a batch, and its rows, a line of JSON each.
Batch = Tuple[int, str]
#: The next cells that have no rows, from one on and at most so many: the first, and the one after the last.
Gaps = Callable[[int, int], Optional[Tuple[int, int]]]

#: A batch takes about so many seconds: enough for what Dask needs for each, and short enough that all end together.
SECONDS = 0.25
#: So many batches wait for each thread of each worker.
WAITING = 4


def rows(client: "Client", text: str, cells: int, gaps: Gaps, retries: int) -> Iterator[Batch]:
    """The rows of all cells that have none, batch by batch, in any order."""
    try:
        from distributed import Future, as_completed
    except ImportError as error:
        raise ImportError("Dask is not installed: pip install distributed") from error
    run = uuid.uuid4().hex
    document = client.submit(_text, text, __version__, key=f"warpspan-study-{run}", retries=retries)
    waiting: Dict[Future[Any], Tuple[int, int]] = {}
    finished = as_completed()
    size, after, left = 1, 0, cells
    try:
        while True:
            slots = max(1, sum(client.nthreads().values()))
            while len(waiting) < WAITING * slots:
                # Towards the end batches become smaller, so that no worker waits long for another.
                gap = gaps(after, min(size, max(1, left // (2 * slots))))
                if gap is None:
                    break
                after, left = gap[1], left - (gap[1] - gap[0])
                key = f"warpspan-cells-{run}-{gap[0]}"
                future = client.submit(_rows, document, *gap, __version__, key=key, retries=retries)
                waiting[future] = gap
                finished.add(future)
            if not waiting:
                return
            future = next(finished)
            first, end = waiting.pop(future)
            took, batch = future.result()
            future.release()
            size = _sized(size, end - first, took)
            yield first, batch
    finally:
        # Whoever stops, by Ctrl-C or an error, leaves nothing behind on the cluster.
        client.cancel(list(waiting))
        document.release()


def _sized(size: int, cells: int, took: float) -> int:
    """The size of the next batches, from how long one took; at most doubled or halved."""
    wanted = cells * SECONDS / max(took, 1e-6)
    return max(1, int(min(max(wanted, size / 2), size * 2)))


def _text(text: str, version: str) -> str:
    """What workers compute from."""
    _same(version)
    return text


def _rows(text: str, first: int, end: int, version: str) -> Tuple[float, str]:
    """The rows of some cells, and how many seconds they took."""
    _same(version)
    study = _study(text)
    begun = time.perf_counter()
    lines = study.rows(first, end)
    return time.perf_counter() - begun, lines


def _same(version: str) -> None:
    if version != __version__:
        raise RuntimeError(f"a worker has warpspan {__version__}, the client has {version}: rows might differ")


@functools.lru_cache(maxsize=4)
def _study(text: str) -> Study:
    return Study(text)
