//! What readers ask of a document, for whoever listens: a schema of the document is made of it.

use std::fmt::Debug;

/// One question to one place of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Asked<'a> {
    /// An object.
    Object,
    /// An object with no other keys than these.
    Keys(&'a [&'a str]),
    /// An object with this key; besides what is said where it is missing.
    Required(&'a str, &'a str),
    /// A text of at most so many characters.
    Text(usize),
    /// True or false.
    Truth,
    /// A whole number, from and to.
    Whole(u64, u64),
    /// A number, from and to.
    Number(f64, f64),
    /// A list.
    List,
}

/// Whoever wants to know what is asked.
pub trait Listener: Debug {
    /// Hears a question and which place it is put to.
    fn hear(&mut self, path: &str, asked: Asked<'_>);
}
