//! What kind of work an opcode is: one table, by the opcode without modifiers.

/// Kinds of work, each with a unit that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Multiplies and adds, of floats and of integers.
    Fma,
    /// All other arithmetic, comparisons, moves.
    Alu,
    /// Double precision.
    Double,
    /// Special functions and conversions.
    Special,
    /// Matrices.
    Tensor,
    /// Arithmetic for the whole warp.
    Uniform,
    /// Loads from global, local and generic memory.
    Global,
    /// Copies from global to shared memory that nothing waits for but by `DEPBAR`.
    Copy,
    /// Stores to all memories.
    Store,
    /// Loads from shared memory, and exchanges within the warp.
    Shared,
    /// Loads of constants.
    Constant,
    /// Atomics.
    Atomic,
    /// Textures and surfaces.
    Texture,
    /// Special registers.
    Register,
    /// Branches, calls, ends.
    Branch,
    /// Barriers of a block, and what waits for scoreboards.
    Barrier,
    /// Takes an issue slot and nothing else.
    None,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Fma,
        Self::Alu,
        Self::Double,
        Self::Special,
        Self::Tensor,
        Self::Uniform,
        Self::Global,
        Self::Copy,
        Self::Store,
        Self::Shared,
        Self::Constant,
        Self::Atomic,
        Self::Texture,
        Self::Register,
        Self::Branch,
        Self::Barrier,
        Self::None,
    ];

    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Fma => "fma",
            Class::Alu => "alu",
            Class::Double => "double",
            Class::Special => "special",
            Class::Tensor => "tensor",
            Class::Uniform => "uniform",
            Class::Global => "global",
            Class::Copy => "copy",
            Class::Store => "store",
            Class::Shared => "shared",
            Class::Constant => "constant",
            Class::Atomic => "atomic",
            Class::Texture => "texture",
            Class::Register => "register",
            Class::Branch => "branch",
            Class::Barrier => "barrier",
            Class::None => "none",
        }
    }

    /// The one that documents call so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Whether its results take as long as they take, so that a scoreboard tells when they are there.
    pub fn is_variable(self) -> bool {
        use Class as C;
        matches!(
            self,
            C::Global | C::Copy | C::Shared | C::Constant | C::Atomic | C::Texture | C::Register | C::Special
        )
    }
}

