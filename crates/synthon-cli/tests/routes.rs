//! `synthon routes`, as a user runs it: every format, constraints, and many targets.

#[path = "support/printed.rs"]
mod printing;
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use printing::{printed, refused, text};
use serde_json::Value;
use support::synthon;

const PARACETAMOL: &str = "CC(=O)Nc1ccc(O)cc1";

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("synthon-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn with(&self, name: &str, content: &str) -> String {
        fs::write(self.0.join(name), content).expect("a file");
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_format_shows_the_same_routes() {
    let json: Value =
        serde_json::from_str(&printed(&["routes", PARACETAMOL, "--json"], "")).expect("JSON");
    let routes = json["routes"].as_array().expect("routes");
    assert!(!routes.is_empty());
    let as_format = |format: &str| printed(&["routes", PARACETAMOL, "--format", format], "");

    let trees: Value = serde_json::from_str(&as_format("aizynthfinder")).expect("JSON");
    let trees = trees.as_array().expect("a list");
    assert_eq!(trees.len(), routes.len());
    for (tree, route) in trees.iter().zip(routes) {
        assert_eq!(tree["metadata"]["route_id"], route["route_id"]);
        assert_eq!((&tree["type"], &tree["smiles"]), (&"mol".into(), &json["target"]));
        let first = &tree["children"][0]["children"];
        assert_eq!(
            first.as_array().map(Vec::len),
            route["steps"][0]["precursors"].as_array().map(Vec::len)
        );
    }

    let page = as_format("html");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("<article ").count(), routes.len());
    for route in routes {
        assert!(page.contains(route["route_id"].as_str().expect("an id")));
    }

    let graph = as_format("mermaid");
    assert!(graph.starts_with("flowchart LR\n"));
    assert_eq!(graph.matches("subgraph ").count(), routes.len());

    let drawing = as_format("svg");
    assert!(drawing.starts_with("<svg") && drawing.contains("Route 1 of "));
    // A band lies under what the steps change.
    assert!(drawing.contains("stroke=\"#f2a900\""));
}

#[test]
fn a_format_is_written_to_a_file() {
    let folder = Folder::new("formats");
    let page = folder.file("routes.html");
    let shown = printed(&["routes", PARACETAMOL, "--format", "html", "-o", &page], "");
    assert_eq!(shown, "");
    assert!(fs::read_to_string(&page).expect("a page").starts_with("<!doctype html>"));
}

#[test]
fn flags_are_constraints_of_the_tool() {
    let json = |flags: &[&str]| -> Value {
        let mut arguments = vec!["routes", PARACETAMOL, "--json"];
        arguments.extend(flags);
        serde_json::from_str(&printed(&arguments, "")).expect("JSON")
    };
    let free = json(&[]);
    let blocks = |result: &Value| -> Vec<String> {
        let routes = result["routes"].as_array().expect("routes").clone();
        let blocks = routes.iter().flat_map(|r| r["building_blocks"].as_array().cloned());
        blocks.flatten().map(|b| b.as_str().expect("text").to_owned()).collect()
    };
    assert!(blocks(&free).contains(&"Nc1ccc(O)cc1".to_owned()));
    let avoided = json(&["--avoid-building-blocks", "Nc1ccc(O)cc1,CC(=O)OC(C)=O"]);
    assert!(!blocks(&avoided).contains(&"Nc1ccc(O)cc1".to_owned()));
    let avoided_list = &avoided["proof"]["constraints"]["avoid_building_blocks"];
    assert_eq!(avoided_list.as_array().map(Vec::len), Some(2));
    // The amide bond lies between atoms 1 and 3.
    let made = json(&["--break-bonds", "1-3", "--max-steps", "1"]);
    assert_eq!(made["proof"]["constraints"]["break_bonds"], serde_json::json!([[1, 3]]));
    assert!(made["routes"].as_array().expect("routes").iter().all(|r| r["depth"] == 1));
    let error = refused(&["routes", PARACETAMOL, "--freeze-bonds", "0-9"], "");
    assert!(error.contains("freeze_bonds") && error.contains("[0, 9]"), "{error}");
    let error = refused(&["routes", PARACETAMOL, "--break-bonds", "0;9"], "");
    assert!(error.contains("3-4"), "{error}");
    let error = refused(&["routes", PARACETAMOL, "--avoid-reaction-families", "magic"], "");
    assert!(error.contains("magic") && error.contains("amide_formation"), "{error}");
    let error = refused(&["routes", PARACETAMOL, "--jobs", "2"], "");
    assert!(error.contains("--input"), "{error}");
}

