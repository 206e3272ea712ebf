//! What a model does not say and an analysis needs: what was taken instead, and why it had to be asked.

use std::collections::BTreeMap;

use crate::base::problem::{MOST_PART, one_line};

/// Something that was taken because the model does not say it.
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
}

/// The most questions that are listed; further ones are counted.
pub const MOST_ASKED: usize = 150;

/// Questions as they come up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions {
    asked: Vec<Asked>,
    more: usize,
}

impl Questions {
    /// Adds a question; each part is one line, whatever names are in it.
    pub fn ask(
        &mut self,
        path: &str,
        what: impl Into<String>,
        value: impl Into<String>,
        why: impl Into<String>,
    ) {
        if self.asked.len() < MOST_ASKED {
            let line = |text: String| one_line(&text, MOST_PART);
            let (what, value, why) = (line(what.into()), line(value.into()), line(why.into()));
            self.asked.push(Asked { path: path.to_owned(), what, value, why });
        } else {
            self.more += 1;
        }
    }

    /// All questions; the last one says how many more there were.
    pub fn into_list(mut self) -> Vec<Asked> {
        if self.more > 0 {
            self.asked.push(Asked {
                path: "chain".to_owned(),
                what: format!("{} more things", self.more),
                value: "as of their kind above".to_owned(),
                why: "only so many are listed".to_owned(),
            });
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
