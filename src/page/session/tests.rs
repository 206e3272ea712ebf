//! Every rule of what happens on the page, one by one.

use serde_json::{Value, json};

use super::*;
use Action as Do;
use Kin::{Beside, Other, Own};
use Pace::{Ended, Paused, Runs};

const QUICK: Asks = Asks::Schedule(Weight::Quick);

fn question(tree: &Value) -> Question {
    Question::of("text", Some(tree))
}

fn document(name: &str, asks: Asks) -> Document {
    Document { question: question(&json!({ "asks": name })), asks }
}

fn came(name: &str, asks: Asks) -> Event {
    Event::Came { document: document(name, asks), typing: false }
}

fn typed(name: &str, asks: Asks) -> Event {
    Event::Came { document: document(name, asks), typing: true }
}

fn opened() -> Known {
    Known { opened: true, ..Known::default() }
}

fn edited() -> Known {
    Known::default()
}

fn some(kin: Kin, pace: Pace) -> Option<Standing> {
    Some(Standing { kin, pace })
}

/// A page on which this document was opened.
fn on(name: &str, asks: Asks) -> Session {
    let mut session = Session::default();
    session.hear(came(name, asks), &opened());
    session
}

/// A page that shows the answer to this document.
fn showing(name: &str, asks: Asks) -> Session {
    let mut session = on(name, asks);
    assert_eq!(session.hear(Event::Shown { answer: true }, &edited()), []);
    session
}

#[test]
fn a_question_is_a_document_without_its_names() {
    let one = json!({"warpspan": 1, "title": "a", "notes": "b", "warps": {"title": 1}});
    let other = json!({"notes": "c", "warps": {"title": 1}, "warpspan": 1});
    assert_eq!(question(&one), question(&other));
    assert_ne!(question(&one), question(&json!({"warpspan": 1, "warps": {"title": 2}})));
    assert_ne!(Question::of("{", None), Question::of("{ ", None));
    assert_eq!(Question::of("3", Some(&json!(3))), Question::of("3", None));
}

#[test]
fn what_is_to_be_done_for_each_example() {
    let asks = |name: &str| {
        let found = crate::scenario::builtin::BUILTINS.iter().find(|example| example.name == name);
        Asks::of(&crate::scenario::read(found.map_or("", |example| example.text)))
    };
    let expected = [
        ("voronoi-16", QUICK),
        ("voronoi-beam", Asks::Schedule(Weight::Search)),
        ("memory-voronoi", Asks::Schedule(Weight::Search)),
        ("voronoi-anneal", Asks::Chains),
        ("voronoi-exact", Asks::Exact),
        ("paredes-example", Asks::Part),
        ("raravi-formula", Asks::Part),
        ("none of that name", Asks::Nothing),
    ];
    for (name, wanted) in expected {
        assert_eq!(asks(name), wanted, "{name}");
    }
}

#[test]
fn what_is_opened_begins_whatever_it_is() {
    for (asks, start) in [
        (QUICK, Do::Start(Weight::Quick)),
        (Asks::Chains, Do::StartChains),
        (Asks::Exact, Do::StartExact),
        (Asks::Part, Do::StartTrial),
    ] {
        assert_eq!(Session::default().hear(came("a", asks), &opened()), [start]);
        let mut before = showing("b", QUICK);
        let known = Known { running: true, ..opened() };
        assert_eq!(before.hear(came("a", asks), &known), [Do::DropRun, start], "{asks:?}");
    }
    assert_eq!(Session::default().hear(came("a", Asks::Nothing), &opened()), []);
}