#[test]
fn many_targets_are_planned_in_their_order() {
    let folder = Folder::new("batch");
    let input =
        folder.with("targets.smi", "CC(=O)Nc1ccc(O)cc1 paracetamol\nC1CC bad\n\nCCOC(C)=O\n");
    let (output, summary) = (folder.file("out.jsonl"), folder.file("summary.json"));
    let run = synthon(
        &["routes", "--input", &input, "--output", &output, "--jobs", "2", "--summary", &summary],
        "",
    );
    let told = text(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{told}");
    assert!(told.contains("line 2") && told.contains("Unclosed ring"), "{told}");
    assert!(told.contains("solved") && told.contains("bad lines"), "{told}");
    assert_eq!(text(&run.stdout), "");
    let found = lines(&output);
    let smiles: Vec<&str> = found.iter().map(|l| l["smiles"].as_str().expect("text")).collect();
    assert_eq!(smiles, [PARACETAMOL, "C1CC", "CCOC(C)=O"]);
    assert_eq!(found[0]["name"], "paracetamol");
    assert!(found[0]["routes_found"].as_u64() > Some(0));
    let keys: Vec<&String> = found[1].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["smiles", "error"]);
    let single: Value =
        serde_json::from_str(&printed(&["routes", "CCOC(C)=O", "--json"], "")).expect("JSON");
    assert_eq!(found[2]["routes"], single["routes"]);
    let summed: Value =
        serde_json::from_str(&fs::read_to_string(&summary).expect("a file")).expect("JSON");
    assert_eq!(
        (&summed["targets"], &summed["errors"], &summed["solved"]),
        (&2.into(), &1.into(), &2.into())
    );
    // A finished batch is replaced as any output is.
    let again = synthon(&["routes", "--input", &input, "--output", &output], "");
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(lines(&output).len(), 3);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let folder = Folder::new("jobs");
    let input = folder
        .with("t.csv", "id,smiles\na,CCOC(C)=O\nb,CC(=O)Nc1ccccc1\nc,CCNC(C)=O\nd,Cc1ccccc1\n");
    let of = |jobs: &str| -> Vec<Value> {
        let output = folder.file("out.jsonl");
        let flags = ["--jobs", jobs, "--node-limit", "200", "--timeout", "600"];
        let mut arguments = vec!["routes", "--input", &input, "--output", &output];
        arguments.extend(flags);
        printed(&arguments, "");
        let mut found = lines(&output);
        found.iter_mut().for_each(|line| line["timings"] = Value::Null);
        found
    };
    let one = of("1");
    assert_eq!(one.len(), 4);
    assert_eq!(one, of("3"));
}

#[test]
fn a_summary_page_holds_plots_and_what_is_shared() {
    let folder = Folder::new("page");
    // Both amides can be made by way of the same acid chloride or acid.
    let input =
        folder.with("t.smi", "CC(=O)Nc1ccc(O)cc1 <b>one</b>\nCC(=O)Nc1ccc(OC)cc1 two\nx bad\n");
    let (output, page) = (folder.file("o.jsonl"), folder.file("s.html"));
    printed(&["routes", "--input", &input, "--output", &output, "--summary", &page], "");
    let page = fs::read_to_string(&page).expect("a page");
    for title in ["Solved targets", "Depth of the best route", "Time of the search", "Highest tier"]
    {
        assert!(page.contains(title), "{title}");
    }
    assert!(page.contains("&lt;b&gt;one&lt;/b&gt;") && !page.contains("<b>one"));
    let error = refused(&["routes", "--input", &input, "--summary", "s.txt"], "");
    assert!(error.contains(".html"), "{error}");
}

#[test]
fn faults_of_arguments_end_the_batch_before_it_begins() {
    let folder = Folder::new("faults");
    let input = folder.with("t.smi", "CCO\n");
    let output = folder.file("o.jsonl");
    for flags in [
        ["--depth", "50"],
        ["--avoid-elements", "Xx"],
        ["--stock", "nowhere"],
        ["--column", "smiles"],
    ] {
        let mut arguments = vec!["routes", "--input", &input, "--output", &output];
        arguments.extend(flags);
        let run = synthon(&arguments, "");
        if flags[0] != "--column" {
            assert_eq!(run.status.code(), Some(2), "{flags:?}: {}", text(&run.stderr));
            assert!(!Path::new(&output).exists(), "{flags:?}");
        }
    }
    refused(&["routes", "--input", &folder.file("missing.smi"), "--output", &output], "");
    refused(&["routes", "--input", &input, "--output", &input], "");
    refused(&["routes", "--resume", "CCO"], "");
    refused(&["routes"], "");
    assert_eq!(fs::read_to_string(&input).expect("the input"), "CCO\n");
    // Bonds belong to single targets: a target without them is a bad line.
    let run = synthon(&["routes", "--input", &input, "--break-bonds", "0-7"], "");
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stdout).contains("\"error\""), "{}", text(&run.stdout));
}

/// Targets that take a while, so that a run can be stopped among them.
fn many() -> String {
    let tails = ["c1ccccc1", "c1ccncc1", "C1CCCCC1", "c1ccc(F)cc1", "c1ccc(Cl)cc1", "CCN(C)C"];
    let mut out = String::new();
    for (at, tail) in tails.iter().cycle().take(36).enumerate() {
        let chain = "C".repeat(at / tails.len() + 1);
        out.push_str(&format!("O=C(N{chain}{tail})c1ccc(OC)c(OC)c1 t{at}\n"));
    }
    out
}

