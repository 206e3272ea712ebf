//! How many blocks of a question a multiprocessor holds: what they take is from the document, else from the listing.

use base::people::{counted, grouped, listed};
use code_read::occupancy::{LIMITS, MOST_REGISTERS, MOST_WARPS_OF_BLOCK};
use code_read::{Architecture, Held, Known, Limits, Made, Need, Resource, Resources};
use kit::import::reader::{Fields, Reader};

use super::Shape;

/// The most bytes of shared memory that a block of any architecture may take.
const MOST_SHARED: u32 = 227 << 10;

/// What the document says of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given {
    registers: Option<u32>,
    shared: Option<u32>,
    /// Whose limits hold, where there is no listing.
    architecture: Option<u32>,
}

/// Reads it.
pub(super) fn given(reader: &mut Reader, fields: &Fields<'_>, is_text: bool) -> Given {
    let registers = reader
        .optional(fields, "registers", |reader, path, value| reader.small(path, value, 1..=MOST_REGISTERS));
    let shared =
        reader.optional(fields, "shared", |reader, path, value| reader.small(path, value, 0..=MOST_SHARED));
    let architecture = match is_text {
        true => None,
        false => reader.optional(fields, "architecture", |reader, path, value| {
            let number = reader.small(path, value, 1..=999)?;
            if Limits::of(number).is_none() {
                let known: Vec<String> = LIMITS.iter().map(|own| own.number.to_string()).collect();
                reader.problem(path, format!("sm_{number}"), format!("one of {}", known.join(", ")));
            }
            Some(number)
        }),
    };
    Given { registers, shared, architecture }
}

/// What a multiprocessor holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fits {
    /// Its limits.
    pub limits: &'static Limits,
    /// Whether nobody says which architecture it is.
    pub architecture_assumed: bool,
    /// What a block takes.
    pub resources: Resources,
    /// Warps of a block.
    pub block: u32,
    /// How many are asked for.
    pub count: u32,
    /// What is held.
    pub held: Held,
}

impl Fits {
    /// Of a listing, or of what the document says.
    pub(super) fn of(made: Option<&Made>, given: Given, shape: Shape) -> Option<Self> {
        let said = given.registers.or(given.shared).or(given.architecture).is_some();
        let resources = match made {
            Some(made) => made.resources,
            None if said => Resources {
                registers: 0,
                registers_known: Known::Assumed,
                shared: 0,
                shared_known: Known::Assumed,
                highest: None,
                uses_shared: false,
            },
            None => return None,
        };
        let number = made.map(|made| made.number).or(given.architecture);
        let usual = Architecture::usual().numbers.first().copied().unwrap_or_default();
        let limits = Limits::of(number.unwrap_or(usual))?;
        let mut own = resources;
        if let Some(registers) = given.registers {
            (own.registers, own.registers_known) = (registers, Known::Given);
        }
        if let Some(shared) = given.shared {
            (own.shared, own.shared_known) = (shared, Known::Given);
        }
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let block = small(shape.block.unwrap_or(shape.count));
        let held = limits.held(Need { registers: own.registers, shared: own.shared, warps: block });
        let architecture_assumed = made.is_none() && given.architecture.is_none();
        Some(Self { limits, architecture_assumed, resources: own, block, count: small(shape.count), held })
    }

    /// What is said where more warps are asked for than a multiprocessor holds.
    pub fn note(&self) -> Option<String> {
        let (count, held) = (self.count, self.held);
        if count <= held.warps {
            return None;
        }
        let asked = format!("{} asked for", plural(count, "warp is", "warps are"));
        if self.block > MOST_WARPS_OF_BLOCK {
            return Some(format!(
                "{asked}, {} of them in one block; a block has at most {MOST_WARPS_OF_BLOCK}.",
                self.block
            ));
        }
        let limits: Vec<&str> = held.limited_by().map(called).collect();
        let by = listed(&limits);
        let most = if self.resources.registers_known == Known::Named { "at most " } else { "" };
        let block = format!("of {}", counted(self.block as usize, "warp"));
        Some(match held.blocks {
            0 => format!(
                "{asked}; a multiprocessor of sm_{} holds no block {block} that takes {}: limited by {by}.",
                self.limits.number,
                self.taken()
            ),
            blocks => format!(
                "{asked}; a multiprocessor of sm_{} holds {most}{}: {} {block}, limited by {by}.",
                self.limits.number,
                held.warps,
                counted(blocks as usize, "block"),
            ),
        })
    }

    /// `40 registers a thread and 16,384 bytes of shared memory`.
    fn taken(&self) -> String {
        let registers = format!("{} a thread", counted(self.resources.registers as usize, "register"));
        format!("{registers} and {} bytes of shared memory", grouped(self.resources.shared.into()))
    }
}

fn plural(count: u32, one: &str, many: &str) -> String {
    base::people::plural(count as usize, one, many)
}

/// What limits, in a sentence.
pub fn called(resource: Resource) -> &'static str {
    match resource {
        Resource::Registers => "registers",
        Resource::Shared => "shared memory",
        Resource::Warps => "the number of warps",
        Resource::Blocks => "the number of blocks",
    }
}
