//! Which way a walk takes where a program may go several.

/// A way through a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// No conditional branch is taken; ends before it would enter a block a second time.
    FallThrough,
    /// Every loop runs its number of times; other branches as in `FallThrough` where that leads on.
    Loops(Iterations),
    /// As many instructions as possible, while every loop runs its number of times.
    Longest(Iterations),
    /// These choices; branches not named are not taken.
    Branches(Vec<Choices>),
}

impl Path {
    /// The path of a name, without what else is said of it.
    pub fn named(name: &str) -> Option<Self> {
        let kinds = [
            Path::FallThrough,
            Path::Loops(Iterations::Once),
            Path::Longest(Iterations::Once),
            Path::Branches(Vec::new()),
        ];
        kinds.into_iter().find(|kind| kind.name() == name)
    }

    /// What scenarios and reports call it.
    pub fn name(&self) -> &'static str {
        match self {
            Path::FallThrough => "fall-through",
            Path::Loops(_) => "loops",
            Path::Longest(_) => "longest",
            Path::Branches(_) => "branches",
        }
    }
}

/// How often the bodies of loops run each time they are entered: their trip counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Iterations {
    /// Nobody has said: once, which is an assumption.
    Once,
    /// All loops alike.
    All(Trips),
    /// Loops by the label they begin with; all others once, which is an assumption.
    Each(Vec<(String, Trips)>),
}

/// A trip count as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trips {
    /// At least so often.
    pub least: u32,
    /// At most so often; the path goes round so often.
    pub most: u32,
}

impl From<u32> for Trips {
    fn from(times: u32) -> Self {
        Self { least: times, most: times }
    }
}

impl Iterations {
    /// The trip count of a loop that has these labels, if it was given.
    pub(super) fn given<'a>(&self, mut labels: impl Iterator<Item = &'a str>) -> Option<Trips> {
        match self {
            Iterations::Once => None,
            Iterations::All(trips) => Some(*trips),
            Iterations::Each(each) => {
                labels.find_map(|name| each.iter().find(|(label, _)| label == name)).map(|own| own.1)
            }
        }
    }
}

/// What to do at a conditional branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// Which branch, or which branches.
    pub branch: Branch,
    /// What to do each time; after the last, the branch is not taken.
    pub turns: Turns,
}

/// Branches, named by someone who reads the listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Branch {
    /// All that lead to this label.
    To(String),
    /// The one on this line.
    Line(u32),
}

/// Choices at one branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turns {
    /// The same each time.
    Always(Choice),
    /// One after the other.
    Each(Vec<Choice>),
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Go where the branch leads.
    Taken,
    /// Go on behind it.
    NotTaken,
    /// Of a `brx.idx`: go to this label.
    Label(String),
}