#[test]
fn an_edit_runs_what_is_quick_and_leaves_searches_to_be_started() {
    for (asks, todo) in [
        (QUICK, &[Do::Start(Weight::Quick)][..]),
        (Asks::Schedule(Weight::Search), &[Do::Start(Weight::Search)]),
        (Asks::Chains, &[]),
        (Asks::Exact, &[]),
        (Asks::Part, &[Do::StartTrial]),
        (Asks::Nothing, &[]),
    ] {
        assert_eq!(showing("a", QUICK).hear(came("b", asks), &edited()), todo, "{asks:?}");
    }
    // What took long is only looked at for mistakes.
    let known = Known { long: true, trial: some(Other, Ended), ..edited() };
    assert_eq!(on("a", Asks::Part).hear(came("b", Asks::Part), &known), [Do::Check]);
    let known = Known { opened: true, ..known };
    assert_eq!(on("a", Asks::Part).hear(came("b", Asks::Part), &known), [Do::StartTrial]);
}

#[test]
fn nothing_begins_while_someone_types() {
    let mut page = showing("a", QUICK);
    assert_eq!(page.hear(typed("1", QUICK), &edited()), [Do::Settle]);
    assert_eq!(page.hear(typed("10", QUICK), &edited()), [Do::Settle]);
    assert_eq!(page.hear(typed("100", Asks::Nothing), &edited()), [Do::Settle]);
    assert_eq!(page.hear(Event::Settled, &edited()), []);
    assert_eq!(page.hear(typed("16", QUICK), &edited()), [Do::Settle]);
    assert_eq!(page.hear(Event::Settled, &edited()), [Do::Start(Weight::Quick)]);
    assert_eq!(page.hear(Event::Settled, &edited()), [], "once");
    // Whatever is no typing begins at once, and takes what was typed along.
    page.hear(typed("17", QUICK), &edited());
    assert_eq!(page.hear(came("18", QUICK), &edited()), [Do::Start(Weight::Quick)]);
    assert_eq!(page.hear(Event::Settled, &edited()), []);
    // Typed and taken back: there is nothing to do.
    let mut page = showing("a", QUICK);
    page.hear(typed("b", QUICK), &edited());
    page.hear(typed("a", QUICK), &edited());
    assert_eq!(page.hear(Event::Settled, &edited()), [Do::ShowAgain]);
}

#[test]
fn a_name_is_typed_beside_a_result_and_at_once() {
    assert_eq!(showing("a", QUICK).hear(typed("a", QUICK), &edited()), [Do::ShowAgain]);
    let mut page = on("a", QUICK);
    let known = Known { running: true, ..edited() };
    assert_eq!(page.hear(typed("a", QUICK), &known), [], "the run goes on");
    let answer = Event::Finished { question: document("a", QUICK).question, result: true };
    assert_eq!(page.hear(answer, &known), [Do::Show]);
    for pace in [Runs, Paused, Ended] {
        let known = Known { chains: some(Own, pace), ..edited() };
        assert_eq!(showing("a", Asks::Chains).hear(typed("a", Asks::Chains), &known), [Do::KeepChains]);
        let known = Known { exact: some(Own, pace), ..edited() };
        assert_eq!(showing("a", Asks::Exact).hear(typed("a", Asks::Exact), &known), [Do::KeepExact]);
        let known = Known { exact: some(Beside, pace), ..edited() };
        let beside = showing("a", QUICK).hear(typed("a", QUICK), &known);
        assert_eq!(beside, [Do::KeepExact, Do::ShowAgain]);
        let known = Known { trial: some(Own, pace), running: pace == Runs, ..edited() };
        assert_eq!(on("a", Asks::Part).hear(typed("a", Asks::Part), &known), [Do::KeepTrial]);
    }
    // Nothing was told of the part's run yet.
    let known = Known { running: true, trial: some(Other, Ended), ..edited() };
    assert_eq!(on("a", Asks::Part).hear(typed("a", Asks::Part), &known), []);
}

