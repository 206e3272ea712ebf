//! The words after `cargo xtask`, read into a command; unknown words are mistakes, never ignored.

use crate::Check;

pub(crate) const USAGE: &str = "\
The project's own commands. Each sets up what is missing first, and prints what it does.

  cargo xtask serve [--port N]   build the page to work on it, serve it, by default on port 8080,
                                 and build again whatever changes
  cargo xtask build              build the page for visitors as static files in dist/, and as a zip
  cargo xtask test [STEP...]     run the checks: format lint native python wasm build e2e firefox
                                 (all when none is named); after `--`, parts of names of tests:
                                 `cargo xtask test e2e -- links::` runs just these
  cargo xtask wheel              build the Python package as a wheel in target/wheels
  cargo xtask bench              measure natively, then in the browser; after `--`, what of the latter
                                 alone: `felt`, `soak [ACTIONS [SEED]]` or `recordings [FILE...]`
  cargo xtask pictures           build the page and take a picture of every view, in both themes and at
                                 four sizes, with all of them side by side in target/pictures/index.html
  cargo xtask setup              only set up: compiler target, trunk, wasm-bindgen, browsers
  cargo xtask help               this text

Tools are kept in $WARPSPAN_CACHE, else $XDG_CACHE_HOME/warpspan, else ~/.cache/warpspan.";

const DEFAULT_PORT: u16 = 8080;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Serve {
        port: u16,
    },
    Build,
    /// The checks in the order in which they run, each once.
    Test {
        checks: Vec<Check>,
        /// Parts of names of tests; all tests where there is none.
        only: Vec<String>,
    },
    /// The Python package.
    Wheel,
    Bench {
        /// What is measured in the browser alone; everything where there is nothing.
        only: Vec<String>,
    },
    Pictures,
    Setup,
    Help,
}

/// Reads the words; the error is one sentence for a person.
pub(crate) fn parse(words: &[String]) -> Result<Command, String> {
    let Some((first, rest)) = words.split_first() else {
        return Err("a command is missing".to_owned());
    };
    match first.as_str() {
        "serve" => Ok(Command::Serve { port: port(rest)? }),
        "test" => tests(rest),
        "build" => alone(Command::Build, rest),
        "wheel" => alone(Command::Wheel, rest),
        "bench" => bench(rest),
        "pictures" => alone(Command::Pictures, rest),
        "setup" => alone(Command::Setup, rest),
        "help" | "--help" | "-h" => alone(Command::Help, rest),
        other => Err(format!("unknown command `{other}`")),
    }
}

/// What the measurements in the browser may be limited to.
const MEASURED: [&str; 3] = ["felt", "soak", "recordings"];

fn bench(rest: &[String]) -> Result<Command, String> {
    let only = match rest {
        [] => Vec::new(),
        [end, only @ ..] if end == "--" => only.to_vec(),
        [word, ..] => return Err(format!("unknown argument `{word}`, expected `--` and what to measure")),
    };
    match only.first().map(String::as_str) {
        None if !rest.is_empty() => Err("what to measure is missing after `--`".to_owned()),
        Some(word) if !MEASURED.contains(&word) => {
            Err(format!("`{word}` is not measured alone, expected {}", MEASURED.join(", ")))
        }
        _ => Ok(Command::Bench { only }),
    }
}

fn alone(command: Command, rest: &[String]) -> Result<Command, String> {
    match rest.first() {
        None => Ok(command),
        Some(word) => Err(format!("unknown argument `{word}`: this command takes none")),
    }
}

fn port(rest: &[String]) -> Result<u16, String> {
    let value = match rest {
        [] => return Ok(DEFAULT_PORT),
        [flag, value] if flag == "--port" => value.as_str(),
        [flag] if flag == "--port" => return Err("`--port` needs a number".to_owned()),
        [joined] => joined
            .strip_prefix("--port=")
            .ok_or_else(|| format!("unknown argument `{joined}`, expected `--port N`"))?,
        [word, ..] => return Err(format!("unknown argument `{word}`, expected `--port N`")),
    };
    value.parse().map_err(|_| format!("`{value}` is no port, expected a number from 0 to 65535"))
}

fn tests(rest: &[String]) -> Result<Command, String> {
    let end = rest.iter().position(|word| word == "--");
    let (steps, only) = rest.split_at(end.unwrap_or(rest.len()));
    let only: Vec<String> = only.iter().skip(1).cloned().collect();
    if end.is_some() && only.is_empty() {
        return Err("a part of a test's name is missing after `--`".to_owned());
    }
    if let Some(flag) = only.iter().find(|word| word.starts_with('-')) {
        return Err(format!("`{flag}` is no part of a test's name"));
    }
    Ok(Command::Test { checks: checks(steps)?, only })
}

fn checks(rest: &[String]) -> Result<Vec<Check>, String> {
    let mut wanted = Vec::new();
    for word in rest {
        let known = Check::ALL.into_iter().find(|check| check.name() == word);
        wanted.push(known.ok_or_else(|| format!("unknown step `{word}`"))?);
    }
    let chosen = |check: &Check| wanted.is_empty() || wanted.contains(check);
    Ok(Check::ALL.into_iter().filter(chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn every_command_is_read() {
        assert_eq!(read("serve"), Ok(Command::Serve { port: 8080 }));
        assert_eq!(read("serve --port 90"), Ok(Command::Serve { port: 90 }));
        assert_eq!(read("serve --port=0"), Ok(Command::Serve { port: 0 }));
        assert_eq!(read("build"), Ok(Command::Build));
        assert_eq!(read("wheel"), Ok(Command::Wheel));
        assert_eq!(read("bench"), Ok(Command::Bench { only: Vec::new() }));
        let soak = ["soak", "100"].map(str::to_owned).to_vec();
        assert_eq!(read("bench -- soak 100"), Ok(Command::Bench { only: soak }));
        assert!(read("bench felt").is_err() && read("bench --").is_err() && read("bench -- all").is_err());
        assert_eq!(read("setup"), Ok(Command::Setup));
        assert_eq!(read("--help"), Ok(Command::Help));
        assert_eq!(read("test"), Ok(Command::Test { checks: Check::ALL.to_vec(), only: vec![] }));
        assert_eq!(read("test python"), Ok(Command::Test { checks: vec![Check::Python], only: vec![] }));
    }

    #[test]
    fn steps_run_once_and_in_their_own_order() {
        let checks = vec![Check::Format, Check::E2e];
        assert_eq!(read("test e2e format e2e"), Ok(Command::Test { checks, only: vec![] }));
        let checks = vec![Check::Build, Check::Firefox];
        assert_eq!(read("test firefox build"), Ok(Command::Test { checks, only: vec![] }));
        let only = vec!["links::".to_owned(), "ptx".to_owned()];
        assert_eq!(read("test e2e -- links:: ptx"), Ok(Command::Test { checks: vec![Check::E2e], only }));
    }

    #[test]
    fn mistakes_name_the_word() {
        for (line, word) in [
            ("", "missing"),
            ("sevre", "`sevre`"),
            ("test formt", "`formt`"),
            ("test --all", "`--all`"),
            ("test e2e --", "missing after"),
            ("test -- --exact", "`--exact`"),
            ("build now", "`now`"),
            ("serve 8080", "`8080`"),
            ("serve --port", "needs a number"),
            ("serve --port 70000", "`70000`"),
            ("serve --prot 1", "`--prot`"),
        ] {
            let mistake = read(line).expect_err(line);
            assert!(mistake.contains(word), "{line}: {mistake}");
        }
    }
}
