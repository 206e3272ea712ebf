//! Reading a lesson, or saying everything that is wrong with it.

use serde_json::Value;

use super::values::Path;
use super::{Lesson, Solution, Step, check, read_check, read_controls};
use crate::level::Level;
use base::Problem;
use kit::import::json;
use kit::import::reader::{Fields, Reader, shown};
use kit::scenario::builtin;
use kit::scenario::link::View;

/// The version of the document written today.
const VERSION: u64 = 1;
/// The longest lesson.
const MOST_STEPS: usize = 50;
/// The longest paragraph, in characters.
const LONGEST: usize = 2_000;
/// The longest title.
const LONGEST_TITLE: usize = 120;

const KEYS: [&str; 7] = ["lesson", "title", "summary", "minutes", "level", "topic", "steps"];
const STEP_KEYS: [&str; 14] = [
    "title", "text", "example", "scenario", "set", "view", "hide", "controls", "do", "check", "already",
    "hint", "after", "solution",
];

/// Reads a lesson's text.
pub fn read(text: &str) -> Result<Lesson, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::at("document", "nothing in it", "a lesson, {\"lesson\": 1, ...}")]);
    }
    from_tree(&json::parse(text).map_err(|problem| vec![problem])?)
}

/// Reads a lesson out of a JSON tree.
pub fn from_tree(tree: &Value) -> Result<Lesson, Vec<Problem>> {
    let mut reader = Reader::default();
    let lesson = whole(&mut reader, tree);
    match (lesson, reader.into_problems()) {
        (Some(lesson), problems) if problems.is_empty() => Ok(lesson),
        (_, problems) => Err(problems),
    }
}

fn whole(reader: &mut Reader, tree: &Value) -> Option<Lesson> {
    let fields = reader.object("", tree)?;
    let version = reader.required(&fields, "lesson", "1, the version", |reader, path, value| {
        reader.whole(path, value, 1..=u64::MAX)
    });
    if let Some(newer) = version.filter(|&version| version > VERSION) {
        let what = format!("made for a newer version ({newer}) of lessons");
        reader.problem("lesson", what, format!("{VERSION}; a newer Warpspan reads it"));
        return None;
    }
    reader.only(&fields, &KEYS);
    let title = reader.required(&fields, "title", "a text", title);
    let summary = reader.optional(&fields, "summary", paragraph).unwrap_or_default();
    let minutes =
        reader.optional(&fields, "minutes", |reader, path, value| reader.small(path, value, 1..=600));
    let level = reader.optional(&fields, "level", level);
    let topic = reader.optional(&fields, "topic", self::title).unwrap_or_else(|| "Lessons".to_owned());
    let steps = reader.required(&fields, "steps", "a list of steps", steps);
    Some(Lesson { title: title?, summary, minutes: minutes.unwrap_or(10), level, topic, steps: steps? })
}

/// How hard something is.
pub(crate) fn level(reader: &mut Reader, path: &str, value: &Value) -> Option<Level> {
    let found = Level::ALL.into_iter().find(|level| value.as_str() == Some(level.name()));
    if found.is_none() {
        let names = Level::ALL.map(Level::name).join(", ");
        reader.problem(path, shown(value), format!("one of {names}"));
    }
    found
}

