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
        /// All of them, the easiest first.
        pub const BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../../../www/lessons/", $name, ".json")),
        },)*];
    };
}

builtins! {
    "latency-hiding"
    "orders"
    "worst-and-best"
    "head-of-line"
    "shared-memory"
    "why-is-the-gpu-idle"
    "control-codes"
    "demand"
    "annealing"
    "response-time"
    "edf"
    "the-ninth-warp"
    "barriers"
    "one-cycle-in-four"
    "a-bound-falls"
    "from-instructions-to-a-deadline"
}

/// The lesson of a name.
pub fn named(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|lesson| lesson.name == name)
}
