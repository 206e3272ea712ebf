//! What the words on the command line ask for.

use lexopt::{Arg, Parser, ValueExt};

mod help;

use super::study::Asked;
use super::through::Through;
pub use help::HELP;
use traces_lab::diff::Millionths;
use traces_lab::report::Detail;

/// A call of the program.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Run each of these files.
    Run {
        /// The files.
        files: Vec<String>,
        /// At most so many chains at a time; else as many as there are processors.
        threads: Option<usize>,
        /// The way through PTX.
        through: Through,
        /// How much is told of recorded runs.
        detail: Detail,
        /// How much is told of thread traces.
        waves: waves_lab::Detail,
    },
    /// Read these recordings as one run.
    Together {
        /// The files.
        files: Vec<String>,
        /// How much is told of it.
        detail: Detail,
    },
    /// Turn this file into a link.
    Link {
        /// The file.
        file: String,
        /// The way through PTX.
        through: Through,
    },
    /// Turn this link into a document.
    Open(String),
    /// Print the certificate of this file's result.
    Certify {
        /// The file.
        file: String,
        /// The way through PTX.
        through: Through,
    },
    /// Check these files: certificates each by itself, logs together.
    Check {
        /// The files.
        files: Vec<String>,
        /// What is known of the device and of the run.
        about: About,
    },
    /// Hold what the papers print against what is computed.
    Reproduce {
        /// Only these items; all where there are none.
        items: Vec<String>,
        /// At most so many chains at a time.
        threads: Option<usize>,
        /// How the answer is written.
        answer: Answer,
    },
    /// Compute all cells of a study.
    Study(Asked),
    /// Do every step of these lessons.
    Lesson(Vec<String>),
    /// Print a set of exercises, as a student has it.
    Exercises {
        /// The set; the built-in ones are listed where there is none.
        set: Option<String>,
        /// The student.
        student: Option<String>,
        /// What is printed.
        printed: Printed,
    },
    /// Grade answers to a set of exercises.
    Grade {
        /// The set.
        set: String,
        /// The files of answers.
        files: Vec<String>,
        /// How the answer is written.
        answer: Answer,
    },
    /// Print a run's timeline in another form.
    Convert {
        /// The file.
        file: String,
        /// The form.
        to: Format,
        /// The folder its files go to, where it has several; else all go to standard output.
        out: Option<String>,
    },
    /// Print what changed from one recorded run to another.
    Diff {
        /// The file of the first run.
        before: String,
        /// The file of the second one.
        after: String,
        /// By how much that may take longer.
        threshold: Option<Millionths>,
    },
    /// Print the JSON Schema of the scenario document.
    Schema,
}

/// What is known of a run beside its logs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The device's preset.
    pub device: Option<String>,
    /// The file of the configuration that was run.
    pub config: Option<String>,
    /// How much times may differ and still be the same, in nanoseconds.
    pub tolerance: Option<u64>,
    /// How much the clocks of host and device may differ on top of that, in nanoseconds.
    pub clocks: Option<u64>,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// For people.
    Table,
    /// A line of JSON for each item.
    Lines,
}

/// What is printed of a student's exercises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// What is asked.
    Sheet,
    /// That with the right answers.
    Solutions,
    /// The answers' file, to be filled in.
    Form,
    /// A line of JSON for each exercise, with its scenario.
    Lines,
}

/// A form of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Trace events, as Perfetto and speedscope read them.
    Perfetto,
    /// The logs the examiner would have written.
    ExaminerLog,
    /// A table.
    Csv,
    /// A picture.
    Svg,
    /// The question itself, as one about machine code.
    Code,
}

impl Format {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Perfetto, "perfetto"),
        (Self::ExaminerLog, "examiner-log"),
        (Self::Csv, "csv"),
        (Self::Svg, "svg"),
        (Self::Code, "code"),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(format, _)| format)
    }
}

const COMMANDS: &str =
    "run, study, certify, check, lesson, exercises, grade, link, open, convert, diff, reproduce or schema";

fn takes_threads(command: &str) -> bool {
    ["run", "reproduce", "study"].contains(&command)
}

