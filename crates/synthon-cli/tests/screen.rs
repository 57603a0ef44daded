//! `synthon screen` and `synthon corpus`, as a user runs them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

const LIBRARY: &str = "# six and a bad one\nOc1ccccc1 phenol\nCc1ccccc1O cresol\nNc1ccccc1 aniline\n\
                       CCO ethanol\nC1CC nothing\nOc1ccccc1 phenol again\nc1ccccc1 benzene\n";

fn synthon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_synthon")).args(arguments).output().expect("synthon runs")
}

/// Exit status, standard output, standard error.
fn told(arguments: &[&str]) -> (i32, String, String) {
    let output = synthon(arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

fn result(arguments: &[&str]) -> Value {
    let (code, out, errors) = told(arguments);
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    serde_json::from_str(&out).expect("JSON")
}

/// A folder with the library as a file and as a corpus.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("synthon-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        let folder = Folder(path);
        fs::write(folder.at("library.smi"), LIBRARY).expect("a file");
        let (code, out, errors) =
            told(&["corpus", "build", &folder.at("library.smi"), "-o", &folder.at("x.corpus")]);
        assert_eq!(code, 0, "{errors}");
        assert!(out.contains("6 molecules"), "{out}");
        assert!(errors.contains("1 of 7 records") && errors.contains("line 6"), "{errors}");
        folder
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_and_its_corpus_give_the_same_hits() {
    let folder = Folder::new("same");
    let (file, corpus) = (folder.at("library.smi"), folder.at("x.corpus"));
    for more in [
        &["--threshold", "0.3"][..],
        &["--threshold", "0.3", "--max-hits", "2", "--offset", "1"],
        &["--threshold", "0"],
        &["--threshold", "1"],
        &["--substructure"],
        &["--substructure", "--query-format", "smiles", "--max-hits", "1"],
        &["--jobs", "1"],
        &["--jobs", "8"],
    ] {
        let ask = |library: &str| {
            let mut arguments = vec!["screen", "Oc1ccccc1", library, "--json"];
            arguments.extend(more);
            let mut answer = result(&arguments);
            let object = answer.as_object_mut().expect("an object");
            object.remove("bad_records");
            object.remove("faults");
            answer
        };
        assert_eq!(ask(&file), ask(&corpus), "{more:?}");
    }
    // The page of the reference: itself twice, then its neighbour.
    let page = result(&["screen", "Oc1ccccc1", &corpus, "--threshold", "0.3", "--json"]);
    let hits: Vec<(u64, f64)> = page["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| {
            let score = hit["score"].as_f64().expect("a score");
            (hit["target_index"].as_u64().expect("an index"), (score * 1e3).round() / 1e3)
        })
        .collect();
    assert_eq!(&hits[..2], [(0, 1.0), (4, 1.0)]);
    // Aniline.
    assert_eq!(hits[2].0, 2);
    assert_eq!(page["total_hits"].as_u64(), Some(hits.len() as u64));
    assert_eq!(page["hits"][1]["line"], 7);
    assert_eq!(page["hits"][1]["name"], "phenol again");
    let first = result(&["screen", "Oc1ccccc1", &corpus, "--top", "1", "--json"]);
    assert_eq!((&first["hits"][0], &first["total_hits"]), (&page["hits"][0], &Value::Null));
}

#[test]
fn bad_records_are_told_and_counted() {
    let folder = Folder::new("bad");
    let (code, out, errors) =
        told(&["screen", "Oc1ccccc1", &folder.at("library.smi"), "--threshold", "1"]);
    assert_eq!((code, out.lines().count()), (0, 2));
    assert!(out.starts_with("1.0000\t2\tOc1ccccc1\tphenol\n"), "{out}");
    assert!(errors.contains("1 of 7 records gave no molecule"), "{errors}");
    assert!(errors.contains("line 6: Unclosed ring"), "{errors}");
    assert!(errors.contains("2 hits among 6 molecules"), "{errors}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new("refused");
    let corpus = folder.at("x.corpus");
    let damaged = folder.at("damaged.corpus");
    let mut bytes = fs::read(&corpus).expect("a corpus");
    bytes.truncate(bytes.len() - 1);
    fs::write(&damaged, bytes).expect("a file");
    let cut = folder.at("cut.smi.gz");
    fs::write(&cut, b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x73").expect("a file");
    let empty = folder.at("empty.smi");
    fs::write(&empty, "").expect("a file");
    let utf16 = folder.at("utf16.smi");
    fs::write(&utf16, b"\xff\xfeC\0\n\0").expect("a file");
    let parquet = folder.at("broken.parquet");
    fs::write(&parquet, b"PAR1 is all that is right here").expect("a file");
    for (arguments, hint) in [
        (&["screen", "CCO", &*corpus, "--threshold", "NaN"][..], "0 to 1"),
        (&["screen", "CCO", &corpus, "--threshold", "1.5"], "0 to 1"),
        (&["screen", "CCO", &corpus, "--kind", "path"], "ecfp"),
        (&["screen", "CCO", &corpus, "--fp-size", "64"], "2048"),
        (&["screen", "CCO", &corpus, "--counts"], "bits"),
        (&["screen", "C1CC", &corpus], "ring"),
        (&["screen", "[OX2", &corpus, "--substructure"], "position"),
        (&["screen", " ", &corpus], "empty"),
        (&["screen", "CCO", &damaged], "bytes"),
        (&["screen", "CCO", "/no/such/file"], "/no/such/file"),
        (&["screen", "CCO", &cut], "end"),
        (&["screen", "CCO", &folder.at("library.smi"), "--fp-size", "0"], "0"),
        (&["corpus", "info", &folder.at("library.smi")], "no corpus"),
        (&["corpus", "info", &folder.at("")], "folder"),
        (&["corpus", "build", &folder.at(""), "-o", &folder.at("y.corpus")], "folder"),
        (&["corpus", "build", &cut, "-o", &folder.at("y.corpus")], "end"),
        (&["corpus", "build", &empty, "-o", &folder.at("y.corpus")], "empty"),
        (&["corpus", "info", &empty], "no corpus"),
        (&["screen", "CCO", &folder.at("")], "folder"),
        (&["screen", "CCO", &utf16], "UTF-8"),
        (&["screen", "CCO", &parquet], "arquet"),
    ] {
        let (code, out, errors) = told(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(hint), "{arguments:?}: {errors}");
    }
    assert!(!std::path::Path::new(&folder.at("y.corpus")).exists());
    let (code, ..) = told(&["screen", "[Xe]", &corpus, "--exit-status"]);
    assert_eq!(code, 1);
    let (code, ..) = told(&["screen", "C", &corpus, "--substructure", "--timeout", "0"]);
    assert_eq!(code, 3);
}

#[test]
fn a_corpus_tells_what_it_is() {
    let folder = Folder::new("info");
    let info = result(&["corpus", "info", &folder.at("x.corpus"), "--verify", "--json"]);
    assert_eq!((&info["molecules"], &info["substructures"]), (&6.into(), &true.into()));
    assert_eq!(info["fingerprint"]["fp_size"], 2_048);
}

/// Molecules that are added or gone are so after building anew; nobody sees half of it.
#[test]
fn a_corpus_is_changed_by_building_it_anew() {
    let folder = Folder::new("anew");
    let (file, corpus) = (folder.at("library.smi"), folder.at("x.corpus"));
    let hits = || {
        let page = result(&["screen", "Oc1ccccc1", &corpus, "--threshold", "1", "--json"]);
        (page["total_hits"].as_u64(), page["total_targets"].as_u64())
    };
    assert_eq!(hits(), (Some(2), Some(6)));
    let without = LIBRARY.replace("Oc1ccccc1 phenol again\n", "");
    fs::write(&file, without + "CCOC(C)=O added\n").expect("a file");
    let (code, _, errors) = told(&["corpus", "build", &file, "-o", &corpus]);
    assert_eq!(code, 0, "{errors}");
    assert_eq!(hits(), (Some(1), Some(6)));
    let added = result(&["screen", "CCOC(C)=O", &corpus, "--top", "1", "--json"]);
    assert_eq!(added["hits"][0]["name"], "added");
}

#[test]
fn a_corpus_takes_the_place_of_nothing_but_a_file_of_its_own() {
    let folder = Folder::new("place");
    let file = folder.at("library.smi");
    let hard = folder.at("hard.smi");
    fs::hard_link(&file, &hard).expect("a link");
    for output in [&file, &hard] {
        let (code, _, errors) = told(&["corpus", "build", &file, "-o", output]);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains("--output") && errors.contains("itself"), "{errors}");
        assert_eq!(fs::read_to_string(output).expect("a file"), LIBRARY);
    }
    // It is the output that is at fault, and it is told by its own name.
    let absent = folder.at("no/such/y.corpus");
    let (code, _, errors) = told(&["corpus", "build", &file, "-o", &absent]);
    assert_eq!(code, 2);
    assert!(errors.starts_with(&format!("error: {absent}: ")), "{errors}");
    assert!(!errors.contains("building"), "{errors}");
    #[cfg(unix)]
    {
        let link = folder.at("link.corpus");
        std::os::unix::fs::symlink("x.corpus", &link).expect("a link");
        assert_eq!(told(&["corpus", "build", &file, "-o", &link, "--no-substructures"]).0, 0);
        assert!(PathBuf::from(&link).is_symlink());
        let info = result(&["corpus", "info", &folder.at("x.corpus"), "--json"]);
        assert_eq!(info["substructures"], false);
        let device = folder.at("device");
        std::os::unix::fs::symlink("/dev/null", &device).expect("a link");
        let (code, _, errors) = told(&["corpus", "build", &file, "-o", &device]);
        assert!(code == 2 && errors.contains("a device"), "{errors}");
        assert!(PathBuf::from(&device).is_symlink());
    }
}

/// A killed build leaves a draft; the next one for the same corpus takes it away.
#[cfg(unix)]
#[test]
fn drafts_of_killed_builds_do_not_stay() {
    use std::process::Stdio;
    use std::time::Duration;
    let folder = Folder::new("killed");
    let corpus = folder.at("x.corpus");
    let drafts = || {
        let entries = fs::read_dir(&folder.0).expect("a folder");
        entries
            .filter(|e| {
                e.as_ref().expect("an entry").file_name().to_string_lossy().ends_with(".building")
            })
            .count()
    };
    // It waits for molecules until it is killed.
    let mut build = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(["corpus", "build", "-", "--from", "smiles", "-o", &corpus])
        .stdin(Stdio::piped())
        .spawn()
        .expect("synthon runs");
    let mut molecules = build.stdin.take().expect("piped");
    let text = "C\n".repeat(40_000);
    std::io::Write::write_all(&mut molecules, text.as_bytes()).expect("it reads");
    for _ in 0..600 {
        if drafts() > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(drafts(), 1);
    // While it is at work its draft is left alone.
    let file = folder.at("library.smi");
    assert_eq!(told(&["corpus", "build", &file, "-o", &corpus]).0, 0);
    assert_eq!(drafts(), 1);
    build.kill().expect("it is killed");
    build.wait().expect("it ends");
    drop(molecules);
    assert_eq!(drafts(), 1);
    assert_eq!(told(&["corpus", "build", &file, "-o", &corpus]).0, 0);
    assert_eq!(drafts(), 0);
}

#[test]
fn pages_make_the_whole_for_any_number_of_threads() {
    let folder = Folder::new("pages");
    let file = folder.at("many.smi");
    let corpus = folder.at("many.corpus");
    let text: String = (0..3_000)
        .map(|i| format!("{}{} m{i}\n", "C".repeat(i % 7 + 1), ["O", "N", "c1ccccc1"][i % 3]))
        .collect();
    fs::write(&file, text).expect("a file");
    assert_eq!(told(&["corpus", "build", &file, "-o", &corpus]).0, 0);
    for more in [&["--threshold", "0.2"][..], &["--substructure"]] {
        let page = |library: &str, offset: usize, most: usize, jobs: &str| -> Vec<Value> {
            let (offset, most) = (offset.to_string(), most.to_string());
            let mut arguments = vec!["screen", "CCO", library, "--json", "--offset", &offset];
            arguments.extend(["--max-hits", &most, "--jobs", jobs]);
            arguments.extend(more);
            result(&arguments)["hits"].as_array().expect("hits").clone()
        };
        let whole = page(&corpus, 0, 3_000, "1");
        assert!(whole.len() > 500, "{}", whole.len());
        for (library, jobs) in [(&corpus, "2"), (&corpus, "8"), (&file, "1"), (&file, "8")] {
            let mut pages = Vec::new();
            while pages.len() < whole.len() {
                let next = page(library, pages.len(), 400, jobs);
                assert!(!next.is_empty());
                pages.extend(next);
            }
            assert!(pages == whole, "{library}, {jobs} threads, {more:?}");
        }
    }
}

#[test]
fn no_time_is_no_fault_of_the_records() {
    let folder = Folder::new("time");
    let file = folder.at("library.smi");
    for more in [&[][..], &["--substructure"]] {
        let arguments = ["screen", "CCO", &*file, "--timeout", "0", "--json"];
        let (code, out, errors) = told(&[&arguments[..], more].concat());
        let page: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((code, &page["bad_records"]), (3, &0.into()), "{errors}");
        assert_eq!(page["status"], "TIMED_OUT", "{page}");
        assert!(!errors.contains("gave no molecule"), "{errors}");
    }
}

#[test]
fn files_of_nothing_and_files_that_break_off() {
    let folder = Folder::new("ends");
    let file = |name: &str, text: &str| {
        fs::write(folder.at(name), text).expect("a file");
        folder.at(name)
    };
    for empty in
        [file("e.smi", ""), file("e.sdf", ""), file("e.csv", ""), file("h.csv", "smiles\n")]
    {
        for arguments in [
            &["screen", "CCO", &*empty][..],
            &["screen", "O", &empty, "--substructure"],
            &["convert", &empty],
            &["describe", &empty],
            &["fingerprint", &empty],
            &["standardise", &empty],
            &["smarts", "O", &empty],
        ] {
            let (code, _, errors) = told(arguments);
            assert_eq!(code, 0, "{arguments:?}: {errors}");
        }
    }
    let (_, sdf, _) = told(&["convert", &folder.at("library.smi"), "--to", "sdf"]);
    let cut = file("cut.sdf", &sdf[..sdf.len() - 30]);
    let corpus = folder.at("cut.corpus");
    for arguments in [
        &["screen", "CCO", &*cut][..],
        &["convert", &cut],
        &["describe", &cut],
        &["fingerprint", &cut],
        &["standardise", &cut],
        &["smarts", "O", &cut],
        &["depict", &cut],
        &["corpus", "build", &cut, "-o", &corpus],
    ] {
        let (code, _, errors) = told(arguments);
        assert_eq!(code, 2, "{arguments:?}: {errors}");
        assert!(errors.contains("M  END"), "{arguments:?}: {errors}");
    }
    assert_eq!(told(&["corpus", "build", &cut, "-o", &corpus, "--allow-broken-off"]).0, 0);
}

#[test]
fn a_corpus_where_molecules_are_wanted() {
    let folder = Folder::new("corpus-as-file");
    let corpus = folder.at("x.corpus");
    for command in ["convert", "describe", "fingerprint", "depict"] {
        let (code, out, errors) = told(&[command, &corpus]);
        assert_eq!((code, &*out), (2, ""), "{command}");
        assert_eq!(errors.matches("this is a packed corpus").count(), 1, "{command}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{command}: {errors}");
    }
    let bytes = fs::File::open(&corpus).expect("a corpus");
    let mut command = Command::new(env!("CARGO_BIN_EXE_synthon"));
    let output = command.args(["screen", "CCO", "-"]).stdin(bytes).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("this is a packed corpus"));
}

#[test]
fn a_line_of_calls_that_is_too_long_is_refused_alone() {
    let folder = Folder::new("jsonl");
    let call = "{\"smiles\":\"CCO\"}\n";
    let long = format!("{{\"smiles\":\"{}\"}}\n", "C".repeat(5 << 20));
    fs::write(folder.at("calls"), [call, &long, call].concat()).expect("a file");
    let calls = fs::File::open(folder.at("calls")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_synthon"));
    command.args(["call", "molecular_fingerprint", "--jsonl"]).stdin(calls);
    let output = command.output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((output.status.code(), answers.len()), (Some(0), 3), "{text}");
    assert_eq!(answers[1]["code"], "json.too_long", "{}", answers[1]);
    assert!(answers[1]["error"].as_str().is_some_and(|error| error.contains("Line 2")));
    assert!(answers[0]["values"].is_array() && answers[0]["values"] == answers[2]["values"]);
}
