//! `synthon-mcp`: the MCP server under the name that clients put into their settings.

use std::process::ExitCode;

fn main() -> ExitCode {
    synthon_cli::synthon_mcp(std::env::args_os()).into()
}
