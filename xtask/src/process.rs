//! Programs: finding them, asking them small questions, and running them in the open.
//!
//! A program that runs gets no standard input, its command line is printed before it starts, and a
//! limit ends it, so that no command of the project waits for ever.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::Failure;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);

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
pub(crate) fn run(what: &str, command: &mut Command, limit: Duration) -> Result<(), Failure> {
    announce(what, command);
    let child = command.stdin(Stdio::null()).spawn();
    let status = child.and_then(|mut child| wait(&mut child, limit));
    judge(what, command, limit, status)
}

/// As [`run`], and keeps what the program prints to look for a reason in it afterwards.
pub(crate) fn run_and_keep(
    what: &str,
    command: &mut Command,
    limit: Duration,
) -> (Result<(), Failure>, String) {
    announce(what, command);
    let kept = Arc::new(Mutex::new(String::new()));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let status = child.and_then(|mut child| {
        let out = child.stdout.take().map(|pipe| pass_on(pipe, io::stdout(), &kept));
        let err = child.stderr.take().map(|pipe| pass_on(pipe, io::stderr(), &kept));
        let status = wait(&mut child, limit);
        for reader in [out, err].into_iter().flatten() {
            // A reader that failed has only lost text.
            let _ = reader.join();
        }
        status
    });
    let text = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (judge(what, command, limit, status), text)
}

fn announce(what: &str, command: &Command) {
    println!("\n» {what}\n  $ {}", words(command));
    // Best effort: the program that follows writes to the same terminal.
    let _ = io::stdout().flush();
}

fn pass_on<P, W>(pipe: P, mut to: W, kept: &Arc<Mutex<String>>) -> JoinHandle<()>
where
    P: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let kept = Arc::clone(kept);
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while pipe.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            // A terminal that went away must not stop the program.
            let _ = to.write_all(&bytes);
            kept.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(&bytes));
            bytes.clear();
        }
    })
}

/// Waits for the end, at most as long as the limit; then the program is killed.
fn wait(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Err(io::ErrorKind::TimedOut.into())
}

fn judge(
    what: &str,
    command: &Command,
    limit: Duration,
    status: io::Result<ExitStatus>,
) -> Result<(), Failure> {
    let how = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            format!("stopped after {} s without an end", limit.as_secs())
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

    #[test]
    fn a_command_reads_as_one_types_it() {
        let mut command = Command::new("cargo");
        command.args(["test", "it's", ""]).env("CI", "a b").env("PATH", "/x").env_remove("GONE");
        assert_eq!(line(&command), r"CI='a b' cargo test 'it'\''s' ''");
    }

    #[test]
    fn failures_name_the_command_and_the_way_it_ended() {
        let missing = run("try", &mut Command::new("/no/such/program"), MINUTE);
        assert!(missing.is_err_and(|failure| failure.to_string().contains("could not be started")));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_without_end_is_ended() {
        let mut command = Command::new("sleep");
        let failure = run("wait", command.arg("60"), Duration::from_millis(50));
        assert!(failure.is_err_and(|failure| failure.to_string().contains("without an end")));
    }

    #[cfg(unix)]
    #[test]
    fn what_was_printed_is_kept() {
        let mut command = Command::new("sh");
        let (status, text) = run_and_keep("speak", command.args(["-c", "echo one; echo two >&2"]), MINUTE);
        assert!(status.is_ok());
        assert!(text.contains("one\n") && text.contains("two\n"));
    }
}
