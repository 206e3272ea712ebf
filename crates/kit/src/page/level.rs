//! How hard something is for those who learn: an example, a lesson, an exercise.

/// How much one should know before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Nothing: it can be followed with a pencil.
    Beginner,
    /// What the first ones show.
    Intermediate,
    /// What a search, a bound or an analysis is.
    Advanced,
}

impl Level {
    /// All of them, the easiest first.
    pub const ALL: [Self; 3] = [Self::Beginner, Self::Intermediate, Self::Advanced];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Beginner => "Beginner",
            Self::Intermediate => "Intermediate",
            Self::Advanced => "Advanced",
        }
    }
}
