//! The native command line; see `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    warpspan::cli::main()
}