fn steps(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Step>> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST_STEPS {
        reader.problem(path, shown(value), format!("a list of 1 to {MOST_STEPS} steps"));
        return None;
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut present: Option<Value> = None;
    for (i, item) in items.iter().enumerate() {
        let step = step(reader, &format!("{path}[{i}]"), item, present.as_ref());
        present = match &step {
            Some(step) => step.leads_to(present),
            None => present,
        };
        steps.extend(step);
    }
    Some(steps)
}

/// A step; `present` is what the steps before it have led to.
fn step(reader: &mut Reader, path: &str, value: &Value, present: Option<&Value>) -> Option<Step> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &STEP_KEYS);
    let title = reader.required(&fields, "title", "a text", title);
    let text = reader.required(&fields, "text", "a text, or a list of paragraphs", paragraphs);
    let own = opens(reader, &fields);
    let names_none = fields.get("example").is_none() && fields.get("scenario").is_none();
    if present.is_none() && names_none {
        reader.problem(path, "nothing to look at", "an \"example\" or a \"scenario\" in the first step");
    }
    // Values alone are put into what the steps before lead to.
    let changed = || present.filter(|_| names_none && fields.get("set").is_some()).cloned();
    let opens = own.or_else(changed).map(|tree| patched(reader, &fields, tree));
    let view = reader.optional(&fields, "view", view).unwrap_or_default();
    let controls = reader.optional(&fields, "controls", |reader, path, value| {
        read_controls::controls(reader, path, value, opens.as_ref().or(present))
    });
    let check = reader.optional(&fields, "check", read_check::check);
    let solution = reader
        .optional(&fields, "solution", |reader, path, value| solution(reader, path, value, opens.as_ref()));
    let step = Step {
        title: title.unwrap_or_default(),
        text: text.unwrap_or_default(),
        opens,
        view,
        hide: reader.optional(&fields, "hide", Reader::truth).unwrap_or_default(),
        controls: controls.unwrap_or_default(),
        task: reader.optional(&fields, "do", paragraph).unwrap_or_default(),
        already: reader.optional(&fields, "already", Reader::truth).unwrap_or_default(),
        hint: reader.optional(&fields, "hint", paragraph).unwrap_or_default(),
        after: reader.optional(&fields, "after", paragraph).unwrap_or_default(),
        solution: solution.unwrap_or_default(),
        check,
    };
    fits_together(reader, &fields, &step);
    Some(step)
}

/// What no field says alone.
fn fits_together(reader: &mut Reader, fields: &Fields<'_>, step: &Step) {
    let path = |key| fields.path_of(key);
    let Some(check) = &step.check else {
        for key in
            ["solution", "hint", "already", "after"].into_iter().filter(|key| fields.get(key).is_some())
        {
            if fields.get("check").is_none() {
                reader.problem(path(key), "there is no check", "a \"check\" beside it");
            }
        }
        return;
    };
    if step.task.is_empty() && check.question().is_none() {
        reader.problem(path("do"), "missing", "what to do, in a sentence");
    }
    if step.solution.is_empty() && !check.is_solved_by_answer() && fields.get("solution").is_none() {
        reader.problem(path("solution"), "missing", "what meets the check, for \"Show me\"");
    }
    let questions = count(check);
    if questions > 1 {
        reader.problem(path("check"), format!("{questions} questions"), "one question in a step");
    }
    if check.has(&|check| matches!(check, check::Check::Revealed)) && !step.hide {
        reader.problem(path("hide"), "nothing is hidden", "true, as the check waits for it to be revealed");
    }
}

fn count(check: &check::Check) -> usize {
    match check {
        check::Check::Answer(_) => 1,
        check::Check::All(checks) | check::Check::Any(checks) => checks.iter().map(count).sum(),
        _ => 0,
    }
}

/// The document a step or a solution opens.
pub(crate) fn opens(reader: &mut Reader, fields: &Fields<'_>) -> Option<Value> {
    if fields.get("example").is_some() && fields.get("scenario").is_some() {
        reader.problem(fields.path_of("scenario"), "an example too", "either \"example\" or \"scenario\"");
    }
    let example = reader.optional(fields, "example", |reader, path, value| {
        let name = reader.text(path, value)?;
        let found = builtin::BUILTINS.iter().find(|example| example.name == name);
        if found.is_none() {
            reader.problem(path, shown(value), "the name of a built-in example, such as \"figure-2\"");
        }
        json::parse(found?.text).ok()
    });
    let scenario = reader.optional(fields, "scenario", |reader, path, value| {
        reader.object(path, value)?;
        sound(reader, path, value);
        Some(value.clone())
    });
    example.or(scenario)
}

