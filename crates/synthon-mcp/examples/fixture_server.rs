//! The server with the two fixture tools, for the tests that need a process of their own.

use std::io;

use synthon_mcp::{Settings, serve};
use synthon_tools::fixtures;

fn main() -> io::Result<()> {
    let settings = Settings { registry: fixtures::registry(), ..Settings::default() };
    serve(settings, io::stdin(), io::stdout())
}
