//! What the words on the command line ask for.

use lexopt::{Arg, Parser, ValueExt};

/// A call of the program.
#[derive(Debug, PartialEq, Eq)]
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
    },
    /// Turn this file into a link.
    Link(String),
    /// Turn this link into a document.
    Open(String),
    /// Print the certificate of this file's result.
    Certify(String),
    /// Check each of these files.
    Check(Vec<String>),
    /// A call that will exist.
    NotYet(&'static str),
}

/// What `--help` prints.
pub const HELP: &str = "\
warpspan: worst-case timing of GPU threads

  warpspan run FILE...                run scenarios; one JSON report per line
      --threads N                     at most N chains at a time; the results are the same
  warpspan link FILE                  print a scenario's share link, the part after the page's address
  warpspan open LINK                  print the scenario in a share link
  warpspan certify FILE               run a scenario and print a certificate of its result
  warpspan check CERTIFICATE...       check certificates again, without what found them; one JSON report per line
  warpspan convert FILE --to FORMAT   not yet supported
  warpspan --help | --version

Logs are not yet checked. FILE is a scenario, a JSON document, or a PTX program; - is standard input.
Exit status: 0 done, 1 a check found a violation, 2 bad input or usage.
";

/// Reads the command line.
pub fn parse(mut parser: Parser) -> Result<Command, String> {
    let mut words = Vec::new();
    let mut threads = None;
    while let Some(arg) = parser.next().map_err(text)? {
        match arg {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Command::Version),
            Arg::Long("threads") if words.first().is_none_or(|word| word == "run") => {
                let number = parser.value().map_err(text)?.string().map_err(text)?;
                let read = number.parse().ok().filter(|n| (1..=1024).contains(n));
                threads = Some(read.ok_or(format!("--threads {number:?}: expected a number, 1 to 1024"))?);
            }
            Arg::Value(word) => words.push(word.string().map_err(text)?),
            Arg::Long("to") if words.first().is_some_and(|word| word == "convert") => {
                parser.value().map_err(text)?;
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let mut words = words.into_iter();
    let Some(name) = words.next() else {
        return Err("no command: expected run, certify, check, link, open or convert".to_owned());
    };
    let rest: Vec<String> = words.collect();
    match name.as_str() {
        "run" if rest.is_empty() => {
            Err("run: no file; expected one or more, or - for standard input".to_owned())
        }
        "run" => Ok(Command::Run { files: rest, threads }),
        _ if threads.is_some() => Err("--threads is for run".to_owned()),
        "link" => one(rest, "link", "file").map(Command::Link),
        "open" => one(rest, "open", "link").map(Command::Open),
        "certify" => one(rest, "certify", "file").map(Command::Certify),
        "check" if rest.is_empty() => {
            Err("check: no file; expected one or more, or - for standard input".to_owned())
        }
        "check" => Ok(Command::Check(rest)),
        "convert" => Ok(Command::NotYet("convert")),
        "help" => Ok(Command::Help),
        other => {
            Err(format!("unknown command {other:?}: expected run, certify, check, link, open or convert"))
        }
    }
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
        let run = |threads| Command::Run { files: vec!["a.json".into(), "-".into()], threads };
        assert_eq!(parsed(&["run", "a.json", "-"]), Ok(run(None)));
        assert_eq!(parsed(&["run", "--threads", "3", "a.json", "-"]), Ok(run(Some(3))));
        assert_eq!(parsed(&["--threads", "3", "run", "a.json", "-"]), Ok(run(Some(3))));
        assert_eq!(parsed(&["link", "a.json"]), Ok(Command::Link("a.json".into())));
        assert_eq!(parsed(&["certify", "a.json"]), Ok(Command::Certify("a.json".into())));
        assert_eq!(parsed(&["check", "a", "b"]), Ok(Command::Check(vec!["a".into(), "b".into()])));
        assert_eq!(parsed(&["convert", "a.json", "--to", "svg"]), Ok(Command::NotYet("convert")));
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
            &["certify", "a", "b"],
            &["link"],
            &["link", "a", "b"],
            &["dance"],
            &["run", "--fast", "a"],
        ] {
            assert!(parsed(words).is_err(), "{words:?}");
        }
    }
}
