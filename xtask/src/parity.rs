//! `cargo xtask parity`: our answers against RDKit's over the corpora of the reference data.
//!
//! A suite is a Rust program that prints our answers, one line for each line that it reads, and a
//! Python script under `xtask/oracle/` that asks RDKit the same and compares. The script prints
//! one JSON object for each corpus; this module prints the table and the verdict. What differs is
//! listed under `target/parity/`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{python, workspace};

/// A comparison: its name (and that of `xtask/oracle/NAME.py`), and the example that prints our
/// side.
struct Suite {
    name: &'static str,
    package: &'static str,
    dumper: &'static str,
}

const SUITES: &[Suite] = &[
    Suite { name: "perception", package: "synthon-mol", dumper: "perception" },
    Suite { name: "canonical", package: "synthon-mol", dumper: "dump_canonical" },
    Suite { name: "molfile", package: "synthon-mol", dumper: "molfile" },
    Suite { name: "descriptors", package: "synthon-descriptors", dumper: "describe" },
    Suite { name: "smarts", package: "synthon-query", dumper: "dump_smarts" },
    Suite { name: "fingerprints", package: "synthon-fp", dumper: "dump_fingerprints" },
    Suite { name: "reactions", package: "synthon-reaction", dumper: "dump_reactions" },
    Suite { name: "extract", package: "synthon-reaction", dumper: "dump_templates" },
    Suite { name: "standardise", package: "synthon-standardise", dumper: "dump_standardise" },
    Suite { name: "layouts", package: "synthon-depict", dumper: "dump_layouts" },
    Suite { name: "toolkit", package: "synthon-toolkit", dumper: "dump_toolkit" },
];

/// Molecules of each corpus that the extract for CI takes, evenly spaced.
const EXTRACT: usize = 150;

/// Runs the suites named (all when none is); `--limit N` takes N inputs of each corpus, evenly
/// spaced, and `--extract` as many as CI does.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut limit = None;
    let mut chosen = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--extract" => limit = Some(EXTRACT),
            "--limit" => {
                let number = words.next().context("--limit needs a number")?;
                limit = Some(number.parse().with_context(|| format!("--limit {number}"))?);
            }
            name => match SUITES.iter().find(|suite| suite.name == name) {
                Some(suite) => chosen.push(suite),
                None => bail!("no suite `{name}`; there are: {}", suite_names()),
            },
        }
    }
    if chosen.is_empty() {
        chosen.extend(SUITES);
    }
    let Some(data) = workspace::shared_data()? else { return Ok(()) };
    let oracle = workspace::root().join("xtask/oracle");
    let Some(python) = python::environment("venv-rdkit", &oracle.join("requirements.txt"))? else {
        return Ok(());
    };
    let mut rows = Vec::new();
    for suite in &chosen {
        rows.extend(compare(suite, &python, &oracle, &data, limit)?);
    }
    print_table(&rows);
    let missed: Vec<&Row> = rows.iter().filter(|row| !row.holds()).collect();
    if !missed.is_empty() {
        bail!("{} of {} rows miss their goal", missed.len(), rows.len());
    }
    println!("parity holds: {} rows", rows.len());
    Ok(())
}

fn suite_names() -> String {
    SUITES.iter().map(|suite| suite.name).collect::<Vec<_>>().join(", ")
}

fn compare(
    suite: &Suite,
    python: &Path,
    oracle: &Path,
    data: &Path,
    limit: Option<usize>,
) -> Result<Vec<Row>> {
    workspace::run(workspace::cargo().args([
        "build",
        "--quiet",
        "--release",
        "--package",
        suite.package,
        "--example",
        suite.dumper,
    ]))?;
    let dumper = workspace::target().join("release/examples").join(suite.dumper);
    let out = workspace::target().join("parity");
    std::fs::create_dir_all(&out)?;
    let mut command = Command::new(python);
    command.arg(oracle.join(suite.name).with_extension("py"));
    command.arg("--data").arg(data).arg("--dumper").arg(dumper).arg("--out").arg(out);
    if let Some(limit) = limit {
        command.arg("--limit").arg(limit.to_string());
    }
    let text = workspace::output(&mut command)?;
    text.lines().map(|line| Row::parse(suite.name, line)).collect()
}

/// What a script says about one aspect of one corpus.
struct Row {
    suite: &'static str,
    corpus: String,
    aspect: String,
    compared: u64,
    equal: u64,
    /// Differences that `xtask/oracle/judged/` explains.
    judged: u64,
    goal: f64,
}

impl Row {
    fn parse(suite: &'static str, line: &str) -> Result<Row> {
        let value: Value = serde_json::from_str(line)
            .with_context(|| format!("the {suite} script printed `{line}`"))?;
        let number = |key: &str| value[key].as_u64().with_context(|| format!("no {key}: {line}"));
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
        Ok(Row {
            suite,
            corpus: text("corpus"),
            aspect: text("aspect"),
            compared: number("compared")?,
            equal: number("equal")?,
            judged: number("judged")?,
            goal: value["goal"].as_f64().with_context(|| format!("no goal: {line}"))?,
        })
    }

    fn share(&self) -> f64 {
        if self.compared == 0 { 0.0 } else { self.equal as f64 / self.compared as f64 }
    }

    fn holds(&self) -> bool {
        self.compared > 0 && (self.equal + self.judged) as f64 >= self.goal * self.compared as f64
    }
}

fn print_table(rows: &[Row]) {
    println!(
        "{:<12} {:<16} {:<26} {:>9} {:>9} {:>7} {:>9} {:>9}",
        "suite", "corpus", "aspect", "compared", "differ", "judged", "equal %", "goal %"
    );
    for row in rows {
        println!(
            "{:<12} {:<16} {:<26} {:>9} {:>9} {:>7} {:>9.4} {:>9.3}{}",
            row.suite,
            row.corpus,
            row.aspect,
            row.compared,
            row.compared - row.equal,
            row.judged,
            100.0 * row.share(),
            100.0 * row.goal,
            if row.holds() { "" } else { "  missed" }
        );
    }
}
