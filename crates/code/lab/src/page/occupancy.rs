//! What a multiprocessor holds, as the page shows it: a sentence, what a block takes, and warps against each of that.

use base::people::{bytes, counted, grouped, listed};
use code_read::occupancy::{MOST_REGISTERS, MOST_WARPS_OF_BLOCK, WARP};
use code_read::{Limits, Need};

use crate::report::OccupancyReport;

/// The most warps that a document may ask for.
const MOST_ASKED: u32 = code::launch::MOST_WARPS as u32;

/// Something that a block takes, as a row whose number can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its name, and its key in documents but for threads.
    pub name: &'static str,
    /// What of.
    pub of: &'static str,
    /// The number.
    pub value: String,
    /// How it is known.
    pub known: String,
}

/// Warps against something that a block takes, the rest as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// Its key, for tests.
    pub key: &'static str,
    /// What it is against.
    pub name: &'static str,
    /// What the first and the last number are.
    pub ends: [String; 2],
    /// Warps held for one number after the other.
    pub warps: Vec<u32>,
    /// The place of the present number, and the warps held.
    pub at: Option<(u32, u32)>,
    /// The most warps of a multiprocessor.
    pub most: u32,
    /// The same in words.
    pub said: String,
}

/// `A multiprocessor of sm_80 holds 6 blocks of 8 warps: 48 of its 64 warps. Registers allow no more.`
pub fn sentence(own: &OccupancyReport) -> String {
    let limits: Vec<&str> = own.limited_by.iter().map(|name| called(name)).collect();
    let by = listed(&limits);
    let whose = if own.architecture_assumed { " (nobody says which one it is)" } else { "" };
    let most = most(own);
    let block = counted(own.block as usize, "warp");
    if own.blocks == 0 {
        return format!(
            "A multiprocessor of {}{whose} holds no block of {block} that takes so much. What is too small for it: {by}.",
            own.architecture
        );
    }
    let at_most = if is_at_most(own) { "at most " } else { "" };
    let unsaid = if is_unsaid(own) { ", without the shared memory that nobody says" } else { "" };
    format!(
        "A multiprocessor of {}{whose} holds {at_most}{} of {block}{unsaid}: {} of its {most} warps. Limited by {by}.",
        own.architecture,
        counted(own.blocks as usize, "block"),
        own.warps,
    )
}

/// `Occupancy: 48 of 64 warps`, for a part that is folded away.
pub fn heading(own: &OccupancyReport) -> String {
    let at_most = if is_at_most(own) { "at most " } else { "" };
    format!("Occupancy: {at_most}{} of {} warps", own.warps, most(own))
}

/// Whether registers are only the fewest there can be, or nobody says how much shared memory is used.
fn is_at_most(own: &OccupancyReport) -> bool {
    own.registers_from == "at least" || is_unsaid(own)
}

fn is_unsaid(own: &OccupancyReport) -> bool {
    own.shared_from == "assumed" && own.uses_shared
}

/// The most warps of a multiprocessor.
fn most(own: &OccupancyReport) -> u32 {
    own.limits.iter().find(|row| row.0 == "warps").map_or(0, |row| row.1)
}

/// What limits, in a sentence.
fn called(name: &str) -> &str {
    match name {
        "shared" => "shared memory",
        "warps" => "the number of warps",
        "blocks" => "the number of blocks",
        name => name,
    }
}

/// What a block takes.
pub fn taken(own: &OccupancyReport) -> [Taken; 3] {
    let registers = match (&own.registers_from[..], own.highest) {
        ("given", _) => "given in the document".to_owned(),
        ("text", _) => "as the listing states".to_owned(),
        ("at least", Some(highest)) => match own.registers - highest {
            ..=1 => format!("at least: R{highest} is the highest that an instruction names"),
            _ => format!(
                "at least: R{highest} is the highest that an instruction names, and two more are kept from Volta on"
            ),
        },
        _ => "nobody says it: they limit nothing".to_owned(),
    };
    let shared = match (&own.shared_from[..], own.uses_shared) {
        ("given", _) => "given in the document",
        ("text", _) => "as the listing states; what a launch asks for besides is in no listing",
        (_, true) => "assumed, as the listing does not say: but instructions use shared memory",
        (_, false) => "assumed, as no instruction uses shared memory that is known of",
    };
    let threads = match own.block {
        ..=MOST_WARPS_OF_BLOCK => counted(own.block as usize, "warp"),
        _ => format!(
            "{}: more than the {MOST_WARPS_OF_BLOCK} that a block may have",
            counted(own.block as usize, "warp")
        ),
    };
    let row = |name, of, value: u32, known| Taken { name, of, value: value.to_string(), known };
    let mut all = [
        row("registers", "a thread", own.registers, registers),
        row("shared", "bytes a block", own.shared, shared.to_owned()),
        row("threads", "a block", own.threads, threads),
    ];
    if own.registers == 0 {
        all[0].value.clear();
    }
    all
}

