//! `synthon mcp install` and the settings file, as a user runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A home folder of its own for a test.
fn home(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn synthon(home: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(words)
        .env("HOME", home)
        .env("APPDATA", home)
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null())
        .output()
        .expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_entry_is_added_and_nothing_else_is_touched() {
    let home = home("install");
    let file = home.join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let before = json!({"other": [1], "mcpServers": {"theirs": {"command": "x"}}});
    fs::write(&file, before.to_string()).expect("written");
    for _ in 0..2 {
        let done =
            synthon(&home, &["mcp", "install", "--client", "cursor", "--", "--tools", "planning"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let after: Value =
            serde_json::from_str(&fs::read_to_string(&file).expect("there")).expect("JSON");
        assert_eq!(
            (&after["other"], &after["mcpServers"]["theirs"]["command"]),
            (&json!([1]), &json!("x"))
        );
        let entry = &after["mcpServers"]["synthon"];
        let command = PathBuf::from(entry["command"].as_str().expect("a command"));
        assert!(command.is_absolute() && command.is_file());
        let args = entry["args"].as_array().expect("a list");
        assert_eq!(args[args.len() - 2..], [json!("--tools"), json!("planning")]);
    }
}

#[test]
fn printing_writes_nothing() {
    let home = home("print");
    for client in ["claude-desktop", "claude-code", "vscode", "windsurf", "gemini-cli", "lm-studio"]
    {
        let done = synthon(&home, &["mcp", "install", "--client", client, "--print"]);
        let said = text(&done.stdout);
        assert!(done.status.success() && said.contains("\"command\""), "{said}");
        assert!(said.contains("belongs in"), "{said}");
    }
    assert_eq!(fs::read_dir(&home).expect("a folder").count(), 0);
}

#[test]
fn settings_that_are_no_json_are_left_alone() {
    let home = home("comments");
    let file = home.join(".lmstudio/mcp.json");
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(&file, "// mine\n{}").expect("written");
    let done = synthon(&home, &["mcp", "install", "--client", "lm-studio"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("--print"));
    assert_eq!(fs::read_to_string(&file).expect("there"), "// mine\n{}");
}

#[test]
fn a_settings_file_is_checked_and_its_paths_count_from_its_folder() {
    let home = home("config");
    fs::write(home.join("ours.smi"), "CCO\n").expect("written");
    let file = home.join("synthon.toml");
    let run = |content: &str| {
        fs::write(&file, content).expect("written");
        let path = file.display().to_string();
        synthon(&home, &["mcp", "--config", &path])
    };
    let good = run("tools = [\"find_routes\"]\nmax-jobs = 2\n[stock]\nours = \"ours.smi\"\n");
    assert!(good.status.success(), "{}", text(&good.stderr));
    for (content, word) in [
        ("max-jobs = 0", "max-jobs"),
        ("tool = \"all\"", "tool"),
        ("tools = \"nope\"", "nope"),
        ("[stock]\nours = \"missing.smi\"", "missing.smi"),
        ("http-rate = 5", "--http"),
    ] {
        let bad = run(content);
        assert_eq!(bad.status.code(), Some(2), "{content}");
        assert!(text(&bad.stderr).contains(word), "{content}: {}", text(&bad.stderr));
    }
}
