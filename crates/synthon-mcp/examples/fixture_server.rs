//! The server with the two fixture tools, for the tests that need a process of their own. Serves
//! standard input and output, or, called with `http`, HTTP at a free port, which it prints.
#![allow(clippy::print_stderr)]

use std::io;

use synthon_mcp::{Settings, serve};
use synthon_tools::fixtures;

fn main() -> io::Result<()> {
    let settings = Settings { registry: fixtures::registry(), ..Settings::default() };
    #[cfg(feature = "http")]
    if std::env::args().nth(1).as_deref() == Some("http") {
        let http = synthon_mcp::HttpSettings::at("127.0.0.1:0".parse().expect("an address"));
        return synthon_mcp::serve_http(settings, http, |address| eprintln!("{address}"));
    }
    serve(settings, io::stdin(), io::stdout())
}
