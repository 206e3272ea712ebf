//! Programs: finding them, asking them small questions, and running them in the open.
//!
//! A program that runs gets no standard input, and its command line is printed before it starts, with how long it
//! may take. One patience ends what hangs, so that no command of the project waits for ever.

use std::env;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::Failure;
use crate::spans::{Span, length};

/// After this a program, a browser or a driver is taken to hang. It ends a hang and decides nothing else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(4 * 60 * 60);
/// How often one looks.
const AGAIN: Duration = Duration::from_millis(20);

/// The full path of a program in the folders of `$PATH`.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    find_in(&path_after(&[]), name)
}

/// The full path of a program in the given folders.
pub(crate) fn find_in(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// What a program prints, trimmed; nothing where it is missing or fails.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program in the open until it ends well.
pub(crate) fn run(what: &str, span: Span, command: &mut Command) -> Result<(), Failure> {
    run_for(what, span, command, PATIENCE)
}

/// As [`run`], with another patience.
pub(crate) fn run_for(what: &str, span: Span, command: &mut Command, limit: Duration) -> Result<(), Failure> {
    announce(what, span, command);
    let begun = Instant::now();
    let child = command.stdin(Stdio::null()).spawn();
    let status = child.and_then(|mut child| wait(&mut child, limit));
    judge(what, span, command, status, begun.elapsed())
}

/// As [`run`], and keeps what the program prints, in the order in which it does.
pub(crate) fn run_and_keep(what: &str, span: Span, command: &mut Command) -> (Result<(), Failure>, String) {
    announce(what, span, command);
    let begun = Instant::now();
    let mut text = String::new();
    let status = in_one_pipe(command).and_then(|(mut child, pipe)| {
        let reader = pass_on(pipe);
        let status = wait(&mut child, PATIENCE);
        // A reader that failed has only lost text.
        text = reader.join().unwrap_or_default();
        status
    });
    (judge(what, span, command, status, begun.elapsed()), text)
}

fn announce(what: &str, span: Span, command: &Command) {
    println!("\n» {what} ({span})\n  $ {}", words(command));
    // Best effort: the program that follows writes to the same terminal.
    let _ = io::stdout().flush();
}

/// Starts a program that writes all it says, of both kinds, into one pipe.
pub(crate) fn in_one_pipe(command: &mut Command) -> io::Result<(Child, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn();
    // The command keeps its ends of the pipe, which then would never come to its end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child?, reader))
}

fn pass_on(pipe: PipeReader) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let (mut bytes, mut kept) = (Vec::new(), String::new());
        while pipe.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            // A terminal that went away must not stop the program.
            let _ = io::stdout().write_all(&bytes);
            kept.push_str(&String::from_utf8_lossy(&bytes));
            bytes.clear();
        }
        kept
    })
}

/// Asks until something holds; whether it does in the end.
pub(crate) fn patiently(mut holds: impl FnMut() -> bool) -> bool {
    const FOR_ANSWERS: Duration = Duration::from_secs(5 * 60);
    let end = Instant::now() + FOR_ANSWERS;
    while Instant::now() < end {
        if holds() {
            return true;
        }
        thread::sleep(AGAIN);
    }
    false
}

/// Waits for the end, at most as long as the limit; then the program is killed.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(AGAIN);
    }
    child.kill()?;
    child.wait()?;
    Err(io::ErrorKind::TimedOut.into())
}

fn judge(
    what: &str,
    span: Span,
    command: &Command,
    status: io::Result<ExitStatus>,
    time: Duration,
) -> Result<(), Failure> {
    let how = match status {
        Ok(status) if status.success() => {
            span.took(time);
            return Ok(());
        }
        Ok(status) => status.to_string(),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            format!("stopped after {} without an end", length(time.as_secs()))
        }
        Err(error) => format!("could not be started: {error}"),
    };
    let (what, command) = (what.to_owned(), line(command));
    Err(Failure::Program { what, command, how, advice: "read its output above".to_owned() })
}

/// The command as one could type it, with the variables that it sets; folders for `$PATH` are left out.
pub(crate) fn line(command: &Command) -> String {
    let set = command.get_envs().filter(|(name, _)| *name != "PATH");
    let variables = set.filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), quote(&value?.to_string_lossy())))
    });
    variables.chain([words(command)]).collect::<Vec<_>>().join(" ")
}

/// The command without the variables, to be read in passing.
pub(crate) fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quote(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The folders of `$PATH`, after some others.
pub(crate) fn path_after(first: &[PathBuf]) -> Vec<PathBuf> {
    let old = env::var_os("PATH").unwrap_or_default();
    first.iter().cloned().chain(env::split_paths(&old)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spans;

    #[test]
    fn a_command_reads_as_one_types_it() {
        let mut command = Command::new("cargo");
        command.args(["test", "it's", ""]).env("CI", "a b").env("PATH", "/x").env_remove("GONE");
        assert_eq!(line(&command), r"CI='a b' cargo test 'it'\''s' ''");
    }

    #[test]
    fn failures_name_the_command_and_the_way_it_ended() {
        let missing = run("try", spans::FORMAT, &mut Command::new("/no/such/program"));
        assert!(missing.is_err_and(|failure| failure.to_string().contains("could not be started")));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_without_end_is_ended() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("cat starts");
        let ended = wait(&mut child, Duration::ZERO);
        assert!(ended.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
        let mut command = Command::new("cat");
        let timed_out = Err(io::ErrorKind::TimedOut.into());
        let failure = judge("wait", spans::FORMAT, &command, timed_out, Duration::ZERO);
        assert!(failure.is_err_and(|failure| failure.to_string().contains("without an end")));
        assert!(run("end", spans::FORMAT, &mut command).is_ok(), "its input is empty");
    }

    #[cfg(unix)]
    #[test]
    fn what_was_printed_is_kept() {
        let mut command = Command::new("sh");
        let command = command.args(["-c", "echo one; echo two >&2; echo three"]);
        let (status, text) = run_and_keep("speak", spans::FORMAT, command);
        assert!(status.is_ok());
        assert_eq!(text, "one\ntwo\nthree\n");
    }
}
