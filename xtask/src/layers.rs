//! `cargo xtask check-layers`: the two tables of ARCHITECTURE.md against the manifests.
//!
//! The crate table says which crates there are, on which layer, and what they may use; what a
//! used crate may use is allowed with it. The fence table says in which crates alone a
//! third-party package may appear. Dev-dependencies are free, since tests look from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace;

const CRATE_HEADER: [&str; 4] = ["layer", "crate", "the question that it answers", "may use"];
const FENCE_HEADER: [&str; 2] = ["package", "only in"];
/// Layer of crates that no shipped crate may use.
const DEV: &str = "dev";

/// Checks the workspace and prints what it found.
pub fn run() -> Result<()> {
    let text = fs::read_to_string(workspace::root().join("ARCHITECTURE.md"))
        .context("cannot read ARCHITECTURE.md")?;
    let rules = Rules::parse(&text)?;
    let metadata = workspace::output(workspace::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--no-deps",
    ]))?;
    let packages = packages(&serde_json::from_str(&metadata)?)?;
    let faults = rules.faults(&packages);
    if !faults.is_empty() {
        bail!("the layers do not hold:\n  {}", faults.join("\n  "));
    }
    println!("layers hold: {} crates, {} fences", packages.len(), rules.fences.len());
    Ok(())
}

struct Rules {
    crates: BTreeMap<String, Rule>,
    fences: BTreeMap<String, BTreeSet<String>>,
}

struct Rule {
    layer: String,
    may_use: Vec<String>,
}

impl Rule {
    fn height(&self) -> Option<u32> {
        self.layer.parse().ok()
    }
}

/// A crate of the workspace with its normal and build dependencies.
struct Package {
    name: String,
    uses: BTreeSet<String>,
    manifest: String,
}

fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let list = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    list.iter()
        .map(|package| {
            let text = |key: &str| package[key].as_str().map(str::to_string);
            let path = text("manifest_path").context("package without manifest")?;
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            Ok(Package {
                name: text("name").context("package without name")?,
                uses: dependencies
                    .filter(|dependency| dependency["kind"] != "dev")
                    .filter_map(|dependency| dependency["name"].as_str().map(str::to_string))
                    .collect(),
                manifest: fs::read_to_string(&path).with_context(|| path)?,
            })
        })
        .collect()
}

impl Rules {
    fn parse(text: &str) -> Result<Rules> {
        let mut rules = Rules { crates: BTreeMap::new(), fences: BTreeMap::new() };
        for row in rows(text, &CRATE_HEADER)? {
            let [layer, name, _, may_use] = row.as_slice() else {
                bail!("a row of the crate table has {} cells: {row:?}", row.len());
            };
            let rule = Rule { layer: layer.clone(), may_use: names(may_use) };
            if rules.crates.insert(bare(name), rule).is_some() {
                bail!("the crate table names {name} twice");
            }
        }
        for row in rows(text, &FENCE_HEADER)? {
            let [package, only_in] = row.as_slice() else {
                bail!("a row of the fence table has {} cells: {row:?}", row.len());
            };
            rules.fences.insert(bare(package), names(only_in).into_iter().collect());
        }
        Ok(rules)
    }

    /// The crate and all that it may use, directly or through what it may use.
    fn reach(&self, name: &str) -> BTreeSet<String> {
        let (mut reach, mut stack) = (BTreeSet::new(), vec![name.to_string()]);
        while let Some(name) = stack.pop() {
            if let Some(rule) = self.crates.get(&name) {
                stack.extend(rule.may_use.iter().filter(|used| !reach.contains(*used)).cloned());
            }
            reach.insert(name);
        }
        reach
    }

