//! From a walk to a launch: units, holds, stalls, scoreboards with their latencies.

use std::collections::BTreeSet;

use crate::arch::Architecture;
use crate::control::Control;
use crate::derive;
use crate::listing::{Line, Listing, Timing};
use crate::opcode::{Class, class_of};
use crate::resources::Resources;
use crate::tables::{Changes, Tables};
use crate::walk::{Trips, Walk, walk};
use base::Problem;
use base::people;
use base::problem::quoted;
use code::{Instruction, Launch, Machine, Set, Unit, Wait, Warp};

/// What is asked of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The function; the first one where none is named.
    pub function: Option<String>,
    /// How many warps.
    pub warps: usize,
    /// How many of them are a block; all of them where it is not said.
    pub block: Option<usize>,
    /// How often loops go round.
    pub trips: Trips,
    /// The architecture, where another is asked for than the text names.
    pub architecture: Option<u32>,
    /// How many results may be misses; none is no limit.
    pub misses: Option<u32>,
    /// What is taken otherwise than the tables of the architecture have it.
    pub changes: Changes,
}

impl Default for Asked {
    fn default() -> Self {
        let trips = Trips::default();
        let changes = Changes::default();
        Self { function: None, warps: 8, block: None, trips, architecture: None, misses: None, changes }
    }
}

/// What is made of it.
#[derive(Debug, Clone)]
pub struct Made {
    /// The launch.
    pub launch: Launch,
    /// The name of the function.
    pub function: String,
    /// Where its timing is from.
    pub timing: Timing,
    /// Opcodes that are executed and in no table.
    pub unknown: Vec<String>,
    /// Those that wait by themselves, for as long as no table says.
    pub waiting: Vec<String>,
    /// The architecture whose tables were taken.
    pub architecture: &'static Architecture,
    /// These, with what was changed.
    pub tables: Tables,
    /// The way through it.
    pub walk: Walk,
    /// The instructions of the launch's code, one after the other.
    pub rows: Vec<Row>,
    /// Lines of the function that were not understood: before which of the rows each stands, its number, and the line.
    pub left_out: Vec<(usize, usize, String)>,
    /// Where addresses are missing in what is executed: after which one, none at the beginning, and before which.
    pub gaps: Vec<(Option<u64>, u64)>,
    /// What it takes of a multiprocessor besides time.
    pub resources: Resources,
    /// The `sm_` number whose limits hold for that.
    pub number: u32,
    /// Whether somebody gave that number: the document or the text.
    pub numbered: bool,
    /// What the launch takes for granted about the code.
    pub assumed: Vec<String>,
    /// Those of these that nothing else here says: neither the loops, the end, gaps, opcodes, timing nor the architecture.
    pub details: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
}

/// An instruction in the text and in the launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its line in the text.
    pub line: usize,
    /// The function it is of.
    pub function: String,
    /// Its address.
    pub address: u64,
    /// All of it.
    pub text: String,
    /// The kind of work.
    pub class: Class,
    /// Its timing as the text has it, or as derived.
    pub control: Control,
}

