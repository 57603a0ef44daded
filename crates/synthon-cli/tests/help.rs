//! What the help of the programs says works.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use synthon_testkit::workspace_root;

fn help(path: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(path)
        .arg("--help")
        .output()
        .expect("synthon runs");
    assert!(output.status.success(), "{path:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The lines of a part of the help, from its title to the next empty line.
fn part<'h>(help: &'h str, title: &str) -> impl Iterator<Item = &'h str> {
    let lines = help.lines().skip_while(move |line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty())
}

/// All commands, each after those above it.
fn commands(path: Vec<String>, found: &mut Vec<Vec<String>>) {
    let text = help(&path);
    found.push(path.clone());
    for line in part(&text, "Commands:") {
        let name = line.split_whitespace().next().expect("a name");
        if name != "help" && line.starts_with("  ") && !line.starts_with("   ") {
            commands([path.clone(), vec![name.to_owned()]].concat(), found);
        }
    }
}

/// A folder with the files that the examples name.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let smiles = "Oc1ccccc1 phenol\nCc1ccccc1O cresol\nCCO ethanol\n";
    fs::write(folder.join("molecules.smi"), smiles).expect("written");
    fs::write(folder.join("molecules.csv"), "id,smiles\n1,Oc1ccccc1\n2,CCO\n").expect("written");
    let reactions = fs::read_to_string(workspace_root().join("testdata/mapped_reactions.tsv"));
    let few: Vec<String> =
        reactions.expect("reactions").lines().take(40).map(str::to_owned).collect();
    fs::write(folder.join("reactions.tsv"), few.join("\n")).expect("written");
    folder
}

/// Runs a line as a shell does, and gives its exit status and what it told.
fn shell(line: &str, folder: &Path) -> (Option<i32>, String) {
    let programs = Path::new(env!("CARGO_BIN_EXE_synthon")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.display()))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let told = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&told).into_owned())
}

#[test]
#[cfg(unix)]
fn every_command_shows_examples_that_run() {
    let folder = folder();
    for first in [
        "synthon convert molecules.smi -o molecules.sdf",
        "synthon corpus build molecules.smi -o molecules.corpus",
        "synthon library build reactions.tsv -o mine",
        "synthon routes 'CC(=O)Nc1ccc(O)cc1' --json -o routes.json",
    ] {
        let (code, told) = shell(first, &folder);
        assert_eq!(code, Some(0), "{first}: {told}");
    }
    let mut all = Vec::new();
    commands(Vec::new(), &mut all);
    assert!(all.len() > 20, "{all:?}");
    let mut ran: Vec<String> = Vec::new();
    for path in &all {
        let text = help(path);
        let examples: Vec<&str> = part(&text, "Examples:").map(str::trim).collect();
        assert!(!examples.is_empty(), "{path:?} shows no example (see src/args/examples.rs)");
        let start = format!("synthon {}", path.join(" "));
        assert!(examples.iter().any(|example| example.contains(start.trim())), "{path:?}");
        for example in examples {
            if ran.iter().any(|known| known == example) {
                continue;
            }
            let (code, told) = shell(example, &folder);
            assert_eq!(code, Some(0), "{example}: {told}");
            assert!(!told.contains("warning:") && !told.contains("error:"), "{example}: {told}");
            ran.push(example.to_owned());
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
}