    fn faults(&self, packages: &[Package]) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, rule) in &self.crates {
            if !packages.iter().any(|package| package.name == *name) {
                faults.push(format!("the crate table names {name}, which does not exist"));
            }
            for used in &rule.may_use {
                match self.crates.get(used) {
                    None => faults.push(format!("{name} may use {used}, which has no row")),
                    Some(other) if other.height() >= rule.height() && rule.layer != DEV => {
                        faults.push(format!("{name} may use {used}, which is on no lower layer"))
                    }
                    Some(_) => {}
                }
            }
        }
        for Package { name, uses, manifest } in packages {
            let Some(rule) = self.crates.get(name) else {
                faults.push(format!("{name} has no row in the crate table"));
                continue;
            };
            if !manifest.contains("[lints]\nworkspace = true") {
                faults.push(format!("{name} does not take the lints of the workspace"));
            }
            let reach = self.reach(name);
            for used in uses {
                let ours = self.crates.get(used);
                if ours.is_some_and(|ours| ours.layer == DEV) {
                    faults.push(format!("{name} uses {used}, which is for development only"));
                } else if ours.is_some() && rule.layer != DEV && !reach.contains(used) {
                    faults.push(format!("{name} uses {used}, which its row does not allow"));
                }
                if self.fences.get(used).is_some_and(|only_in| !only_in.contains(name)) {
                    faults.push(format!("{name} uses {used}, which is fenced off from it"));
                }
            }
        }
        faults
    }
}

/// Rows of the Markdown table with this header.
fn rows(text: &str, header: &[&str]) -> Result<Vec<Vec<String>>> {
    let mut lines = text.lines().map(cells).skip_while(|cells| *cells != header);
    if lines.next().is_none() {
        bail!("ARCHITECTURE.md has no table | {} |", header.join(" | "));
    }
    Ok(lines.skip(1).take_while(|cells| !cells.is_empty()).collect())
}

fn cells(line: &str) -> Vec<String> {
    match line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
        Some(line) => line.split('|').map(|cell| cell.trim().to_string()).collect(),
        None => Vec::new(),
    }
}

fn bare(cell: &str) -> String {
    cell.trim_matches('`').to_string()
}

/// `mol, query` and the like, where `synthon-` is left out; `-` for none.
fn names(cell: &str) -> Vec<String> {
    let short = cell.split(',').map(|name| bare(name.trim()));
    short
        .filter(|name| !name.is_empty() && name != "-")
        .map(|name| match name.as_str() {
            "xtask" | "benchmarks" | "synthon" => name,
            _ => format!("synthon-{name}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "\
| layer | crate | the question that it answers | may use |
| --- | --- | --- | --- |
| 0 | `synthon-budget` | how long | - |
| 1 | `synthon-mol` | what | budget |
| 2 | `synthon-query` | where | mol |
| dev | `synthon-testkit` | right? | - |

| package | only in |
| --- | --- |
| `clap` | query |
";

    fn faults(crates: &[(&str, &[&str])]) -> Vec<String> {
        let packages: Vec<Package> = crates
            .iter()
            .map(|(name, uses)| Package {
                name: name.to_string(),
                uses: uses.iter().map(|used| used.to_string()).collect(),
                manifest: "[lints]\nworkspace = true\n".to_string(),
            })
            .collect();
        Rules::parse(TABLES).expect("the tables are well formed").faults(&packages)
    }

    #[test]
    fn what_a_used_crate_may_use_is_allowed_with_it() {
        let crates: [(&str, &[&str]); 4] = [
            ("synthon-budget", &[]),
            ("synthon-mol", &["synthon-budget"]),
            ("synthon-query", &["synthon-mol", "synthon-budget", "clap"]),
            ("synthon-testkit", &["serde"]),
        ];
        assert_eq!(faults(&crates), Vec::<String>::new());
    }

    #[test]
    fn upward_fenced_dev_and_unknown_crates_are_faults() {
        let crates: [(&str, &[&str]); 5] = [
            ("synthon-budget", &["synthon-mol"]),
            ("synthon-mol", &["clap"]),
            ("synthon-query", &["synthon-testkit"]),
            ("synthon-testkit", &[]),
            ("synthon-new", &[]),
        ];
        let faults = faults(&crates);
        assert_eq!(faults.len(), 4, "{faults:#?}");
    }

    #[test]
    fn a_row_without_crate_is_a_fault() {
        assert_eq!(faults(&[("synthon-budget", &[])]).len(), 3);
    }
}
