//! `synthon convert` and `synthon describe`, as a user runs them.

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Exit status, standard output, standard error.
fn told(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = support::synthon(arguments, input);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("synthon-convert-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
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

const SMILES: &str = "C[C@H](N)C(=O)O alanine\nC/C=C/C butene\n[13CH3][NH3+] ion\n";

#[test]
fn molecules_come_back_through_every_notation() {
    let folder = Folder::new("back");
    let canonical = told(&["convert", "-"], SMILES.as_bytes()).1;
    assert_eq!(canonical.lines().count(), 3);
    for (name, flags) in
        [("x.sdf", &[][..]), ("x.sdf.gz", &[]), ("v3.sdf", &["--v3000"]), ("x.smi", &[])]
    {
        let file = folder.at(name);
        let mut arguments = vec!["convert", "-", "-o", &file];
        arguments.extend(flags);
        let (code, out, errors) = told(&arguments, SMILES.as_bytes());
        assert_eq!((code, &*out, &*errors), (0, "", ""), "{name}");
        assert_eq!(told(&["convert", &file], b""), (0, canonical.clone(), String::new()), "{name}");
    }
    let (_, v3, _) = told(&["convert", "CCO", "--to", "mol", "--v3000"], b"");
    assert!(v3.contains("V3000") && v3.ends_with("M  END\n"), "{v3}");
    let key = told(&["convert", "CCO", "--to", "inchikey"], b"").1;
    assert_eq!(key, "LFQSCWFLJHTTHZ-UHFFFAOYSA-N\n");
    let inchi = told(&["convert", "CCO", "--to", "inchi"], b"").1;
    assert_eq!(inchi, "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3\n");
}

#[test]
fn data_fields_of_an_sd_file_stay() {
    let sdf = told(&["convert", "CCO", "--to", "sdf"], b"").1;
    let with = sdf.replace("$$$$", "> <ID>\n7\n\n> <NOTE>\ntwo\nlines\n\n$$$$");
    let (code, again, _) = told(&["convert", "-", "--to", "sdf"], with.as_bytes());
    assert_eq!(code, 0);
    assert!(again.contains("> <ID>\n7\n\n> <NOTE>\ntwo\nlines\n\n$$$$\n"), "{again}");
}

#[test]
fn bad_records_are_told_with_their_line() {
    let (code, out, errors) = told(&["convert", "-"], b"CCO a\nC1CC b\ncaf\xe9 c\nC\0 d\nN e\n");
    assert_eq!((code, &*out), (0, "CCO a\nN e\n"));
    for part in ["3 of 5 records", "line 2: ", "line 3: The byte 0xE9", "line 4: A NUL byte"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let sdf = told(&["convert", "-", "--to", "sdf"], b"CCO\nCCN\n").1;
    let cut = &sdf[..sdf.len() - 20];
    let (code, out, errors) = told(&["convert", "-"], cut.as_bytes());
    assert_eq!((code, &*out), (2, "CCO\n"), "it broke off");
    assert!(errors.contains("1 of 2 records") && errors.contains("cut short"), "{errors}");
    // The line is that of the fault, not of the record.
    let wrong = sdf.replacen("N   0", "Xy  0", 1);
    let line = wrong.lines().position(|line| line.contains("Xy")).expect("an atom") + 1;
    let errors = told(&["convert", "-"], wrong.as_bytes()).2;
    assert!(errors.contains(&format!("line {line}: ")), "{errors}");
}

#[test]
fn what_breaks_off_or_is_no_molecule_file_is_refused() {
    let folder = Folder::new("refused");
    let file = |name: &str, bytes: &[u8]| {
        fs::write(folder.at(name), bytes).expect("a file");
        folder.at(name)
    };
    let whole = {
        let packed = folder.at("whole.smi.gz");
        let text: String = (1..2_000).map(|i| format!("C{} m{i}\n", "N".repeat(i % 50))).collect();
        told(&["convert", "-", "-o", &packed], text.as_bytes());
        fs::read(packed).expect("it was written")
    };
    let cut = file("cut.smi.gz", &whole[..whole.len() / 2]);
    let utf16 = file("x.smi", b"\xff\xfeC\0\n\0");
    let parquet = file("x.parquet", b"PAR1 and then nothing");
    let missing = folder.at("missing.sdf");
    for command in ["convert", "describe"] {
        for (arguments, hint) in [
            (&[command, &*cut][..], "ends in its middle"),
            (&[command, &utf16], "UTF-8"),
            (&[command, &parquet], "arquet"),
            (&[command, &folder.at("")], "folder"),
            (&[command, &missing], "missing.sdf"),
            (&[command, "C1CC"], "ring"),
            (&[command, ""], "molecule"),
            (&[command, "CCO", "--from", "xyz"], "--from"),
        ] {
            let (code, _, errors) = told(arguments, b"");
            assert_eq!(code, 2, "{arguments:?}: {errors}");
            assert!(errors.contains(hint), "{arguments:?}: {errors}");
        }
        let (code, _, errors) = told(&[command, "-"], b"");
        assert_eq!((code, &*errors), (0, ""), "an empty file has no records");
    }
    let (code, _, errors) = told(&["convert", "-", "--to", "mol"], b"C\nCC\n");
    assert!(code == 2 && errors.contains("--to sdf"), "{errors}");
    let (code, _, errors) = told(&["convert", "C", "-o", &folder.at("x.xyz")], b"");
    assert!(code == 2 && errors.contains("--to"), "{errors}");
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn a_file_may_be_replaced_by_what_is_made_of_it() {
    let folder = Folder::new("itself");
    let file = folder.at("x.smi");
    let text: String = (0..2_000).map(|i| format!("OC{} m{i}\n", "C".repeat(i % 50))).collect();
    for (name, link) in
        [("x.smi", None), ("link.smi", Some("symbolic")), ("hard.smi", Some("hard"))]
    {
        let output = folder.at(name);
        for command in ["convert", "describe"] {
            fs::write(&file, &text).expect("a file");
            let _ = link.map(|_| fs::remove_file(&output));
            match link {
                #[cfg(unix)]
                Some("symbolic") => std::os::unix::fs::symlink("x.smi", &output).expect("a link"),
                Some("hard") => fs::hard_link(&file, &output).expect("a link"),
                _ => {}
            }
            let whole = told(&[command, &file], b"").1;
            assert!(whole.lines().count() >= 2_000);
            assert_eq!(
                told(&[command, &file, "-o", &output], b""),
                (0, String::new(), String::new())
            );
            assert_eq!(fs::read_to_string(&output).expect("a file"), whole);
            if link == Some("hard") {
                assert_eq!(fs::read_to_string(&file).expect("a file"), text);
            }
        }
        #[cfg(unix)]
        assert_eq!(PathBuf::from(&output).is_symlink(), link == Some("symbolic"));
    }
    assert!(names(&folder).iter().all(|name| name.ends_with(".smi")));
}

#[test]
fn an_output_is_replaced_by_a_whole_one_only() {
    let folder = Folder::new("kept");
    let packed = folder.at("whole.smi.gz");
    let text: String = (0..2_000).map(|i| format!("OC{} m{i}\n", "C".repeat(i % 50))).collect();
    assert_eq!(told(&["convert", "-", "-o", &packed], text.as_bytes()).0, 0);
    let whole = fs::read(&packed).expect("a file");
    let cut = folder.at("cut.smi.gz");
    fs::write(&cut, &whole[..whole.len() - 100]).expect("a file");
    let (old, new) = (folder.at("old.smi"), folder.at("new.smi"));
    fs::write(&old, "C old\n").expect("a file");
    for command in ["convert", "describe"] {
        let (code, _, errors) = told(&[command, &cut, "-o", &old], b"");
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains("old.smi was left as it was"), "{errors}");
        let (code, _, errors) = told(&[command, &cut, "-o", &new], b"");
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains("new.smi was not written"), "{errors}");
    }
    let two = told(&["convert", "-", "--to", "mol", "-o", &old], b"C\nCC\n");
    assert_eq!(two.0, 2, "{}", two.2);
    assert_eq!(told(&["depict", "C1CC", "-o", &folder.at("x.svg")], b"").0, 2);
    let absent = folder.at("no/such/x.smi");
    let (code, _, errors) = told(&["convert", "C", "-o", &absent], b"");
    assert!(code == 2 && errors.contains("no/such/x.smi: "), "{errors}");
    assert_eq!(fs::read_to_string(&old).expect("a file"), "C old\n");
    assert_eq!(names(&folder), ["cut.smi.gz", "old.smi", "whole.smi.gz"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_written_straight() {
    let out = told(&["convert", "CCO", "--to", "smiles", "-o", "/dev/stdout"], b"");
    assert_eq!(out, (0, "CCO\n".to_owned(), String::new()));
    let folder = Folder::new("straight");
    // By links, so that a program that replaces what it is given replaces a link.
    for (name, code) in [("null", 0), ("full", 2)] {
        let device = folder.at(&format!("{name}.smi"));
        std::os::unix::fs::symlink(format!("/dev/{name}"), &device).expect("a link");
        let (status, _, errors) = told(&["convert", "CCO", "-o", &device], b"");
        assert_eq!(status, code, "{name}: {errors}");
        assert!(PathBuf::from(&device).is_symlink());
    }
    let pipe = folder.at("pipe.smi");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("text")
    });
    assert_eq!(told(&["convert", "OCC", "-o", &pipe], b"").0, 0);
    assert_eq!(reader.join().expect("it reads"), "CCO\n");
    // What a shell appends to stays.
    let log = folder.at("log");
    fs::write(&log, "before\n").expect("a file");
    let appended = fs::OpenOptions::new().append(true).open(&log).expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(["convert", "CCO", "--to", "smiles", "-o", "/dev/stdout"])
        .stdout(appended)
        .status();
    assert!(status.expect("synthon runs").success());
    assert_eq!(fs::read_to_string(&log).expect("a file"), "before\nCCO\n");
}

#[test]
fn descriptors_as_list_table_and_json() {
    let (code, list, _) = told(&["describe", "CC(=O)Oc1ccccc1C(=O)O"], b"");
    assert_eq!(code, 0);
    assert!(list.contains("molecular weight         180.159"), "{list}");
    let (_, json, _) = told(&["describe", "-", "--json"], b"CC(=O)Oc1ccccc1C(=O)O aspirin\n");
    let aspirin: Value = serde_json::from_str(&json).expect("JSON");
    let number = |name: &str| aspirin[name].as_f64().expect("a number");
    // RDKit's numbers.
    assert!((number("log_p") - 1.3101).abs() < 1e-6 && (number("tpsa") - 63.6).abs() < 1e-6);
    assert_eq!((number("rotatable_bonds"), number("hydrogen_bond_donors")), (2.0, 1.0));
    assert_eq!(aspirin["murcko_scaffold"], "c1ccccc1");
    let (code, table, errors) = told(&["describe", "-"], b"CCO \"a, b\"\nC1CC\nC\n");
    assert_eq!(code, 0);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[1].starts_with("CCO,\"\"\"a, b\"\"\",C2H6O,"), "{table}");
    assert!(errors.contains("line 2: "), "{errors}");
    for jobs in ["1", "8"] {
        assert_eq!(told(&["describe", "-", "--jobs", jobs], b"CCO \"a, b\"\nC1CC\nC\n").1, table);
    }
}

#[test]
fn names_that_look_like_marks_do_not_lose_records() {
    let table = "smiles,name\nC,$$$$\nCC,> <ID>\nCCC,M  END\nN,\"two\nlines\"\n";
    let (code, sdf, errors) = told(&["convert", "-", "--to", "sdf"], table.as_bytes());
    assert_eq!(code, 0, "{errors}");
    assert_eq!(errors.matches("a blank was put before the name").count(), 3, "{errors}");
    assert_eq!(sdf.lines().filter(|line| line.starts_with("$$$$")).count(), 4, "{sdf}");
    let (code, back, errors) = told(&["convert", "-"], sdf.as_bytes());
    assert_eq!((code, &*errors), (0, ""));
    assert_eq!(back, "C $$$$\nCC > <ID>\nCCC M  END\nN two lines\n");
    let long = format!("C {}\n", "n".repeat(81));
    let (_, sdf, errors) = told(&["convert", "-", "--to", "sdf"], long.as_bytes());
    assert!(sdf.starts_with(&"n".repeat(80)) && !sdf.contains(&"n".repeat(81)), "{sdf}");
    assert!(errors.contains("cut after 80 characters"), "{errors}");
}

#[test]
fn a_record_stays_within_its_line() {
    let table = b"smiles,name\nCCO,\"a\nb\x1b[2J\xe2\x80\xaec\"\n";
    for (arguments, lines) in [
        (&["convert", "-"][..], 1),
        (&["convert", "-", "--to", "inchikey"], 1),
        (&["fingerprint", "-"], 1),
        (&["standardise", "-"], 1),
        (&["substructure", "O", "-"], 1),
        (&["screen", "CCO", "-"], 1),
        (&["describe", "-"], 2),
    ] {
        let (code, out, errors) = told(arguments, table);
        assert_eq!((code, out.lines().count()), (0, lines), "{arguments:?}: {out}{errors}");
        assert!(out.contains("a b [2J c"), "{arguments:?}: {out}");
    }
    let (_, json, _) = told(&["fingerprint", "-", "--json"], table);
    let object: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(object["name"], "a\nb\u{1b}[2J\u{202e}c");
}

#[test]
fn inchis_keep_their_names_and_wildcards_have_none() {
    let (code, out, errors) =
        told(&["convert", "-", "--to", "inchikey"], b"C one\n*C two\nO three\n");
    assert_eq!(code, 0);
    assert_eq!(out, "VNWKTOKETHGBQD-UHFFFAOYSA-N one\nXLYOFNOQVPJJNP-UHFFFAOYSA-N three\n");
    assert!(errors.contains("line 2: ") && errors.contains("the wildcard `*`"), "{errors}");
    let (_, out, _) = told(&["convert", "-", "--to", "inchi"], b"C one\n");
    assert_eq!(out, "InChI=1S/CH4/h1H4 one\n");
}

/// What has no length and no place to go back to is read as standard input is.
#[cfg(unix)]
#[test]
fn pipes_are_files() {
    let folder = Folder::new("pipes");
    let corpus = folder.at("x.corpus");
    for (arguments, part) in [
        (&["convert", "/dev/stdin"][..], "CCO a\n"),
        (&["describe", "/dev/stdin"], "CCO,a,C2H6O"),
        (&["screen", "CCO", "/dev/stdin"], "1.0000\t1\tCCO\ta"),
        (&["fingerprint", "/dev/stdin"], "\ta\n"),
        (&["standardise", "/dev/stdin"], "CCO a\n"),
        (&["smarts", "O", "/dev/stdin"], "CCO\ta\n"),
        (&["depict", "/dev/stdin"], "<svg"),
        (&["corpus", "build", "/dev/stdin", "-o", &corpus], "1 molecules"),
    ] {
        let (code, out, errors) = told(arguments, b"CCO a\n");
        assert_eq!(code, 0, "{arguments:?}: {errors}");
        assert!(out.contains(part), "{arguments:?}: {out}");
    }
}

/// A text that is a SMILES is one, whatever lies in the folder.
#[test]
fn a_file_named_like_a_molecule() {
    let folder = Folder::new("named");
    fs::write(folder.at("CO"), "CCCC butane\n").expect("a file");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_synthon"));
        let output = command.args(arguments).current_dir(&folder.0).output().expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for command in ["convert", "standardise"] {
        assert_eq!(run(&[command, "CO"]), "CO\n");
        assert_eq!(run(&[command, "./CO"]), "CCCC butane\n");
    }
    assert!(run(&["describe", "CO"]).contains("CH4O"));
    assert!(run(&["describe", "./CO"]).contains("C4H10"));
}
