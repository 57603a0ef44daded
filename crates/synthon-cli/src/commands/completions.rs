//! `synthon completions`: a script that completes commands and flags in a shell.

use clap::CommandFactory as _;

use crate::args::{CompletionsArgs, Synthon};
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

pub(crate) fn run(args: &CompletionsArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Synthon::command(), "synthon", &mut script);
    out.bytes(&script)?;
    Ok(status::ANSWER)
}