/// Reads the command line.
pub fn parse(mut parser: Parser) -> Result<Command, String> {
    let mut words: Vec<String> = Vec::new();
    let mut threads = None;
    let (mut to, mut out, mut threshold) = (None, None, None);
    let mut answer = Answer::Table;
    let (mut resume, mut together) = (false, false);
    let (mut detail, mut waves) = (Detail::Summary, waves_lab::Detail::Summary);
    let (mut student, mut printed) = (None, Printed::Sheet);
    let (mut about, mut through) = (About::default(), Through::default());
    while let Some(arg) = parser.next().map_err(text)? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Command::Version),
            Arg::Long("threads") if words.first().is_none_or(|word| takes_threads(word)) => {
                let number = parser.value().map_err(text)?.string().map_err(text)?;
                let read = number.parse().ok().filter(|n| (1..=1024).contains(n));
                threads = Some(read.ok_or(format!("--threads {number:?}: expected a number, 1 to 1024"))?);
            }
            Arg::Value(word) => words.push(word.string().map_err(text)?),
            Arg::Long("to") => {
                let name = parser.value().map_err(text)?.string().map_err(text)?;
                let expected = "perfetto, examiner-log, csv, svg or code";
                to = Some(Format::named(&name).ok_or(format!("--to {name:?}: expected {expected}"))?);
            }
            Arg::Long("entry") => {
                through.entry = Some(parser.value().map_err(text)?.string().map_err(text)?);
            }
            Arg::Long("path") => through.note_path(&parser.value().map_err(text)?.string().map_err(text)?)?,
            Arg::Long("loop") => through.note_loop(&parser.value().map_err(text)?.string().map_err(text)?)?,
            Arg::Long("resume") => resume = true,
            Arg::Long("together") => together = true,
            Arg::Long("json") => answer = Answer::Lines,
            Arg::Long("operations") => detail = Detail::Operations,
            Arg::Long("instructions") => waves = waves_lab::Detail::Instructions,
            Arg::Long("student") => student = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("solutions") => printed = Printed::Solutions,
            Arg::Long("form") => printed = Printed::Form,
            Arg::Long("out") => out = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("device") => about.device = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("config") => about.config = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("threshold") => {
                threshold = Some(share(&parser.value().map_err(text)?.string().map_err(text)?)?);
            }
            Arg::Long("tolerance") => about.tolerance = Some(micros(&mut parser, "--tolerance")?),
            Arg::Long("clocks") => about.clocks = Some(micros(&mut parser, "--clocks")?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let mut words = words.into_iter();
    let Some(name) = words.next() else {
        return Err(format!("no command: expected {COMMANDS}"));
    };
    let rest: Vec<String> = words.collect();
    through.check()?;
    match name.as_str() {
        name if name != "check" && about != About::default() => {
            Err("--device, --config, --tolerance and --clocks are for check".to_owned())
        }
        name if !["run", "link", "certify"].contains(&name) && through != Through::default() => {
            Err("--entry, --path and --loop are for run, link and certify".to_owned())
        }
        name if name != "run" && detail != Detail::Summary => Err("--operations is for run".to_owned()),
        name if name != "run" && together => Err("--together is for run".to_owned()),
        name if name != "run" && waves != waves_lab::Detail::Summary => {
            Err("--instructions is for run".to_owned())
        }
        name if name != "diff" && threshold.is_some() => Err("--threshold is for diff".to_owned()),
        name if name != "convert" && (to.is_some() || out.is_some() && name != "study") => {
            Err("--to and --out are for convert; --out is for study, too".to_owned())
        }
        name if name != "study" && resume => Err("--resume is for study".to_owned()),
        "study" if resume && out.is_none() => Err("study: --resume without --out FILE".to_owned()),
        "study" => {
            one(rest, "study", "file").map(|file| Command::Study(Asked { file, threads, out, resume }))
        }
        name if !["reproduce", "grade", "exercises"].contains(&name) && answer != Answer::Table => {
            Err("--json is for reproduce, exercises and grade; the others print JSON as they are".to_owned())
        }
        name if name != "exercises" && (student.is_some() || printed != Printed::Sheet) => {
            Err("--student, --solutions and --form are for exercises".to_owned())
        }
        "exercises" => exercises(rest, student, printed, answer),
        "grade" => match rest.split_first() {
            Some((set, files)) if !files.is_empty() => {
                Ok(Command::Grade { set: set.clone(), files: files.to_vec(), answer })
            }
            _ => Err("grade: expected a set of exercises, and one or more files of answers".to_owned()),
        },
        "run" if rest.is_empty() => {
            Err("run: no file; expected one or more, or - for standard input".to_owned())
        }
        "run" if together && (threads.is_some() || through != Through::default()) => {
            Err("run: --together is for recordings, which take no --threads, --entry, --path or --loop"
                .to_owned())
        }
        "run" if together => Ok(Command::Together { files: rest, detail }),
        "run" => Ok(Command::Run { files: rest, threads, through, detail, waves }),
        "reproduce" => Ok(Command::Reproduce { items: rest, threads, answer }),
        _ if threads.is_some() => Err("--threads is for run, study and reproduce".to_owned()),
        "link" => one(rest, "link", "file").map(|file| Command::Link { file, through }),
        "open" => one(rest, "open", "link").map(Command::Open),
        "certify" => one(rest, "certify", "file").map(|file| Command::Certify { file, through }),
        "check" if rest.is_empty() => {
            Err("check: no file; expected one or more, or - for standard input".to_owned())
        }
        "check" => Ok(Command::Check { files: rest, about }),
        "lesson" if rest.is_empty() => {
            Err("lesson: no file; expected one or more, or - for standard input".to_owned())
        }
        "lesson" => Ok(Command::Lesson(rest)),
        "convert" => {
            let to = to.ok_or("convert: no form; expected --to perfetto, examiner-log, csv, svg or code")?;
            one(rest, "convert", "file").map(|file| Command::Convert { file, to, out })
        }
        "diff" => match <[String; 2]>::try_from(rest) {
            Ok([before, after]) => Ok(Command::Diff { before, after, threshold }),
            Err(rest) => {
                Err(format!("diff: {} files; expected two, the first run's and the second's", rest.len()))
            }
        },
        "schema" if rest.is_empty() => Ok(Command::Schema),
        "schema" => Err("schema: it takes no file".to_owned()),
        "help" => Ok(Command::Help),
        other => Err(format!("unknown command {other:?}: expected {COMMANDS}")),
    }
}

