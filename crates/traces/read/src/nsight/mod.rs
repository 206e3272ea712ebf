//! Nsight Systems' export as an SQLite database.
//!
//! Tables and columns come and go between versions: whatever is missing gives none. Rows are in no order. Operations
//! join calls by `correlationId` within a process; where they carry none, as of the process that has calls for all
//! operations of a context. Streams are told apart by process, device, context and number. The device of a
//! synchronisation is not always filled in, so it waits for the only stream of its context and number.
//!
//! Invariant: only the tables named here are read, and of `StringIds` only the texts that are referred to.

mod events;
mod operations;
mod state;
mod targets;

use crate::draft::Draft;
use crate::source::{Halt, Tracked};
use crate::sqlite::{Damage, Database, Fault, Row};
use base::Problem;
use state::State;
use traces::Trace;
use traces::trace::Source;

/// The tables without which there is nothing to show.
const NEEDED: [&str; 4] = [
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
];

/// Tables that nearly every export has, and what is not known without them.
const USUAL: [(&str, &str); 3] = [
    ("CUPTI_ACTIVITY_KIND_KERNEL", "kernels"),
    ("CUPTI_ACTIVITY_KIND_RUNTIME", "calls of the host"),
    ("StringIds", "names"),
];

/// An export being read.
struct Import<'a> {
    database: Database<'a>,
    state: State,
}

/// Reads an export.
pub fn read(source: Tracked<'_>) -> Result<Trace, Vec<Problem>> {
    let database = Database::open(source).map_err(|fault| vec![problem(fault)])?;
    if !NEEDED.iter().any(|name| database.table(name).is_some()) {
        return Err(vec![foreign(&database)]);
    }
    let mut import = Import { database, state: State::default() };
    import.all().map_err(|halt| vec![crate::halted(halt)])?;
    Ok(import.state.draft.finish(Source::Nsight))
}

fn foreign(database: &Database<'_>) -> Problem {
    let names: Vec<String> =
        database.tables().iter().take(5).map(|table| base::problem::named(&table.name)).collect();
    let mut what = if names.is_empty() {
        "a database in which no table can be read".to_owned()
    } else {
        format!("a database with the tables {}", names.join(", "))
    };
    match database.missing_pages() {
        0 => {}
        missing => what += &format!(", cut off: {} missing", base::people::counted(missing as usize, "page")),
    }
    Problem::at("file", what, "Nsight Systems' export, with CUPTI_ACTIVITY_KIND_KERNEL or RUNTIME")
}

fn problem(fault: Fault) -> Problem {
    match fault {
        Fault::Damaged(what) => Problem::at("file", what, "a sound SQLite database"),
        Fault::Halt(halt) => crate::halted(halt),
    }
}

impl Import<'_> {
    fn all(&mut self) -> Result<(), Halt> {
        self.state_of_file();
        self.read_calls()?;
        self.read_devices()?;
        self.read_operations()?;
        self.read_texts()?;
        self.state.join();
        self.state.draft.wait_for_copies();
        self.read_records()?;
        self.read_synchronisations()?;
        self.read_streams()?;
        self.read_threads()?;
        self.read_slices()
    }

    fn state_of_file(&mut self) {
        let draft = &mut self.state.draft;
        let missing = self.database.missing_pages();
        draft.leave_out("pages at the end of the file, which is cut off", missing.into());
        if self.database.has_wal() {
            draft.leave_out("what may lie in a write-ahead log (-wal) beside the file", 1);
        }
        damaged(draft, "the list of tables", self.database.damage());
        for (table, what) in USUAL {
            if self.database.table(table).is_none() {
                draft.leave_out(&format!("{what}: the file has no table {table}"), 1);
            }
        }
    }

    /// Goes through a table's rows.
    fn rows(
        &mut self,
        name: &str,
        columns: &[&str],
        on_row: &mut dyn FnMut(&mut State, &Row<'_>),
    ) -> Result<(), Halt> {
        self.rows_of(name, columns, &|_| true, on_row)
    }

    /// Goes through the rows whose numbers are wanted.
    fn rows_of(
        &mut self,
        name: &str,
        columns: &[&str],
        wanted: &dyn Fn(i64) -> bool,
        on_row: &mut dyn FnMut(&mut State, &Row<'_>),
    ) -> Result<(), Halt> {
        let Some(table) = self.database.table(name).cloned() else { return Ok(()) };
        let Self { database, state } = self;
        match database.rows(&table, columns, wanted, &mut |row| on_row(state, row)) {
            Ok(damage) => damaged(&mut self.state.draft, name, &damage),
            Err(Fault::Damaged(what)) => self.state.draft.leave_out(&what, 1),
            Err(Fault::Halt(halt)) => return Err(halt),
        }
        Ok(())
    }

    /// About how many rows a table has; 0 where there is none or that cannot be told.
    fn about(&mut self, name: &str) -> Result<usize, Halt> {
        let Some(table) = self.database.table(name).cloned() else { return Ok(0) };
        match self.database.about(&table) {
            Ok(count) => Ok(count),
            Err(Fault::Damaged(_)) => Ok(0),
            Err(Fault::Halt(halt)) => Err(halt),
        }
    }

    /// Reads texts by their numbers.
    fn texts(
        &mut self,
        wanted: &dyn Fn(i64) -> bool,
        on_text: &mut dyn FnMut(&mut State, i64, &str),
    ) -> Result<(), Halt> {
        self.rows_of("StringIds", &["id", "value"], wanted, &mut |state, row| {
            if let (Some(id), Some(text)) = (row.int(0).filter(|&id| wanted(id)), row.text(1)) {
                on_text(state, id, &text);
            }
        })
    }

    /// Reads the texts that were referred to, and puts them in their places.
    fn read_texts(&mut self) -> Result<(), Halt> {
        let mut found = Vec::new();
        let texts = std::mem::take(&mut self.state.texts);
        self.texts(&|id| texts.wanted(id), &mut |_, id, text| found.push((id, text.to_owned())))?;
        self.state.texts = texts;
        self.state.name(&found);
        Ok(())
    }
}

fn damaged(draft: &mut Draft, table: &str, damage: &Damage) {
    if let Some(first) = &damage.first {
        draft.leave_out(&format!("damaged pages or rows of {table}, the first: {first}"), damage.count);
    }
}
