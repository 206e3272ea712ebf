//! What the words on the command line ask for.

use lexopt::{Arg, Parser, ValueExt};

use super::through::Through;
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
}

impl Format {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Perfetto, "perfetto"),
        (Self::ExaminerLog, "examiner-log"),
        (Self::Csv, "csv"),
        (Self::Svg, "svg"),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(format, _)| format)
    }
}

/// What `--help` prints.
pub const HELP: &str = "\
warpspan: worst-case timing of GPU threads

  warpspan run FILE...                run scenarios; one JSON report per line
      --threads N                     at most N chains at a time; the results are the same
      --entry NAME                    of a PTX file: the kernel; else its first one
      --path NAME                     of a PTX file: fall-through, loops or longest; else fall-through
      --loop LABEL=N                  of a PTX file: the loop at LABEL goes round N times, or LABEL=2..16 times; N alone
                                      is for all loops; these three are for link and certify, too
      --operations                    of a profiler's export: every operation, too
  warpspan link FILE                  print a scenario's share link, the part after the page's address
  warpspan open LINK                  print the scenario in a share link
  warpspan certify FILE               run a scenario and print a certificate of its result
  warpspan check FILE...              check certificates again, without what found them, and the examiner's logs
                                      against the scheduling rules; one JSON report per certificate or run
      --device NAME                   the device the logs are of, such as jetson-tx2; else it is guessed
      --config FILE                   the configuration that was run, or a scenario: it knows priorities and streams
      --tolerance MICROSECONDS        times that differ by no more are the same; 50 if not given
      --clocks MICROSECONDS           the clocks of host and device may differ by so much more; if not given 100, and 60
                                      for each second of the run
  warpspan lesson FILE...             read lessons and do every step of them, one line per step
  warpspan exercises [SET]            read a set of exercises, a file or built in, and list what is in it
      --student NAME                  print it with the numbers of this student
      --solutions                     with the right answers
      --form                          the file of answers instead, to be filled in
      --json                          one line of JSON per exercise instead, with its scenario
  warpspan grade SET FILE...          grade files of answers to a set, as CSV with a line per file
      --json                          one line of JSON per file, with every answer
  warpspan convert FILE --to FORMAT   print a run's timeline as perfetto, examiner-log, csv or svg
      --out FOLDER                    write the files of examiner-log there; else they are printed, one log per line
  warpspan reproduce [ITEM...]        repeat the figures, tables and worked numbers of the papers beside what is
                                      computed; an item is named such as b-fig-12, a paper by its letter
      --json                          one line of JSON per item
      --threads N                     as for run
  warpspan schema                     print the JSON Schema of the scenario document, for editors
  warpspan --help | --version

FILE is a scenario, a JSON document; an examiner's configuration; one of its logs; an AMALTHEA model; or a PTX
program; plain or packed; for run also a profiler's export (Nsight Systems' SQLite, JSON of PyTorch or rocprofv3).
- is standard input. A folder is the AMALTHEA model whose files are in it.
Exit status: 0 done, 1 a check found a violation, a lesson's step cannot be done or a published value does not
compare as it is known to, 2 bad input or usage.
";

const COMMANDS: &str =
    "run, certify, check, lesson, exercises, grade, link, open, convert, reproduce or schema";

fn takes_threads(command: &str) -> bool {
    ["run", "reproduce"].contains(&command)
}

