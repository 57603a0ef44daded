//! `synthon audit`, `explain`, `pareto`, `diversity`, `diagnose`, `stock`, `doctor` and
//! `completions`, as a user runs them.

#[path = "support/printed.rs"]
mod printing;
mod support;

use std::fs;
use std::path::PathBuf;

use printing::{printed, refused, text};
use serde_json::{Value, json};
use support::synthon;

const PARACETAMOL: &str = "CC(=O)Nc1ccc(O)cc1";

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("synthon-{}-{name}", std::process::id()));
    fs::write(&path, content).expect("a file");
    path
}

/// The results of an audit, one a line.
fn audited(file: &str) -> Vec<Value> {
    let shown = printed(&["audit", "-", "--json"], file);
    shown.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn what_routes_prints_is_audited() {
    for format in ["json", "aizynthfinder"] {
        let routes = printed(&["routes", PARACETAMOL, "--format", format, "--max-routes", "3"], "");
        let found = audited(&routes);
        assert!(!found.is_empty());
        for line in &found {
            assert_eq!(line["verdict"], "pass", "{format}: {line}");
        }
        let place = found[0]["place"].as_str().expect("a place");
        assert_eq!(place, if format == "json" { "/routes/0" } else { "/0" });
    }
    let shown = printed(&["routes", PARACETAMOL, "--json"], "");
    let words = printed(&["audit", "-", "--explain"], &shown);
    assert!(words.contains("Verdict: pass") && words.contains("routes: "), "{words}");
    assert!(words.contains("steps[0].step_confidence"), "{words}");
}

#[test]
fn routes_of_other_planners_are_audited() {
    let leaf = |smiles: &str| json!({"type": "mol", "smiles": smiles, "in_stock": true});
    let below = json!([leaf("Nc1ccc(O)cc1"), leaf("CC(=O)OC(C)=O")]);
    let paroutes = json!([{
        "smiles": PARACETAMOL, "type": "mol", "in_stock": false,
        "children": [{"type": "reaction", "metadata": {"ID": "US1;2;3", "RingBreaker": false,
            "rsmi": "NC1=CC=C(O)C=C1.CC(=O)OC(C)=O>O>CC(=O)NC1=CC=C(O)C=C1"}, "children": below}],
    }]);
    let retrocast = json!({"paracetamol": [{"schema_version": "2", "target": {
        "smiles": PARACETAMOL, "product_of": {"reactants": [
            {"smiles": "Nc1ccc(O)cc1"}, {"smiles": "CC(=O)OC(C)=O"}]}}}]});
    let syntheseus = json!({"reactions": [
        {"product": PARACETAMOL, "reactants": ["Nc1ccc(O)cc1", "CC(=O)OC(C)=O"], "metadata": {}}]});
    for (file, place) in [(paroutes, "/0"), (retrocast, "/paracetamol/0"), (syntheseus, "/")] {
        let found = audited(&file.to_string());
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0]["place"], &found[0]["verdict"]), (&place.into(), &"pass".into()));
    }
}

