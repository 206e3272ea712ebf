//! Which unit an opcode runs on: one table, the first row that fits decides.
//!
//! `docs/ptx.md` shows the same rows; a test compares them.

use warps::Unit;

/// What more than its opcode an instruction must be for a row to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Nothing more.
    Always,
    /// One of its types is `.f64`.
    Double,
    /// It names a rounding: `.rn`, `.rz`, `.rm` or `.rp`.
    Rounded,
    /// Its source is a name that is declared nowhere.
    Undeclared,
}

impl When {
    /// The condition in words; empty for none.
    pub fn words(self) -> &'static str {
        match self {
            When::Always => "",
            When::Double => "with a type .f64",
            When::Rounded => "with a rounding",
            When::Undeclared => "from a name declared nowhere",
        }
    }
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// Opcodes, or their beginnings up to a dot, separated by spaces; empty for all.
    pub opcodes: &'static str,
    /// What else must hold.
    pub when: When,
    /// The kind of unit; none if the instruction takes no unit's time.
    pub unit: Option<Unit>,
    /// Why.
    pub why: &'static str,
    /// What a walk that executes such an instruction must tell; empty for nothing.
    pub note: &'static str,
}

const fn row(opcodes: &'static str, when: When, unit: Option<Unit>, why: &'static str) -> Row {
    Row { opcodes, when, unit, why, note: "" }
}

const L: Option<Unit> = Some(Unit::LoadStore);
const C: Option<Unit> = Some(Unit::Core);
const S: Option<Unit> = Some(Unit::Special);
const D: Option<Unit> = Some(Unit::Double);

const SEQUENCE: &str = "the hardware executes a sequence of instructions for it; it counts as one";
const TENSOR: &str = "tensor cores are no unit of the model; it counts as one instruction";
const WAITING: &str = "waiting at barriers is not modelled; it counts as one instruction";

/// All rows; the last one fits everything.
pub const TABLE: &[Row] = &[
    row("nop pmevent brkpt", When::Always, None, "no work: performance events and stops for a debugger"),
    row(
        "ld ldu st atom red multimem",
        When::Always,
        L,
        "loads, stores and atomics of every state space; loads of parameters and constants too, as every load counts and hits its cache",
    ),
    row("tex tld4 txq suld sust sured suq", When::Always, L, "textures and surfaces"),
    row(
        "cp prefetch prefetchu discard applypriority ldmatrix stmatrix wmma.load wmma.store tcgen05.ld tcgen05.st tcgen05.cp mbarrier tensormap",
        When::Always,
        L,
        "copies, prefetches, matrices to and from memory, barriers that lie in memory",
    ),
    row("membar fence", When::Always, L, "they order loads and stores"),
    row("mov", When::Undeclared, L, "the printed form of a load, as in figure 11 of B"),
    row(
        "mov movmatrix selp slct cvta shfl",
        When::Always,
        C,
        "moves and selections compute nothing, whatever their type; so do exchanges between threads of a warp",
    ),
    Row { note: TENSOR, ..row("mma wmma", When::Double, D, "matrix products in double precision") },
    Row {
        note: TENSOR,
        ..row("mma wmma wgmma tcgen05", When::Always, C, "matrix products and their bookkeeping")
    },
    Row {
        note: SEQUENCE,
        ..row(
            "div sqrt rcp rsqrt",
            When::Double,
            D,
            "double precision; a sequence of instructions mostly on these units",
        )
    },
    row(
        "add sub mul mad fma min max abs neg copysign testp set setp cvt ex2 lg2 sin cos tanh",
        When::Double,
        D,
        "arithmetic, comparisons and conversions in double precision",
    ),
    Row {
        note: SEQUENCE,
        ..row(
            "sqrt rcp",
            When::Rounded,
            C,
            "exactly rounded: a sequence of instructions mostly on CUDA cores",
        )
    },
    row("rcp sqrt rsqrt sin cos lg2 ex2 tanh", When::Always, S, "approximations in single or half precision"),
    Row {
        note: SEQUENCE,
        ..row("div rem", When::Always, C, "a sequence of instructions mostly on CUDA cores")
    },
    Row { note: WAITING, ..row("bar barrier", When::Always, C, "issued once; the wait is not counted") },
    row(
        "add sub mul mad fma mad24 mul24 addc subc madc sad min max abs neg copysign testp dp2a dp4a",
        When::Always,
        C,
        "arithmetic on integers and in single or half precision",
    ),
    row(
        "and or xor not cnot lop3 shl shr shf popc clz bfind brev bfe bfi fns bmsk szext prmt",
        When::Always,
        C,
        "logic, shifts and bit fields",
    ),
    row("set setp cvt", When::Always, C, "comparisons and conversions"),
    row(
        "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4",
        When::Always,
        C,
        "video instructions",
    ),
    row(
        "bra brx call ret exit trap",
        When::Always,
        C,
        "a jump takes an issue slot like any other instruction",
    ),
    row("vote match activemask elect redux", When::Always, C, "votes within a warp"),
    row(
        "isspacep istypep mapa getctarank createpolicy griddepcontrol setmaxnreg nanosleep alloca stacksave stackrestore clusterlaunchcontrol",
        When::Always,
        C,
        "addresses, policies and control",
    ),
    row("", When::Always, C, "unknown: counts as C and is named in the report"),
];

