//! Where an address leads: a scenario's link, a room beside the labs, or a lesson or an example by its name.
//!
//! Rooms, lessons and examples that come with the page have plain addresses that a person can write:
//! `#reproduce`, `#reproduce=b-fig-12`, `#lessons`, `#lesson=latency-hiding`, `#lesson=latency-hiding/3`, `#examples`,
//! `#example=head-of-line`, `#example=head-of-line&hide=1`.

use serde::{Deserialize, Serialize};

use super::Part;

/// What stands behind the address of an example whose answer is hidden.
const HIDDEN: &str = "&hide=1";

/// A room beside the labs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Room {
    /// Guided tours.
    Lessons,
    /// What there is to begin with.
    Examples,
    /// What was published, computed again.
    Reproduce,
}

impl Room {
    /// All of them, in the order of the navigation.
    pub const ALL: [Self; 3] = [Self::Lessons, Self::Examples, Self::Reproduce];

    /// What the page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lessons => "Lessons",
            Self::Examples => "Examples",
            Self::Reproduce => "Reproduce",
        }
    }

    /// The part of the page that it is.
    pub fn part(self) -> Part {
        match self {
            Self::Lessons => Part::Lessons,
            Self::Examples => Part::Gallery,
            Self::Reproduce => Part::Reproduce,
        }
    }

    /// Its name in addresses.
    pub fn key(self) -> &'static str {
        match self {
            Self::Lessons => "lessons",
            Self::Examples => "examples",
            Self::Reproduce => "reproduce",
        }
    }
}

/// Where an address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// To the page as it starts.
    Start,
    /// To a room, and to something in it.
    Room(Room, String),
    /// To a step of a lesson, from 1.
    Lesson(String, usize),
    /// To the example of a name, and whether its answer is hidden.
    Example(String, bool),
    /// To whatever a link holds.
    Link,
}

impl Place {
    /// What the part of an address from `#` on leads to.
    pub fn of(fragment: &str) -> Self {
        let fragment = fragment.trim_start_matches('#');
        let (key, value) = fragment.split_once('=').unwrap_or((fragment, ""));
        if let Some(room) = Room::ALL.into_iter().find(|room| room.key() == key) {
            return Self::Room(room, value.to_owned());
        }
        match (key, value) {
            ("", "") => Self::Start,
            ("lesson", name) => {
                let step = name.rsplit_once('/').and_then(|(name, step)| Some((name, step.parse().ok()?)));
                let (name, step) = step.unwrap_or((name, 1));
                Self::Lesson(name.to_owned(), step)
            }
            ("example", name) if !name.is_empty() => {
                let shown = name.strip_suffix(HIDDEN);
                Self::Example(shown.unwrap_or(name).to_owned(), shown.is_some())
            }
            _ => Self::Link,
        }
    }

    /// The part of an address from `#` on, where a text is one that leads to a room, a lesson or an example.
    pub fn written(text: &str) -> Option<&str> {
        let text = text.trim();
        let fragment =
            text.find('#').and_then(|at| text.get(at..)).filter(|_| !text.contains(char::is_whitespace))?;
        matches!(Self::of(fragment), Self::Room(..) | Self::Lesson(..) | Self::Example(..))
            .then_some(fragment)
    }

    /// The address of a room.
    pub fn of_room(room: Room, at: &str) -> String {
        match at {
            "" => format!("#{}", room.key()),
            at => format!("#{}={at}", room.key()),
        }
    }

    /// The address of an example.
    pub fn of_example(name: &str) -> String {
        format!("#example={name}")
    }

    /// The same with its answer hidden.
    pub fn of_hidden_example(name: &str) -> String {
        format!("{}{HIDDEN}", Self::of_example(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_somewhere() {
        let lesson = |name: &str, step| Place::Lesson(name.to_owned(), step);
        let cases = [
            ("", Place::Start),
            ("#", Place::Start),
            ("#lessons", Place::Room(Room::Lessons, String::new())),
            ("#reproduce=b-fig-12", Place::Room(Room::Reproduce, "b-fig-12".to_owned())),
            ("#lesson=orders", lesson("orders", 1)),
            ("#lesson=orders/3", lesson("orders", 3)),
            ("#lesson=lessons/my.json", lesson("lessons/my.json", 1)),
            ("#lesson=lessons/my.json/2", lesson("lessons/my.json", 2)),
            ("#examples", Place::Room(Room::Examples, String::new())),
            ("#examples=blocks/P", Place::Room(Room::Examples, "blocks/P".to_owned())),
            ("#example=head-of-line", Place::Example("head-of-line".to_owned(), false)),
            ("#example=head-of-line&hide=1", Place::Example("head-of-line".to_owned(), true)),
            ("#example=", Place::Link),
            ("#v=1&s=abc&c=00000000", Place::Link),
            ("#anything", Place::Link),
        ];
        for (fragment, expected) in cases {
            assert_eq!(Place::of(fragment), expected, "{fragment}");
        }
        assert_eq!(Place::of_room(Room::Reproduce, "x"), "#reproduce=x");
        let written = Place::written;
        assert_eq!(written(" https://a.example/page/#example=figure-2\n"), Some("#example=figure-2"));
        assert_eq!(
            (written("#lesson=orders/3"), written("#reproduce")),
            (Some("#lesson=orders/3"), Some("#reproduce"))
        );
        for none in
            ["", "figure-2", "#v=1&s=abc&c=00000000", "LCL", "#examples and more", "https://a.example/"]
        {
            assert_eq!(written(none), None, "{none}");
        }
        assert_eq!(Place::of_room(Room::Lessons, ""), "#lessons");
        assert_eq!(
            Place::of(&Place::of_example("figure-2")),
            Place::Example("figure-2".to_owned(), false),
            "there and back"
        );
        assert_eq!(
            Place::of(&Place::of_hidden_example("figure-2")),
            Place::Example("figure-2".to_owned(), true)
        );
    }
}
