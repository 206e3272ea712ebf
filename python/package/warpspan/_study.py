"""Studies on one machine or on many: the same rows on each."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Union, cast

from . import _dask, _frames
from ._documents import Document, text_of
from ._native import Rows, Study

if TYPE_CHECKING:
    from distributed import Client

#: A row: ``point``, ``sample``, ``seed``, and ``values`` or a ``problem``.
Row = Dict[str, Any]
#: Hears how many cells are done, and of how many.
Progress = Callable[[int, int], object]


def study(
    document: Document,
    *,
    threads: Optional[int] = None,
    client: "Optional[Client]" = None,
    out: "Optional[Union[str, os.PathLike[str]]]" = None,
    resume: bool = False,
    frame: str = "pandas",
    progress: Union[bool, Progress] = False,
    retries: int = 3,
) -> Any:
    """Computes all cells of a study, and returns a row for each.

    Without a ``client`` by as many ``threads`` as asked for, else as there are processors. With a Dask ``client``
    (`distributed.Client`) by its workers; Dask schedules the cells in batches, and computes again what a worker that
    dies has not handed over, and ``retries`` times what fails otherwise. The rows are the same.

    Returns a ``frame`` of ``"pandas"`` or ``"polars"``, or a list: of dicts for ``"rows"``, of lines of JSON, as the
    command line prints them, for ``"lines"``; in the order of the cells.
    With ``out``, a name that ends in ``.ndjson``, ``.csv`` or ``.parquet``, rows are written there as they come,
    in any order, and its path is returned; then memory does not grow with the number of cells, and ``resume`` goes
    on with what a stopped run has written.

    ``progress`` prints how far it is, or is called with the number of cells that are done and that of all.

    Raises :class:`DocumentError` for a study that is refused. A cell that fails has a ``problem`` in its row.
    """
    if threads is not None and client is not None:
        raise TypeError("threads are this machine's; how many a client has is told where its workers are started")
    if resume and out is None:
        raise TypeError("resume goes on with the rows of a file: out=...")
    text = text_of(document)
    read = Study(text)
    library = _frames.imported(frame) if out is None else None
    number = threads or os.cpu_count() or 1
    if out is None:
        with Teller(progress, read.title, read.cells) as told:
            if client is None:
                lines: Iterable[str] = read.all(number, told)
            else:
                lines = _in_order(_dask.rows(client, text, read.cells, _all(read.cells), retries), told)
        return _frames.made(frame, library, read, lines)
    path = Path(out)
    rows = Rows(read, os.fspath(path), resume)
    try:
        with Teller(progress, read.title, read.cells - rows.known()) as told:
            if client is None:
                rows.compute(read, number, told)
            else:
                done = 0
                for _, batch in _dask.rows(client, text, read.cells - rows.known(), rows.gap, retries):
                    rows.add(batch)
                    done += batch.count("\n")
                    told(done)
        rows.done()
    finally:
        rows.close()
    return path


def _all(cells: int) -> _dask.Gaps:
    return lambda first, most: (first, min(first + most, cells)) if first < cells else None


def _in_order(batches: Iterable[_dask.Batch], told: Callable[[int], None]) -> List[str]:
    done, found = 0, []
    for first, text in batches:
        found.append((first, text))
        done += text.count("\n")
        told(done)
    return [line for _, text in sorted(found) for line in text.splitlines()]


def cell(document: Document, number: int) -> Dict[str, Any]:
    """The document of a cell of a study, which opens like any other scenario; cells count from 0, as rows do."""
    return cast(Dict[str, Any], json.loads(Study(text_of(document)).document(number)))


class Teller:
    """Tells how far a study is: a line on a terminal, which is taken away in the end; or whoever asked to hear."""

    EVERY = 0.2

    def __init__(self, progress: Union[bool, Progress], title: str, cells: int) -> None:
        self._progress = progress
        self._title = title
        self._cells = cells
        self._begun = self._told = time.monotonic()
        self._shown = False

    def __enter__(self) -> "Teller":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __call__(self, done: int) -> None:
        if callable(self._progress):
            self._progress(done, self._cells)
            return
        now = time.monotonic()
        if not self._progress or now - self._told < self.EVERY:
            return
        self._told = now
        took = now - self._begun
        left = f", {took * (self._cells - done) / done:.0f} s left" if done else ""
        line = f"{self._title}: {done:,} of {self._cells:,} cells, {took:.0f} s{left}"
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        self._shown = True
