//! `warpspan reproduce`: the papers' numbers beside ours.
//!
//! Items run one after the other, each through the job that `warpspan run` uses, and are printed as they end.

use std::collections::HashSet;

use serde::Serialize;

use super::args::Answer;
use super::{ExitCodeNumber, USAGE, print, tell, work};
use crate::base::people;
use crate::base::problem::quoted;
use crate::import::json;
use crate::reproduce::{Claim, Comparison, Item, Outcome, Paper, Row, Totals, papers, refused, shown};
use crate::scenario;

const VIOLATION: ExitCodeNumber = 1;
/// Reasons are wrapped at this width.
const WIDTH: usize = 100;

/// Runs the items of these names, or all, and says whether all compare as they are known to.
pub fn reproduce(names: &[String], threads: Option<usize>, answer: Answer) -> ExitCodeNumber {
    let papers = match papers() {
        Ok(papers) => papers,
        Err(problems) => {
            problems.iter().for_each(|problem| tell(&problem.to_string()));
            return USAGE;
        }
    };
    let unknown = unknown(&papers, names);
    if !unknown.is_empty() {
        for name in unknown {
            tell(&format!(
                "reproduce: {}: expected the id of an item or the letter of a paper",
                quoted(name)
            ));
        }
        return USAGE;
    }
    let mut outcomes = Vec::new();
    for paper in &papers {
        let asked: Vec<&Item> = paper.items.iter().filter(|item| is_asked(item, names)).collect();
        if asked.is_empty() {
            continue;
        }
        if answer == Answer::Table {
            print(&format!("{}  {} ({})\n\n", paper.letter, paper.title, paper.authors));
        }
        for item in asked {
            let outcome = run(item, threads);
            let printed = print(&match answer {
                Answer::Table => table(item, &outcome),
                Answer::Lines => line(item, &outcome),
            });
            if printed != 0 {
                return printed;
            }
            outcomes.push(outcome);
        }
        if answer == Answer::Table && names.is_empty() {
            print(&left_out(paper));
        }
    }
    let totals = Totals::of(&outcomes);
    if answer == Answer::Table {
        let seconds: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
        print(&format!("{} Computed in {}.\n", totals.sentence(), people::duration(seconds)));
    }
    status(&totals)
}

fn status(totals: &Totals) -> ExitCodeNumber {
    if totals.unexpected > 0 { VIOLATION } else { 0 }
}

fn is_asked(item: &Item, names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| *name == item.id || name.eq_ignore_ascii_case(&item.paper))
}

fn unknown<'a>(papers: &[Paper], names: &'a [String]) -> Vec<&'a str> {
    let known: HashSet<String> = papers
        .iter()
        .flat_map(|paper| {
            let ids = paper.items.iter().map(|item| item.id.clone());
            ids.chain([paper.letter.to_lowercase()])
        })
        .collect();
    names.iter().map(String::as_str).filter(|name| !known.contains(&name.to_lowercase())).collect()
}

/// Runs an item's scenario, or hears why it is refused.
fn run(item: &Item, threads: Option<usize>) -> Outcome {
    let line = match scenario::from_tree(&item.document) {
        Ok(scenario) => work(scenario, threads).line(),
        Err(problems) => refused(&problems),
    };
    Outcome::of_line(item, &line)
}

/// One item for people: a row for each value, and reasons below.
fn table(item: &Item, outcome: &Outcome) -> String {
    let head = ["", "", "published", "ours"].map(str::to_owned);
    let rows = item.comparisons.iter().zip(&outcome.values).map(|(comparison, row)| cells(comparison, row));
    let cells: Vec<[String; 4]> = [head].into_iter().chain(rows).collect();
    let width = |column: usize| cells.iter().map(|cell| cell[column].chars().count()).max().unwrap_or(0);
    let (what, published) = (width(1), width(2));
    let line = |[word, told, theirs, ours]: &[String; 4]| {
        let line = format!("  {word:7}  {told:what$}  {theirs:published$}  {ours}");
        line.trim_end().to_owned() + "\n"
    };
    let mut text = format!("{}  {}: {}\n{}", item.id, item.place, item.title, line(&cells[0]));
    for (at, row) in outcome.values.iter().enumerate() {
        text += &line(&cells[at + 1]);
        // A reason that the next row has too stands below the last of them.
        let again = outcome.values.get(at + 1).is_some_and(|next| next.why == row.why);
        text += &said(row, (!again).then_some(row.why.as_str()));
    }
    text.push('\n');
    text
}

