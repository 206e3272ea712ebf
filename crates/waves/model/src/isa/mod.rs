//! What an instruction does, read from its text as the disassembler writes it: its class, the counters it raises or
//! waits for, the registers it reads and writes.
//!
//! Text that is not understood gives a class by the file's own kind and no registers: it can be blamed for nothing.

mod counters;
mod registers;

pub use counters::{Counter, waits};
pub use registers::{Reg, registers};

/// A generation of graphics cores, which differ in their counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generation {
    /// GCN and CDNA.
    #[default]
    Gfx9,
    /// RDNA and RDNA2.
    Gfx10,
    /// RDNA3.
    Gfx11,
    /// RDNA4.
    Gfx12,
}

impl Generation {
    /// The generation of a number in the file.
    pub fn of(number: i64) -> Option<Self> {
        Some(match number {
            9 => Self::Gfx9,
            10 => Self::Gfx10,
            11 => Self::Gfx11,
            12 => Self::Gfx12,
            _ => return None,
        })
    }

    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Self::Gfx9 => 9,
            Self::Gfx10 => 10,
            Self::Gfx11 => 11,
            Self::Gfx12 => 12,
        }
    }
}

/// What class an instruction is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Plain vector arithmetic.
    Vector,
    /// Transcendental functions, which take several passes.
    Transcendental,
    /// Double precision.
    Double,
    /// Matrix instructions.
    Matrix,
    /// Scalar arithmetic.
    Scalar,
    /// A load through the scalar cache.
    ScalarLoad,
    /// A load from memory, atomics that return too.
    Load,
    /// A store to memory, atomics that do not return too.
    Store,
    /// The same through flat addresses, which may be LDS.
    FlatLoad,
    /// A store through flat addresses.
    FlatStore,
    /// An image sample.
    Sample,
    /// A ray query.
    Ray,
    /// LDS.
    Lds,
    /// A jump.
    Jump,
    /// A wait for counters.
    Wait,
    /// Arrives at a barrier and waits there.
    Barrier,
    /// Arrives at a barrier and goes on.
    Signal,
    /// Waits at a barrier.
    BarrierWait,
    /// `s_nop`, `s_sleep`, `s_delay_alu`: told to wait.
    Told,
    /// A message.
    Message,
    /// The end of the program.
    End,
    /// Anything else.
    Other,
}

impl Class {
    /// Whether it goes through the vector memory path.
    pub fn is_memory(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::FlatLoad | Self::FlatStore | Self::Sample | Self::Ray)
    }

    /// Whether it goes through LDS.
    pub fn is_lds(self) -> bool {
        matches!(self, Self::Lds | Self::FlatLoad | Self::FlatStore)
    }

    /// Whether it is issued by the vector arbiter.
    pub fn is_vector(self) -> bool {
        matches!(self, Self::Vector | Self::Transcendental | Self::Double | Self::Matrix)
    }
}

/// What an instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Op {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Class,
    /// Counters that it raises by one.
    pub raises: Vec<Counter>,
    /// Counters that it waits for, and the values that end the wait.
    pub waits: Vec<(Counter, u32)>,
    /// Registers that it reads.
    pub reads: Vec<Reg>,
    /// Registers that it writes.
    pub writes: Vec<Reg>,
}

impl Op {
    /// Reads an instruction.
    pub fn of(text: &str, generation: Generation) -> Self {
        let text = text.trim();
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let class = class(name, rest, generation);
        let (reads, writes) = registers(name, rest, class);
        Self {
            name: name.to_owned(),
            class,
            raises: counters::raised(class, generation),
            waits: waits(name, rest, generation),
            reads,
            writes,
        }
    }

    /// Whether it needs a register that another one wrote.
    pub fn needs(&self, before: &Op) -> bool {
        before.writes.iter().any(|own| self.reads.contains(own))
    }

    /// Whether it writes a register that another one wrote or reads.
    pub fn overwrites(&self, before: &Op) -> bool {
        self.writes.iter().any(|own| before.writes.contains(own) || before.reads.contains(own))
    }
}

fn starts(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

fn class(name: &str, rest: &str, generation: Generation) -> Class {
    if let Some(scalar) = name.strip_prefix("s_") {
        return scalar_class(scalar);
    }
    if name.starts_with("v_") {
        return vector_class(name);
    }
    if name.starts_with("ds_") {
        return Class::Lds;
    }
    if starts(name, &["image_bvh"]) {
        return Class::Ray;
    }
    if starts(name, &["image_sample", "image_gather", "image_msaa_load"]) {
        return Class::Sample;
    }
    let flat = name.starts_with("flat_");
    if flat || starts(name, &["buffer_", "tbuffer_", "global_", "scratch_", "image_"]) {
        let stores = name.contains("_store") || name.contains("_atomic") && !returns(rest);
        let stores = stores || starts(name, &["buffer_wb", "global_wb", "buffer_gl"]);
        return match (flat, stores && !(generation == Generation::Gfx9 && name.ends_with("_inv"))) {
            (true, false) => Class::FlatLoad,
            (true, true) => Class::FlatStore,
            (false, false) => Class::Load,
            (false, true) => Class::Store,
        };
    }
    Class::Other
}

/// Whether an atomic gives back what was there.
fn returns(rest: &str) -> bool {
    rest.split_whitespace().any(|word| matches!(word, "glc" | "sc0") || word.contains("TH_ATOMIC_RETURN"))
}

fn scalar_class(name: &str) -> Class {
    match name {
        _ if name.starts_with("waitcnt") || name.starts_with("wait_") => Class::Wait,
        "barrier" => Class::Barrier,
        "barrier_wait" => Class::BarrierWait,
        _ if name.starts_with("barrier_signal") => Class::Signal,
        "nop" | "sleep" | "delay_alu" | "sleep_var" => Class::Told,
        _ if starts(name, &["endpgm"]) => Class::End,
        _ if starts(name, &["sendmsg"]) => Class::Message,
        _ if starts(
            name,
            &["load_", "buffer_load_", "scratch_load_", "dcache", "memtime", "memrealtime"],
        ) =>
        {
            Class::ScalarLoad
        }
        _ if starts(name, &["cbranch", "branch", "setpc", "swappc", "call"]) => Class::Jump,
        _ => Class::Scalar,
    }
}

fn vector_class(name: &str) -> Class {
    const SLOW: [&str; 9] =
        ["v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_", "v_s_", "v_tanh_"];
    if starts(name, &["v_mfma", "v_smfmac", "v_wmma", "v_swmmac"]) {
        Class::Matrix
    } else if starts(name, &SLOW) {
        Class::Transcendental
    } else if name.contains("_f64") {
        Class::Double
    } else {
        Class::Vector
    }
}
