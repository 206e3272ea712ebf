//! Databases as SQLite writes them: tables of numbers and texts, on pages of 4 KiB (SQLite's file format, sections 1.6, 2.1).

/// A value.
#[derive(Clone)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A text.
    Text(&'static str),
}

/// Bytes of a page.
const PAGE: usize = 4_096;
/// Children of an inner page.
const CHILDREN: usize = 256;

/// A database being written.
pub struct Database {
    pages: Vec<Vec<u8>>,
    tables: Vec<Vec<u8>>,
}

impl Database {
    /// Without tables.
    pub fn new() -> Self {
        // The first page is written last: it says where all tables are.
        Self { pages: vec![Vec::new()], tables: Vec::new() }
    }

    /// Adds a table.
    pub fn table(&mut self, name: &str, columns: &str, rows: impl Iterator<Item = Vec<Value>>) {
        let (mut leaf, mut level) = (Page::new(), Vec::new());
        let mut last = 0;
        for (row, number) in rows.zip(1_u64..) {
            let cell = cell(number, &row.iter().map(value).collect::<Vec<_>>());
            if !leaf.fits(&cell) {
                level.push((self.page(std::mem::replace(&mut leaf, Page::new()).leaf()), last));
            }
            leaf.cells.push(cell);
            last = number;
        }
        level.push((self.page(leaf.leaf()), last));
        while level.len() > 1 {
            let above = level.chunks(CHILDREN).map(|children| {
                let (right, last) = children[children.len() - 1];
                let mut page = Page::new();
                for (child, last) in &children[..children.len() - 1] {
                    page.cells.push([&child.to_be_bytes()[..], &varint(*last)].concat());
                }
                (self.page(page.inner(right)), last)
            });
            level = above.collect();
        }
        let sql = format!("CREATE TABLE {name} ({columns})");
        let text = |text: &str| (text.len() as u64 * 2 + 13, text.as_bytes().to_vec());
        let root = value(&Value::Int(level[0].0.into()));
        let number = self.tables.len() as u64 + 1;
        self.tables.push(cell(number, &[text("table"), text(name), text(name), root, text(&sql)]));
    }

    /// The number of a new page.
    fn page(&mut self, bytes: Vec<u8>) -> u32 {
        self.pages.push(bytes);
        self.pages.len() as u32
    }

    /// The file.
    pub fn bytes(mut self) -> Vec<u8> {
        let mut first = Page { cells: self.tables, before: 100 }.leaf();
        first[..16].copy_from_slice(b"SQLite format 3\0");
        first[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
        first[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
        first[28..32].copy_from_slice(&(self.pages.len() as u32).to_be_bytes());
        // Of the fourth format of tables, in UTF-8.
        first[44..48].copy_from_slice(&4_u32.to_be_bytes());
        first[56..60].copy_from_slice(&1_u32.to_be_bytes());
        self.pages[0] = first;
        self.pages.concat()
    }
}

/// A page being filled.
struct Page {
    cells: Vec<Vec<u8>>,
    before: usize,
}

impl Page {
    fn new() -> Self {
        Self { cells: Vec::new(), before: 0 }
    }

    fn fits(&self, cell: &[u8]) -> bool {
        let used: usize = self.cells.iter().map(|cell| cell.len() + 2).sum();
        self.before + 12 + used + cell.len() + 2 <= PAGE
    }

    fn leaf(self) -> Vec<u8> {
        self.written(13, None)
    }

    fn inner(self, right: u32) -> Vec<u8> {
        self.written(5, Some(right))
    }

    fn written(self, kind: u8, right: Option<u32>) -> Vec<u8> {
        let (mut page, mut end) = (vec![0; PAGE], PAGE);
        let mut pointer = self.before + if right.is_some() { 12 } else { 8 };
        page[self.before] = kind;
        page[self.before + 3..self.before + 5].copy_from_slice(&(self.cells.len() as u16).to_be_bytes());
        if let Some(right) = right {
            page[self.before + 8..self.before + 12].copy_from_slice(&right.to_be_bytes());
        }
        for cell in &self.cells {
            end -= cell.len();
            page[end..end + cell.len()].copy_from_slice(cell);
            page[pointer..pointer + 2].copy_from_slice(&(end as u16).to_be_bytes());
            pointer += 2;
        }
        page[self.before + 5..self.before + 7].copy_from_slice(&(end as u16).to_be_bytes());
        page
    }
}

/// A row's cell: its length, its number, the types of its values, its values.
fn cell(number: u64, values: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let types: Vec<u8> = values.iter().flat_map(|value| varint(value.0)).collect();
    let head = varint(types.len() as u64 + 1);
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.1.iter().copied()).collect();
    let length = varint((head.len() + types.len() + bytes.len()) as u64);
    [length, varint(number), head, types, bytes].concat()
}

/// A value's type and its bytes, as few as hold it.
fn value(value: &Value) -> (u64, Vec<u8>) {
    match value {
        Value::Text(text) => (text.len() as u64 * 2 + 13, text.as_bytes().to_vec()),
        Value::Int(number) => {
            let fits = |bytes: u32| *number >> (8 * bytes - 1) == 0 || *number >> (8 * bytes - 1) == -1;
            let (kind, bytes) = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)]
                .into_iter()
                .find(|own| fits(own.1))
                .unwrap_or((6, 8));
            (kind, number.to_be_bytes()[8 - bytes as usize..].to_vec())
        }
    }
}

/// A number in as many bytes as it needs, seven bits each; none here needs nine.
fn varint(number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.reverse();
    bytes
}