fn cells(comparison: &Comparison, row: &Row) -> [String; 4] {
    let mut ours = row.ours.as_ref().map_or_else(|| "?".to_owned(), shown);
    if let (Claim::Measured, Some(ratio)) = (comparison.claim, row.ratio) {
        ours += &format!(" ({} times)", shown(&ratio.into()));
    }
    let published = format!("{}{}", comparison.claim.sign(), shown(&row.published));
    [row.word().to_owned(), row.what.clone(), published, ours]
}

/// What is to be said about a row, indented below it.
fn said(row: &Row, why: Option<&str>) -> String {
    let mut text = String::new();
    if !row.is_as_expected() {
        text += &wrapped(&format!("NOT AS EXPECTED: this should {}.", row.expected.known()));
    }
    for told in row.problem.as_deref().into_iter().chain(why.filter(|why| !why.is_empty())) {
        text += &wrapped(told);
    }
    text
}

fn wrapped(text: &str) -> String {
    const INDENT: &str = "           ";
    let mut lines = String::new();
    let mut line = String::from(INDENT);
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() > WIDTH && line.trim() != "" {
            lines += line.trim_end();
            lines.push('\n');
            line = String::from(INDENT);
        }
        line += word;
        line.push(' ');
    }
    lines + line.trim_end() + "\n"
}

fn left_out(paper: &Paper) -> String {
    if paper.left_out.is_empty() {
        return String::new();
    }
    let mut text = "Not in the list:\n".to_owned();
    for left in &paper.left_out {
        text += &format!("  {}: {}\n", left.place, left.why);
    }
    text + "\n"
}

/// One item as a line of JSON.
fn line(item: &Item, outcome: &Outcome) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        item: &'a str,
        paper: &'a str,
        place: &'a str,
        title: &'a str,
        says: &'a str,
        seconds: f64,
        as_expected: bool,
        link: Option<String>,
        values: &'a [Row],
    }
    let line = Line {
        item: &item.id,
        paper: &item.paper,
        place: &item.place,
        title: &item.title,
        says: &item.says,
        seconds: outcome.seconds,
        as_expected: outcome.is_as_expected(),
        link: item.link().ok().map(|link| format!("#{link}")),
        values: &outcome.values,
    };
    json::line(&line) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::read;
    use expect_test::expect;

    #[test]
    fn what_is_not_as_expected_stands_out_and_is_in_the_exit_status() {
        let text = r#"{"paper": "X", "title": "t", "authors": "a", "items": [{
            "id": "x-1", "place": "figure 1", "title": "Three values", "says": "s.", "scenario": "figure-2", "values": [
                {"what": "makespan", "published": 9, "ours": "/makespan"},
                {"what": "bound", "published": 9, "claim": "at-most", "ours": "/makespan", "why": "Proven."},
                {"what": "nothing", "published": 1, "ours": "/nothing"}
            ]
        }]}"#;
        let paper = read(text).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let outcome = run(&paper.items[0], Some(1));
        expect![[r#"
            x-1  figure 1: Three values
                                 published  ours
              differ   makespan  9          8
                       NOT AS EXPECTED: this should agree.
              agree    bound     at most 9  8
                       Proven.
              unread   nothing   1          ?
                       NOT AS EXPECTED: this should agree.
                       /nothing: no field nothing

        "#]]
        .assert_eq(&table(&paper.items[0], &outcome));
        assert_eq!(status(&Totals::of([&outcome])), VIOLATION);
        assert_eq!(status(&Totals::default()), 0);
        assert!(line(&paper.items[0], &outcome).contains(r#""as_expected":false"#));
    }

    #[test]
    fn items_and_papers_are_known_by_name() {
        let papers = papers().unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let names = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(unknown(&papers, &names(&["b-fig-2", "B", "p"])), [""; 0]);
        assert_eq!(unknown(&papers, &names(&["b-fig-2", "Q", "b-fig"])), ["Q", "b-fig"]);
        let asked = |words: &[&str]| {
            papers.iter().flat_map(|paper| &paper.items).filter(|item| is_asked(item, &names(words))).count()
        };
        assert_eq!(asked(&["b-fig-2"]), 1);
        assert_eq!(
            asked(&["n"]),
            papers.iter().find(|paper| paper.letter == "N").map_or(0, |p| p.items.len())
        );
        assert_eq!(asked(&[]), papers.iter().map(|paper| paper.items.len()).sum::<usize>());
    }
}
