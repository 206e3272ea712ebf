"""Kernels of our own, written as PTX: what the collection of listings is assembled from (see make.py).

Each kernel is a function that takes a builder and a size. Inner loops whose number of rounds is a parameter of the
kernel stay loops; those with a constant number may be unrolled by the assembler or here.
"""

import random


class Ptx:
    """Writes one kernel, a register at a time."""

    def __init__(self, name, params):
        self.name, self.params, self.lines, self.count, self.shared = name, params, [], {}, 0
        self.tid = self.special("%tid.x")
        self.block = self.special("%ctaid.x")
        self.index = self.op("mad.lo.s32", "r", self.block, self.special("%ntid.x"), self.tid)

    def new(self, kind):
        self.count[kind] = self.count.get(kind, 0) + 1
        return f"%{kind}{self.count[kind]}"

    def line(self, text):
        self.lines.append(f"\t{text};")

    def label(self, name):
        self.lines.append(f"{name}:")

    def op(self, op, kind, *args):
        out = self.new(kind)
        self.line(f"{op} {out}, {', '.join(map(str, args))}")
        return out

    def to(self, op, out, *args):
        self.line(f"{op} {out}, {', '.join(map(str, args))}")

    def special(self, name):
        return self.op("mov.u32", "r", name)

    def param(self, i, kind="rd"):
        kinds = {"rd": "u64", "r": "u32", "f": "f32", "d": "f64"}
        out = self.op(f"ld.param.{kinds[kind]}", kind, f"[p{i}]")
        return self.op("cvta.to.global.u64", "rd", out) if kind == "rd" else out

    def at(self, base, index, size=4):
        return self.op("add.s64", "rd", base, self.op("mul.wide.s32", "rd", index, size))

    def load(self, address, offset=0, space="global", kind="f32"):
        return self.op(f"ld.{space}.{kind}", {"f32": "f", "f64": "d", "u32": "r"}[kind], f"[{address}+{offset}]")

    def store(self, address, value, offset=0, space="global", kind="f32"):
        self.line(f"st.{space}.{kind} [{address}+{offset}], {value}")

    def f(self, value):
        out = self.new("f")
        self.line(f"mov.f32 {out}, {value!r}")
        return out

    def array(self, size):
        """Shared memory, all kernels' threads: the address of this one's word."""
        self.shared = size
        base = self.op("mov.u32", "r", "memory")
        return base, self.op("mad.lo.s32", "r", self.tid, 4, base)

    def loop(self, name, bound):
        """Begins a loop; the counter, to be given to `again`."""
        counter = self.op("mov.u32", "r", 0)
        self.label(name)
        return (name, counter, bound)

    def again(self, loop):
        name, counter, bound = loop
        self.to("add.u32", counter, counter, 1)
        p = self.op("setp.lt.u32", "p", counter, bound)
        self.line(f"@{p} bra {name}")

    def barrier(self):
        self.line("bar.sync 0")

    def text(self):
        kinds = {"r": ".b32", "rd": ".b64", "f": ".f32", "d": ".f64", "p": ".pred", "h": ".b32"}
        out = [f".visible .entry {self.name}("]
        types = {"rd": ".u64", "r": ".u32", "f": ".f32", "d": ".f64"}
        out.append(",\n".join(f"\t.param {types[kind]} p{i}" for i, kind in enumerate(self.params)))
        out.append(")\n{")
        out += [f"\t.reg {kinds[kind]} %{kind}<{n + 1}>;" for kind, n in self.count.items()]
        if self.shared:
            out.append(f"\t.shared .align 4 .b8 memory[{self.shared}];")
        return "\n".join(out + self.lines + ["\tret;", "}"]) + "\n"


def saxpy(b, _):
    x, y = b.at(b.param(0), b.index), b.at(b.param(1), b.index)
    b.store(y, b.op("fma.rn.f32", "f", b.param(2, "f"), b.load(x), b.load(y)))


