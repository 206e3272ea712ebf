//! What a model does not say and an analysis needs: what was taken instead, why it had to be asked, and which numbers
//! rest on it.

use std::collections::BTreeMap;

use base::problem::{MOST_PART, one_line};
use chain::{Code, Safe};

/// Something that was taken because the model does not say it, or because a chain cannot have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Where the value stands in the document made of the model.
    pub path: String,
    /// What was not said.
    pub what: String,
    /// What was taken.
    pub value: String,
    /// Why, and why that.
    pub why: String,
    /// What sort of thing it is.
    pub code: Code,
    /// Which sides hold whatever is true.
    pub safe: Safe,
    /// The places whose numbers rest on it; the path alone where there are none.
    pub touches: Vec<String>,
}

impl Asked {
    /// A value at a place, on which all numbers of that place rest.
    pub fn new(
        code: Code,
        path: impl Into<String>,
        what: impl Into<String>,
        value: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        let (path, what, value, why) = (path.into(), what.into(), value.into(), why.into());
        Self { path, what, value, why, code, safe: Safe::Neither, touches: Vec::new() }
    }

    /// The same, on which one side alone rests.
    #[must_use]
    pub fn safe(mut self, safe: Safe) -> Self {
        self.safe = safe;
        self
    }

    /// The same, on which the numbers of these places rest.
    #[must_use]
    pub fn touching(mut self, touches: impl IntoIterator<Item = String>) -> Self {
        self.touches = touches.into_iter().collect();
        self
    }
}

/// The most questions that are listed; further ones are counted, and everything rests on them.
pub const MOST_ASKED: usize = 600;

/// Questions as they come up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions {
    asked: Vec<Asked>,
    more: usize,
}

impl Questions {
    /// Adds a question; each part is one line, whatever names are in it.
    pub fn add(&mut self, mut asked: Asked) {
        if self.asked.len() < MOST_ASKED {
            for part in [&mut asked.what, &mut asked.value, &mut asked.why] {
                *part = one_line(part, MOST_PART);
            }
            self.asked.push(asked);
        } else {
            self.more += 1;
        }
    }

    /// All questions; the last one says how many more there were.
    pub fn into_list(mut self) -> Vec<Asked> {
        if self.more > 0 {
            let what = format!("{} more things", self.more);
            let why = "only so many are listed";
            self.asked.push(Asked::new(Code::Other, "chain", what, "as of their kind above", why));
        }
        self.asked
    }
}

/// What custom properties say of a kernel's grid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grid {
    /// Blocks.
    pub blocks: Option<u64>,
    /// Threads of a block.
    pub threads: Option<u64>,
}

/// Reads what custom properties say of a kernel's grid: `blocks`, `gridSize` or `grid`, and `threads`,
/// `threadsPerBlock`, `blockSize` or `block`, however they are written.
pub fn grid<'c>(custom: impl Iterator<Item = &'c (String, String)>) -> Grid {
    let plain = |key: &str| -> String {
        key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let said: BTreeMap<String, u64> = custom
        .filter_map(|(key, value)| {
            let number = value.trim().parse().ok().filter(|&number: &u64| number > 0)?;
            Some((plain(key), number))
        })
        .collect();
    let first = |names: &[&str]| names.iter().find_map(|name| said.get(*name)).copied();
    Grid {
        blocks: first(&["blocks", "gridsize", "grid", "blockcount", "numberofblocks"]),
        threads: first(&["threads", "threadsperblock", "blocksize", "block", "threadcount"]),
    }
}