/// The warps that may be asked for in place of those that are; none where they are the same, or more than may be.
pub fn take(own: &OccupancyReport, count: usize) -> Option<u32> {
    (1..=MOST_ASKED).contains(&own.warps).then_some(own.warps).filter(|&warps| warps as usize != count)
}

/// Warps against registers, threads of a block, and shared memory.
pub fn curves(own: &OccupancyReport) -> Vec<Curve> {
    let number = own.architecture.strip_prefix("sm_").and_then(|number| number.parse().ok());
    let Some(limits) = number.and_then(Limits::of) else { return Vec::new() };
    let need = Need { registers: own.registers, shared: own.shared, warps: own.block };
    let warps = |need: Need| limits.held(need).warps;
    let now = own.warps;
    let registers: Vec<u32> =
        (1..=MOST_REGISTERS).map(|registers| warps(Need { registers, ..need })).collect();
    let blocks: Vec<u32> =
        (1..=MOST_WARPS_OF_BLOCK).map(|warps| limits.held(Need { warps, ..need }).warps).collect();
    let kibibytes = limits.shared_of_block >> 10;
    let shared: Vec<u32> = (0..=kibibytes).map(|own| warps(Need { shared: own << 10, ..need })).collect();
    let at = |place: Option<u32>, of: &[u32]| {
        place.filter(|&place| (place as usize) < of.len()).map(|place| (place, now))
    };
    let of_registers = at(own.registers.checked_sub(1), &registers);
    let of_blocks = at(own.block.checked_sub(1), &blocks);
    let of_shared = at(Some(own.shared.div_ceil(1024)), &shared);
    let ends = |least: String, most: String| [least, most];
    vec![
        Curve {
            key: "registers",
            name: "Registers a thread",
            ends: ends("1".to_owned(), MOST_REGISTERS.to_string()),
            said: format!(
                "Warps held against registers a thread: {}. {}",
                steps(&registers, |at| format!("{} registers", at + 1)),
                here(of_registers, &format!("with {} registers", own.registers))
            ),
            at: of_registers,
            warps: registers,
            most: limits.warps,
        },
        Curve {
            key: "threads",
            name: "Threads a block",
            ends: ends(WARP.to_string(), grouped((MOST_WARPS_OF_BLOCK * WARP).into())),
            said: format!(
                "Warps held against threads a block: {}. {}",
                best(&blocks),
                here(of_blocks, &format!("with {} threads", grouped(own.threads.into())))
            ),
            at: of_blocks,
            warps: blocks,
            most: limits.warps,
        },
        Curve {
            key: "shared",
            name: "Shared memory a block",
            ends: ends("0".to_owned(), format!("{kibibytes} KiB")),
            said: format!(
                "Warps held against shared memory a block: {}. {}",
                steps(&shared, |at| format!("{at} KiB")),
                here(of_shared, &format!("with {}", bytes(own.shared.into())))
            ),
            at: of_shared,
            warps: shared,
            most: limits.warps,
        },
    ]
}

/// Where each number of warps ends: `64 up to 32 registers, 56 up to 36 registers`.
fn steps(warps: &[u32], name: impl Fn(usize) -> String) -> String {
    let ends = (0..warps.len()).filter(|&at| warps.get(at + 1) != Some(&warps[at]));
    ends.map(|at| format!("{} up to {}", warps[at], name(at))).collect::<Vec<_>>().join(", ")
}

/// With which blocks the most are held.
fn best(warps: &[u32]) -> String {
    let most = warps.iter().copied().max().unwrap_or(0);
    let with = (1..).zip(warps).filter(|(_, held)| **held == most).map(|(own, _)| own * WARP);
    let with: Vec<String> = with.map(|threads: u32| grouped(threads.into())).collect();
    format!("{most} at most, with {}", listed(&with))
}

fn here(at: Option<(u32, u32)>, with: &str) -> String {
    at.map_or_else(String::new, |(_, warps)| format!("Now {warps}, {with}."))
}

impl Curve {
    /// A line of steps, in a picture of so much to each side.
    pub fn line(&self, width: u32, height: u32) -> String {
        let mut path = String::new();
        let mut before = None;
        for (at, &warps) in (0..).zip(&self.warps) {
            if before != Some(warps) {
                let (x, y) = (self.across(at, width), self.down(warps, height));
                path += &if before.is_none() { format!("M{x} {y}") } else { format!("H{x}V{y}") };
                before = Some(warps);
            }
        }
        path + &format!("H{width}")
    }

    /// Where the present number is: across, and down.
    pub fn point(&self, width: u32, height: u32) -> Option<(u32, u32)> {
        let (at, warps) = self.at?;
        let half = (self.across(at + 1, width) - self.across(at, width)) / 2;
        Some((self.across(at, width) + half, self.down(warps, height)))
    }

    fn across(&self, at: u32, width: u32) -> u32 {
        at * width / (self.warps.len() as u32).max(1)
    }

    fn down(&self, warps: u32, height: u32) -> u32 {
        height - height * warps.min(self.most) / self.most.max(1)
    }
}
