"""What Dask costs against threads: the same study by two threads and by two worker processes, in turn.

    python python/bench/overhead.py [ROUNDS] [WIDTH]

WIDTH is that of the beams, which sets how long a cell takes; the program prints what it is. Ratios are taken pair by
pair, so that a machine that gets slower meanwhile changes both.
"""

from __future__ import annotations

import statistics
import sys
import time

import distributed

import warpspan

WORKERS = 2


def study(width: int, cells: int) -> dict:
    """So many cells of about the same length."""
    warps = {
        "kernel": {"generate": "kernel", "length": 40, "letters": {"L": 1, "C": 2}},
        "count": 16,
        "machine": {"L": 1, "C": 2},
        "method": {"beam": {"width": width}},
    }
    document = {"base": {"warps": warps}, "samples": cells, "measures": {"makespan": "makespan"}}
    return {"warpspan": 1, "title": "cells of one length", "study": document}


def seconds(document: dict, **engine: object) -> float:
    """How long an engine takes."""
    begun = time.perf_counter()
    warpspan.study(document, frame="lines", **engine)
    return time.perf_counter() - begun


def main() -> None:
    """Measures, and prints a line for each round."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    width = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    one = seconds(study(width, 10), threads=1) / 10
    cells = max(40, round(8 / one))
    document = study(width, cells)
    print(f"{cells} cells of about {one * 1000:.0f} ms, {WORKERS} threads and {WORKERS} workers")
    with distributed.LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster, distributed.Client(cluster) as client:
        seconds(study(width, 4), client=client)
        ratios = []
        for _ in range(rounds):
            threads, dask = seconds(document, threads=WORKERS), seconds(document, client=client)
            ratios.append(dask / threads)
            print(f"threads {threads:.2f} s, Dask {dask:.2f} s, ratio {ratios[-1]:.3f}")
    print(f"ratio: median {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