/// Notes what is wrong with a scenario, each problem at its place in the lesson.
pub(super) fn sound(reader: &mut Reader, path: &str, tree: &Value) {
    for problem in kit::scenario::from_tree(labs::LABS, tree).err().unwrap_or_default() {
        let place = match problem.place.as_str() {
            "document" => path.to_owned(),
            within => format!("{path}.{within}"),
        };
        reader.problem(place, problem.what, problem.expected);
    }
}

/// A document with what `set` puts into it.
pub(crate) fn patched(reader: &mut Reader, fields: &Fields<'_>, mut tree: Value) -> Value {
    let set = reader.optional(fields, "set", changes).unwrap_or_default();
    for (path, value) in &set {
        path.put(&mut tree, value.clone());
    }
    if !set.is_empty() {
        sound(reader, &fields.path_of("set"), &tree);
    }
    tree
}

/// Values by their places.
pub(super) fn changes(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<(Path, Value)>> {
    let fields = reader.object(path, value)?;
    let mut changes = Vec::new();
    for key in fields.keys() {
        match Path::parse(key) {
            Some(place) => changes.push((place, fields.get(key).cloned().unwrap_or_default())),
            None => reader.problem(fields.path_of(key), "no place", "a place such as \"/warps/count\""),
        }
    }
    Some(changes)
}

fn solution(reader: &mut Reader, path: &str, value: &Value, from: Option<&Value>) -> Option<Solution> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["example", "scenario", "set", "view", "answer"]);
    let solution = Solution {
        opens: opens(reader, &fields),
        set: reader.optional(&fields, "set", changes).unwrap_or_default(),
        view: reader.optional(&fields, "view", view),
        answer: reader.optional(&fields, "answer", Reader::text),
    };
    if let (Some(from), false) = (solution.opens.as_ref().or(from), solution.set.is_empty()) {
        sound(reader, &fields.path_of("set"), &solution.document(from));
    }
    Some(solution)
}

pub(crate) fn view(reader: &mut Reader, path: &str, value: &Value) -> Option<View> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["step", "t0", "t1", "sel", "rows"]);
    let edge = |reader: &mut Reader, path: &str, value: &Value| reader.number(path, value, 0.0..=1e15);
    Some(View {
        step: reader.optional(&fields, "step", |reader, path, value| reader.whole(path, value, 0..=u64::MAX)),
        t0: reader.optional(&fields, "t0", edge),
        t1: reader.optional(&fields, "t1", edge),
        sel: reader.optional(&fields, "sel", Reader::text),
        rows: reader.optional(&fields, "rows", Reader::text),
        ..View::default()
    })
}

/// A text that is not empty and not too long.
fn no_longer(reader: &mut Reader, path: &str, value: &Value, most: usize) -> Option<String> {
    let text = reader.text(path, value)?;
    let length = text.chars().count();
    if text.trim().is_empty() || length > most {
        reader.problem(path, format!("a text of {length} characters"), format!("1 to {most} characters"));
        return None;
    }
    Some(text)
}

pub(crate) fn title(reader: &mut Reader, path: &str, value: &Value) -> Option<String> {
    no_longer(reader, path, value, LONGEST_TITLE)
}

pub(crate) fn paragraph(reader: &mut Reader, path: &str, value: &Value) -> Option<String> {
    no_longer(reader, path, value, LONGEST)
}

pub(crate) fn paragraphs(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<String>> {
    let Value::Array(items) = value else {
        return paragraph(reader, path, value).map(|text| vec![text]);
    };
    if items.is_empty() {
        reader.problem(path, "a list of 0", "a text, or a list of paragraphs");
    }
    let each = items.iter().enumerate();
    Some(each.filter_map(|(i, item)| paragraph(reader, &format!("{path}[{i}]"), item)).collect())
}