/// Opcodes of each kind.
pub const TABLE: &[(Class, &[&str])] = &[
    (
        Class::Fma,
        &[
            "FADD",
            "FADD32I",
            "FFMA",
            "FFMA2",
            "FADD2",
            "FMUL2",
            "FFMA32I",
            "FMUL",
            "FMUL32I",
            "IMAD",
            "IMAD32I",
            "IMUL",
            "IMUL32I",
            "XMAD",
            "HADD2",
            "HADD2_32I",
            "HFMA2",
            "HFMA2_32I",
            "HMUL2",
            "HMUL2_32I",
            "HSET2",
            "HSETP2",
            "HMNMX2",
            "IDP",
            "IDP4A",
            "FSWZADD",
            "FCHK",
            "IMADSP",
            "ISCADD",
            "ISCADD32I",
        ],
    ),
    (
        Class::Alu,
        &[
            "IADD",
            "IADD2",
            "IADD3",
            "IADD32I",
            "VIADD",
            "VIADDMNMX",
            "VIMNMX",
            "VIMNMX3",
            "IABS",
            "IMNMX",
            "IMNMX3",
            "ISETP",
            "ISET",
            "ICMP",
            "LEA",
            "LOP",
            "LOP3",
            "LOP32I",
            "PLOP3",
            "PSETP",
            "PSET",
            "SHF",
            "SHL",
            "SHR",
            "BFE",
            "BFI",
            "BMSK",
            "SGXT",
            "PRMT",
            "SEL",
            "FSEL",
            "FSET",
            "FSETP",
            "FMNMX",
            "FMNMX3",
            "FCMP",
            "MOV",
            "MOV32I",
            "P2R",
            "R2P",
            "CSET",
            "CSETP",
            "CS2R",
            "I2FP",
            "F2FP",
            "I2IP",
            "I2I",
            "ILOP",
            "VABSDIFF",
            "VABSDIFF4",
            "VOTE",
            "LEPC",
            "VSETP",
            "VADD",
            "VMAD",
            "VHMNMX",
            "CREDUX",
        ],
    ),
    (Class::Double, &["DADD", "DFMA", "DMUL", "DSETP", "DSET", "DMNMX"]),
    (
        Class::Special,
        &["MUFU", "RRO", "F2F", "F2I", "I2F", "FRND", "POPC", "FLO", "BREV", "F2IP", "I2FU", "UF2I"],
    ),
    (
        Class::Tensor,
        &[
            "HMMA",
            "IMMA",
            "BMMA",
            "DMMA",
            "QMMA",
            "OMMA",
            "HGMMA",
            "IGMMA",
            "QGMMA",
            "BGMMA",
            "UTCHMMA",
            "UTCIMMA",
            "UTCQMMA",
            "UTCOMMA",
            "WARPGROUP",
            "WARPGROUPSET",
            "MOVM",
        ],
    ),
    (
        Class::Uniform,
        &[
            "R2UR", "REDUX", "UBMSK", "UBREV", "UCLEA", "UF2FP", "UFLO", "UIADD3", "UIMAD", "UISETP", "ULEA",
            "ULOP", "ULOP3", "ULOP32I", "UMOV", "UP2UR", "UPLOP3", "UPOPC", "UPRMT", "UPSETP", "UR2UP",
            "USEL", "USGXT", "USHF", "USHL", "USHR", "VOTEU", "UFADD", "UFFMA", "UFMUL", "UFSETP", "UFSEL",
            "UFMNMX", "UVIMNMX", "UI2F", "UI2FP", "UIABS", "UIMNMX", "UVIADD", "UCS2R",
        ],
    ),
    (Class::Global, &["LD", "LDG", "LDL", "QSPC", "CCTL", "CCTLL", "CCTLT", "UBLKCP", "UTMALDG"]),
    (Class::Copy, &["LDGSTS", "LDGDEPBAR", "ARRIVES"]),
    (Class::Store, &["ST", "STG", "STL", "STS", "SUST", "UTMASTG", "STAS"]),
    (Class::Shared, &["LDS", "LDSM", "SHFL", "MATCH", "STSM", "SYNCS"]),
    (Class::Constant, &["LDC", "LDCU", "ULDC", "LDCN"]),
    (Class::Atomic, &["ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS", "SUATOM", "SURED"]),
    (
        Class::Texture,
        &[
            "TEX",
            "TEXS",
            "TLD",
            "TLD4",
            "TLD4S",
            "TLDS",
            "TMML",
            "TXA",
            "TXD",
            "TXQ",
            "SULD",
            "FOOTPRINT",
            "IPA",
        ],
    ),
    (Class::Register, &["S2R", "S2UR", "B2R", "SETCTAID", "GETLMEMBASE", "SETLMEMBASE", "PIXLD", "AL2P"]),
    (
        Class::Branch,
        &[
            "BRA",
            "BRX",
            "BRXU",
            "JMP",
            "JMX",
            "JMXU",
            "JCAL",
            "CAL",
            "CALL",
            "RET",
            "EXIT",
            "BSSY",
            "BSYNC",
            "BREAK",
            "BMOV",
            "WARPSYNC",
            "YIELD",
            "SSY",
            "SYNC",
            "PBK",
            "BRK",
            "PCNT",
            "CONT",
            "PRET",
            "PEXIT",
            "LONGJMP",
            "PLONGJMP",
            "KILL",
            "RPCMOV",
            "BPT",
            "RTT",
            "NANOSLEEP",
            "ELECT",
            "ENDCOLLECTIVE",
            "PREEXIT",
            "ACQBULK",
        ],
    ),
    (
        Class::Barrier,
        &["BAR", "DEPBAR", "MEMBAR", "ERRBAR", "FENCE", "UCGABAR_ARV", "UCGABAR_WAIT", "USETMAXREG"],
    ),
    (Class::None, &["NOP", "PMTRIG", "TEXDEPBAR"]),
];

/// The kind of an opcode without modifiers; none where it is not in the table.
pub fn class_of(base: &str) -> Option<Class> {
    TABLE.iter().find(|(_, opcodes)| opcodes.contains(&base)).map(|(class, _)| *class)
}

/// Whether a line of text begins with a known opcode, guarded or not.
pub fn is_known(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let mut word = words.next().unwrap_or_default();
    if word.starts_with('@') {
        word = words.next().unwrap_or_default();
    }
    let base = word.trim_end_matches(';').split('.').next().unwrap_or_default();
    class_of(base).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_stands_in_the_table_once() {
        let mut all: Vec<&str> = TABLE.iter().flat_map(|(_, opcodes)| opcodes.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        let classes: Vec<Class> = TABLE.iter().map(|(class, _)| *class).collect();
        assert_eq!(classes, Class::ALL);
    }
}
