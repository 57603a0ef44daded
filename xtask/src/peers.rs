//! `cargo xtask bench-peers`: our times beside those of RDKit and of another matching engine (both
//! from Python), in one run on one machine, one thread.

mod common_part;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
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

/// The same for fingerprints. Torsion of the second peer is not that of the first.
const FINGERPRINTS: [(&str, &str, f64); 9] = [
    ("ecfp bits", "rdkit", 15.0),
    ("ecfp bits", "smsd", 2.0),
    ("fcfp bits", "rdkit", 1.0),
    ("path bits", "rdkit", 1.0),
    ("torsion bits", "rdkit", 1.0),
    ("torsion bits", "smsd", 1.0),
    ("atom_pair bits", "rdkit", 1.0),
    ("maccs bits", "rdkit", 1.0),
    ("mcs bits", "smsd", 1.0),
];

/// The same for standard forms: clean-up alone, then with largest fragment and neutralising, and
/// the canonical tautomer.
const STANDARD_FORMS: [(&str, &str, f64); 3] = [
    ("standard cleanup", "rdkit", 1.0),
    ("standard parent", "rdkit", 1.0),
    ("standard tautomer", "rdkit", 1.0),
];

/// Parts of the run that can be asked for by name.
const PARTS: [&str; 6] = ["texts", "fingerprints", "standardise", "patterns", "mcs", "process"];

/// Our program and the peers'.
struct Sides {
    measure: PathBuf,
    python: PathBuf,
    script: PathBuf,
}

impl Sides {
    fn ours(&self, work: &str, files: &[PathBuf]) -> Result<Value> {
        printed(Command::new(&self.measure).arg(work).args(files))
    }

    fn peers(&self, work: &str, peer: &str, files: &[PathBuf]) -> Result<Value> {
        printed(Command::new(&self.python).arg(&self.script).arg(work).arg(peer).args(files))
    }
}

/// Prints the tables; the goals are stated, not enforced, since times depend on the machine.
/// Arguments name parts (all when none is named); `--pairs N` takes N pairs of each table, evenly
/// spaced.
pub fn run(arguments: &[String]) -> Result<()> {
    let (mut parts, mut pairs) = (Vec::new(), None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--pairs" => {
                let number = words.next().context("--pairs needs a number")?;
                pairs = Some(number.parse().with_context(|| format!("--pairs {number}"))?);
            }
            part if PARTS.contains(&part) => parts.push(part),
            other => bail!("no part `{other}`; there are: {}", PARTS.join(", ")),
        }
    }
    let asked = |part: &str| parts.is_empty() || parts.contains(&part);
    let measure = workspace::release_program("benchmarks", "measure")?;
    let peers = workspace::root().join("benchmarks/requirements.txt");
    if let Some(python) = python::environment("venv-peers", &peers)? {
        let script = workspace::root().join("benchmarks/peers.py");
        let sides = Sides { measure: measure.clone(), python, script };
        let data = workspace::shared_data()?;
        if asked("texts") {
            texts(&sides, "the benchmark's own molecules and patterns", &WORKS, &[])?;
        }
        if asked("fingerprints") {
            texts(&sides, "bits of the benchmark's own molecules", &FINGERPRINTS, &[])?;
        }
        if asked("standardise") {
            texts(&sides, "standard forms of the same molecules", &STANDARD_FORMS, &[])?;
        }
        if let (true, Some(data)) = (asked("patterns"), &data) {
            let files = reference_texts(data)?;
            texts(&sides, "the reference patterns and molecules", &WORKS[2..], &files)?;
        }
        if let (true, Some(data)) = (asked("mcs"), &data) {
            common_part::run(&sides, data, pairs)?;
        }
    }
    if asked("process") {
        process(&measure)?;
    }
    Ok(())
}

fn texts(sides: &Sides, title: &str, works: &[(&str, &str, f64)], files: &[PathBuf]) -> Result<()> {
    println!("{title}");
    println!("{:<28} {:>12} {:>12} {:>8} {:>8}", "work", "ours", "peer", "ratio", "goal");
    for (work, peer, goal) in works {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            ours.push(number(&sides.ours(work, files)?)?);
            theirs.push(number(&sides.peers(work, peer, files)?)?);
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let ratio = theirs / ours;
        let title = format!("{work}, {peer}");
        println!("{title:<28} {ours:>9.2} µs {theirs:>9.2} µs {ratio:>7.1}x {goal:>7.0}x");
    }
    Ok(())
}

/// Molecules and patterns of the reference tables, as far as all sides read them, one a line.
fn reference_texts(data: &Path) -> Result<Vec<PathBuf>> {
    let molecules = columns(&data.join("mcs/smarts_molecules.tsv"), &["smiles"])?;
    let patterns =
        columns(&data.join("mcs/smarts_counts.tsv"), &["rdkit_parses", "peer_parses", "smarts"])?;
    let read = patterns.iter().filter(|row| row[0] == "1" && row[1] == "1");
    Ok(vec![
        write_lines("molecules.smi", molecules.iter().map(|row| row[0].as_str()))?,
        write_lines("patterns.smarts", read.map(|row| row[2].as_str()))?,
    ])
}

/// The named columns of a table with a row of titles.
fn columns(path: &Path, titles: &[&str]) -> Result<Vec<Vec<String>>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let first = lines.next().with_context(|| format!("{} is empty", path.display()))?;
    let place = |title: &&str| first.iter().position(|name| name == title);
    let places: Option<Vec<usize>> = titles.iter().map(place).collect();
    let places = places.with_context(|| format!("{titles:?} in {}", path.display()))?;
    let row = |fields: Vec<&str>| places.iter().map(|&place| fields[place].to_owned()).collect();
    Ok(lines.map(row).collect())
}

/// A file of inputs for both sides.
fn write_lines<'a>(name: &str, lines: impl Iterator<Item = &'a str>) -> Result<PathBuf> {
    let folder = workspace::target().join("peers");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, lines.flat_map(|line| [line, "\n"]).collect::<String>())?;
    Ok(path)
}

/// What only we measure: memory, planning, the first answer of a process.
fn process(measure: &Path) -> Result<()> {
    let synthon = workspace::release_program("synthon-cli", "synthon")?;
    let memory = number(&printed(Command::new(measure).arg("memory"))?)?;
    println!("{:<28} {memory:>10.0} B, goal {:.0} B", "memory of a molecule", 4096.0);
    let routes = number(&printed(Command::new(measure).arg("routes"))?)?;
    println!("{:<28} {routes:>9.1} ms", "find_routes, warm, p50");
    let first = first_answer(&synthon)?;
    println!("{:<28} {first:>9.1} ms, goal {} ms", "first answer of a process", 300);
    Ok(())
}

/// The value in the JSON object that a command prints.
fn printed(command: &mut Command) -> Result<Value> {
    let text = workspace::output(command)?;
    let line: Value = serde_json::from_str(text.trim()).with_context(|| text.clone())?;
    Ok(line["value"].clone())
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("{value} is no number"))
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
