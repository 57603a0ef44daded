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
fn a_policy_is_trained_measured_and_used() {
    let folder = folder("trained");
    let path = folder.display().to_string();
    json(&["library", "build", &reactions(), "-o", &path, "--json"]);
    let train = |threads: &str| {
        json(&[
            "library",
            "train",
            &path,
            &reactions(),
            "--calibrate",
            &reactions(),
            "--epochs",
            "2",
            "--threads",
            threads,
            "--json",
        ])
    };
    let trained = train("1");
    assert_eq!(trained["losses"].as_array().map(Vec::len), Some(2));
    assert!(trained["examples"].as_u64() > Some(0) && trained["calibration_error"].is_f64());
    assert_eq!(train("2"), trained, "threads do not matter");
    let measured = json(&["library", "evaluate", &path, &reactions(), "--json"]);
    let share = |rank: &str| measured["all"]["stereo"][rank]["share"].as_f64().expect(rank);
    assert!(share("top_1") > 0.3 && share("top_1") <= share("top_50"), "{measured}");
    let ways = json(&["expand", "CC(=O)Nc1ccc(O)cc1", "--library", &path, "--top", "1", "--json"]);
    assert_eq!(ways["expansions"].as_array().map(Vec::len), Some(1));
    // A policy whose header lies about its length is not the one of the manifest.
    let policy = folder.join("policy.safetensors");
    let mut bytes = std::fs::read(&policy).expect("a policy");
    bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    std::fs::write(&policy, &bytes).expect("a file");
    let output = synthon(&["library", "info", &path]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("policy.safetensors"), "{errors}");
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

#[test]
fn shipped_libraries_are_known_by_name() {
    let named = json(&["library", "info", "curated", "--templates", "2", "--json"]);
    assert_eq!(named["first"].as_array().map(Vec::len), Some(2));
    let families = named["families"].as_object().expect("families with their numbers");
    let sum: u64 = families.values().filter_map(Value::as_u64).sum();
    assert_eq!(named["templates"].as_u64(), Some(sum));
    let extracted = json(&["library", "info", "uspto", "--json"]);
    assert!(extracted["templates"].as_u64() > Some(sum));
    assert!(!synthon(&["library", "info", "no such library"]).status.success());
}
