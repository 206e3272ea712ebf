//! The examples as cards: what each is, how hard it is and which paper it is from, and which of them are looked for.

use serde_json::Value;

pub use crate::level::Level;
use kit::import::json;
use kit::page::Subject;
use kit::scenario::builtin::{BUILTINS, MODELS};

/// An example.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Its file name without the extension.
    pub name: &'static str,
    /// What it is called.
    pub title: String,
    /// What it shows, in a sentence.
    pub says: String,
    /// What it is about.
    pub lab: &'static str,
    /// What else people call that.
    pub also: &'static str,
    /// How hard it is.
    pub level: Level,
    /// The letter of the paper it is from; empty for none.
    pub paper: &'static str,
    /// The document; null for a model, which is not read before it is opened.
    pub document: Value,
}

/// All examples, and the models of another tool after them.
pub fn cards() -> Vec<Card> {
    let of = BUILTINS.iter().filter_map(|example| {
        let document = json::parse(example.text).ok()?;
        let own = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or_default();
        let of = Subject::of(&document)?;
        let (title, says) = (own("title").to_owned(), sentence(own("notes")).to_owned());
        Some(Card {
            name: example.name,
            title,
            says,
            lab: of.name(),
            also: of.also(),
            level: example.level,
            paper: example.paper,
            document,
        })
    });
    let models = MODELS.into_iter().map(|(file, label)| Card {
        name: stem(file),
        title: label.to_owned(),
        says: "An AMALTHEA model of Eclipse APP4MC, read as a chain.".to_owned(),
        lab: Subject::Chain.name(),
        also: Subject::Chain.also(),
        level: Level::Advanced,
        paper: "",
        document: Value::Null,
    });
    of.chain(models).collect()
}

/// The name of a file without folder and extension.
fn stem(file: &'static str) -> &'static str {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The first sentence of a text. A point within a name or a number is no end.
fn sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").find(|(at, _)| text[at + 2..].starts_with(char::is_uppercase));
    ends.map_or(text, |(at, _)| &text[..=at])
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only what is about this.
    pub lab: Option<&'static str>,
    /// Only this level.
    pub level: Option<Level>,
    /// Only from the paper of this letter.
    pub paper: Option<String>,
}

impl Filter {
    /// What an address asks for, such as “blocks/beginner” or `P`: words in any order, unknown ones left out.
    pub fn of(at: &str) -> Self {
        let mut filter = Self::default();
        for word in at.split('/') {
            let is = |name: &str| name.eq_ignore_ascii_case(word);
            filter.lab =
                filter.lab.or(Subject::ALL.iter().map(|subject| subject.name()).find(|name| is(name)));
            filter.level = filter.level.or(Level::ALL.into_iter().find(|level| is(level.name())));
            if word.len() == 1 {
                filter.paper = Some(word.to_ascii_uppercase());
            }
        }
        filter
    }

    /// As an address says it.
    pub fn at(&self) -> String {
        let lab = self.lab.map(str::to_ascii_lowercase);
        let level = self.level.map(|level| level.name().to_ascii_lowercase());
        let words: Vec<String> = [lab, level, self.paper.clone()].into_iter().flatten().collect();
        words.join("/")
    }

    /// Whether an example is one of those, with all of these words in what is said of it.
    pub fn fits(&self, card: &Card, words: &str) -> bool {
        let all = [card.name, &card.title, &card.says, card.lab, card.also].join(" ");
        let said = all.to_lowercase();
        self.lab.is_none_or(|lab| lab == card.lab)
            && self.level.is_none_or(|level| level == card.level)
            && self.paper.as_ref().is_none_or(|paper| paper == card.paper)
            && words.to_lowercase().split_whitespace().all(|word| said.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::papers;

    #[test]
    fn every_example_is_a_card() {
        let cards = cards();
        assert_eq!(cards.len(), BUILTINS.len() + MODELS.len());
        for card in &cards {
            assert!(!card.title.is_empty() && card.says.ends_with('.'), "{}: {}", card.name, card.says);
            assert!(card.says.len() < 260, "{}: {}", card.name, card.says);
        }
        assert_eq!(cards[0].document["warps"]["count"], 16);
        assert_eq!(cards.last().map(|card| card.name), Some("driver-assistance"));
    }

    #[test]
    fn a_sentence_ends_before_the_next_one() {
        assert_eq!(sentence("In P, section 3.6. Then more."), "In P, section 3.6.");
        assert_eq!(sentence("With cc 6.2. one goes on"), "With cc 6.2. one goes on");
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn filters_stand_in_the_address() {
        let filter = Filter::of("blocks/beginner/p");
        assert_eq!(filter.at(), "blocks/beginner/P");
        assert_eq!(Filter::of(&filter.at()), filter);
        assert_eq!(Filter::of("nothing"), Filter::default());
        assert_eq!(Filter::default().at(), "");
    }

    #[test]
    fn every_lab_level_and_paper_has_examples() {
        let cards = cards();
        let found = |at: &str, words: &str| {
            let filter = Filter::of(at);
            cards.iter().filter(|card| filter.fits(card, words)).map(|card| card.name).collect::<Vec<_>>()
        };
        assert_eq!(found("", "").len(), cards.len());
        for lab in Subject::ALL.iter().map(|subject| subject.name()) {
            assert!(!found(lab, "").is_empty(), "{lab}");
        }
        for level in Level::ALL {
            assert!(!found(level.name(), "").is_empty(), "{}", level.name());
        }
        let papers: Vec<String> =
            papers().unwrap_or_default().into_iter().map(|paper| paper.letter).collect();
        for letter in ["B", "R", "P", "N"] {
            assert!(papers.iter().any(|known| known == letter) && !found(letter, "").is_empty(), "{letter}");
        }
        assert_eq!(found("blocks", "overlap copy"), ["copies"]);
        assert_eq!(found("blocks", "no such word"), [""; 0]);
        // What others call it is found, too.
        for (words, lab) in [
            ("nsight", "Traces"),
            ("EDF deadline", "Tasks"),
            ("sass", "Code"),
            ("parameter sweep", "Studies"),
        ] {
            let of_lab = |name: &&str| cards.iter().any(|card| card.name == *name && card.lab == lab);
            assert!(found("", words).iter().any(of_lab), "{words}");
        }
        for subject in Subject::ALL {
            assert!(!subject.also().is_empty(), "{}", subject.name());
        }
    }
}