/// Makes a launch of a function of a listing.
pub fn launch(listing: &Listing, asked: &Asked) -> Result<Made, Vec<Problem>> {
    let named = |name: &String| listing.functions.iter().position(|own| own.name == *name);
    let function = match &asked.function {
        None => Some(0),
        Some(name) => named(name),
    };
    let Some(function) = function.filter(|&function| function < listing.functions.len()) else {
        let what = format!("no function {}", quoted(asked.function.as_deref().unwrap_or_default()));
        let names: Vec<String> =
            listing.functions.iter().take(20).map(|own| format!("{:.60}", own.name)).collect();
        return Err(vec![Problem::at("function", what, format!("one of {}", people::listed(&names)))]);
    };
    let own = &listing.functions[function];
    let number = asked.architecture.or(own.architecture);
    let architecture = match number {
        None => Architecture::usual(),
        Some(number) => Architecture::of(number).ok_or_else(|| {
            let known = crate::arch::ARCHITECTURES.iter().flat_map(|own| own.numbers);
            let known: BTreeSet<u32> = known.copied().collect();
            let known: Vec<String> = known.iter().map(u32::to_string).collect();
            let expected = format!("one of {}", known.join(", "));
            vec![Problem::at("architecture", format!("sm_{number}"), expected)]
        })?,
    };
    let walk = walk(listing, function, &asked.trips).map_err(|problem| vec![problem])?;
    let tables = Tables::of(architecture, &asked.changes)?;
    let mut making = Making {
        tables: &tables,
        assumed: BTreeSet::new(),
        unknown: BTreeSet::new(),
        waiting: BTreeSet::new(),
    };
    let mut rows = Vec::with_capacity(walk.lines.len());
    let mut code = Vec::with_capacity(walk.lines.len());
    let mut controls: Vec<Option<Vec<Control>>> = vec![None; listing.functions.len()];
    for &(function, line) in &walk.lines {
        let own = &listing.functions[function];
        let line_of = &own.lines[line];
        let control = match line_of.control {
            Some(control) => control,
            None => {
                let all = &mut controls[function];
                all.get_or_insert_with(|| derive::controls(&own.lines, architecture))[line]
            }
        };
        let class = making.class(line_of);
        code.push(making.instruction(line_of, class, control));
        rows.push(Row {
            line: line_of.number,
            function: own.name.clone(),
            address: line_of.address,
            text: line_of.text.clone(),
            class,
            control,
        });
    }
    let met: BTreeSet<u32> = walk.steps.iter().copied().collect();
    let unknown = making.told(&rows, &met);
    let details: Vec<String> = walk.details.iter().cloned().chain(making.assumed.clone()).collect();
    let waiting = making.waiting.into_iter().collect();
    let mut assumed_of_code = making.assumed;
    assumed_of_code.extend(unknown.iter().map(|opcode| unknown_opcode(opcode)));
    let machine = machine_of(architecture);
    let block = asked.block.unwrap_or(asked.warps).max(1);
    let partitions = architecture.partitions;
    let warps = (0..asked.warps).map(|warp| Warp {
        stream: 0,
        partition: warp as u32 % partitions,
        block: warp / block,
    });
    let launch = Launch::new(machine, code, vec![walk.steps.clone()], warps.collect(), asked.misses)?;
    let mut assumed: Vec<String> = walk.assumed.clone();
    assumed.extend(assumed_of_code);
    let mut notes = walk.idle.clone();
    let gaps = gaps(listing, &rows);
    for (after, before) in &gaps {
        let at = after.map_or_else(|| "Before".to_owned(), |after| format!("Between {after:#06x} and"));
        assumed.push(format!("{at} {before:#06x} addresses are missing: lines of the text may be gone."));
    }
    if number.is_none() {
        assumed.push(format!(
            "The text does not say for which architecture it is: {} was taken.",
            architecture.name
        ));
    }
    if own.timing == Timing::None {
        let words = match own.strays {
            true => "Some lines end in a second word, others do not, so none is taken for a control word",
            false => "The text has no control words",
        };
        assumed.push(format!("{words}: stalls and scoreboards are derived from registers."));
    }
    let second = format!("{} (2)", own.name);
    if named(&second).is_some() {
        notes.push(format!(
            "Several functions are named {}: this is the first, the next one is {}.",
            quoted(&own.name),
            quoted(&second)
        ));
    }
    if listing.skipped > 0 {
        let (line, text) = listing.first_skipped.clone().unwrap_or_default();
        let lines = people::counted(listing.skipped, "line");
        notes.push(format!(
            "{lines} of the text were not understood, the first at line {line}: {}.",
            quoted(&text)
        ));
    }
    let met = met.len();
    if met < rows.len() {
        notes.push(format!(
            "{} of the {} instructions are executed; no warp comes by the others.",
            people::grouped(met as u128),
            people::grouped(rows.len() as u128)
        ));
    }
    // A number that is not given is that of the architecture that was taken.
    let taken = number.or(architecture.numbers.first().copied()).unwrap_or_default();
    Ok(Made {
        resources: Resources::of(&listing.stated, own, &rows, own.architecture.unwrap_or(taken)),
        number: taken,
        numbered: number.is_some(),
        launch,
        function: own.name.clone(),
        timing: own.timing,
        unknown,
        waiting,
        architecture,
        tables,
        walk,
        left_out: left_out(listing, function, &rows),
        gaps,
        rows,
        assumed,
        details,
        notes,
    })
}