#[test]
fn only_an_answer_to_the_document_is_shown() {
    let answer = |result| Event::Finished { question: document("10", QUICK).question, result };
    let running = Known { running: true, ..edited() };
    let mut page = on("10", QUICK);
    assert_eq!(page.hear(answer(true), &running), [Do::Show]);
    assert_eq!(page.hear(answer(false), &running), [Do::SayStopped]);
    page.hear(typed("100", Asks::Nothing), &running);
    assert_eq!(page.hear(answer(true), &running), []);
    assert_eq!(page.hear(answer(false), &running), []);
    // It comes back to what runs before that has ended.
    let mut page = on("10", QUICK);
    page.hear(came("100", Asks::Nothing), &running);
    assert_eq!(page.hear(came("10", QUICK), &running), []);
    assert_eq!(page.hear(answer(true), &running), [Do::Show]);
    // And after that has been for nothing.
    page.hear(came("100", Asks::Nothing), &edited());
    assert_eq!(page.hear(came("10", QUICK), &edited()), [Do::Start(Weight::Quick)]);
}

#[test]
fn what_is_shown_is_not_computed_again() {
    let mut page = showing("a", QUICK);
    page.hear(came("b", QUICK), &edited());
    let known = Known { running: true, ..edited() };
    assert_eq!(page.hear(came("a", QUICK), &known), [Do::DropRun, Do::ShowAgain]);
    assert_eq!(page.hear(came("a", QUICK), &opened()), [Do::ShowAgain], "opened in another view");
    page.hear(Event::Shown { answer: false }, &edited());
    assert_eq!(page.hear(came("a", QUICK), &edited()), [Do::Start(Weight::Quick)]);
}

#[test]
fn chains_are_laid_aside_for_another_document_and_go_on_after_it() {
    for (asks, start) in [(Asks::Part, Do::StartTrial), (QUICK, Do::Start(Weight::Quick))] {
        let mut page = showing("a", Asks::Chains);
        let known = Known { chains: some(Other, Runs), ..opened() };
        assert_eq!(page.hear(came("b", asks), &known), [Do::RestChains, start]);
        assert!(page.chains_rest());
        // Edits and cancellations there are none of theirs.
        let known = Known { chains: some(Other, Paused), ..edited() };
        assert_eq!(page.hear(came("c", asks), &known), [start]);
        assert_eq!(page.hear(came("d", Asks::Nothing), &known), []);
        assert_eq!(page.hear(Event::Cancelled, &known), []);
        let known = Known { chains: some(Own, Paused), ..opened() };
        let todo = page.hear(came("a", Asks::Chains), &known);
        assert_eq!(todo, [Do::KeepChains, Do::ResumeChains]);
        assert!(!page.chains_rest());
    }
    // Whoever paused or stopped them finds them so.
    for pace in [Paused, Ended] {
        let mut page = showing("a", Asks::Chains);
        let known = Known { chains: some(Other, pace), ..opened() };
        assert_eq!(page.hear(came("b", Asks::Part), &known), [Do::StartTrial]);
        let known = Known { chains: some(Own, pace), ..opened() };
        assert_eq!(page.hear(came("a", Asks::Chains), &known), [Do::KeepChains]);
    }
    // Others take their place.
    let mut page = showing("a", Asks::Chains);
    let known = Known { chains: some(Other, Runs), ..opened() };
    assert_eq!(page.hear(came("b", Asks::Chains), &known), [Do::RestChains, Do::StartChains]);
    assert!(!page.chains_rest());
}

#[test]
fn an_edit_to_another_question_stops_the_chains() {
    for asks in [Asks::Chains, Asks::Exact, Asks::Nothing] {
        for (pace, todo) in [(Runs, &[Do::StopChains][..]), (Paused, &[Do::StopChains]), (Ended, &[])] {
            let known = Known { chains: some(Other, pace), ..edited() };
            assert_eq!(showing("a", Asks::Chains).hear(came("b", asks), &known), todo, "{asks:?} {pace:?}");
        }
    }
    let known = Known { chains: some(Other, Runs), ..edited() };
    let todo = showing("a", Asks::Chains).hear(came("b", QUICK), &known);
    assert_eq!(todo, [Do::StopChains, Do::Start(Weight::Quick)]);
    // The question comes back: what they found is shown, and they wait.
    let mut page = showing("a", Asks::Chains);
    page.hear(came("b", Asks::Nothing), &known);
    let known = Known { chains: some(Own, Ended), ..edited() };
    assert_eq!(page.hear(came("a", Asks::Chains), &known), [Do::KeepChains]);
    // More chains or rounds are the document's own.
    let known = Known { chains: some(Own, Runs), ..edited() };
    assert_eq!(page.hear(came("more of a", Asks::Chains), &known), [Do::KeepChains]);
}

