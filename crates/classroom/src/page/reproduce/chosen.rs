//! Which tab of the room is open and what is shown in it, as the address says it: `refuted`, `B`, `all`,
//! “P/differ”, or the item that it leads to.

use crate::reproduce::{Paper, Verdict};

/// A tab of the room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Tab {
    /// The published values that are refuted.
    #[default]
    Refuted,
    /// The items of the paper with this letter.
    Paper(String),
    /// The items of all papers.
    All,
}

impl Tab {
    /// All tabs, in their order.
    pub fn all(papers: &[Paper]) -> Vec<Self> {
        let of = papers.iter().map(|paper| Self::Paper(paper.letter.clone()));
        std::iter::once(Self::Refuted).chain(of).chain([Self::All]).collect()
    }

    /// Its name in addresses.
    pub fn key(&self) -> &str {
        match self {
            Self::Refuted => "refuted",
            Self::Paper(letter) => letter,
            Self::All => "all",
        }
    }
}

/// What is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// In which tab.
    pub tab: Tab,
    /// Only items with a value that compares like this; in the tab of what is refuted there are no others.
    pub show: Option<Verdict>,
}

impl Chosen {
    /// What an address asks for. One that leads to an item opens the tab of its paper; what is not known opens the
    /// first tab.
    pub fn of(at: &str, papers: &[Paper]) -> Self {
        let (key, word) = at.split_once('/').unwrap_or((at, ""));
        let known = Tab::all(papers).into_iter().find(|tab| tab.key().eq_ignore_ascii_case(key));
        let tab = known.or_else(|| {
            let of = papers.iter().find(|paper| paper.items.iter().any(|item| item.id == at))?;
            Some(Tab::Paper(of.letter.clone()))
        });
        let show = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
        Self { show: show.filter(|_| tab != Some(Tab::Refuted)), tab: tab.unwrap_or_default() }
    }

    /// As an address says it; nothing for what is shown from the first.
    pub fn at(&self) -> String {
        match (&self.tab, self.show) {
            (Tab::Refuted, _) => String::new(),
            (tab, None) => tab.key().to_owned(),
            (tab, Some(verdict)) => format!("{}/{}", tab.key(), verdict.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::papers;

    #[test]
    fn addresses_say_what_is_listed() {
        let papers = papers().unwrap_or_default();
        let chosen = |at: &str| Chosen::of(at, &papers);
        for tab in Tab::all(&papers) {
            for show in [None, Some(Verdict::Differ)] {
                let there = Chosen { tab: tab.clone(), show: show.filter(|_| tab != Tab::Refuted) };
                assert_eq!(chosen(&there.at()), there, "there and back");
            }
        }
        let paper = |letter: &str| Chosen { tab: Tab::Paper(letter.to_owned()), show: None };
        assert_eq!(chosen("b"), paper("B"));
        assert_eq!(chosen("p-fig-3-7"), paper("P"), "links to items are as old as the room");
        for at in ["", "refuted", "refuted/agree", "nothing", "nothing/differ/x"] {
            assert_eq!(chosen(at).tab, Tab::Refuted, "{at}");
        }
        assert_eq!(chosen("all/wrong"), Chosen { tab: Tab::All, show: None });
    }
}
