//! The sets of exercises that come with Warpspan: files that anyone could have written.

/// A set that comes with Warpspan: its name, and the document.
pub const BUILTINS: &[(&str, &str)] =
    &[("warps-and-blocks", include_str!("../../../../www/exercises/warps-and-blocks.json"))];

/// The set of a name.
pub fn named(name: &str) -> Option<&'static str> {
    BUILTINS.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}
