//! `synthon`: chemistry from the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    synthon_cli::synthon(std::env::args_os()).into()
}
