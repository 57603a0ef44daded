//! `cargo xtask bench-peers`: our times beside those of RDKit and of another matching engine (both
//! from Python), in one run on one machine, one thread, medians.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{python, workspace};

/// Both sides take turns, so that a busy moment of the machine hits both.
const TURNS: usize = 3;

/// Work that a peer does too, the peer, and how many times faster we mean to be.
const WORKS: [(&str, &str, f64); 8] = [
    ("parse", "rdkit", 25.0),
    ("canonical", "rdkit", 10.0),
    ("smarts compile", "rdkit", 10.0),
    ("smarts compile", "smsd", 1.0),
    ("smarts first", "rdkit", 10.0),
    ("smarts first", "smsd", 4.0),
    ("smarts all", "rdkit", 5.0),
    ("smarts all", "smsd", 1.0),
];

/// Prints the table; the goals are stated, not enforced, since times depend on the machine.
pub fn run() -> Result<()> {
    let measure = workspace::release_program("benchmarks", "measure")?;
    let synthon = workspace::release_program("synthon-cli", "synthon")?;
    let peers = workspace::root().join("benchmarks/requirements.txt");
    let peer = python::environment("venv-peers", &peers)?;
    println!("{:<28} {:>12} {:>12} {:>8} {:>8}", "work", "ours", "peer", "ratio", "goal");
    if let Some(python) = peer {
        let script = workspace::root().join("benchmarks/peers.py");
        for (work, name, goal) in WORKS {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..TURNS {
                ours.push(value(Command::new(&measure).arg(work))?);
                let mut command = Command::new(&python);
                theirs.push(value(command.arg(&script).arg(work).arg(name))?);
            }
            let (ours, theirs) = (median(ours), median(theirs));
            let ratio = theirs / ours;
            let title = format!("{work}, {name}");
            println!("{title:<28} {ours:>9.2} µs {theirs:>9.2} µs {ratio:>7.1}x {goal:>7.0}x");
        }
    }
    let memory = value(Command::new(&measure).arg("memory"))?;
    println!(
        "{:<28} {memory:>10.0} B {:>12} {:>8} {:>6.0} B",
        "memory of a molecule", "", "", 4096.0
    );
    let routes = value(Command::new(&measure).arg("routes"))?;
    println!("{:<28} {routes:>9.1} ms {:>12} {:>8} {:>8}", "find_routes, warm, p50", "", "", "");
    let first = first_answer(&synthon)?;
    println!(
        "{:<28} {first:>9.1} ms {:>12} {:>8} {:>5} ms",
        "first answer of a process", "", "", 300
    );
    Ok(())
}

fn value(command: &mut Command) -> Result<f64> {
    let text = workspace::output(command)?;
    let line: Value = serde_json::from_str(text.trim()).with_context(|| text.clone())?;
    line["value"].as_f64().with_context(|| format!("no value in {text}"))
}

/// Wall time from starting the program to its end, for the main job of the README.
fn first_answer(synthon: &Path) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = Instant::now();
        let mut command = Command::new(synthon);
        command.args(["routes", "CC(=O)Nc1ccc(O)cc1"]).stdout(Stdio::null());
        anyhow::ensure!(command.status()?.success(), "`synthon routes` failed");
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
