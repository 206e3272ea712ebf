//! The project's own commands: set up, build, serve, test, bench (`cargo xtask help`).
//!
//! Invariants: a command says what it is about to do before it does it; what it installs goes to the
//! cache folder, never into the clone; a second run repeats nothing; nothing here reads standard input.

// The library may not, because it runs in the browser; this program never does.
#![allow(clippy::disallowed_methods, reason = "a native program may use threads and the clock")]

mod args;

mod facts;
mod glue;
mod look;

mod plan;

mod install;
mod own_std;
mod setup;
mod trial;

mod bundle;
mod offline;
mod policy;
mod stamp;

mod draft;

mod bench;
mod beside;
mod browser;
mod checks;
mod page;
mod python;
mod serve;

mod failure;
mod lockfile;
mod places;
mod process;
mod spans;
mod table;
mod told;
mod toolchain;

use std::process::ExitCode;

use args::Command;
use checks::Check;
use facts::Need;
use failure::Failure;
use places::Places;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = match args::parse(&words) {
        Ok(command) => command,
        Err(mistake) => {
            eprintln!("error: {mistake}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(command) {
        Ok(status) => status,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    if command == Command::Help {
        println!("{}", args::USAGE);
        return Ok(ExitCode::SUCCESS);
    }
    let places = Places::find()?;
    spans::keep_in(places.cache.join("times"));
    match command {
        Command::Help => {}
        Command::Setup => {
            setup::set_up(&places, &Need::ALL)?;
            println!("Everything is set up; try `cargo xtask serve`.");
        }
        Command::Wheel => python::wheel(&places)?,
        Command::Build => page::set_up_and_build(&places)?,
        Command::Serve { port } => draft::serve(&places, port)?,
        Command::Test { checks, only } => return checks::run(&places, &checks, &only),
        Command::Bench { only } => bench::run(&places, &only)?,
        Command::Pictures => bench::pictures(&places)?,
    }
    Ok(ExitCode::SUCCESS)
}