/// What is printed of which set, for whom.
fn exercises(
    words: Vec<String>,
    student: Option<String>,
    printed: Printed,
    answer: Answer,
) -> Result<Command, String> {
    let printed = match (answer, printed) {
        (Answer::Table, printed) => printed,
        (Answer::Lines, Printed::Sheet) => Printed::Lines,
        (Answer::Lines, _) => return Err("exercises: --json goes alone".to_owned()),
    };
    if student.is_none() && printed != Printed::Sheet {
        return Err("exercises: --solutions, --form and --json need --student NAME".to_owned());
    }
    if student.as_ref().is_some_and(|student| student.trim().is_empty()) {
        return Err("exercises: --student \"\": expected a name or a number".to_owned());
    }
    let set = match words.len() {
        0 if student.is_none() => None,
        _ => Some(one(words, "exercises", "set")?),
    };
    Ok(Command::Exercises { set, student, printed })
}

/// A number of microseconds as nanoseconds.
fn micros(parser: &mut Parser, option: &str) -> Result<u64, String> {
    let number = parser.value().map_err(text)?.string().map_err(text)?;
    let micros = number.parse::<f64>().ok().filter(|n| (0.0..=1e9).contains(n));
    let expected = "a number of microseconds, 0 to 1000000000";
    let micros = micros.ok_or(format!("{option} {number:?}: expected {expected}"))?;
    Ok((micros * 1000.0).round() as u64)
}

/// A share in percent, such as 5% or 0.5.
fn share(text: &str) -> Result<Millionths, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    let percent = percent.filter(|percent| (0.0..=400_000.0).contains(percent));
    let percent = percent
        .ok_or(format!("--threshold {text:?}: expected a number of percent, 0 or more, such as 5%"))?;
    Ok(Millionths((percent * 1e4).round() as u32))
}

fn one(words: Vec<String>, command: &str, thing: &str) -> Result<String, String> {
    let found = words.len();
    match <[String; 1]>::try_from(words) {
        Ok([word]) => Ok(word),
        Err(_) => Err(format!("{command}: {found} {thing}s; expected one")),
    }
}

fn text(error: lexopt::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests;