/// The row that decides about an opcode; `undeclared` tells of a source that is declared nowhere.
pub fn row_of(opcode: &str, undeclared: bool) -> &'static Row {
    let holds = |when| match when {
        When::Always => true,
        When::Double => has(opcode, &["f64"]),
        When::Rounded => has(opcode, &["rn", "rz", "rm", "rp"]),
        When::Undeclared => undeclared,
    };
    let fits = |row: &&Row| row.opcodes.split(' ').any(|name| begins(opcode, name)) && holds(row.when);
    TABLE.iter().find(fits).unwrap_or(&TABLE[TABLE.len() - 1])
}

/// Whether an opcode stands in the table at all.
pub fn is_known(opcode: &str) -> bool {
    TABLE.iter().any(|row| !row.opcodes.is_empty() && row.opcodes.split(' ').any(|name| begins(opcode, name)))
}

/// Whether `opcode` is `name`, or goes on with a dot after it; an empty name begins everything.
fn begins(opcode: &str, name: &str) -> bool {
    name.is_empty() || opcode.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn has(opcode: &str, modifiers: &[&str]) -> bool {
    opcode.split('.').skip(1).any(|modifier| modifiers.contains(&modifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(opcodes: &str) -> String {
        let letter = |opcode| row_of(opcode, false).unit.map_or('-', Unit::letter);
        opcodes.split(' ').map(letter).collect()
    }

    #[test]
    fn opcodes_of_every_kind() {
        assert_eq!(
            letters("ld.param.u64 st.global.v4.f32 atom.global.add.f64 red.async tex.2d.v4.f32.s32"),
            "LLLLL"
        );
        assert_eq!(
            letters("cp.async.cg.shared.global wmma.load.a.sync ldmatrix.sync mbarrier.init fence.sc"),
            "LLLLL"
        );
        assert_eq!(
            letters("rcp.approx.ftz.f32 sqrt.approx.f32 sin.approx.f32 ex2.approx.f16x2 tanh.approx.f32"),
            "SSSSS"
        );
        assert_eq!(
            letters("add.f64 fma.rn.f64 setp.lt.and.f64 cvt.f64.f32 cvt.rn.f32.f64 rsqrt.approx.f64"),
            "DDDDDD"
        );
        assert_eq!(
            letters("mov.f64 selp.f64 div.rn.f32 sqrt.rn.f32 div.rn.f64 sqrt.rn.f64 bar.sync ret"),
            "CCCCDDCC"
        );
        assert_eq!(letters("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 wmma.mma.sync nop movx"), "DC-C");
    }

    #[test]
    fn an_opcode_is_more_than_its_first_letters() {
        assert!(is_known("add") && is_known("add.f32") && is_known("wmma.mma.sync"));
        assert!(!is_known("addx.f32") && !is_known("") && !is_known("hello"));
        assert_eq!(row_of("addx", false).opcodes, "");
    }

    #[test]
    fn every_row_decides_about_something() {
        for row in TABLE.iter().filter(|row| row.when == When::Always && !row.opcodes.is_empty()) {
            let decides = |name: &str| row_of(name, false) == row;
            assert!(row.opcodes.split(' ').any(decides), "{}", row.opcodes);
        }
    }
}
