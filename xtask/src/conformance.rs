//! `cargo xtask conformance`: the official suite judges the server, over HTTP and, through a
//! small bridge, over standard input and output.
//!
//! `xtask/conformance/REVISION.yml` lists what is expected to fail, with the reasons; the suite
//! fails the run when anything else does, and also when something listed there passes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::node::{self, Environment};
use crate::workspace;

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

pub fn run(arguments: &[String]) -> Result<()> {
    ensure!(arguments.is_empty(), "`conformance` takes no arguments");
    let Some(environment) = node::environment()? else { return Ok(()) };
    workspace::run(workspace::cargo().args([
        "build",
        "-p",
        "synthon-mcp",
        "--features",
        "conformance,http",
        "--example",
        "conformance_server",
    ]))?;
    let server = workspace::target()
        .join(format!("debug/examples/conformance_server{}", std::env::consts::EXE_SUFFIX));
    let mut failed = Vec::new();
    for revision in REVISIONS {
        let http = Served::start(Command::new(&server))?;
        let mut bridge = Command::new(&environment.node);
        bridge.arg(workspace::root().join("xtask/conformance/bridge.mjs"));
        bridge.arg(&server).arg("stdio");
        let stdio = Served::start(bridge)?;
        for (door, served) in [("http", &http), ("stdio", &stdio)] {
            println!("== {revision} over {door}");
            if !judge(&environment, &served.address, revision, door)? {
                failed.push(format!("{revision} over {door}"));
            }
        }
    }
    clients(&environment)?;
    if !failed.is_empty() {
        bail!("not as expected: {}", failed.join(", "));
    }
    Ok(())
}

/// The official TypeScript clients list and call every tool, over both doors.
fn clients(environment: &Environment) -> Result<()> {
    println!("== TypeScript clients");
    workspace::run(workspace::cargo().args(["build", "--quiet", "-p", "synthon-cli"]))?;
    let program =
        workspace::target().join(format!("debug/synthon{}", std::env::consts::EXE_SUFFIX));
    let mut door = Command::new(&program);
    door.args(["mcp", "--http", "127.0.0.1:0"]);
    let served = Served::start(door)?;
    // Packages are found from the folder of the script.
    let script = environment.folder.join("clients.mjs");
    std::fs::copy(workspace::root().join("xtask/conformance/clients.mjs"), &script)?;
    workspace::run(
        Command::new(&environment.node)
            .arg(script)
            .arg(&program)
            .arg(&served.address)
            .arg(workspace::root().join("testdata/mcp/calls.json")),
    )
}

/// A server at an address; ended when dropped.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(mut command: Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("standard error")?).lines();
        let address = loop {
            let line = lines.next().context("the server has ended")??;
            if let Some(at) = line.find("http://") {
                break line[at..].trim().to_owned();
            }
        };
        // What it says later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Served { child, address })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the suite and prints its summary; whether all was as expected.
fn judge(environment: &Environment, address: &str, revision: &str, door: &str) -> Result<bool> {
    let folder = workspace::root().join("xtask/conformance");
    let own = folder.join(format!("{revision}-{door}.yml"));
    let list = if own.exists() { own } else { folder.join(format!("{revision}.yml")) };
    let results = workspace::target().join(format!("conformance/{revision}-{door}"));
    let output = Command::new(&environment.node)
        .arg(environment.folder.join("node_modules/.bin/conformance"))
        .args(["server", "--url", address, "--requirements", revision])
        .arg("--expected-failures")
        .arg(&list)
        .arg("--output-dir")
        .arg(&results)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let from = said.find("SUMMARY").map_or(0, |at| said[..at].rfind('\n').unwrap_or(0));
    println!("{}", said[from..].trim());
    if !output.status.success() {
        report(&results, &said, &String::from_utf8_lossy(&output.stderr))?;
    }
    Ok(output.status.success())
}

fn report(results: &Path, said: &str, complained: &str) -> Result<()> {
    std::fs::create_dir_all(results)?;
    std::fs::write(results.join("output.txt"), format!("{said}\n{complained}"))?;
    println!("the whole output: {}", results.join("output.txt").display());
    Ok(())
}
