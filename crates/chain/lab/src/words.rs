//! Clauses that become sentences, wherever the lab tells them.

/// A clause with a capital in front and a full stop behind; names of tasks keep their letters.
pub fn sentence(clause: &str) -> String {
    let clause = clause.trim();
    if clause.is_empty() {
        return String::new();
    }
    let named = clause.split([' ', ':', ',']).next().unwrap_or_default();
    let is_name = clause[named.len()..].starts_with(':');
    let mut letters = clause.chars();
    let first: String = match letters.next() {
        Some(first) if !is_name => first.to_uppercase().collect(),
        Some(first) => first.to_string(),
        None => String::new(),
    };
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// Each clause as a sentence of its own, one after the other.
pub fn sentences<'a>(clauses: impl IntoIterator<Item = &'a str>) -> String {
    clauses.into_iter().map(sentence).filter(|own| !own.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Of loops that go round once, that nobody says how often.
pub fn nobody_says(once: &str) -> String {
    sentence(&format!("{once}: nobody says how often"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_become_sentences() {
        assert_eq!(sentence("every response is below its deadline"), "Every response is below its deadline.");
        assert_eq!(sentence("log: it is late."), "log: it is late.");
        assert_eq!(sentence(" "), "");
        assert_eq!(sentence("ß"), "SS.");
        assert_eq!(
            sentences(["A store is over.", "units are taken", ""]),
            "A store is over. Units are taken."
        );
    }
}
