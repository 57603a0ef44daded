//! `cargo xtask bench-corpus`: a corpus of made molecules built and searched, beside RDKit and
//! FPSim2 (both from Python), in one run on one machine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{python, workspace};

/// All sides take turns, so that a busy moment of the machine hits all.
const TURNS: usize = 3;
/// Molecules of the corpus, where `--molecules N` does not say otherwise.
const MOLECULES: usize = 1_000_000;
/// Bytes of a fingerprint of 2,048 bits.
const ROW: f64 = 256.0;

/// What was measured, by name; every turn adds a value.
type Figures = BTreeMap<String, Vec<f64>>;

/// Prints the tables; the goals are stated, not enforced, since times depend on the machine.
pub fn run(arguments: &[String]) -> Result<()> {
    let count = match arguments {
        [] => MOLECULES,
        [flag, number] if flag == "--molecules" => {
            number.parse().with_context(|| format!("--molecules {number}"))?
        }
        _ => bail!("`bench-corpus` takes --molecules N only"),
    };
    let requirements = workspace::root().join("benchmarks/requirements.txt");
    let python = python::environment("venv-peers", &requirements)?;
    let molecules = made_molecules(count)?;
    let measure = example("synthon-corpus", "measure")?;
    let mut figures = Figures::new();
    run_into(Command::new(&measure).arg("build").arg(&molecules), &mut figures)?;
    for _ in 0..TURNS {
        run_into(Command::new(&measure).arg("search").arg(&molecules), &mut figures)?;
        if let Some(python) = &python {
            let script = workspace::root().join("benchmarks/corpus.py");
            run_into(Command::new(python).arg(script).arg(&molecules), &mut figures)?;
        }
    }
    print(&medians(figures))
}

/// A release build of an example.
fn example(package: &str, name: &str) -> Result<PathBuf> {
    let arguments = ["build", "--quiet", "--release", "--package", package, "--example", name];
    workspace::run(workspace::cargo().args(arguments))?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace::target().join("release/examples").join(file))
}

/// The file of molecules, made unless it is there.
fn made_molecules(count: usize) -> Result<PathBuf> {
    let folder = workspace::target().join("corpus");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("made-{count}.smi"));
    if !file.exists() {
        eprintln!("making {count} molecules: {}", file.display());
        let part = file.with_extension("part");
        let mut command = Command::new(example("benchmarks", "made_library")?);
        command.arg(count.to_string()).stdout(Stdio::from(File::create(&part)?));
        ensure!(command.status()?.success(), "`made_library` failed");
        fs::rename(&part, &file)?;
    }
    Ok(file)
}

/// Runs a program and adds the figures that it prints.
fn run_into(command: &mut Command, figures: &mut Figures) -> Result<()> {
    for line in workspace::output(command)?.lines() {
        let value: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let (Some(name), Some(number)) = (value["name"].as_str(), value["value"].as_f64()) else {
            bail!("`{line}` is no figure");
        };
        figures.entry(name.to_owned()).or_default().push(number);
    }
    Ok(())
}

fn medians(figures: Figures) -> BTreeMap<String, f64> {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    figures.into_iter().map(|(name, values)| (name, median(values))).collect()
}

fn print(figures: &BTreeMap<String, f64>) -> Result<()> {
    let get =
        |name: &str| figures.get(name).copied().with_context(|| format!("no figure `{name}`"));
    let molecules = get("build_molecules")?;
    println!("a corpus of {molecules} made molecules");
    let seconds = get("build_seconds")?;
    println!(
        "built in {seconds:.1} s on {} threads, {:.0} a second; {:.0} MB, {:.0} bytes a molecule",
        get("build_threads")?,
        molecules / seconds,
        get("build_bytes")? / 1e6,
        get("build_bytes")? / molecules,
    );
    if let Ok(peak) = get("build_peak_bytes") {
        println!("peak memory of the build {:.0} MB", peak / 1e6);
    }
    println!("opened in {:.2} ms, first top 10 {:.1} ms", get("open_ms")?, get("top10_first_ms")?);
    println!(
        "top 10, warm: {:.1} ms, on one thread {:.1} ms; goal 100 ms",
        get("top10_ms")?,
        get("top10_one_thread_ms")?
    );
    let (scan, memory) =
        (get("scan_one_thread_per_second")?, get("read_one_thread_bytes_per_second")?);
    println!(
        "every row, one thread: {:.1} M a second, {:.1} GB/s of the {:.1} GB/s of this memory: \
         {:.2} times as long, goal 2",
        scan / 1e6,
        scan * ROW / 1e9,
        memory / 1e9,
        memory / (scan * ROW)
    );
    println!("every row, all threads: {:.1} M a second", get("scan_per_second")? / 1e6);
    println!("\n50,000 molecules, one thread, million molecules a second");
    println!("{:<32} {:>9} {:>9} {:>8} {:>6}", "work", "ours", "peer", "ratio", "goal");
    for (work, ours, peer, goal) in [
        ("every row, RDKit", "small_0_per_second", "rdkit_bulk_per_second", 10.0),
        ("threshold 0.4, FPSim2", "small_0.4_per_second", "fpsim2_0.4_per_second", 3.0),
        ("threshold 0.7, FPSim2", "small_0.7_per_second", "fpsim2_0.7_per_second", 3.0),
    ] {
        let (Ok(ours), Ok(peer)) = (get(ours), get(peer)) else { continue };
        let (ratio, ours, peer) = (ours / peer, ours / 1e6, peer / 1e6);
        println!("{work:<32} {ours:>9.1} {peer:>9.1} {ratio:>7.1}x {goal:>5.0}x");
    }
    println!("\nsubstructures, all hits counted, all threads");
    println!("{:<32} {:>9} {:>9} {:>9}", "pattern", "hits", "matched", "ms");
    for (name, ms) in figures {
        let Some(pattern) = name.strip_prefix("substructure_ms ") else { continue };
        let hits = get(&format!("substructure_hits {pattern}"))?;
        let matched = get(&format!("substructure_matched {pattern}"))?;
        println!("{pattern:<32} {hits:>9} {matched:>9} {ms:>9.1}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_turns_counts() {
        let figures = Figures::from([("a".into(), vec![3.0, 1.0, 2.0])]);
        assert_eq!(medians(figures)["a"], 2.0);
    }
}
