//! `exercises`: a set as one student has it. `grade`: what answers to it are worth.

use serde::Serialize;

use super::args::{Answer, Printed};
use super::{ExitCodeNumber, USAGE, print, read, tell};
use crate::base::Problem;
use crate::base::people;
use crate::exercises::grade::{Grade, grade as graded};
use crate::exercises::{Answers, Exercises, Given, builtin};
use crate::import::json;
use crate::lesson::question::Kind;
use kit::export::csv;

/// Prints a set for a student; without a student what is in it, and without a set which ones are built in.
pub fn exercises(set: Option<&str>, student: Option<&str>, printed: Printed) -> ExitCodeNumber {
    let Some(name) = set else {
        let lines: Vec<String> = builtin::BUILTINS.iter().map(|(name, _)| format!("{name}\n")).collect();
        return print(&lines.concat());
    };
    let set = match of_name(name) {
        Ok(set) => set,
        Err(problems) => return refuse(name, &problems),
    };
    let Some(student) = student else { return print(&listed(&set)) };
    match made(&set, student, printed) {
        Ok(text) => print(&text),
        Err(problems) => refuse(name, &problems),
    }
}

/// A built-in set by its name, or a file.
fn of_name(name: &str) -> Result<Exercises, Vec<Problem>> {
    match builtin::named(name) {
        Some(text) => crate::exercises::read(text),
        None => read(name).and_then(|text| crate::exercises::read(&text)),
    }
}

fn refuse(source: &str, problems: &[Problem]) -> ExitCodeNumber {
    problems.iter().for_each(|problem| tell(&format!("{source}: {problem}")));
    USAGE
}

fn points(points: u32) -> String {
    people::counted(points as usize, "point")
}

/// What is in a set, before anything is drawn.
fn listed(set: &Exercises) -> String {
    let mut text = format!("{}: {}, {}\n", set.name, set.title, points(set.points()));
    for exercise in &set.exercises {
        let drawn: Vec<&str> = exercise.draws.iter().map(|(name, _)| name.as_str()).collect();
        let drawn = if drawn.is_empty() {
            "nothing drawn".to_owned()
        } else {
            format!("drawn: {}", drawn.join(", "))
        };
        text += &format!("  {}: {}; {drawn}\n", exercise.name, points(exercise.points));
    }
    text
}

fn made(set: &Exercises, student: &str, printed: Printed) -> Result<String, Vec<Problem>> {
    let given = set.given(student)?;
    Ok(match printed {
        Printed::Sheet => sheet(set, student, &given, |_| Ok(None))?,
        Printed::Solutions => sheet(set, student, &given, |own| Ok(own.right(&own.report()?)))?,
        Printed::Form => {
            let names: Vec<&str> = given.iter().map(|own| own.name.as_str()).collect();
            Answers::form(&set.name, student, &names)
        }
        Printed::Lines => given.iter().map(line).collect(),
    })
}

/// A student's sheet: plain text with the marks of the document, which are those of Markdown.
fn sheet(
    set: &Exercises,
    student: &str,
    given: &[Given],
    right: impl Fn(&Given) -> Result<Option<String>, Vec<Problem>>,
) -> Result<String, Vec<Problem>> {
    let student = student.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("# {}\n\n{}, {}\n", set.title, student, points(set.points()));
    for (number, own) in (1..).zip(given) {
        text += &format!("\n## {number}. {} ({}, {})\n\n", own.title, own.name, points(own.points));
        text += &own.text.iter().map(|paragraph| format!("{paragraph}\n\n")).collect::<String>();
        text += &format!("*{}*\n", own.question.ask);
        match (&own.question.kind, right(own)?) {
            (_, Some(right)) => text += &format!("\nRight: {right} {}\n", unit(own)),
            (Kind::Choice(choices, _), None) => {
                text += &choices.iter().map(|choice| format!("\n- {choice}")).collect::<String>();
                text.push('\n');
            }
            (_, None) => text += &format!("\nAnswer: ____________ {}\n", unit(own)),
        }
    }
    Ok(text.lines().map(|line| format!("{}\n", line.trim_end())).collect())
}

fn unit(own: &Given) -> &str {
    match &own.question.kind {
        Kind::Number(_, _, unit) => unit,
        _ => "",
    }
}

/// An exercise as a line of JSON: who wants to set it in another program has all of it.
fn line(own: &Given) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        exercise: &'a str,
        points: u32,
        title: &'a str,
        text: &'a [String],
        drawn: serde_json::Map<String, serde_json::Value>,
        scenario: &'a serde_json::Value,
        ask: &'a str,
        unit: &'a str,
        choices: &'a [String],
    }
    let choices: &[String] = match &own.question.kind {
        Kind::Choice(choices, _) => choices,
        _ => &[],
    };
    let line = Line {
        exercise: &own.name,
        points: own.points,
        title: &own.title,
        text: &own.text,
        drawn: own.drawn.iter().cloned().collect(),
        scenario: &own.document,
        ask: &own.question.ask,
        unit: unit(own),
        choices,
    };
    json::line(&line) + "\n"
}

/// Grades files of answers, one line each; those that cannot be read are told, and the others are graded.
pub fn grade(name: &str, files: &[String], answer: Answer) -> ExitCodeNumber {
    let set = match of_name(name) {
        Ok(set) => set,
        Err(problems) => return refuse(name, &problems),
    };
    let mut status = 0;
    if answer == Answer::Table {
        let names = set.exercises.iter().map(|own| format!("{} ({})", own.name, own.points));
        let head =
            ["file", "student"].map(str::to_owned).into_iter().chain([format!("points ({})", set.points())]);
        status = print(&csv::row(head.chain(names)));
    }
    for file in files {
        let found =
            read(file).and_then(|text| Answers::read(&text)).and_then(|answers| graded(&set, &answers));
        status = status.max(match found {
            Ok(grade) => print(&match answer {
                Answer::Table => row(file, &grade),
                Answer::Lines => lines(file, &grade),
            }),
            Err(problems) => refuse(file, &problems),
        });
    }
    status
}

fn row(file: &str, grade: &Grade) -> String {
    let own = [file.to_owned(), grade.student.clone(), grade.points.to_string()];
    csv::row(own.into_iter().chain(grade.answers.iter().map(|one| one.points.to_string())))
}

fn lines(file: &str, grade: &Grade) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        file: &'a str,
        #[serde(flatten)]
        grade: &'a Grade,
    }
    json::line(&Line { file, grade }) + "\n"
}
