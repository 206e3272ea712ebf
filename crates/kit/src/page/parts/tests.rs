//! What travels comes to the other side as it was.

use serde::de::DeserializeOwned;

use super::*;
use crate::page::rooms::{Given, ToldOfGuess, ToldOfLesson, ToldOfRoom};
use crate::page::told::{ToldOfPage, ToldOfTrial};

const OTHERS: [Part; 14] = [
    Part::Chart,
    Part::Margin,
    Part::Made,
    Part::Reproduce,
    Part::Lessons,
    Part::Gallery,
    Part::Lesson,
    Part::Sheet,
    Part::Shortcuts,
    Part::Source,
    Part::Table,
    Part::Sums,
    Part::Compare,
    Part::Guessing,
];

/// Everything that the page asks for.
fn all() -> Vec<Part> {
    let of_labs = Subject::ALL.iter().flat_map(|&of| [Part::Form(of)].into_iter().chain(of.panel()));
    OTHERS.into_iter().chain(of_labs).collect()
}

fn travels<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(what: &T) {
    let there = serde_json::to_string(what).ok().and_then(|text| serde_json::from_str::<T>(&text).ok());
    assert_eq!(there.as_ref(), Some(what));
}

#[test]
fn every_part_has_a_name_of_its_own() {
    let all = all();
    for (at, part) in all.iter().copied().enumerate() {
        travels(&part);
        assert!(all[..at].iter().all(|other| other.name() != part.name()), "{part:?}");
        assert_eq!(part.label().is_none(), matches!(part.class(), "form" | "margin"), "{part:?}");
        assert!(part.shows().ends_with('.'), "{part:?}");
    }
}

#[test]
fn parts_of_rooms() {
    for room in Room::ALL {
        assert_eq!(room.part().name(), room.key());
    }
}

#[test]
fn what_is_asked_travels() {
    let text = || "a \"text\"\n".to_owned();
    let view = Looked { step: Some(3), t0: Some(0.5), sel: Some(text()), ..Looked::default() };
    let open = ToOpen { document: text(), view: view.clone(), hide: true, what: text() };
    let order = InOrder { places: vec![2, 0, 1], title: text(), notes: String::new() };
    for ask in [
        Ask::Run,
        Ask::Stop,
        Ask::Reveal,
        Ask::Notice(text()),
        Ask::Open(open),
        Ask::Reorder(order),
        Ask::Edit { text: text(), edited: Edited::Once },
        Ask::Edit { text: text(), edited: "L".into() },
        Ask::Edit { text: text(), edited: Edited::Drag(1.5) },
        Ask::Adopt(Adopted::Schedule),
        Ask::View(view),
        Ask::Choose(3, 5),
        Ask::Cycle(12),
        Ask::Cell(7),
        Ask::Select(None),
        Ask::Select(Some((1, 2))),
        Ask::Job { number: 1, text: text() },
        Ask::Certify { text: text(), title: text() },
        Ask::Cancel(1),
        Ask::Lesson { source: LessonSource::Named(text()), at: 2 },
        Ask::Lesson { source: LessonSource::Own(text()), at: 0 },
        Ask::Step(4),
        Ask::CloseLesson,
        Ask::CloseSheet,
        Ask::Room(Room::Lessons, String::new()),
        Ask::Room(Room::Reproduce, text()),
    ] {
        travels(&ask);
    }
    assert!(serde_json::from_str::<Ask>("\"Rum\"").is_err(), "no verb but these");
}

#[test]
fn what_is_told_and_heard_travels() {
    let page = ToldOfPage { dark: true, ..ToldOfPage::default() };
    let problems = vec![Problem::at("warps", "0", "more")];
    travels(&ToldOfForm {
        text: "{}".to_owned(),
        problems: problems.clone(),
        hide: true,
        taught: true,
        worst: vec![(1, 2)],
        mend: Some("warps.count".to_owned()),
    });
    travels(&ToldOfTrial { job: 3, document: Some("{}".to_owned()), page, ..ToldOfTrial::default() });
    travels(&ToldOfRoom { page, at: "b-fig-12".to_owned(), ..ToldOfRoom::default() });
    travels(&ToldOfGuess { page, given: Some(Given { warps: 4, makespan: 12, ..Given::default() }) });
    travels(&ToldOfGuess::default());
    let own = ToldOfLesson { source: LessonSource::Own("{}".to_owned()), at: 1, ..ToldOfLesson::default() };
    travels(&own);
    travels(&ToldOfLesson::default());
    for what in [
        Heard::Progress { done: 1, total: 2 },
        Heard::Report(None),
        Heard::Report(Some("{}".to_owned())),
        Heard::Refused(problems),
        Heard::Crashed("a trap".to_owned()),
    ] {
        travels(&JobNews { number: 2, what });
    }
}