fn started(arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("synthon runs")
}

#[test]
fn a_killed_run_goes_on_without_losing_or_repeating_a_target() {
    let folder = Folder::new("killed");
    let input = folder.with("t.smi", &many());
    let output = folder.file("o.jsonl");
    let base =
        ["routes", "--input", &input, "--output", &output, "--jobs", "2", "--node-limit", "60"];
    let with = |more: &[&'static str]| -> Vec<String> {
        base.iter().copied().chain(more.iter().copied()).map(str::to_owned).collect()
    };
    let as_refs = |list: &[String]| -> Vec<String> { list.to_vec() };
    for round in 0..3 {
        let arguments = with(if round == 0 { &[] } else { &["--resume"] });
        let arguments = as_refs(&arguments);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let before = fs::metadata(&output).map_or(0, |file| file.len());
        let mut child = started(&arguments);
        let start = Instant::now();
        // Killed in the middle of its work, as soon as something new was written.
        while fs::metadata(&output).map_or(0, |file| file.len()) <= before
            && start.elapsed() < Duration::from_secs(60)
            && child.try_wait().expect("a state").is_none()
        {
            sleep(Duration::from_millis(2));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        // What a kill in the middle of a write leaves.
        let mut bytes = fs::read(&output).expect("an output");
        bytes.extend(b"{\"smiles\":\"O=C(NCc1ccccc1)c1ccc(OC)c(OC)c1\",\"target\":\"O=C(N");
        fs::write(&output, bytes).expect("written");
    }
    // Begun anew by mistake, it would lose what is there.
    let anew = with(&[]);
    let anew: Vec<&str> = anew.iter().map(String::as_str).collect();
    let error = refused(&anew, "");
    assert!(error.contains("--resume"), "{error}");

    let last = with(&["--resume"]);
    let last: Vec<&str> = last.iter().map(String::as_str).collect();
    let run = synthon(&last, "");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let names: Vec<String> = lines(&output)
        .iter()
        .map(|line| line["name"].as_str().expect("a name").to_owned())
        .collect();
    let expected: Vec<String> = (0..36).map(|at| format!("t{at}")).collect();
    assert_eq!(names, expected);
    assert!(text(&run.stderr).contains("targets                    36"), "{}", text(&run.stderr));
    // Done is done.
    let before = fs::read(&output).expect("an output");
    let run = synthon(&last, "");
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(fs::read(&output).expect("an output"), before);
}

#[test]
fn an_output_of_another_input_is_not_taken_up() {
    let folder = Folder::new("other");
    let input = folder.with("t.smi", "CCO\nCCN\n");
    let other = folder.with("o.jsonl", "{\"smiles\":\"CCC\",\"error\":\"x\"}\n");
    let resume =
        |output: &str| refused(&["routes", "--input", &input, "--output", output, "--resume"], "");
    let error = resume(&other);
    assert!(error.contains("line 1") && error.contains("another input"), "{error}");
    let longer = folder
        .with("l.jsonl", "{\"smiles\":\"CCO\"}\n{\"smiles\":\"CCN\"}\n{\"smiles\":\"CCC\"}\n");
    assert!(resume(&longer).contains("more results"));
    let broken = folder.with("b.jsonl", "not JSON\n{\"smiles\":\"CCO\"}\n");
    assert!(resume(&broken).contains("line 1"));
    for file in [&other, &longer, &broken] {
        assert!(fs::metadata(file).expect("the file").len() > 0, "{file} was left as it was");
    }
}

#[test]
fn standard_input_and_output_serve_as_files() {
    let run = synthon(&["routes", "--input", "-", "--max-routes", "1"], "CCOC(C)=O\nC(\n");
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout).lines().count(), 2);
    let run = synthon(&["routes", "-"], "CCOC(C)=O\n");
    assert!(text(&run.stdout).contains("Route 1 of"));
    assert!(refused(&["routes", "-"], "C\nCC\n").contains("--input -"));
}

#[test]
fn an_empty_answer_has_a_status_of_its_own_on_request() {
    let status = |arguments: &[&str]| synthon(arguments, "").status.code();
    assert_eq!(status(&["routes", "[Xe]", "--depth", "1"]), Some(0));
    assert_eq!(status(&["routes", "[Xe]", "--depth", "1", "--exit-status"]), Some(1));
}

#[test]
fn a_reader_that_goes_away_ends_the_batch_quietly() {
    let folder = Folder::new("pipe");
    let input = folder.with("t.smi", &many());
    let mut child = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(["routes", "--input", &input, "--node-limit", "20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("synthon runs");
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    assert_eq!(status.code(), Some(0), "{}", text(&stderr));
    assert!(!text(&stderr).contains("error"), "{}", text(&stderr));
}
