"""Assembles the collection: `python3 make.py OLD NEW`, folders with ptxas, cuobjdump and nvdisasm.

OLD is of CUDA 12.4, as the package triton 3.2.0 of the Python registry has it in `triton/backends/nvidia/bin`, for all up
to Hopper; NEW is of 12.9 or later (triton 3.9.0), for Blackwell: later disassemblers no longer read Maxwell to Volta. Each architecture gets one
listing with a share of the kernels, without what no reader needs, packed by gzip: `collection/sm_NN.sass.gz`.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import kernels

ARCHITECTURES = [50, 61, 70, 75, 80, 86, 89, 90, 100, 120]
# Of so many kernels in a row an architecture gets these.
EVERY = 3


def assembled(tools, number, share):
    version = "8.7" if number >= 100 else "7.8"
    head = f".version {version}\n.target sm_{number}\n.address_size 64\n\n"
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "k.ptx"), pathlib.Path(folder, "k.cubin")
        source.write_text(head + "\n".join(kernels.text(kernel) for kernel in share))
        subprocess.run([tools / "ptxas", f"-arch=sm_{number}", "-O3", source, "-o", binary], check=True)
        own = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}  # it starts nvdisasm
        command = [tools / "cuobjdump", "-sass", binary]
        listing = subprocess.run(command, check=True, capture_output=True, text=True, env=own)
    return listing.stdout


def compact(text):
    """Runs of blanks become one, and lines of nothing go."""
    lines = (re.sub(r"[ \t]+", " ", line).rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line.strip(" .")) + "\n"


def main():
    old, new = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
    here = pathlib.Path(__file__).parent
    (here / "collection").mkdir(exist_ok=True)
    for turn, number in enumerate(ARCHITECTURES):
        share = [kernel for i, kernel in enumerate(kernels.KERNELS) if (i + turn) % EVERY == 0]
        text = compact(assembled(new if number >= 100 else old, number, share))
        packed = gzip.compress(text.encode(), 9, mtime=0)
        (here / "collection" / f"sm_{number}.sass.gz").write_bytes(packed)
        print(f"sm_{number}: {len(share)} kernels, {text.count(' ;')} instructions, {len(packed)} bytes")


if __name__ == "__main__":
    main()