#[test]
fn a_fault_in_a_route_is_told_with_its_pointer() {
    let routes = json!([
        {"type": "mol", "smiles": "CCO", "children": [{"type": "reaction", "children": [
            {"type": "mol", "smiles": "C=C("}]}]},
        {"steps": [{"target": "CCO", "precursors": ["CC=O"]}]},
    ]);
    let run = synthon(&["audit", "-"], routes.to_string());
    let told = text(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{told}");
    assert!(told.contains("route /0") && told.contains("/children/0/children/0/smiles"), "{told}");
    assert!(text(&run.stdout).contains("2 routes: "), "{}", text(&run.stdout));
    // Carbon from nowhere.
    let wrong = json!({"steps": [{"target": "CCO", "precursors": ["CO"]}]}).to_string();
    assert_eq!(synthon(&["audit", "-"], &wrong).status.code(), Some(0));
    let run = synthon(&["audit", "-", "--exit-status"], &wrong);
    assert_eq!(run.status.code(), Some(1));
    assert!(text(&run.stdout).contains("Verdict: fail"), "{}", text(&run.stdout));

    assert!(refused(&["audit", "-"], "{").contains("not JSON"));
    assert!(refused(&["audit", "-"], "[1, 2]").contains("no route"));
    assert!(refused(&["audit", "no-such-file.json"], "").contains("no-such-file.json"));
    let good = json!({"steps": [{"target": "CCO", "precursors": ["CC=O"]}]}).to_string();
    assert!(refused(&["audit", "-", "--depth", "99"], &good).contains("depth"));
}

#[test]
fn a_batch_is_audited_line_by_line() {
    let batch =
        printed(&["routes", "--input", "-", "--max-routes", "1"], "CCOC(C)=O\nC(\nCCNC(C)=O\n");
    let found = audited(&batch);
    let places: Vec<&str> =
        found.iter().map(|line| line["place"].as_str().expect("text")).collect();
    assert_eq!(places, ["1/routes/0", "3/routes/0"]);
}

#[test]
fn questions_are_answered_in_words_and_as_objects() {
    let words = printed(&["explain", PARACETAMOL], "");
    assert!(
        words.contains("It makes a C-N bond") && words.contains("steps[0].changed_atoms"),
        "{words}"
    );
    let ask = |arguments: &[&str]| -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        serde_json::from_str(&printed(&all, "")).expect("JSON")
    };
    let explained = ask(&["explain", PARACETAMOL, "--max-routes", "2"]);
    let steps = explained["explanations"][0]["steps"].as_array().expect("steps");
    assert!(steps.iter().all(|step| step["text"].is_string() && step["field"].is_string()));
    assert!(ask(&["pareto", PARACETAMOL, "--objectives", "steps:min"])["routes_found"].is_u64());
    assert!(ask(&["diversity", PARACETAMOL])["diversity"].is_number());
    assert!(
        ask(&["diagnose", "[Xe]", "--depth", "1"])["causes"]
            .as_array()
            .is_some_and(|c| !c.is_empty())
    );
    assert!(refused(&["pareto", PARACETAMOL, "--objectives", "beauty:max"], "").contains("beauty"));
    let run = synthon(&["explain", "[Xe]", "--depth", "1", "--exit-status"], "");
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn stocks_are_told_searched_and_made() {
    let all: Value =
        serde_json::from_str(&printed(&["stock", "info", "--json"], "")).expect("JSON");
    assert_eq!(all[0]["name"], "uspto-blocks");
    assert!(all[0]["molecules"].as_u64() > Some(1_000));
    assert!(printed(&["stock", "info"], "").starts_with("uspto-blocks: "));

    let shown = printed(&["stock", "contains", "OCC", "CC(=O)[O-].[Na+]", "[Xe]"], "");
    let states: Vec<&str> = shown.lines().map(|line| &line[..3]).collect();
    assert_eq!((states[0], states[2]), ("yes", "no "), "{shown}");
    let one: Value =
        serde_json::from_str(&printed(&["stock", "contains", "OCC", "--json"], "")).expect("JSON");
    assert_eq!((&one["smiles"], &one["in_stock"]), (&"CCO".into(), &"yes".into()));
    let run = synthon(&["stock", "contains", "[Xe]", "--exit-status"], "");
    assert_eq!(run.status.code(), Some(1));
    assert!(refused(&["stock", "contains", "C1"], "").contains("C1"));
    assert!(refused(&["stock", "info", "nowhere"], "").contains("nowhere"));

    let source = file(
        "molecules.csv",
        b"name,smiles,price\none,OCC,2\ntwo,C(C)O,3\nthree,c1ccccc1O,4\nbad,C1,5\n",
    );
    let made = std::env::temp_dir().join(format!("synthon-{}-made.smi", std::process::id()));
    let (source, made) = (source.display().to_string(), made.display().to_string());
    let run = synthon(&["stock", "build", &source, "-o", &made, "--json"], "");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains("Unclosed ring"), "{}", text(&run.stderr));
    let report: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!((&report["molecules"], &report["repeated"]), (&2.into(), &1.into()));
    assert_eq!(fs::read_to_string(&made).expect("a stock"), "CCO one\nOc1ccccc1 three\n");
    let shown = printed(&["stock", "contains", "Oc1ccccc1", "--stock", &made], "");
    assert!(shown.starts_with("yes"), "{shown}");
    printed(&["stock", "build", &source, "-o", &made, "--to", "inchikey"], "");
    assert!(fs::read_to_string(&made).expect("keys").contains("LFQSCWFLJHTTHZ-UHFFFAOYSA-N"));
    let keys: Value =
        serde_json::from_str(&printed(&["stock", "info", &made, "--json"], "")).expect("JSON");
    assert_eq!((&keys[0]["molecules"], &keys[0]["kept_as"]), (&2.into(), &"InChIKeys".into()));
    assert!(printed(&["stock", "contains", "OCC", "--stock", &made], "").starts_with("yes"));
    // Prices are told where the stock states them.
    assert!(printed(&["stock", "contains", "OCC", "--stock", &source], "").contains("price"));
    for path in [&source, &made] {
        let _ = fs::remove_file(path);
    }
}

#[test]
fn the_doctor_finds_the_program_in_order() {
    let run = synthon(&["doctor"], "");
    let shown = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{shown}");
    for what in
        ["program", "library uspto", "library curated", "stock uspto-blocks", "planning", "drawing"]
    {
        let line = shown.lines().find(|line| line.contains(what));
        assert!(line.is_some_and(|line| line.starts_with("ok ")), "{what}: {shown}");
    }
    let value: Value = serde_json::from_str(&printed(&["doctor", "--json"], "")).expect("JSON");
    assert!(value["findings"].as_array().is_some_and(|list| list.len() >= 8));
}

#[test]
fn completions_name_every_command() {
    let help = printed(&["--help"], "");
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|word| *word != "help")
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell], "");
        for command in &commands {
            assert!(script.contains(command), "{command} for {shell}");
        }
    }
    assert!(refused(&["completions", "tcsh"], "").contains("fish"));
}

#[test]
fn the_published_schema_of_routes_is_that_of_the_tools() {
    let printed: Value =
        serde_json::from_str(&printed(&["tools", "--route-schema"], "")).expect("JSON");
    let path = synthon_testkit::workspace_root().join("docs/route.schema.json");
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a schema")).expect("JSON");
    assert_eq!(
        printed, kept,
        "write it anew: synthon tools --route-schema | python3 -m json.tool --indent 2 > \
         docs/route.schema.json"
    );
    assert!(kept["schema_version"].is_string());
}
