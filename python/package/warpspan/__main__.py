"""``python -m warpspan study FILE``: a study by the workers of a Dask scheduler, or by threads."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Iterable, List, Optional

from . import DocumentError, __version__, study

#: The exit status of bad input or usage.
USAGE = 2


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    words = argparse.ArgumentParser(prog="python -m warpspan", description="Worst-case timing of GPU threads.")
    words.add_argument("--version", action="version", version=f"warpspan {__version__}")
    commands = words.add_subparsers(dest="command", required=True)
    one = commands.add_parser("study", help="compute all cells of a study; a row for each")
    one.add_argument("file", metavar="FILE", help="the study; - is standard input")
    one.add_argument("--scheduler", metavar="ADDRESS", help="of Dask, such as tcp://10.0.0.1:8786; else threads")
    one.add_argument("--threads", type=int, metavar="N", help="without a scheduler: at most N cells at a time")
    one.add_argument("--out", metavar="FILE", help="write rows to FILE.ndjson, FILE.csv or FILE.parquet")
    one.add_argument("--resume", action="store_true", help="go on with the rows that are there")
    one.add_argument("--retries", type=int, default=3, metavar="N", help="with a scheduler: try a batch again so often")
    return words


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command line; its exit status."""
    words = parser()
    asked = words.parse_args(arguments)
    if asked.resume and asked.out is None:
        words.error("--resume without --out FILE")
    if asked.threads is not None and (asked.scheduler or asked.threads < 1):
        words.error("--threads N: a number from 1 on, without --scheduler")
    try:
        text = sys.stdin.read() if asked.file == "-" else Path(asked.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return refused(asked.file, [f"document: {error}, expected a file that can be read"])
    client = None
    try:
        if asked.scheduler:
            from distributed import Client

            client = Client(asked.scheduler)
        rows = study(
            text,
            threads=asked.threads,
            client=client,
            out=asked.out,
            resume=asked.resume,
            frame="lines",
            progress=sys.stderr.isatty(),
            retries=asked.retries,
        )
    except DocumentError as error:
        return refused(asked.file, map(str, error.problems))
    except (ImportError, OSError, RuntimeError) as error:
        return refused(asked.file, [str(error)])
    except KeyboardInterrupt:
        return 130
    finally:
        if client is not None:
            client.close()
    if asked.out is None:
        sys.stdout.writelines(f"{row}\n" for row in rows)
    return 0


def refused(file: str, lines: Iterable[str]) -> int:
    """Says what is wrong, a line for each."""
    for line in lines:
        print(f"{file}: {line}", file=sys.stderr)
    return USAGE


if __name__ == "__main__":
    sys.exit(main())
