//! What the numbers of a listing rest on that is not proven of it, the gravest first.

use base::people::{counted, grouped, listed, plural};
use base::problem::quoted;
pub use code_read::Made;
use code_read::Timing;
use code_read::walk::Loop;

use super::Rest;

/// The source of a number that somebody has changed.
const GIVEN: &str = code_read::tables::GIVEN;

/// All of it.
pub fn rests(made: &Made) -> Vec<Rest> {
    let all = [
        loops(made),
        end(made),
        gap(made),
        lines(made),
        opcodes(made),
        waiting(made),
        rounds(made),
        way(made),
        timing(made),
        changed("latencies", latencies(made)),
        changed("lanes", lanes(made)),
        tables(made),
    ];
    all.into_iter().flatten().collect()
}

fn rest(on: &'static str, what: String, said: String) -> Rest {
    Rest { on: on.into(), what, said }
}

/// Where a loop begins, with the function that it is in where that is another.
pub fn place(made: &Made, own: &Loop) -> String {
    let line = made.walk.lines.iter().position(|&(function, _)| function == own.function);
    let name = line.and_then(|line| made.rows.get(line)).map_or("", |row| &row.function);
    let address = format!("0x{:04x}", own.address);
    if name == made.function { address } else { format!("{address} in {}", quoted(name)) }
}

/// The loops of which nobody says how often they go round: once was taken.
pub fn open(made: &Made) -> impl Iterator<Item = &Loop> {
    made.walk.loops.iter().filter(|own| own.trips.is_some() && !own.known)
}

fn loops(made: &Made) -> Option<Rest> {
    let (left, once): (Vec<&Loop>, Vec<&Loop>) = open(made).partition(|own| own.left);
    let at = |all: &[&Loop]| all.iter().map(|own| place(made, own)).collect::<Vec<_>>();
    let (left, once) = (at(&left), at(&once));
    let what = match (&once[..], &left[..]) {
        ([], []) => return None,
        ([one], []) => format!("loop {one} once"),
        ([], [one]) => format!("loop {one} left in its first round"),
        _ => format!("{} loops once", grouped((once.len() + left.len()) as u128)),
    };
    let mut said = Vec::new();
    if !once.is_empty() {
        said.push(format!(
            "Nobody says how often {} {} round: once was taken, so nothing is proven of the kernel.",
            if once.len() == 1 { "the loop at" } else { "the loops at" },
            if once.len() == 1 { listed(&once) + " goes" } else { listed(&once) + " go" },
        ));
    }
    if !left.is_empty() {
        said.push(format!(
            "The way leaves {} {} before a round is over, and others out of {} are not followed: nothing is proven of the kernel.",
            if left.len() == 1 { "the loop at" } else { "the loops at" },
            listed(&left),
            if left.len() == 1 { "it" } else { "them" },
        ));
    }
    Some(rest("loops", what, said.join(" ")))
}

fn rounds(made: &Made) -> Option<Rest> {
    let given: Vec<(String, u32)> = made
        .walk
        .loops
        .iter()
        .filter(|own| own.known && !own.left)
        .filter_map(|own| Some((place(made, own), own.trips?)))
        .collect();
    let times = |trips: u32| plural(trips as usize, "time", "times");
    let (what, often) = match &given[..] {
        [] => return None,
        [(at, trips)] => {
            (format!("rounds of loop {at} given"), format!("the loop at {at} goes round: {}", times(*trips)))
        }
        several => {
            let each: Vec<String> =
                several.iter().map(|(at, trips)| format!("{} at {at}", times(*trips))).collect();
            (
                format!("rounds of {} loops given", grouped(several.len() as u128)),
                format!("loops go round: {}", listed(&each)),
            )
        }
    };
    let said = format!(
        "The document says how often {often}, exactly and not at most. Nothing is proven of other numbers of rounds, not even of fewer."
    );
    Some(rest("rounds", what, said))
}

fn end(made: &Made) -> Option<Rest> {
    let at = made.walk.cut?;
    let said = format!(
        "The text ends after 0x{at:04x}, and no EXIT or RET has ended the way: if it was cut, the whole takes longer."
    );
    Some(rest("end", "text ends without EXIT".to_owned(), said))
}

