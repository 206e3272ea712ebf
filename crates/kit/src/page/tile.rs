//! A number with what it means, as labs show what came of a run.

/// A number with what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Names it for tests and styles.
    pub id: &'static str,
    /// What it is.
    pub label: &'static str,
    /// The number.
    pub value: String,
    /// More about it.
    pub hint: String,
    /// Whether it is good news.
    pub tone: Tone,
}

/// Whether something is good news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Neither.
    Plain,
    /// Everything is as it should be.
    Good,
    /// Something is not.
    Bad,
}

impl Tone {
    /// Its name in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Good => "good",
            Tone::Bad => "bad",
        }
    }
}
