//! What a student hands in: a name, and an answer to each exercise of a set.
//!
//! The checksum tells a file that was cut off or changed by accident. It is no secret and stops nobody who means to
//! change it; who writes a file by hand may leave it out.

use serde_json::{Map, Value, json};

use super::draw::{folded, hash};
use base::Problem;
use kit::import::json;
use kit::import::reader::{Reader, shown};

const VERSION: u64 = 1;
/// The longest name of a student, and the longest answer.
const LONGEST: usize = 200;
const MOST: usize = 50;
const KEYS: [&str; 6] = ["answers", "exercises", "student", "seed", "given", "checksum"];

/// Answers of a student.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// The name of the set.
    pub exercises: String,
    /// Who answers.
    pub student: String,
    /// The answers, by the names of the exercises; what was not answered is left out.
    pub given: Vec<(String, String)>,
}

impl Answers {
    /// The seed of the student, as documents have it.
    pub fn seed(&self) -> String {
        format!("{:016x}", super::draw::seed(&self.student))
    }

    /// The checksum of everything.
    pub fn checksum(&self) -> String {
        let lines: Vec<String> = self.given.iter().map(|(name, answer)| format!("{name}={answer}")).collect();
        let text = format!("{}\n{}\n{}", self.exercises, folded(&self.student), lines.join("\n"));
        format!("{:016x}", hash(&text))
    }

    /// The document.
    pub fn document(&self) -> String {
        let given: Map<String, Value> =
            self.given.iter().map(|(name, answer)| (name.clone(), answer.clone().into())).collect();
        json::pretty(&json!({
            "answers": VERSION,
            "exercises": self.exercises,
            "student": self.student,
            "seed": self.seed(),
            "given": given,
            "checksum": self.checksum(),
        }))
    }

    /// The document with nothing answered, to be filled in by hand: without a checksum, which would not fit.
    pub fn form(exercises: &str, student: &str, names: &[&str]) -> String {
        let given: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), "".into())).collect();
        json::pretty(&json!({"answers": VERSION, "exercises": exercises, "student": student, "given": given}))
    }

    /// The answer to an exercise.
    pub fn to(&self, exercise: &str) -> Option<&str> {
        self.given.iter().find(|(name, _)| name == exercise).map(|(_, answer)| answer.as_str())
    }

    /// Reads answers, or says everything that is wrong with them.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        if text.trim().is_empty() {
            return Err(vec![Problem::at("document", "nothing in it", "answers, {\"answers\": 1, ...}")]);
        }
        let tree = json::parse(text).map_err(|problem| vec![problem])?;
        let mut reader = Reader::default();
        let answers = whole(&mut reader, &tree);
        match (answers, reader.into_problems()) {
            (Some(answers), problems) if problems.is_empty() => Ok(answers),
            (_, problems) => Err(problems),
        }
    }
}

fn whole(reader: &mut Reader, tree: &Value) -> Option<Answers> {
    let fields = reader.object("", tree)?;
    reader.only(&fields, &KEYS);
    let short = |reader: &mut Reader, path: &str, value: &Value| reader.text_up_to(LONGEST, path, value);
    let version = reader.required(&fields, "answers", "1, the version", |reader, path, value| {
        reader.whole(path, value, 1..=u64::MAX)
    });
    if let Some(newer) = version.filter(|&version| version > VERSION) {
        let what = format!("made for a newer version ({newer}) of answers");
        reader.problem("answers", what, format!("{VERSION}; a newer Warpspan reads it"));
        return None;
    }
    let exercises = reader.required(&fields, "exercises", "the name of the set", short);
    let student = reader.required(&fields, "student", "who answers", short);
    if student.as_deref().is_some_and(|student| folded(student).is_empty()) {
        reader.problem("student", "nothing in it", "who answers");
    }
    let given = reader.required(&fields, "given", "answers by the names of the exercises", given);
    let seed = reader.optional(&fields, "seed", short);
    let checksum = reader.optional(&fields, "checksum", short);
    let answers = Answers { exercises: exercises?, student: student?, given: given? };
    if let Some(seed) = seed.filter(|seed| *seed != answers.seed()) {
        reader.problem(
            "seed",
            base::problem::quoted(&seed),
            format!("{}, that of the student", answers.seed()),
        );
    }
    if let Some(found) = checksum.filter(|found| *found != answers.checksum()) {
        let expected = format!("{}; something in the file was changed", answers.checksum());
        reader.problem("checksum", base::problem::quoted(&found), expected);
    }
    Some(answers)
}

fn given(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<(String, String)>> {
    let fields = reader.object(path, value)?;
    if fields.keys().count() > MOST {
        reader.problem(path, shown(value), format!("{MOST} answers at the most"));
        return None;
    }
    let mut all = Vec::new();
    for key in fields.keys() {
        let answer = reader.optional(&fields, key, |reader, path, value| match value {
            Value::Number(number) => Some(json::line(number)),
            _ => reader.text_up_to(LONGEST, path, value),
        });
        all.extend(answer.map(|answer| (key.to_owned(), answer)));
    }
    Some(all)
}
