//! Lists of keys in problems, shortened: a test says where all keys are named, and not which labs there are.

use kit::lab::{Labs, keys};

/// A text with `KEYS` for the keys of these labs and `"KEYS"` for the same in quotes, where they are named in full and
/// in their order; a list that lacks one, or has another, stays.
pub fn shortened(labs: &Labs, text: &str) -> String {
    let keys = keys(labs);
    let quoted: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
    let told = text.replace(&base::people::listed(&quoted), "\"KEYS\"");
    told.lines()
        .map(|line| line.strip_suffix(&keys.join(", ")).map_or(line.to_owned(), |line| format!("{line}KEYS")))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn only_whole_lists_are_shortened() {
    let labs = crate::LABS;
    let all = keys(labs);
    let list = |keys: &[&str]| format!("one of title, {}", keys.join(", "));
    assert_eq!(shortened(labs, &list(&all)), "one of title, KEYS");
    for lacking in [&all[1..], &all[..all.len() - 1], &[&all[..], &["study"]].concat()] {
        assert_eq!(shortened(labs, &list(lacking)), list(lacking));
    }
    let quoted = r#"one of "warps" and "blocks""#;
    assert_eq!(shortened(labs, quoted), quoted);
}
