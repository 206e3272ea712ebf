//! A program that runs while others do: what it says is held back until somebody asks how it ended.
//!
//! The page is built that way while the native code is tested: linking one of its programs takes one processor for
//! minutes, and tests are compiled on the others.

use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::Failure;
use crate::process::{PATIENCE, in_one_pipe, wait, words};

/// What a program has said and nobody was shown; none from when on it is shown at once.
type Held = Arc<Mutex<Option<Vec<u8>>>>;

/// A program under way.
pub(crate) struct Beside {
    what: String,
    words: String,
    child: Child,
    begun: Instant,
    held: Held,
    /// Ends with the program, and then knows when that was.
    reader: JoinHandle<Instant>,
}

impl Beside {
    /// Starts it, and says so.
    pub(crate) fn start(what: &str, mut command: Command) -> Result<Self, Failure> {
        let (what, words) = (what.to_owned(), words(&command));
        println!("\n» {what}, beside what follows\n  $ {words}");
        match in_one_pipe(&mut command) {
            Ok((child, pipe)) => {
                let held = Held::new(Mutex::new(Some(Vec::new())));
                let reader = read(pipe, Arc::clone(&held));
                Ok(Self { what, words, child, begun: Instant::now(), held, reader })
            }
            Err(error) => Err(failure(what, words, format!("could not be started: {error}"))),
        }
    }

    /// Shows what it has said and says, until its end; how it ended, and how long it took from its beginning on.
    pub(crate) fn end(mut self) -> (Result<(), Failure>, Duration) {
        println!("\n» {}, begun above\n  $ {}", self.what, self.words);
        let said = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        show(&said.unwrap_or_default());
        let status = wait(&mut self.child, PATIENCE);
        // A reader that failed has only lost text, and the time of its end.
        let ended = self.reader.join().unwrap_or_else(|_| Instant::now());
        let result = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(failure(self.what, self.words, status.to_string())),
            Err(error) => Err(failure(self.what, self.words, error.to_string())),
        };
        (result, ended - self.begun)
    }
}

fn failure(what: String, command: String, how: String) -> Failure {
    Failure::Program { what, command, how, advice: "read its output above".to_owned() }
}

fn read(pipe: PipeReader, held: Held) -> JoinHandle<Instant> {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while pipe.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            match held.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                Some(held) => held.append(&mut bytes),
                None => show(&bytes),
            }
            bytes.clear();
        }
        Instant::now()
    })
}

fn show(bytes: &[u8]) {
    // A terminal that went away must not stop the program.
    let _ = io::stdout().write_all(bytes);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn it_runs_beside_and_tells_how_it_ended() {
        let good = Beside::start("Saying something", shell("echo one; echo two >&2"));
        assert!(good.is_ok_and(|good| good.end().0.is_ok()));
        let bad = Beside::start("Failing", shell("exit 3")).and_then(|bad| bad.end().0);
        assert!(bad.is_err_and(|failure| failure.to_string().contains("exit status: 3")));
        let missing = Beside::start("Nothing", Command::new("/no/such/program"));
        assert!(missing.is_err_and(|failure| failure.to_string().contains("could not be started")));
    }
}