def stream(b, n):
    x, y, s = b.at(b.param(0), b.index), b.at(b.param(1), b.index), b.param(2, "f")
    loop = b.loop("again", b.param(3, "r"))
    values = [b.load(x, 4096 * i) for i in range(n)]
    for i, value in enumerate(values):
        b.store(y, b.op("fma.rn.f32", "f", s, value, value), 4096 * i)
    for own in (x, y):
        b.to("add.s64", own, own, 4096 * n)
    b.again(loop)


def horner(b, n, kind="f32"):
    short = {"f32": "f", "f64": "d"}[kind]
    size = {"f32": 4, "f64": 8}[kind]
    x = b.load(b.at(b.param(0), b.index, size), kind=kind)
    sum_ = b.op(f"mov.{kind}", short, x)
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        c = b.new(short)
        b.line(f"mov.{kind} {c}, {1.0 / (i + 1)!r}" if kind == "f64" else f"mov.{kind} {c}, {float(i) + 0.5!r}")
        b.to(f"fma.rn.{kind}", sum_, sum_, x, c)
    b.again(loop)
    b.store(b.at(b.param(1), b.index, size), sum_, kind=kind)


def horner64(b, n):
    horner(b, n, "f64")


def matmul(b, n):
    tile = 16
    base, own = b.array(2 * tile * tile * 4)
    a, c = b.at(b.param(0), b.index), b.at(b.param(1), b.index)
    sums = [b.f(0.0) for _ in range(max(1, n // 4))]
    loop = b.loop("tile", b.param(3, "r"))
    b.store(own, b.load(a), 0, "shared")
    b.store(own, b.load(c), 1024, "shared")
    b.barrier()
    for k in range(n):
        left = b.load(own, 4 * k, "shared")
        for i, out in enumerate(sums):
            b.to("fma.rn.f32", out, left, b.load(base, 1024 + 64 * (i % 4) + 4 * (k % 16), "shared"), out)
    b.barrier()
    b.to("add.s64", a, a, 64)
    b.to("add.s64", c, c, 4096)
    b.again(loop)
    total = sums[0]
    for other in sums[1:]:
        total = b.op("add.f32", "f", total, other)
    b.store(b.at(b.param(2), b.index), total)


def reduce(b, n):
    _, own = b.array(n * 4)
    b.store(own, b.load(b.at(b.param(0), b.index)), 0, "shared")
    b.barrier()
    step = n // 2
    while step:
        p = b.op("setp.ge.u32", "p", b.tid, step)
        b.line(f"@{p} bra skip{step}")
        b.store(own, b.op("add.f32", "f", b.load(own, 0, "shared"), b.load(own, 4 * step, "shared")), 0, "shared")
        b.label(f"skip{step}")
        b.barrier()
        step //= 2
    b.store(b.at(b.param(1), b.block), b.load(own, 0, "shared"))


def hash_(b, n):
    x = b.load(b.at(b.param(0), b.index), kind="u32")
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        b.to("xor.b32", x, x, b.op("shr.u32", "r", x, 16 - i % 5))
        b.to("mul.lo.u32", x, x, 0x7FEB352D if i % 2 else 0x846CA68B)
        b.to("add.u32", x, x, b.op("shl.b32", "r", x, 3 + i % 7))
    b.again(loop)
    b.store(b.at(b.param(1), b.index), x, kind="u32")


def special(b, n):
    x = b.load(b.at(b.param(0), b.index))
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        op = ["sin.approx.f32", "ex2.approx.f32", "rsqrt.approx.f32", "lg2.approx.f32"][i % 4]
        b.to("fma.rn.f32", x, x, b.op(op, "f", x), b.f(0.25 * i))
    b.again(loop)
    b.store(b.at(b.param(1), b.index), x)


def gather(b, n):
    table, at = b.param(0), b.op("mov.u32", "r", b.index)
    loop = b.loop("again", b.param(3, "r"))
    for _ in range(n):
        b.to("and.b32", at, b.load(b.at(table, at), kind="u32"), 0xFFFF)
    b.again(loop)
    b.store(b.at(b.param(1), b.index), at, kind="u32")


def histogram(b, n):
    base, own = b.array(1024)
    b.store(own, b.op("mov.u32", "r", 0), 0, "shared", "u32")
    b.barrier()
    x = b.at(b.param(0), b.index)
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        bin_ = b.op("and.b32", "r", b.load(x, 1024 * i, kind="u32"), 255)
        b.op("atom.shared.add.u32", "r", f"[{b.op('mad.lo.s32', 'r', bin_, 4, base)}]", 1)
    b.to("add.s64", x, x, 1024 * n)
    b.again(loop)
    b.barrier()
    b.op("atom.global.add.u32", "r", f"[{b.at(b.param(1), b.tid)}]", b.load(own, 0, "shared", "u32"))


def stencil(b, n):
    x, y = b.at(b.param(0), b.index), b.at(b.param(1), b.index)
    loop = b.loop("row", b.param(3, "r"))
    row = [b.load(x, 4 * i) for i in range(-n, n + 1)]
    total = row[0]
    for i, value in enumerate(row[1:]):
        total = b.op("fma.rn.f32", "f", value, b.f(1.0 / (i + 2)), total)
    b.store(y, total)
    b.to("add.s64", x, x, 8192)
    b.to("add.s64", y, y, 8192)
    b.again(loop)


def mandelbrot(b, n):
    cr, ci = b.load(b.at(b.param(0), b.index)), b.load(b.at(b.param(1), b.index))
    r, i = b.f(0.0), b.f(0.0)
    rounds = b.op("mov.u32", "r", 0)
    loop = b.loop("again", b.param(3, "r"))
    for _ in range(n):
        rr, ii = b.op("mul.f32", "f", r, r), b.op("mul.f32", "f", i, i)
        twice = b.op("add.f32", "f", r, r)
        b.to("fma.rn.f32", i, twice, i, ci)
        b.to("add.f32", r, b.op("sub.f32", "f", rr, ii), cr)
        p = b.op("setp.lt.f32", "p", b.op("add.f32", "f", rr, ii), b.f(4.0))
        b.line(f"@{p} add.u32 {rounds}, {rounds}, 1")
    b.again(loop)
    b.store(b.at(b.param(2), b.index), rounds, kind="u32")


def fft(b, n):
    x = b.at(b.param(0), b.index, 8)
    values = [(b.load(x, 4096 * i), b.load(x, 4096 * i + 4)) for i in range(n)]
    half = n // 2
    while half:
        for i in range(n):
            if i & half:
                continue
            (ar, ai), (cr, ci) = values[i], values[i | half]
            wr, wi = b.f(0.5 + 0.01 * i), b.f(0.25 - 0.01 * half)
            tr = b.op("fma.rn.f32", "f", cr, wr, b.op("neg.f32", "f", b.op("mul.f32", "f", ci, wi)))
            ti = b.op("fma.rn.f32", "f", cr, wi, b.op("mul.f32", "f", ci, wr))
            values[i] = (b.op("add.f32", "f", ar, tr), b.op("add.f32", "f", ai, ti))
            values[i | half] = (b.op("sub.f32", "f", ar, tr), b.op("sub.f32", "f", ai, ti))
        half //= 2
    for i, (re, im) in enumerate(values):
        b.store(x, re, 4096 * i)
        b.store(x, im, 4096 * i + 4)


def nbody(b, n):
    bodies, own = b.param(0), b.at(b.param(1), b.index, 16)
    x, y, z = (b.load(own, 4 * i) for i in range(3))
    sums = [b.f(0.0) for _ in range(3)]
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        d = [b.op("sub.f32", "f", b.load(bodies, 16 * i + 4 * j), own_) for j, own_ in enumerate((x, y, z))]
        r = b.f(0.01)
        for part in d:
            r = b.op("fma.rn.f32", "f", part, part, r)
        inverse = b.op("rsqrt.approx.f32", "f", r)
        cube = b.op("mul.f32", "f", b.op("mul.f32", "f", inverse, inverse), inverse)
        for total, part in zip(sums, d):
            b.to("fma.rn.f32", total, part, cube, total)
    b.to("add.s64", bodies, bodies, 16 * n)
    b.again(loop)
    for i, total in enumerate(sums):
        b.store(own, total, 4 * i)


def scan(b, n):
    _, own = b.array(2 * n * 4)
    b.store(own, b.load(b.at(b.param(0), b.index)), 4 * n, "shared")
    b.barrier()
    step = 1
    while step < n:
        total = b.op("add.f32", "f", b.load(own, 4 * n, "shared"), b.load(own, 4 * (n - step), "shared"))
        b.barrier()
        b.store(own, total, 4 * n, "shared")
        b.barrier()
        step *= 2
    b.store(b.at(b.param(1), b.index), b.load(own, 4 * n, "shared"))


def mixture(b, n):
    """Straight through: loads, arithmetic of several kinds and stores, drawn at random."""
    rng = random.Random(n)
    x = b.at(b.param(0), b.index)
    values = [b.load(x, 4 * i) for i in range(4)]
    for i in range(n):
        kind = rng.random()
        a, c = rng.choice(values[-12:]), rng.choice(values[-12:])
        if kind < 0.15:
            values.append(b.load(x, 64 * i))
        elif kind < 0.25:
            values.append(b.op(rng.choice(["sin.approx.f32", "ex2.approx.f32", "rsqrt.approx.f32"]), "f", a))
        elif kind < 0.45:
            out = b.op("add.u32", "r", b.op("mov.b32", "r", a), b.op("mov.b32", "r", c))
            values.append(b.op("mov.b32", "f", b.op("xor.b32", "r", out, 0x1234 + i)))
        elif kind < 0.5:
            b.store(x, a, 65536 + 4 * i)
        else:
            values.append(b.op("fma.rn.f32", "f", a, c, rng.choice(values[-12:])))
    total = values[0]
    for value in values[1::3]:
        total = b.op("add.f32", "f", total, value)
    b.store(b.at(b.param(1), b.index), total)


def softmax(b, n):
    x, y = b.at(b.param(0), b.index), b.at(b.param(1), b.index)
    values = [b.load(x, 128 * i) for i in range(n)]
    most = values[0]
    for value in values[1:]:
        most = b.op("max.f32", "f", most, value)
    powers = [b.op("ex2.approx.f32", "f", b.op("sub.f32", "f", value, most)) for value in values]
    total = powers[0]
    for power in powers[1:]:
        total = b.op("add.f32", "f", total, power)
    inverse = b.op("rcp.approx.f32", "f", total)
    for i, power in enumerate(powers):
        b.store(y, b.op("mul.f32", "f", power, inverse), 128 * i)


def transpose(b, n):
    base, own = b.array(4096)
    x, y = b.at(b.param(0), b.index), b.at(b.param(1), b.index)
    loop = b.loop("tile", b.param(3, "r"))
    for i in range(n):
        b.store(own, b.load(x, 1024 * i), 256 * i, "shared")
    b.barrier()
    turned = b.op("mad.lo.s32", "r", b.op("and.b32", "r", b.tid, 31), 132, base)
    for i in range(n):
        b.store(y, b.load(turned, 4 * i, "shared"), 1024 * i)
    b.barrier()
    b.to("add.s64", x, x, 8192)
    b.again(loop)


def spmv(b, n):
    columns, values, x = b.at(b.param(0), b.index), b.at(b.param(1), b.index), b.param(2)
    total = b.f(0.0)
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        column = b.load(columns, 4096 * i, kind="u32")
        b.to("fma.rn.f32", total, b.load(values, 4096 * i), b.load(b.at(x, column)), total)
    b.to("add.s64", columns, columns, 4096 * n)
    b.to("add.s64", values, values, 4096 * n)
    b.again(loop)
    b.store(b.at(b.param(1), b.index), total)


def conv(b, n):
    x, w, y = b.at(b.param(0), b.index), b.param(1), b.at(b.param(2), b.index)
    sums = [b.f(0.0) for _ in range(n)]
    loop = b.loop("channel", b.param(3, "r"))
    window = [b.load(x, 4 * (i % 3) + 2048 * (i // 3)) for i in range(9)]
    for out, total in enumerate(sums):
        for i, value in enumerate(window):
            b.to("fma.rn.f32", total, value, b.load(w, 36 * out + 4 * i), total)
    b.to("add.s64", x, x, 65536)
    b.to("add.s64", w, w, 36 * n)
    b.again(loop)
    for out, total in enumerate(sums):
        b.store(y, total, 4096 * out)


def dot64(b, n):
    x, y = b.at(b.param(0), b.index, 8), b.at(b.param(1), b.index, 8)
    total = b.op("mov.f64", "d", "0d0000000000000000")
    loop = b.loop("again", b.param(3, "r"))
    for i in range(n):
        b.to("fma.rn.f64", total, b.load(x, 8192 * i, kind="f64"), b.load(y, 8192 * i, kind="f64"), total)
    b.to("add.s64", x, x, 8192 * n)
    b.again(loop)
    b.store(b.at(b.param(2), b.index, 8), total, kind="f64")


def bitonic(b, n):
    base, own = b.array(4 * n)
    b.store(own, b.load(b.at(b.param(0), b.index), kind="u32"), 0, "shared", "u32")
    b.barrier()
    size = 2
    while size <= n:
        step = size // 2
        while step:
            other = b.op("mad.lo.s32", "r", b.op("xor.b32", "r", b.tid, step), 4, base)
            mine, its = b.load(own, 0, "shared", "u32"), b.load(other, 0, "shared", "u32")
            p = b.op("setp.eq.u32", "p", b.op("and.b32", "r", b.tid, size), 0)
            low, high = b.op("min.u32", "r", mine, its), b.op("max.u32", "r", mine, its)
            kept = b.op("selp.u32", "r", low, high, p)
            b.barrier()
            b.store(own, kept, 0, "shared", "u32")
            b.barrier()
            step //= 2
        size *= 2
    b.store(b.at(b.param(1), b.index), b.load(own, 0, "shared", "u32"), kind="u32")


def collatz(b, n):
    x = b.load(b.at(b.param(0), b.index), kind="u32")
    loop = b.loop("again", b.param(3, "r"))
    for _ in range(n):
        p = b.op("setp.eq.u32", "p", b.op("and.b32", "r", x, 1), 0)
        odd = b.op("mad.lo.s32", "r", x, 3, 1)
        b.to("selp.u32", x, b.op("shr.u32", "r", x, 1), odd, p)
    b.again(loop)
    b.store(b.at(b.param(1), b.index), x, kind="u32")


P = ["rd", "rd", "f", "r"]
Q = ["rd", "rd", "rd", "r"]

# Name, function, size, parameters, and the least architecture.
KERNELS = [
    ("saxpy", saxpy, 1, P), ("stream_4", stream, 4, P), ("stream_16", stream, 16, P), ("horner_6", horner, 6, P),
    ("horner_40", horner, 40, P), ("horner64_8", horner64, 8, P), ("matmul_8", matmul, 8, Q), ("matmul_16", matmul, 16, Q),
    ("reduce_64", reduce, 64, P), ("reduce_256", reduce, 256, P), ("hash_2", hash_, 2, P), ("hash_24", hash_, 24, P),
    ("special_4", special, 4, P), ("special_20", special, 20, P), ("gather_2", gather, 2, P), ("gather_8", gather, 8, P),
    ("histogram_4", histogram, 4, P), ("stencil_1", stencil, 1, P), ("stencil_5", stencil, 5, P),
    ("mandelbrot_2", mandelbrot, 2, Q), ("mandelbrot_12", mandelbrot, 12, Q), ("fft_4", fft, 4, P), ("fft_16", fft, 16, P),
    ("nbody_1", nbody, 1, P), ("nbody_6", nbody, 6, P), ("scan_32", scan, 32, P), ("scan_256", scan, 256, P),
    ("mixture_40", mixture, 40, P), ("mixture_300", mixture, 300, P), ("mixture_900", mixture, 900, P),
    ("softmax_8", softmax, 8, P), ("softmax_32", softmax, 32, P), ("transpose_4", transpose, 4, P), ("spmv_4", spmv, 4, Q),
    ("conv_2", conv, 2, Q), ("conv_8", conv, 8, Q), ("dot64_4", dot64, 4, Q), ("bitonic_32", bitonic, 32, P),
    ("collatz_3", collatz, 3, P),
]


def text(kernel):
    name, build, size, params = kernel
    builder = Ptx(name, params)
    build(builder, size)
    return builder.text()
