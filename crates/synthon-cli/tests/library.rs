//! `synthon library`, as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn reactions() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/mapped_reactions.tsv")
        .display()
        .to_string()
}

fn synthon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_synthon")).args(arguments).output().expect("synthon runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = synthon(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("synthon-cli-{name}-{}", std::process::id()))
}

#[test]
fn a_library_is_built_opened_and_measured() {
    let folder = folder("built");
    let path = folder.display().to_string();
    let built =
        json(&["library", "build", &reactions(), "-o", &path, "--name", "two hundred", "--json"]);
    assert_eq!(built["statistics"]["lines"], 200);
    assert_eq!(built["statistics"]["rejected"]["extract.unmapped_product"], 3);
    let info = json(&["library", "info", &path, "--templates", "1", "--json"]);
    assert_eq!((&info["hash"], &info["name"]), (&built["hash"], &"two hundred".into()));
    assert_eq!(info["first"][0]["precedents"].as_array().map(Vec::len), Some(3));
    let measured = json(&["library", "evaluate", &path, &reactions(), "--every", "4", "--json"]);
    assert_eq!((&measured["reactions"], &measured["unreadable"]), (&49.into(), &1.into()));
    assert_eq!(measured["coverage"], 1.0);
    let again = json(&[
        "library",
        "build",
        &reactions(),
        "-o",
        &path,
        "--name",
        "two hundred",
        "--threads",
        "1",
        "--json",
    ]);
    assert_eq!(again["hash"], built["hash"]);
    std::fs::write(folder.join("index.bin.gz"), b"damaged").expect("a file");
    let output = synthon(&["library", "info", &path]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("index.bin.gz") && errors.contains("announced"), "{errors}");
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn bad_input_is_refused_by_name_and_place() {
    let path = folder("refused").display().to_string();
    let refused = |arguments: &[&str]| {
        let output = synthon(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let missing = refused(&["library", "build", "no-such-file.tsv", "-o", &path]);
    assert!(missing.contains("no-such-file.tsv"), "{missing}");
    let column =
        refused(&["library", "build", &reactions(), "-o", &path, "--class-column", "kind"]);
    assert!(column.contains("kind") && column.contains("mapperconfidence"), "{column}");
    let folder = refused(&["library", "info", &path]);
    assert!(folder.contains("library.toml"), "{folder}");
    assert!(!Path::new(&path).exists(), "nothing was written");
    // The reactions stand where a file of the library would.
    std::fs::create_dir_all(&path).expect("a folder");
    let own = Path::new(&path).join("library.toml");
    std::fs::copy(reactions(), &own).expect("a copy");
    let place = refused(&["library", "build", &own.display().to_string(), "-o", &path]);
    assert!(place.contains("library.toml is read"), "{place}");
    assert_eq!(
        std::fs::read(&own).expect("it is there"),
        std::fs::read(reactions()).expect("it is there")
    );
    assert_eq!(std::fs::read_dir(&path).expect("a folder").count(), 1, "nothing was written");
    std::fs::remove_dir_all(&path).expect("the folder");
}
