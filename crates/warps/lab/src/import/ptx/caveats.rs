//! Where one letter for one instruction of PTX is known to be off: what the hardware does more, or less.
//!
//! Nothing here changes a string: one instruction is one letter, and what a letter costs on a machine is the
//! machine's to say. A path that executes such an instruction tells so, and on which side the model errs. The
//! hardware's rates are those of the CUDA C++ Programming Guide's table of arithmetic throughput; a warp has 32
//! threads here, and its loads move 128 bytes at a time. `docs/ptx.md` shows the same rows; a test compares them.

/// On which side the model errs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The hardware takes longer: no bound on the string covers that.
    Optimistic,
    /// The hardware takes no longer.
    Pessimistic,
}

/// Instructions that share a caveat.
#[derive(Debug)]
pub struct Caveat {
    /// What they are, in words.
    pub which: &'static str,
    /// What the hardware does.
    pub note: &'static str,
    /// What that means for bounds.
    pub side: Side,
    /// Whether an opcode is one of them.
    pub fits: fn(&str) -> bool,
}

/// All of them.
pub const CAVEATS: [Caveat; 6] = [
    Caveat {
        which: "loads, stores and atomics of more than four bytes a thread",
        note: "a warp moves more than 128 bytes with it, in several passes; it counts as one L",
        side: Side::Optimistic,
        fits: |opcode| {
            is(opcode, "ld ldu st atom red") && !in_space(opcode, "param const") && bits(opcode) > 32
        },
    },
    Caveat {
        which: "integers of 64 bits",
        note: "the hardware computes it in halves, with several instructions; it counts as one",
        side: Side::Optimistic,
        fits: |opcode| {
            let computes = "add sub mul mad min max abs neg sad addc subc madc and or xor not cnot lop3 shl shr popc clz \
                bfind brev bfe bfi div rem set setp selp";
            is(opcode, computes) && has(opcode, "u64 s64 b64") && !has(opcode, "f64")
        },
    },
    Caveat {
        which: "exchanges within a warp",
        note: "it goes through the load/store units; it counts as C",
        side: Side::Optimistic,
        fits: |opcode| is(opcode, "shfl"),
    },
    Caveat {
        which: "counting bits and converting",
        note: "most multiprocessors run it at a fraction of the rate of additions; it counts as one C",
        side: Side::Optimistic,
        fits: |opcode| is(opcode, "popc clz bfind brev fns") || is(opcode, "cvt") && !has(opcode, "f64"),
    },
    Caveat {
        which: "divisions and roots",
        note: "one instruction of the sequence runs on S; it counts as C",
        side: Side::Optimistic,
        fits: |opcode| {
            is(opcode, "div") && has(opcode, "f32 f16")
                || is(opcode, "rcp sqrt") && has(opcode, "rn rz rm rp") && has(opcode, "f32")
        },
    },
    Caveat {
        which: "parameters and constants",
        note: "kernels read these from a constant bank, as operands; it counts as L",
        side: Side::Pessimistic,
        fits: |opcode| is(opcode, "ld ldu") && in_space(opcode, "param const"),
    },
];

/// Whether an opcode begins with one of these words.
fn is(opcode: &str, words: &str) -> bool {
    let root = opcode.split('.').next().unwrap_or(opcode);
    words.split_whitespace().any(|word| word == root)
}

/// Whether an opcode has one of these modifiers.
fn has(opcode: &str, words: &str) -> bool {
    opcode.split('.').skip(1).any(|part| words.split_whitespace().any(|word| word == part))
}

/// Whether an opcode names one of these state spaces, as in `ld.param::entry.u64`.
fn in_space(opcode: &str, spaces: &str) -> bool {
    let of = |part: &str| spaces.split_whitespace().any(|space| part.split("::").next() == Some(space));
    opcode.split('.').skip(1).any(of)
}

/// How many bits a thread moves: those of its last type, for each element of a vector. Sizes that PTX does not have
/// say nothing.
fn bits(opcode: &str) -> u32 {
    let parts = || opcode.split('.').skip(1);
    let element = parts().collect::<Vec<_>>().into_iter().rev().find_map(|part| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let scale = if part.ends_with("x2") { 2 } else { 1 };
        let size: u32 = digits.split('x').next()?.parse().ok()?;
        (part.starts_with(['b', 'u', 's', 'f']) && (8..=128).contains(&size)).then(|| size * scale)
    });
    let vector = parts().find_map(|part| part.strip_prefix('v')?.parse().ok());
    element.unwrap_or(32) * vector.filter(|many| (2..=8).contains(many)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows an opcode fits, from 0.
    fn rows(opcode: &str) -> Vec<usize> {
        (0..CAVEATS.len()).filter(|&row| (CAVEATS[row].fits)(opcode)).collect()
    }

    #[test]
    fn wide_accesses() {
        for opcode in [
            "ld.global.v4.f32",
            "st.shared.v2.b32",
            "ld.global.f64",
            "ld.v2.f64",
            "atom.global.add.u64",
            "ld.global.b128",
        ] {
            assert_eq!(rows(opcode), [0], "{opcode}");
        }
        for opcode in
            ["ld.global.f32", "ld.global.v2.f16", "ld.global.v4.u8", "st.global.u16", "ld.shared.b32"]
        {
            assert_eq!(rows(opcode), [0usize; 0], "{opcode}");
        }
        assert_eq!(
            (
                bits("ld.global.v4.f16x2"),
                bits("red.global.add.noftz.f16x2"),
                bits("ld.L1::evict_last.v8.b32")
            ),
            (128, 32, 256)
        );
        assert_eq!([bits("st.v4294967295.b64"), bits("st.b4294967295x2")], [64, 32]);
    }

    #[test]
    fn integers_and_the_rest() {
        for (opcode, expected) in [
            ("mul.lo.s64", &[1][..]),
            ("setp.lt.u64", &[1]),
            ("popc.b64", &[1, 3]),
            ("mul.wide.u32", &[]),
            ("add.f64", &[]),
            ("add.s32", &[]),
            ("cvt.u64.u32", &[3]),
            ("cvt.f64.f32", &[]),
            ("shfl.sync.down.b32", &[2]),
            ("div.full.f32", &[4]),
            ("div.s32", &[]),
            ("rcp.rn.f32", &[4]),
            ("rcp.approx.f32", &[]),
            ("ld.param.u64", &[5]),
            ("ld.param::entry.v2.u64", &[5]),
            ("ld.const.f32", &[5]),
            ("st.param.b64", &[]),
        ] {
            assert_eq!(rows(opcode), expected, "{opcode}");
        }
    }
}