/// Reads the command line.
pub fn parse(mut parser: Parser) -> Result<Command, String> {
    let mut words: Vec<String> = Vec::new();
    let mut threads = None;
    let (mut to, mut out) = (None, None);
    let mut answer = Answer::Table;
    let mut detail = Detail::Summary;
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
                let expected = "perfetto, examiner-log, csv or svg";
                to = Some(Format::named(&name).ok_or(format!("--to {name:?}: expected {expected}"))?);
            }
            Arg::Long("entry") => {
                through.entry = Some(parser.value().map_err(text)?.string().map_err(text)?);
            }
            Arg::Long("path") => through.note_path(&parser.value().map_err(text)?.string().map_err(text)?)?,
            Arg::Long("loop") => through.note_loop(&parser.value().map_err(text)?.string().map_err(text)?)?,
            Arg::Long("json") => answer = Answer::Lines,
            Arg::Long("operations") => detail = Detail::Operations,
            Arg::Long("student") => student = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("solutions") => printed = Printed::Solutions,
            Arg::Long("form") => printed = Printed::Form,
            Arg::Long("out") => out = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("device") => about.device = Some(parser.value().map_err(text)?.string().map_err(text)?),
            Arg::Long("config") => about.config = Some(parser.value().map_err(text)?.string().map_err(text)?),
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
        name if name != "convert" && (to.is_some() || out.is_some()) => {
            Err("--to and --out are for convert".to_owned())
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
        "run" => Ok(Command::Run { files: rest, threads, through, detail }),
        "reproduce" => Ok(Command::Reproduce { items: rest, threads, answer }),
        _ if threads.is_some() => Err("--threads is for run and reproduce".to_owned()),
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
            let to = to.ok_or("convert: no form; expected --to perfetto, examiner-log, csv or svg")?;
            one(rest, "convert", "file").map(|file| Command::Convert { file, to, out })
        }
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
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Command, String> {
        parse(Parser::from_args(words))
    }

    #[test]
    fn calls() {
        let through = Through::default;
        let run = |threads| Command::Run {
            files: vec!["a.json".into(), "-".into()],
            threads,
            through: through(),
            detail: Detail::Summary,
        };
        assert_eq!(parsed(&["run", "a.json", "-"]), Ok(run(None)));
        assert_eq!(parsed(&["run", "--threads", "3", "a.json", "-"]), Ok(run(Some(3))));
        assert_eq!(parsed(&["--threads", "3", "run", "a.json", "-"]), Ok(run(Some(3))));
        assert_eq!(
            parsed(&["link", "a.json"]),
            Ok(Command::Link { file: "a.json".into(), through: through() })
        );
        assert_eq!(
            parsed(&["certify", "a.json"]),
            Ok(Command::Certify { file: "a.json".into(), through: through() })
        );
        let about =
            About { device: Some("titan-v".into()), config: None, tolerance: Some(2_500), clocks: Some(0) };
        assert_eq!(
            parsed(&["check", "a", "b", "--device", "titan-v", "--tolerance", "2.5", "--clocks", "0"]),
            Ok(Command::Check { files: vec!["a".into(), "b".into()], about })
        );
        let convert = Command::Convert { file: "a.json".into(), to: Format::Svg, out: None };
        assert_eq!(parsed(&["convert", "a.json", "--to", "svg"]), Ok(convert));
        let all = Command::Reproduce { items: Vec::new(), threads: None, answer: Answer::Table };
        assert_eq!(parsed(&["reproduce"]), Ok(all));
        let some =
            Command::Reproduce { items: vec!["b-fig-2".into()], threads: Some(2), answer: Answer::Lines };
        assert_eq!(parsed(&["reproduce", "--threads", "2", "b-fig-2", "--json"]), Ok(some));
        assert_eq!(parsed(&["lesson", "a", "b"]), Ok(Command::Lesson(vec!["a".into(), "b".into()])));
        let of = |set: Option<&str>, student: Option<&str>, printed| Command::Exercises {
            set: set.map(str::to_owned),
            student: student.map(str::to_owned),
            printed,
        };
        assert_eq!(parsed(&["exercises"]), Ok(of(None, None, Printed::Sheet)));
        let words = ["exercises", "s", "--student", "Ada", "--form"];
        assert_eq!(parsed(&words), Ok(of(Some("s"), Some("Ada"), Printed::Form)));
        let words = ["exercises", "s", "--student", "Ada", "--json"];
        assert_eq!(parsed(&words), Ok(of(Some("s"), Some("Ada"), Printed::Lines)));
        let grade = Command::Grade {
            set: "s".to_owned(),
            files: vec!["a".to_owned(), "b".to_owned()],
            answer: Answer::Table,
        };
        assert_eq!(parsed(&["grade", "s", "a", "b"]), Ok(grade));
        assert_eq!(parsed(&["schema"]), Ok(Command::Schema));
        assert_eq!(parsed(&["run", "--help"]), Ok(Command::Help));
    }

    #[test]
    fn wrong_calls_say_what_was_expected() {
        assert!(parsed(&["run", "a", "--threads", "0"]).is_err());
        assert!(parsed(&["link", "a", "--threads", "2"]).is_err());
        assert!(parsed(&["--threads", "2", "link", "a"]).is_err());
        for words in [
            &[][..],
            &["run"],
            &["check"],
            &["lesson"],
            &["exercises", "--student", "Ada"],
            &["exercises", "s", "--student", " "],
            &["exercises", "s", "--form"],
            &["exercises", "s", "--student", "Ada", "--form", "--json"],
            &["grade", "s"],
            &["run", "--student", "Ada", "a"],
            &["certify", "a", "b"],
            &["convert", "a"],
            &["convert", "a", "--to", "png"],
            &["run", "a", "--to", "svg"],
            &["run", "a", "--device", "titan-v"],
            &["check", "a", "--tolerance", "-1"],
            &["check", "a", "--clocks", "soon"],
            &["schema", "a"],
            &["link"],
            &["link", "a", "b"],
            &["dance"],
            &["run", "--json", "a"],
            &["reproduce", "--to", "svg"],
            &["run", "--fast", "a"],
            &["run", "--path", "shortest", "a"],
            &["run", "--loop", "A", "a"],
            &["run", "--path", "fall-through", "--loop", "3", "a"],
            &["check", "--entry", "k", "a"],
        ] {
            assert!(parsed(words).is_err(), "{words:?}");
        }
    }
}
