//! The lessons that come with Warpspan: files that anyone could have written.

/// A lesson that comes with Warpspan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Its name in addresses: its file name without the extension.
    pub name: &'static str,
    /// The document.
    pub text: &'static str,
}

macro_rules! builtins {
    ($($name:literal)*) => {
        /// All of them, in the order of the list.
        pub const BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../../../www/lessons/", $name, ".json")),
        },)*];
    };
}

builtins! {
    "orders"
    "latency-hiding"
    "worst-and-best"
    "annealing"
    "a-bound-falls"
    "head-of-line"
    "shared-memory"
    "response-time"
    "demand"
    "edf"
    "from-instructions-to-a-deadline"
}

/// The lesson of a name.
pub fn named(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|lesson| lesson.name == name)
}