#[test]
fn an_exact_search_is_laid_aside_for_another_document_and_goes_on_after_it() {
    for kin in [Own, Beside] {
        let asks = if kin == Own { Asks::Exact } else { QUICK };
        let mut page = showing("a", asks);
        let known = Known { exact: some(Other, Runs), ..opened() };
        assert_eq!(page.hear(came("b", Asks::Part), &known), [Do::RestExact, Do::StartTrial]);
        let known = Known { exact: some(Other, Paused), ..edited() };
        assert_eq!(page.hear(came("c", Asks::Part), &known), [Do::StartTrial]);
        assert_eq!(page.hear(came("d", QUICK), &known), [Do::Start(Weight::Quick)]);
        assert_eq!(page.hear(Event::Cancelled, &known), []);
        let known = Known { exact: some(kin, Paused), ..opened() };
        let todo = page.hear(came("a", asks), &known);
        assert_eq!(todo[..2], [Do::KeepExact, Do::ResumeExact]);
        assert!(!page.exact_rests());
    }
    let mut page = showing("a", Asks::Exact);
    let known = Known { exact: some(Other, Runs), ..opened() };
    assert_eq!(page.hear(came("b", Asks::Exact), &known), [Do::RestExact, Do::StartExact]);
    assert!(!page.exact_rests(), "the other one has taken its place");
}

#[test]
fn an_edit_to_other_warps_ends_the_exact_search_and_one_of_the_method_does_not() {
    for pace in [Runs, Paused, Ended] {
        let known = Known { exact: some(Other, pace), ..edited() };
        let todo = showing("a", Asks::Exact).hear(came("b", Asks::Exact), &known);
        assert_eq!(todo, [Do::DropExact]);
        let known = Known { exact: some(Beside, pace), ..edited() };
        let todo = showing("a", Asks::Exact).hear(came("b", QUICK), &known);
        assert_eq!(todo, [Do::KeepExact, Do::Start(Weight::Quick)]);
        let known = Known { exact: some(Own, pace), ..edited() };
        assert_eq!(showing("a", QUICK).hear(came("b", Asks::Exact), &known), [Do::KeepExact]);
        // While the text is wrong, nobody knows what it will be about.
        let known = Known { exact: some(Other, pace), ..edited() };
        assert_eq!(showing("a", Asks::Exact).hear(came("b", Asks::Nothing), &known), []);
    }
}

#[test]
fn what_was_proven_stands_again_when_its_question_comes_back() {
    let again = [Do::RecallExact, Do::KeepExact];
    for (kin, asks, next) in [
        (Own, Asks::Exact, &[][..]),
        (Beside, QUICK, &[Do::Start(Weight::Quick)]),
        (Beside, Asks::Exact, &[]),
    ] {
        // Dropped by an edit, and the edit taken back.
        let known = Known { remembered: Some(kin), ..edited() };
        assert_eq!(showing("b", QUICK).hear(came("a", asks), &known), [&again, next].concat(), "{asks:?}");
        // Another one has been proven or begun meanwhile.
        for pace in [Runs, Ended] {
            let known = Known { exact: some(Other, pace), ..known };
            let todo = showing("b", QUICK).hear(came("a", asks), &known);
            assert_eq!(todo, [&[Do::DropExact], &again[..], next].concat(), "{asks:?}");
        }
    }
    // What goes on by itself, or will, is not replaced by what has ended.
    for known in [edited(), opened()] {
        let known = Known { remembered: Some(Beside), exact: some(Beside, Runs), ..known };
        assert!(!showing("b", QUICK).hear(came("a", QUICK), &known).contains(&Do::RecallExact));
    }
    let mut page = showing("b", QUICK);
    let known = Known { remembered: Some(Beside), exact: some(Other, Runs), ..opened() };
    assert_eq!(page.hear(came("a", QUICK), &known)[0], Do::RestExact);
    assert!(page.exact_rests());
    let known = Known { exact: some(Other, Paused), ..known };
    assert!(!page.hear(came("c", QUICK), &known).contains(&Do::RecallExact));
    // What was opened in the place of what has ended finds its own.
    let known = Known { remembered: Some(Own), exact: some(Other, Ended), ..opened() };
    assert_eq!(showing("b", QUICK).hear(came("a", Asks::Exact), &known), again);
    // A mistake asks nothing.
    assert_eq!(showing("b", QUICK).hear(came("a", Asks::Nothing), &known), []);
}

