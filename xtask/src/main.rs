//! Chores of the project, run as `cargo xtask NAME`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bundle;
mod conformance;
mod corpus;
mod guard;
mod latency;
mod layers;
mod long;
mod manifest;
mod node;
mod package;
mod parity;
mod peers;
mod precedents;
mod python;
mod release;
mod soak;
mod stock;
mod tests;
mod uspto;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask NAME

  test           all tests: Rust, then Python in a virtual environment under target/
  check-layers   the crate tables of ARCHITECTURE.md against the manifests
  bench-guard    instruction counts against the recorded ones (--record: record them anew)
  bench-peers    times beside RDKit's and smsd's (texts, patterns, mcs, process; --pairs N of a table)
  bundle         the MCP server as one file for desktop clients, and its registry entry, in target/bundle
  conformance    the official MCP conformance suite against the server (needs npm)
  latency        how long the server takes to start and to answer
  soak           many requests, a tenth of them hostile, against the server (--requests N)
  bench-corpus   a million made molecules built and searched, beside RDKit and FPSim2 (--molecules N)
  bench-package  times of the Python package, beside RDKit's (or on the molecules of a file given)
  check-long     what is too long for every change: ignored tests, all of parity
  data WHAT      makes shipped data anew: stock, precedents (of the curated templates),
                 uspto (library and policy), uspto-templates (the library alone),
                 uspto-index (its index alone), manifest
  release        all files of a release with their checksums, in target/dist (--dry-run: development builds)
  parity [SUITE] our answers against RDKit's (--limit N inputs a corpus, --extract: as in CI)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let (name, rest) = match arguments.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("help", &[][..]),
    };
    match name {
        "test" => tests::run(rest),
        "check-layers" => layers::run(),
        "bundle" => bundle::run(rest),
        "conformance" => conformance::run(rest),
        "latency" => latency::run(rest),
        "release" => release::run(rest),
        "soak" => soak::run(rest),
        "bench-guard" => guard::run(rest),
        "bench-peers" => peers::run(rest),
        "bench-corpus" => corpus::run(rest),
        "bench-package" => package::run(rest),
        "check-long" => long::run(),
        "data" => match rest {
            [what] if what == "stock" => stock::run(),
            [what] if what == "precedents" => precedents::run(),
            [what] if what == "manifest" => manifest::run(),
            [what] if what == "uspto" => uspto::run(),
            [what] if what == "uspto-templates" => uspto::templates(),
            [what] if what == "uspto-index" => uspto::index(),
            _ => bail!(
                "`data` makes: stock, precedents, uspto, uspto-templates, uspto-index, manifest"
            ),
        },
        "parity" => parity::run(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("no chore `{other}`; `cargo xtask help` lists them"),
    }
}
