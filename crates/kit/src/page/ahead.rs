//! Documents that are parsed before their text is heard of: whoever hears of the text need not parse it again.

use base::Problem;
use serde_json::Value;

use crate::import::json;

/// The text that was parsed ahead, and what came of it.
#[derive(Debug, Default)]
pub struct Ahead(Option<(String, Result<Value, Problem>)>);

/// Parsing refuses texts for their length and for how much is in them; nothing so short is refused.
const SHORT: usize = 1 << 20;

impl Ahead {
    /// Leaves what parsing a text gives, for whoever asks for it next.
    pub fn leave(&mut self, text: &str, parsed: Result<Value, Problem>) {
        self.0 = Some((text.to_owned(), parsed));
    }

    /// A tree as a text, and what parsing that gives.
    pub fn written(tree: Value) -> (String, Result<Value, Problem>) {
        let text = json::pretty(&tree);
        let parsed = if text.len() < SHORT { Ok(tree) } else { json::parse(&text) };
        (text, parsed)
    }

    /// What parsing a text gives: as it was left, else by parsing.
    pub fn parse(&mut self, text: &str) -> Result<Value, Problem> {
        match self.0.take() {
            Some((known, parsed)) if known == text => parsed,
            _ => json::parse(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_left_is_not_parsed_again() {
        let mut ahead = Ahead::default();
        // What no parser gives of the text tells that none has read it.
        ahead.leave("{}", Ok(json!("left")));
        assert_eq!(ahead.parse("{}"), Ok(json!("left")));
        assert_eq!(ahead.parse("{}"), Ok(json!({})), "once");
        ahead.leave("{}", Ok(json!("left")));
        assert_eq!(ahead.parse("[]"), Ok(json!([])), "of that text only");
        assert_eq!(ahead.parse("{}"), Ok(json!({})));
    }

    #[test]
    fn a_written_tree_is_what_parsing_its_text_gives() {
        let tree = json!({ "a": [1, -2, 0.1, 1e300, true, null], "b": { "c": "é\n\"" } });
        let (text, parsed) = Ahead::written(tree.clone());
        assert_eq!((json::parse(&text), parsed), (Ok(tree.clone()), Ok(tree)));
        let too_long = json!("x".repeat(crate::import::LONGEST));
        assert!(Ahead::written(too_long).1.is_err());
    }
}
