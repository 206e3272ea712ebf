//! What a report on machine code is made of, as plain values that are written and read again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Text;

/// A reason: its name and its numbers.
pub type Why = (Kind, Option<u32>, Option<u32>);

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The instruction before lets the next one issue so much later.
    Stall,
    /// A scoreboard is to be clear.
    Scoreboard,
    /// Other warps are to come to the barrier.
    Barrier,
    /// All places of a unit are held.
    Unit,
    /// The partition issues others.
    Slot,
    /// Nothing.
    Nothing,
}

/// The multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MachineReport {
    /// Warp `w` from 1 is in partition `(w - 1) % partitions`.
    pub partitions: u32,
    /// How many instructions one issues in a cycle.
    pub issue: u32,
    /// Units: name, who shares it, how many instructions it takes at once.
    pub units: Vec<(String, Text, u32)>,
}

/// What is known about the best case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ShortestReport {
    /// The makespan of the shortest schedule found.
    pub makespan: u32,
    /// No schedule is shorter than this.
    pub lower: u64,
    /// Whether both meet.
    pub exact: bool,
    /// That schedule, as the report's `schedule` has its own.
    pub schedule: Vec<(usize, u32, u32, u32)>,
    /// Its latencies, as certificates have them: of all that is set, warp by warp in the order of issue.
    pub latencies: Vec<u32>,
}

/// What the end of the schedule comes of, one cause after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critical {
    /// The warp that ends last, from 1.
    pub warp: usize,
    /// From what ends last to the first cycle: warp from 1, place in the way from 0, the cycle it issues, and why no
    /// earlier; null for what issues first.
    pub path: Vec<(usize, usize, u32, Option<Text>)>,
}

/// What a policy makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyReport {
    /// Its name.
    pub policy: Text,
    /// The makespan.
    pub makespan: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its address; by its place where there is none.
    pub address: u64,
    /// The text.
    pub text: String,
    /// What it does, where nobody has a text: `fp32, 2 cycles, waits for 0`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The unit it holds.
    pub unit: Option<String>,
    /// For how long.
    pub hold: u32,
    /// Cycles to the next instruction.
    pub stall: u32,
    /// Whether another warp is preferred next.
    #[serde(rename = "yield")]
    pub yields: Option<bool>,
    /// The scoreboard that waits for its result.
    pub write: Option<u8>,
    /// The scoreboard that waits until its operands are read.
    pub read: Option<u8>,
    /// Scoreboards that it waits for; of a listing those of its control field.
    pub wait: Vec<u8>,
    /// Scoreboards that the instruction itself names, as `DEPBAR.LE SB0, 0x2` does, and how many of those who set them may
    /// be under way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub until: Vec<(u8, u32)>,
    /// How often all warps execute it.
    pub executed: u32,
    /// Cycles that warps waited before it in the schedule, by reason.
    pub waited: Map<String, Value>,
    /// Which share of all that warps waited that is.
    pub share: f64,
    /// What was assumed about it that may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsure: Option<String>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopReport {
    /// Where it begins.
    pub address: u64,
    /// How often it goes round each time; null where the text decides that.
    pub trips: Option<u32>,
    /// Who says so: `text`, `given` or `assumed`.
    pub stated: Text,
    /// How often it has gone round on the way, each time it was entered: the fewest and the most.
    #[serde(default)]
    pub rounds: (u32, u32),
}

/// Something that is not proven and that the numbers rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// What kind of thing it is: `loops`, `end`, `gap`, `lines`, `rounds`, `way`, `opcodes`, `timing`, `architecture`,
    /// `latencies`, `lanes` or `tables`.
    pub on: Text,
    /// In a few words.
    pub what: String,
    /// In a sentence.
    pub said: String,
}

impl Rest {
    /// Whether a schedule of the whole kernel may well take another time by far.
    pub fn is_grave(&self) -> bool {
        ["loops", "end", "gap", "lines", "opcodes", "waits", "occupancy"].contains(&&self.on[..])
    }
}

/// The tables of an architecture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// Units: name, who shares it, lanes, where that is from.
    pub units: Vec<(Text, Text, u32, Text)>,
    /// Latencies: kind, shortest, longest hit, longest, where that is from.
    pub latencies: Vec<(Text, u32, u32, u32, Text)>,
}