fn gap(made: &Made) -> Option<Rest> {
    let (after, before) = made.gaps.first()?;
    let what = match (after, made.gaps.len()) {
        (_, several @ 2..) => format!("{} gaps in the text", grouped(several as u128)),
        (None, _) => format!("text begins at 0x{before:04x}"),
        (Some(after), _) => format!("text has a gap after 0x{after:04x}"),
    };
    let said = format!(
        "Addresses are missing before 0x{before:04x}: if lines are gone, the whole takes longer, and loops may be missing with them."
    );
    Some(rest("gap", what, said))
}

fn lines(made: &Made) -> Option<Rest> {
    let count = made.left_out.len();
    let (_, number, text) = made.left_out.first()?;
    let lines = counted(count, "line");
    let said = format!(
        "{lines} of the text were not understood and count for nothing, the first at line {number}: {text}."
    );
    Some(rest("lines", format!("{lines} left out"), said))
}

fn way(made: &Made) -> Option<Rest> {
    let count = made.walk.guessed;
    let what = format!("{} guessed", plural(count, "branch", "branches"));
    let said = "Where the text does not decide which way a branch or a call goes, a rule does; each stands under what is assumed.";
    (count > 0).then(|| rest("way", what, said.to_owned()))
}

fn opcodes(made: &Made) -> Option<Rest> {
    let what = match &made.unknown[..] {
        [] => return None,
        [one] => format!("{one:.20} is unknown"),
        several => format!("{} unknown opcodes", grouped(several.len() as u128)),
    };
    let said = format!("In no table of opcodes, and taken to run on the alu: {}.", listed(&made.unknown));
    Some(rest("opcodes", what, said))
}

fn waiting(made: &Made) -> Option<Rest> {
    let what = match &made.waiting[..] {
        [] => return None,
        [one] => format!("{one:.20} waits by itself"),
        several => format!("{} opcodes wait by themselves", grouped(several.len() as u128)),
    };
    let said = format!(
        "For how long is in no table, and counts for nothing: {}. If that is long, the whole takes longer.",
        listed(&made.waiting)
    );
    Some(rest("waits", what, said))
}

/// More warps than a multiprocessor holds; what is said of them is known.
pub fn too_many(count: usize, held: u32, said: String) -> Rest {
    let what = match held {
        0 => "no block of this fits".to_owned(),
        _ => format!("{}, {} fit", counted(count, "warp"), grouped(held.into())),
    };
    rest("occupancy", what, said)
}

fn timing(made: &Made) -> Option<Rest> {
    let said = "The text has no control words: stalls and scoreboards are derived from registers, and those of the real code may be others.";
    (made.timing == Timing::None).then(|| rest("timing", "stalls are derived".to_owned(), said.to_owned()))
}

fn latencies(made: &Made) -> Vec<&'static str> {
    let changed = made.tables.latencies.iter().filter(|own| own.source == GIVEN);
    changed.map(|own| own.class.map_or(code_read::tables::OPERANDS, |class| class.name())).collect()
}

fn lanes(made: &Made) -> Vec<&'static str> {
    made.tables.units.iter().filter(|own| own.source == GIVEN).map(|own| own.name()).collect()
}

/// Rows of a table that are not as measured.
fn changed(table: &'static str, names: Vec<&'static str>) -> Option<Rest> {
    let what = match names[..] {
        [] => return None,
        [one] => format!("{table} of {one} changed"),
        _ => format!("{} {table} changed", names.len()),
    };
    let said = format!(
        "Given by the document, not by the tables of the architecture: {table} of {}.",
        listed(&names)
    );
    Some(rest(table, what, said))
}

fn tables(made: &Made) -> Option<Rest> {
    let own = made.architecture;
    let name = own.name;
    let measured = *own.numbers.first()?;
    let some = "Some of these numbers nobody has measured; each has its source in the table.";
    Some(match made {
        Made { numbered: false, .. } => rest(
            "architecture",
            format!("{name} is a guess"),
            format!(
                "Neither the text nor the document says for which architecture the code is: {name} was taken. {some}"
            ),
        ),
        Made { number, .. } if *number != measured => rest(
            "architecture",
            format!("tables of sm_{measured} for sm_{number}"),
            format!(
                "Units and latencies are those of {name}, sm_{measured}: nobody has measured sm_{number} in public. {some}"
            ),
        ),
        _ => rest(
            "tables",
            format!("tables of {name}"),
            format!("Units and latencies are those of public tables for {name}. {some}"),
        ),
    })
}
