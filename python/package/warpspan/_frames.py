"""Rows as a table of pandas or polars."""

from __future__ import annotations

import importlib
import json
from typing import Any, Dict, Iterable, List

from ._native import Study

KINDS = ("pandas", "polars", "rows", "lines")
#: Those that need no library.
PLAIN = ("rows", "lines")


def imported(kind: str) -> Any:
    """The library of a kind of table; asked for before anything is computed, not after."""
    if kind not in KINDS:
        raise ValueError(f"frame={kind!r}: expected one of {', '.join(map(repr, KINDS))}")
    if kind in PLAIN:
        return None
    try:
        return importlib.import_module(kind)
    except ImportError as error:
        message = f'{kind} is not installed: pip install {kind}, or ask for frame="rows", which needs nothing'
        raise ImportError(message) from error


def made(kind: str, library: Any, study: Study, lines: Iterable[str]) -> Any:
    """The table of rows, each a line of JSON: axes, sample, seed, measures, problem."""
    if kind == "lines":
        return list(lines)
    rows: List[Dict[str, Any]] = [json.loads(line) for line in lines]
    if kind == "rows":
        return rows
    columns = study.columns
    axes, measures = study.axes, study.measures
    values: List[List[Any]] = [[row["point"][axis] for row in rows] for axis in axes]
    values += [[row[key] for row in rows] for key in ("sample", "seed")]
    values += [[row.get("values", {}).get(measure) for row in rows] for measure in measures]
    values.append([row.get("problem") for row in rows])
    table = dict(zip(columns, values))
    if kind == "polars":
        return library.DataFrame(table, strict=False)
    return library.DataFrame(table, columns=columns)
