//! SQLite databases, read only: which tables there are, and their rows.
//!
//! Invariants: only pages of tables that are asked for are read; nothing is written, nothing is locked; a write-ahead
//! log beside the file is not seen. Tables WITHOUT ROWID are refused. Indices, views and triggers are not looked at.
//! Columns that were added to a table after a row was written are none in that row, whatever their default; whole numbers
//! in a column of floats stay whole numbers, as the file stores them. Source: SQLite's file format.

mod btree;
mod create;
mod pages;
mod record;
mod row;

pub use btree::Damage;
pub use pages::{Encoding, Fault, MAGIC};
pub use row::{Row, Value};

use crate::source::Tracked;
use pages::Pages;

/// A database file.
pub struct Database<'a> {
    pages: Pages<'a>,
    tables: Vec<Table>,
    damage: Damage,
}

/// A table of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is called.
    pub name: String,
    /// Names of the columns that rows hold, in their order.
    pub columns: Vec<String>,
    /// The column that is the row's number.
    alias: Option<usize>,
    /// Where its tree begins.
    root: u32,
    /// Why it cannot be read, if so.
    refused: Option<&'static str>,
}

impl Table {
    /// Where a column lies; names are compared without regard to case.
    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// Whether it has a column.
    pub fn has(&self, name: &str) -> bool {
        self.column(name).is_some()
    }
}

impl<'a> Database<'a> {
    /// Reads the head and the list of tables.
    pub fn open(source: Tracked<'a>) -> Result<Self, Fault> {
        let mut pages = Pages::open(source)?;
        let mut tables = Vec::new();
        // Its columns are type, name, tbl_name, rootpage and sql.
        let asked = row::Asked::new(&[Some(0), Some(1), Some(3), Some(4)], None);
        let encoding = pages.encoding();
        let mut form = row::Form::default();
        let damage = btree::walk(&mut pages, 1, &mut |number, payload| {
            let row = row::read(number, payload, &asked, encoding, &mut form)?;
            if row.text(0).as_deref() == Some("table") {
                tables.extend(table(&row));
            }
            Ok(())
        })?;
        Ok(Self { pages, tables, damage })
    }

    /// All tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table of a name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// What was damaged in the list of tables.
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Bytes of a page.
    pub fn page_size(&self) -> usize {
        self.pages.size()
    }

    /// Pages that the file should have and has not.
    pub fn missing_pages(&self) -> u32 {
        self.pages.missing()
    }

    /// Whether what was written last may be in a write-ahead log beside the file.
    pub fn has_wal(&self) -> bool {
        self.pages.wal()
    }

    /// About how many rows a table has, by the number of the last one; never more than the file can hold.
    pub fn about(&mut self, table: &Table) -> Result<usize, Fault> {
        /// Bytes that a row of some columns takes at least.
        const LEAST: usize = 16;
        let last = btree::last(&mut self.pages, table.root)?;
        let most = self.pages.size().saturating_mul(self.pages.count() as usize) / LEAST;
        Ok(last.and_then(|last| usize::try_from(last).ok()).unwrap_or(0).min(most))
    }

    /// Goes through all rows of a table, and gives the columns asked for, in that order; a column that the table has not
    /// is none in every row. Of rows whose number is not wanted nothing is read, where the first column asked for is
    /// the row's number.
    pub fn rows(
        &mut self,
        table: &Table,
        columns: &[&str],
        wanted: &dyn Fn(i64) -> bool,
        on_row: &mut dyn FnMut(&Row<'_>),
    ) -> Result<Damage, Fault> {
        if let Some(refused) = table.refused {
            return Err(Fault::Damaged(format!("the table {} {refused}", base::problem::named(&table.name))));
        }
        let places: Vec<Option<usize>> = columns.iter().map(|column| table.column(column)).collect();
        let numbered = table.alias.is_some() && places.first() == Some(&table.alias);
        let asked = row::Asked::new(&places, table.alias);
        let encoding = self.pages.encoding();
        let mut form = row::Form::default();
        btree::walk(&mut self.pages, table.root, &mut |number, payload| {
            if !numbered || wanted(number) {
                on_row(&row::read(number, payload, &asked, encoding, &mut form)?);
            }
            Ok(())
        })
    }
}

/// A row of the list of tables: type, name, root page, text.
fn table(row: &Row<'_>) -> Option<Table> {
    let name = row.text(1)?.into_owned();
    let root = row.int(2).and_then(|root| u32::try_from(root).ok()).filter(|&root| root > 0)?;
    let columns = create::columns(&row.text(3)?);
    let refused = match &columns {
        None => Some("is created by a text that is not understood"),
        Some(columns) if columns.without_rowid => Some("is WITHOUT ROWID, which is not read"),
        Some(_) => None,
    };
    let columns = columns.unwrap_or_default();
    Some(Table { name, columns: columns.names, alias: columns.alias, root, refused })
}
