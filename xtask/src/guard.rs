//! `cargo xtask bench-guard`: instruction counts of a fixed set of calls against a recorded
//! baseline, so that a slowdown shows without timing anything.
//!
//! `benchmarks/src/bin/guarded.rs` makes the calls; callgrind counts the instructions between
//! entering and leaving its function `guarded_call` only, so start-up and preparation do not
//! count. Counts differ a little between processors (the C library picks its copying routines by
//! what it finds) and compilers, hence the margin.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// A count this much above its baseline is a regression.
const MARGIN: f64 = 1.20;
/// A count this much below asks for a new baseline, so that the gain is kept.
const GAIN: f64 = 0.80;

/// Compares every call with `benchmarks/instructions.tsv`; `--record` writes that file anew, and
/// names choose calls.
pub fn run(arguments: &[String]) -> Result<()> {
    let record = arguments.iter().any(|argument| argument == "--record");
    let chosen: Vec<&String> = arguments.iter().filter(|word| *word != "--record").collect();
    if Command::new("valgrind").arg("--version").output().is_err() {
        if workspace::in_ci() {
            bail!("valgrind is not installed");
        }
        eprintln!("notice: valgrind is not installed; instruction counts skipped");
        return Ok(());
    }
    let program = workspace::release_program("benchmarks", "guarded")?;
    let baseline_file = workspace::root().join("benchmarks/instructions.tsv");
    let mut baseline = read_baseline(&baseline_file)?;
    let list = workspace::output(Command::new(&program).arg("--list"))?;
    let calls: Vec<&str> = list.lines().collect();
    if let Some(unknown) = chosen.iter().find(|name| !calls.contains(&name.as_str())) {
        bail!("no guarded call `{unknown}`; there are: {}", calls.join(", "));
    }
    let mut faults = Vec::new();
    println!("{:<24} {:>15} {:>15} {:>7}", "call", "instructions", "baseline", "ratio");
    for call in calls.iter().filter(|call| chosen.is_empty() || chosen.iter().any(|c| c == *call)) {
        let count = count(&program, call)?;
        let recorded = baseline.get(*call).copied();
        let ratio = recorded.map(|recorded| count as f64 / recorded as f64);
        println!(
            "{call:<24} {count:>15} {:>15} {:>7}",
            recorded.map_or("-".into(), |recorded| recorded.to_string()),
            ratio.map_or("-".into(), |ratio| format!("{ratio:.3}")),
        );
        match ratio {
            None => faults.push(format!("{call} has no baseline")),
            Some(ratio) if ratio > MARGIN => {
                faults.push(format!("{call} takes {ratio:.2} times its baseline"));
            }
            Some(ratio) if ratio < GAIN => {
                println!("notice: {call} is faster; record it: cargo xtask bench-guard --record");
            }
            Some(_) => {}
        }
        baseline.insert(call.to_string(), count);
    }
    if record {
        baseline.retain(|call, _| calls.contains(&call.as_str()));
        write_baseline(&baseline_file, &baseline)?;
        println!("recorded in {}", baseline_file.display());
        return Ok(());
    }
    if !faults.is_empty() {
        bail!(
            "{}\nif that is the price of something wanted: cargo xtask bench-guard --record",
            faults.join("\n")
        );
    }
    println!("instruction counts hold");
    Ok(())
}

fn count(program: &Path, call: &str) -> Result<u64> {
    let folder = workspace::target().join("guard");
    fs::create_dir_all(&folder)?;
    let out: PathBuf = folder.join(format!("{call}.callgrind"));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*guarded_call*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .arg(call)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{call} failed under callgrind:\n{said}");
    }
    let count = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    match count {
        Some(0) | None => bail!("callgrind counted nothing for {call}:\n{said}"),
        Some(count) => Ok(count),
    }
}

fn read_baseline(file: &Path) -> Result<BTreeMap<String, u64>> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (call, count) = line.split_once('\t').with_context(|| format!("bad: {line}"))?;
            Ok((call.to_string(), count.parse().with_context(|| format!("bad: {line}"))?))
        })
        .collect()
}

fn write_baseline(file: &Path, baseline: &BTreeMap<String, u64>) -> Result<()> {
    let mut text = String::from(
        "# Instructions of each guarded call: cargo xtask bench-guard --record writes this file.\n",
    );
    for (call, count) in baseline {
        text.push_str(&format!("{call}\t{count}\n"));
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