fn unknown_opcode(opcode: &str) -> String {
    format!("{} is not in the table of opcodes: it runs on the alu.", quoted(opcode))
}

impl Row {
    /// What is said of an instruction whose opcode is in no table.
    pub fn unknown(&self) -> Option<String> {
        let text =
            self.text.strip_prefix('@').and_then(|text| text.split_once(' ')).map_or(&self.text[..], |t| t.1);
        let opcode = text.trim().split(['.', ' ']).next().unwrap_or_default();
        class_of(opcode).is_none().then(|| unknown_opcode(opcode))
    }
}

/// The furthest that instructions stand apart: those of 16 bytes, and those of eight over a control word.
const APART: u64 = 16;

/// Where addresses are missing in the functions on the way. Only one that is alone in its text begins at its beginning.
fn gaps(listing: &Listing, rows: &[Row]) -> Vec<(Option<u64>, u64)> {
    let alone = listing.functions.len() == 1;
    let begins = rows.first().map(|row| row.address).filter(|&first| alone && first > APART);
    let within = rows.windows(2).filter(|two| two[0].function == two[1].function);
    let within = within.map(|two| (Some(two[0].address), two[1].address));
    let missing = within.filter(|(after, before)| after.is_some_and(|after| *before > after + APART));
    begins.map(|first| (None, first)).into_iter().chain(missing).collect()
}

/// Where among the rows the lines of a function stand that were not understood.
fn left_out(listing: &Listing, function: usize, rows: &[Row]) -> Vec<(usize, usize, String)> {
    let own = listing.left_out.iter().filter(|(of, ..)| *of == function);
    let name = listing.functions.get(function).map(|own| &own.name);
    let before = |number: usize| {
        let last = rows.iter().rposition(|row| Some(&row.function) == name && row.line < number);
        last.map_or(0, |last| last + 1)
    };
    own.map(|(_, number, text)| (before(*number), *number, text.clone())).collect()
}

/// The multiprocessor of an architecture.
pub fn machine_of(architecture: &Architecture) -> Machine {
    let unit =
        |lanes: &crate::arch::Lanes| Unit { name: lanes.name().to_owned(), scope: lanes.scope, count: 1 };
    Machine {
        partitions: architecture.partitions,
        issue: architecture.issue,
        units: architecture.units.iter().map(unit).collect(),
    }
}

struct Making<'a> {
    tables: &'a Tables,
    assumed: BTreeSet<String>,
    unknown: BTreeSet<String>,
    waiting: BTreeSet<String>,
}

