//! What the README says works.

use std::fs;
use std::process::Command;

use synthon_testkit::workspace_root;

fn commands() -> Vec<String> {
    let text = fs::read_to_string(workspace_root().join("README.md")).expect("there is a README");
    let indented = text.lines().filter_map(|line| line.strip_prefix("    "));
    indented.filter(|line| line.starts_with("cargo ")).map(str::to_string).collect()
}

#[test]
fn it_gives_two_commands() {
    let commands = commands();
    let starts = ["cargo run --release -- routes ", "cargo xtask test"];
    assert_eq!(commands.len(), starts.len(), "{commands:?}");
    for (command, start) in commands.iter().zip(starts) {
        assert!(command.starts_with(start), "{command}");
    }
}

#[test]
fn the_first_one_prints_a_route_that_ends_in_stock() {
    let commands = commands();
    let (_, arguments) = commands[0].split_once(" -- ").expect("arguments follow two dashes");
    let arguments = arguments.split_whitespace().map(|word| word.trim_matches('"'));
    let output = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Route 1 of") && text.contains("in stock"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
