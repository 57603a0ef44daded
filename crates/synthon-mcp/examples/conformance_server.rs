//! The server with the tools of the official conformance suite beside its own. Serves HTTP at a
//! free port, which it prints, or standard input and output when called with `stdio`.
#![allow(clippy::print_stderr)]

use std::io;

use synthon_mcp::{HttpSettings, Settings, serve, serve_http};

fn main() -> io::Result<()> {
    let settings = Settings::default();
    if std::env::args().nth(1).as_deref() == Some("stdio") {
        return serve(settings, io::stdin(), io::stdout());
    }
    let address = "127.0.0.1:0".parse().expect("an address");
    let http = HttpSettings { requests_per_second: 10_000, ..HttpSettings::at(address) };
    serve_http(settings, http, |address| eprintln!("http://{address}/mcp"))
}