impl Making<'_> {
    fn class(&mut self, line: &Line) -> Class {
        class_of(line.base()).unwrap_or_else(|| {
            self.unknown.insert(line.base().to_owned());
            Class::Alu
        })
    }

    fn instruction(&mut self, line: &Line, class: Class, control: Control) -> Instruction {
        let never = line.is_never();
        let unit = self.tables.unit(class).filter(|_| !never);
        let hold = unit.map_or(1, |unit| self.tables.units[unit].hold());
        let mut sets = Vec::new();
        if let Some(board) = control.write.filter(|_| !never) {
            let row = self.tables.latency(Some(class));
            let (least, hit, most) = match row {
                Some(row) => (row.least, row.hit, row.most),
                None => (self.tables.fixed, self.tables.fixed, self.tables.fixed),
            };
            sets.push(Set { board, least, most, hit: (hit < most).then_some(hit) });
        }
        if let (Some(board), Some(row)) = (control.read.filter(|_| !never), self.tables.latency(None)) {
            sets.push(Set { board, least: row.least, most: row.most, hit: None });
        }
        let mut waits: Vec<Wait> = control.waits().map(|board| Wait { board, left: 0 }).collect();
        waits.extend(depbar(line));
        Instruction {
            unit: unit.map(|unit| unit as u16),
            hold,
            stall: u32::from(control.stall).max(1),
            sets,
            waits,
            barrier: line.base() == "BAR" && line.opcode.contains(".SYNC") && !never,
        }
    }

    /// Says what was taken for granted about instructions that are executed; the opcodes among them that are in no table.
    fn told(&mut self, rows: &[Row], met: &BTreeSet<u32>) -> Vec<String> {
        let executed = || met.iter().map(|&at| &rows[at as usize]);
        let base = |row: &Row| {
            let text = row
                .text
                .strip_prefix('@')
                .and_then(|text| text.split_once(' '))
                .map_or(&row.text[..], |t| t.1);
            text.trim().split(['.', ' ']).next().unwrap_or_default().to_owned()
        };
        let mut add = |holds: bool, text: &str| {
            if holds {
                self.assumed.insert(text.to_owned());
            }
        };
        let guarded = |row: &Row| {
            row.text.starts_with('@') && !row.text.starts_with("@!PT ") && !row.text.starts_with("@!UPT ")
        };
        add(
            executed().any(|row| guarded(row) && row.class != Class::Branch),
            "Instructions with a guard execute, for some thread of every warp.",
        );
        add(
            executed().any(|row| row.control.stall == 0),
            "A stall of 0 counts as 1: nothing issues together with the next instruction of its warp.",
        );
        add(
            executed().any(|row| base(row) == "BAR" && !row.text.contains(".SYNC")),
            "Only BAR.SYNC waits for other warps; BAR.ARV, BAR.RED and others take a slot and their unit.",
        );
        add(
            executed()
                .any(|row| base(row) == "BAR" && row.text.contains(".SYNC") && named_barrier(&row.text)),
            "Every BAR.SYNC is for all warps of the block, whichever barrier it names.",
        );
        add(
            executed().any(|row| row.class == Class::Store && row.control.write.is_none()),
            "A store is over once it has held its unit, unless it sets a scoreboard.",
        );
        add(
            executed().any(|row| base(row) == "DEPBAR" && row.text.contains("UR")),
            "A DEPBAR whose count is in a register waits for all.",
        );
        let tables = self.tables;
        for row in executed() {
            let opcode = base(row);
            if row.control.write.is_some() && tables.latency(Some(row.class)).is_none() {
                self.assumed.insert(format!(
                    "No table has a latency for {}, which sets a scoreboard: {} cycles are taken.",
                    quoted(&opcode),
                    tables.fixed
                ));
            }
            if WAITS.contains(&opcode.as_str()) || row.text.contains(".TRYWAIT") {
                self.assumed.insert(format!(
                    "How long {} waits is in no table: it takes a slot and its unit.",
                    quoted(&opcode)
                ));
                self.waiting.insert(opcode);
            }
        }
        let executed = |opcode: &&String| executed().any(|row| base(row) == **opcode);
        self.unknown.iter().filter(executed).cloned().collect()
    }
}

/// Opcodes that wait by themselves, for as long as nothing in the text says: until memory has seen all stores, a time is
/// over, other blocks have come, the matrices of a group of warps are there, or another kernel is done.
const WAITS: [&str; 7] = ["MEMBAR", "ERRBAR", "FENCE", "NANOSLEEP", "UCGABAR_WAIT", "WARPGROUP", "ACQBULK"];

/// Whether a barrier is another than all warps' first one.
fn named_barrier(text: &str) -> bool {
    let operands = text.rsplit_once(".SYNC").map_or("", |(_, rest)| rest);
    let operands = operands.split_once(' ').map_or("", |(_, rest)| rest).trim();
    !matches!(operands, "0x0" | "0" | "")
}

/// What `DEPBAR.LE SBn, k, {m, ..}` waits for: no more than `k` on one scoreboard, and none on those in braces. `DEPBAR.ALL`
/// names none and waits for all.
fn depbar(line: &Line) -> Vec<Wait> {
    if line.base() != "DEPBAR" {
        return Vec::new();
    }
    if line.operands.is_empty() {
        return (0..6).map(|board| Wait { board, left: 0 }).collect();
    }
    let number = |text: &String| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let left = line.operands.iter().find_map(number).unwrap_or(0);
    let board = line.operands.iter().find_map(|text| text.strip_prefix("SB")?.parse::<u8>().ok());
    let mut waits: Vec<Wait> = board.map(|board| Wait { board, left }).into_iter().collect();
    let clear = line.operands.iter().filter_map(|text| text.strip_prefix('{')?.strip_suffix('}'));
    let boards = clear.flat_map(|text| text.split(',')).filter_map(|text| text.trim().parse::<u8>().ok());
    waits.extend(boards.filter(|&board| board < 6).map(|board| Wait { board, left: 0 }));
    waits
}