#[test]
fn a_part_stops_for_another_question_and_keeps_what_it_knows() {
    let known = Known { running: true, long: true, trial: some(Other, Runs), ..edited() };
    let todo = on("a", Asks::Part).hear(came("b", Asks::Part), &known);
    assert_eq!(todo, [Do::LeaveTrial, Do::DropRun, Do::Check]);
    let mut page = on("a", Asks::Part);
    let known = Known { running: true, trial: some(Other, Runs), ..opened() };
    let todo = page.hear(came("b", QUICK), &known);
    assert_eq!(todo, [Do::LeaveTrial, Do::DropRun, Do::Start(Weight::Quick)]);
    let known = Known { running: true, trial: some(Own, Ended), ..opened() };
    assert_eq!(page.hear(came("a", Asks::Part), &known), [Do::DropRun, Do::KeepTrial]);
}

#[test]
fn what_is_refused_is_put_back_or_marked_if_it_is_still_there() {
    let refused = |outside| Event::Refused { question: document("a", QUICK).question, outside };
    let mut page = on("a", Asks::Part);
    assert_eq!(page.hear(refused(true), &edited()), [Do::PutBack]);
    assert_eq!(page.hear(refused(false), &edited()), [Do::Mark]);
    page.hear(came("b", Asks::Part), &edited());
    assert_eq!(page.hear(refused(true), &edited()), []);
    assert_eq!(page.hear(refused(false), &edited()), []);
}

#[test]
fn a_cancellation_stops_all_that_runs_here() {
    let all = Known { running: true, chains: some(Own, Runs), exact: some(Beside, Paused), ..edited() };
    let stops = [Do::StopRun, Do::StopChains, Do::StopExact];
    assert_eq!(on("a", QUICK).hear(Event::Cancelled, &all), stops);
    let none = Known { chains: some(Own, Ended), exact: some(Own, Ended), ..edited() };
    assert_eq!(on("a", QUICK).hear(Event::Cancelled, &none), []);
}

#[test]
fn the_worst_case_is_sought_in_place_of_another() {
    let mut page = showing("a", QUICK);
    page.hear(came("b", QUICK), &Known { exact: some(Other, Runs), ..opened() });
    assert!(page.exact_rests());
    assert_eq!(page.hear(Event::Sought, &Known { exact: some(Other, Paused), ..edited() }), [Do::StartExact]);
    assert!(!page.exact_rests());
}

#[test]
fn again_means_from_the_start() {
    for (asks, start) in [
        (QUICK, Do::Start(Weight::Quick)),
        (Asks::Chains, Do::StartChains),
        (Asks::Exact, Do::StartExact),
        (Asks::Part, Do::StartTrial),
    ] {
        let known = Known { running: true, chains: some(Own, Ended), ..edited() };
        assert_eq!(showing("a", asks).hear(Event::Again, &known), [Do::DropRun, start], "{asks:?}");
    }
    assert_eq!(showing("a", Asks::Nothing).hear(Event::Again, &edited()), []);
    assert_eq!(Session::default().hear(Event::Again, &edited()), []);
}
