//! The command line: a door that turns flags into tool calls and results into text.
//!
//! Results go to standard output, everything else to standard error. Exit status: 0 for an
//! answer, even an empty one; 2 for bad usage or input; 3 when a limit stopped the work before
//! any answer; with `--exit-status` 1 for an empty answer; 70 for a fault of the program.
#![deny(missing_docs)]

mod args;
mod commands;
mod failure;
mod molecule_file;
mod one_line;
mod ordered;
mod output;
mod picture;
mod programs;
mod progress;
mod sources;

use std::ffi::OsString;

use clap::{Command as Program, Parser};

pub use crate::programs::Programs;
pub use crate::sources::{read_library, read_stock};

use crate::args::{Command, McpProgram, Synthon, with_examples};
use crate::failure::Failure;
use crate::output::Output;

/// Exit statuses of both programs.
mod status {
    pub(crate) const ANSWER: u8 = 0;
    pub(crate) const EMPTY: u8 = 1;
    pub(crate) const BAD_INPUT: u8 = 2;
    pub(crate) const STOPPED: u8 = 3;
    pub(crate) const FAULT: u8 = 70;
}

/// Runs `synthon` with these arguments, the name of the program first, and returns its exit
/// status. Bad usage and `--help` end the process.
pub fn synthon(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    synthon_among(arguments, &Programs::beside())
}

/// The same where the file that this process runs is not the program: inside an interpreter.
pub fn synthon_among(arguments: impl IntoIterator<Item = OsString>, programs: &Programs) -> u8 {
    let program = parsed::<Synthon>(arguments);
    let mut out = Output::stdout();
    let done = match program.command {
        Command::Routes(args) => commands::routes::run(&args, &mut out),
        Command::Audit(args) => commands::audit::run(&args, &mut out),
        Command::Explain(args) => commands::questions::explain(&args, &mut out),
        Command::Pareto(args) => commands::questions::pareto(&args, &mut out),
        Command::Diversity(args) => commands::questions::diversity(&args, &mut out),
        Command::Diagnose(args) => commands::questions::diagnose(&args, &mut out),
        Command::Expand(args) => commands::expand::run(&args, &mut out),
        Command::Standardise(args) => commands::standardise::run(&args, &mut out),
        Command::Mcs(args) => commands::search::mcs(&args, &mut out),
        Command::Substructure(args) => commands::search::substructure(&args, &mut out),
        Command::Smarts(args) => commands::search::smarts(&args, &mut out),
        Command::Convert(args) => commands::convert::run(&args, &mut out),
        Command::Corpus(command) => commands::corpus::run(&command, &mut out),
        Command::Describe(args) => commands::describe::run(&args, &mut out),
        Command::Fingerprint(args) => commands::fingerprint::fingerprint(&args, &mut out),
        Command::Similarity(args) => commands::fingerprint::similarity(&args, &mut out),
        Command::Screen(args) => commands::screen::run(&args, &mut out),
        Command::Depict(args) => commands::depict::run(&args, &mut out),
        Command::Call(args) => commands::call::run(&args, &mut out),
        Command::Tools(args) => commands::tools::run(&args, &mut out),
        Command::Mcp(args) => commands::mcp::run(*args, programs).map(|()| status::ANSWER),
        Command::Library(command) => commands::library::run(&command, &mut out),
        Command::Stock(command) => commands::stock::run(&command, &mut out),
        Command::Doctor(args) => commands::doctor::run(&args, programs, &mut out),
        Command::Completions(args) => commands::completions::run(&args, &mut out),
    };
    finish(done.and_then(|code| out.flush().map(|()| code)))
}

/// Runs `synthon-mcp` likewise.
pub fn synthon_mcp(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let program = parsed::<McpProgram>(arguments);
    finish(commands::mcp::run(program.server, &Programs::beside()).map(|()| status::ANSWER))
}

/// The arguments, or the end of the process.
fn parsed<P: Parser>(arguments: impl IntoIterator<Item = OsString>) -> P {
    let program = with_examples(taking_negative_numbers(P::command()), "");
    P::from_arg_matches(&program.get_matches_from(arguments)).unwrap_or_else(|error| error.exit())
}

/// Hands negative numbers to the flags before them, whose bounds say more than that there is no
/// flag `-1`.
fn taking_negative_numbers(program: Program) -> Program {
    program
        .mut_args(|arg| {
            let takes = !arg.is_positional() && arg.get_action().takes_values();
            if takes { arg.allow_negative_numbers(true) } else { arg }
        })
        .mut_subcommands(taking_negative_numbers)
}

fn finish(done: Result<u8, Failure>) -> u8 {
    done.unwrap_or_else(|failure| failure.report())
}
