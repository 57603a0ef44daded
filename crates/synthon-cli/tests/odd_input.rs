//! Odd and hostile input at the commands for molecules: refused with place and repair, or passed
//! over and told, never cut off silently.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use support::synthon;

/// Exit status, standard output, standard error.
fn told(arguments: &[&str], input: impl AsRef<[u8]>) -> (Option<i32>, String, String) {
    texts(&synthon(arguments, input))
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn refused(arguments: &[&str], words: &str) {
    let (code, out, errors) = told(arguments, "");
    assert_eq!(code, Some(2), "{arguments:?}: {errors}");
    assert!(out.is_empty() && errors.contains(words), "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("odd-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn written(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn numbers_out_of_bounds_meet_the_bounds() {
    let folder = folder("numbers");
    let file = written(&folder, "a.smi", "CCO\n");
    let screen = |more: &[&str], words: &str| {
        refused(&[&["screen", "CCO", file.as_str()], more].concat(), words);
    };
    for number in ["-1", "0", "1.5", "many", "99999999999999999999"] {
        screen(&["--top", number], "a whole number from 1 to 1000000000 is wanted");
        screen(&["--max-hits", number], "a whole number from 1 to 1000000000 is wanted");
    }
    screen(&["--offset", "-1"], "a whole number from 0 to 1000000000 is wanted");
    screen(&["--timeout", "-3"], "a whole number from 0");
    for number in ["-0.5", "1.01", "NaN", "inf"] {
        screen(&["--threshold", number], "a number from 0 to 1 is wanted");
    }
    for number in ["-8", "0"] {
        screen(&["--fp-size", number], "a whole number from 1 to 67108864 is wanted");
    }
    screen(&["--kind", "torsion", "--fp-size", "4"], "torsion");
    screen(&["--kind", "atom_pair", "--fp-size", "4"], "atom_pair");
    screen(&["--kind", "maccs", "--fp-size", "64"], "167");
    screen(&["--top", "1", "--top", "2"], "cannot be used multiple times");
    for command in ["fingerprint", "similarity"] {
        let molecules: &[&str] = if command == "similarity" { &["CCO", "CCN"] } else { &["CCO"] };
        let ask = |more: &[&str], words: &str| {
            refused(&[&[command], molecules, more].concat(), words);
        };
        ask(&["--fp-size", "0"], "1 to 65536");
        ask(&["--fp-size", "-1"], "1 to 65536");
        ask(&["--radius", "-1"], "0 to 8");
        ask(&["--kind", "torsion", "--fp-size", "4"], "at least 5");
        ask(&["--kind", "atom_pair", "--fp-size", "4"], "at least 5");
        ask(&["--kind", "maccs", "--fp-size", "2048"], "167");
        ask(&["--kind", "maccs", "--counts"], "counts are not available for maccs");
    }
    refused(&["smarts", "[OX2H]", "CCO", "--max-matches", "-1"], "1 to 32");
    refused(&["depict", &file, "--limit", "-4"], "from 1 to 1000");
    refused(&["depict", &file, "--columns", "0"], "from 1 to 40");
    refused(&["convert", "CCO", "--jobs", "-1"], "1..=256");
}

#[test]
fn kinds_that_the_tools_do_not_have_are_there_for_people() {
    let (code, out, errors) = told(&["fingerprint", "CCO", "--kind", "maccs"], "");
    assert_eq!((code, out.as_str()), (Some(0), "82 109 114 139 153 155 157 160 164\n"), "{errors}");
    let arguments = ["fingerprint", "-", "--kind", "atom_pair", "--json"];
    let (_, out, _) = told(&arguments, "CCO ethanol\n");
    let row: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&row["scheme"], &row["fp_size"]), (&"atom_pair".into(), &2_048.into()));
    let (_, single, _) = told(&["fingerprint", "CCO", "--kind", "atom_pair", "--json"], "");
    let single: Value = serde_json::from_str(&single).expect("JSON");
    for key in ["values", "kind", "radius", "counts", "scheme_version", "warnings"] {
        assert_eq!(row[key], single[key], "{key}");
    }
    let (code, out, _) = told(&["similarity", "CCO", "CCO", "--kind", "maccs"], "");
    assert_eq!((code, out.as_str()), (Some(0), "1.0\n"));
}

#[test]
fn columns_that_there_are_not_are_refused() {
    let folder = folder("columns");
    let smi = written(&folder, "a.smi", "CCO ethanol\n");
    let sdf = written(&folder, "a.sdf", told(&["convert", "CCO", "--to", "sdf"], "").1);
    for (command, file) in [("describe", &smi), ("describe", &sdf), ("convert", &smi)] {
        refused(&[command, file, "--column", "smiles"], "has no column");
    }
    refused(&["screen", "CCO", &smi, "--column", "smiles"], "has no column");
    refused(&["screen", "CCO", &smi, "--name-column", "id"], "has no column");
    refused(&["standardise", &smi, "--column", "x"], "has no column");
    refused(&["depict", &smi, "--column", "x"], "has no column");
    refused(&["describe", "CCO", "--column", "x"], "has no column");
    // It is a table where that is said.
    let (code, out, errors) = told(&["convert", "-", "--column", "text"], "id,text\n1,CCO\n");
    assert_eq!((code, out.as_str()), (Some(0), "CCO 1\n"), "{errors}");
}

#[test]
fn nothing_behind_a_control_character_is_cut_off() {
    for text in ["CCO\u{1b}[2J", "CCO\u{7}", "C\u{1}CO", "CCO\u{c}x"] {
        for command in ["standardise", "convert", "describe", "fingerprint", "depict"] {
            let (code, out, errors) = told(&[command, text], "");
            assert_eq!(code, Some(2), "{command} {text:?}: {errors}");
            assert!(out.is_empty() && errors.contains("position"), "{command}: {errors}");
            assert!(!errors.contains(|c: char| c.is_control() && c != '\n'), "{errors:?}");
        }
    }
    // A second line is another molecule, where several are taken.
    refused(&["standardise", "CCO\nCCN"], "position 3");
    assert_eq!(told(&["convert", "CCO\nCCN"], "").1, "CCO\nCCN\n");
    let lines = b"CCO\x07 bell\nCC\0O nul\nCCN\x0cname\nCCC good\n";
    let (code, out, errors) = told(&["convert", "-"], lines);
    assert_eq!((code, out.as_str()), (Some(0), "CCC good\n"), "{errors}");
    assert!(errors.contains("3 of 4 records"), "{errors}");
    for place in ["line 1: Control character", "line 2: A NUL byte", "line 3: Control character"] {
        assert!(errors.contains(place), "{errors}");
    }
}

#[test]
fn what_is_dropped_on_reading_is_told_by_every_command() {
    let folder = folder("dropped");
    let lines = "CCO |$a;b;c$| ethanol\nC[C@H](C)O flat\nCCN fine\n";
    let file = written(&folder, "a.smi", lines);
    let corpus = folder.join("a.corpus");
    let corpus = corpus.to_str().expect("UTF-8");
    for arguments in [
        &["standardise", &file][..],
        &["convert", &file],
        &["describe", &file],
        &["fingerprint", &file],
        &["substructure", "CO", &file],
        &["smarts", "CO", &file],
        &["screen", "CCO", &file],
        &["screen", "CO", &file, "--substructure"],
        &["corpus", "build", &file, "-o", corpus],
        &["depict", &file],
    ] {
        let (code, _, errors) = told(arguments, "");
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
        assert!(errors.contains("warning: line 1: The CXSMILES"), "{arguments:?}: {errors}");
        assert!(errors.contains("warning: line 2: Stereo mark"), "{arguments:?}: {errors}");
    }
    let flat = "C[C@H](C)O";
    for arguments in [
        &["standardise", flat][..],
        &["convert", flat],
        &["describe", flat],
        &["fingerprint", flat],
        &["fingerprint", flat, "--kind", "maccs"],
        &["similarity", flat, "CCO"],
        &["similarity", flat, "CCO", "--kind", "maccs"],
        &["mcs", flat, "CCO"],
        &["substructure", "CO", flat],
        &["substructure", flat, "CCO", "--query-format", "smiles"],
        &["smarts", "CO", flat],
        &["screen", flat, &file, "--top", "1"],
        &["screen", flat, &file, "--substructure", "--query-format", "smiles"],
        &["depict", flat],
        &["depict", flat, "CCO"],
        &["depict", "C[C@H](C)O>>CC(C)=O"],
    ] {
        let (code, _, errors) = told(arguments, "");
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
        assert!(errors.contains("warning: ") && errors.contains("Stereo mark"), "{errors}");
    }
    for arguments in [
        &["standardise", &file, "--json"][..],
        &["fingerprint", &file, "--json"],
        &["describe", &file, "--json"],
        &["screen", "CCO", &file, "--json"],
    ] {
        let (_, out, _) = told(arguments, "");
        let first: Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
        let warning = first["warnings"][0].as_str().expect("a warning");
        assert!(warning.contains("CXSMILES"), "{arguments:?}: {warning}");
    }
    // Of very many the first are told.
    let (_, _, errors) = told(&["convert", "-"], "C[C@H](C)O\n".repeat(500));
    assert!(errors.lines().count() <= 22 && errors.contains("480 more like these"), "{errors}");
}

#[test]
#[cfg(unix)]
fn files_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    let folder = folder("names");
    let run = |arguments: &[&OsStr]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_synthon"));
        texts(&program.args(arguments).output().expect("synthon runs"))
    };
    let os = OsStr::new;
    for name in [&b"b\xffd.smi"[..], b"b\xffd", b"t\xe4ble \x1b[31m.smi"] {
        let file = folder.join(OsStr::from_bytes(name));
        fs::write(&file, "CCO ethanol\nC1CC\nCCN amine\n").expect("written");
        let file = file.as_os_str();
        let corpus = folder.join(OsStr::from_bytes(b"\xff.corpus"));
        let corpus = corpus.as_os_str();
        for arguments in [
            &[os("convert"), file][..],
            &[os("describe"), file],
            &[os("standardise"), file],
            &[os("fingerprint"), file],
            &[os("substructure"), os("CO"), file],
            &[os("smarts"), os("CO"), file],
            &[os("screen"), os("CCO"), file],
            &[os("depict"), file],
            &[os("depict"), os("--file"), file],
            &[os("corpus"), os("build"), file, os("-o"), corpus],
            &[os("corpus"), os("info"), corpus],
            &[os("screen"), os("CCO"), corpus],
        ] {
            let (code, out, errors) = run(arguments);
            assert_eq!(code, Some(0), "{arguments:?}: {errors}");
            assert!(!out.is_empty() && !errors.contains('\x1b'), "{arguments:?}: {errors}");
        }
    }
    let absent = OsStr::from_bytes(b"n\xffne");
    for command in ["convert", "describe", "standardise", "fingerprint", "depict"] {
        let (code, _, errors) = run(&[os(command), absent]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("neither a file that is there nor text in UTF-8"), "{errors}");
    }
}

/// A grid goes on without what cannot be read or drawn.
#[test]
fn a_grid_leaves_out_what_cannot_be_drawn() {
    let chain = "C".repeat(3_000);
    let lines = format!("CCO ethanol\n{chain} long\nC1CC broken\nCCN amine\n");
    let (code, out, errors) = told(&["depict", "-"], &lines);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains(">ethanol</text>") && out.contains(">amine</text>"));
    assert!(errors.contains("2 of 4 records") && errors.contains("line 2: No drawing of long"));
    let (code, out, errors) = told(&["depict", "-"], format!("{chain} long\n"));
    assert_eq!((code, out.as_str()), (Some(2), ""), "{errors}");
    let (_, _, errors) = told(&["depict", "-", "--limit", "2"], "C\nCC\nCCC\n");
    assert!(errors.contains("only the first 2 molecules"), "{errors}");

    let odd = "CCO a\u{202e}b\u{2066}c\u{1b}[1md\u{fffe}<&>\"'\u{85}e\n";
    let (code, out, errors) = told(&["depict", "-"], odd);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains(">a b c [1md\u{fffd}&lt;&amp;&gt;&quot;' e</text>"), "{out}");
}

#[test]
fn flags_that_do_nothing_to_a_drawing_are_refused() {
    let folder = folder("idle");
    let file = written(&folder, "a.smi", "CCO\n");
    for (arguments, flag) in [
        (&["CCO", "--columns", "2"][..], "--columns"),
        (&["CCO", "--limit", "2"], "--limit"),
        (&["CCO", "--column", "x"], "--column"),
        (&["CCO", "--name-column", "x"], "--name-column"),
        (&["CCO", "--from", "sdf"], "--from"),
        (&["CCO", "--objective", "mces"], "--objective"),
        (&["CCO", "--zoom", "3"], "--zoom"),
        (&["C>>N", "--connected", "false"], "--connected"),
        (&["C>>N", "--match-stereo"], "--match-stereo"),
        (&["CCO", "CCN", "--hide-atom-maps"], "--hide-atom-maps"),
        (&["CCO", "CCN", "--limit", "3"], "--limit"),
        (&[&file, "--timeout-ms", "3"], "--timeout-ms"),
        (&[&file, "--ring-matches-ring-only"], "--ring-matches-ring-only"),
    ] {
        refused(&[&["depict"], arguments].concat(), flag);
    }
}

#[test]
fn broken_and_strange_files_end_in_words() {
    let folder = folder("files");
    let sdf = told(&["convert", "-", "--to", "sdf"], "CCO one\nCCN two\n").1;
    let cut = written(&folder, "cut.sdf", &sdf[..sdf.len() - 40]);
    let half = written(&folder, "half.sdf", &sdf[..sdf.len() / 2 + 60]);
    let mut packed = fs::read({
        let path = folder.join("whole.smi.gz");
        let path = path.to_str().expect("UTF-8").to_owned();
        let lines: String = (0..900).map(|n| format!("{}O {n}\n", "C".repeat(n % 9))).collect();
        assert_eq!(told(&["convert", "-", "--to", "smiles", "-o", &path], lines).0, Some(0));
        path
    })
    .expect("packed");
    packed.truncate(packed.len() / 2);
    let packed = written(&folder, "cut.smi.gz", packed);
    let empty = written(&folder, "empty.smi", "");
    let blank = written(&folder, "blank.csv", "");
    let marked = written(&folder, "marked.smi", "\u{feff}CCO ethanol\r\nCCN amine\r\n\r\n");
    let wide = written(&folder, "wide.smi", b"\xff\xfeC\0C\0O\0\n\0");
    let mixed = written(&folder, "mixed.smi", b"CCO caf\xe9\nCCN caf\xc3\xa9\n");
    let no_gzip = written(&folder, "plain.smi.gz", "CCO\n");
    let place = folder.to_str().expect("UTF-8").to_owned();
    let commands = |file: &str| -> Vec<Vec<String>> {
        let texts = |words: &[&str]| words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>();
        vec![
            texts(&["convert", file]),
            texts(&["describe", file]),
            texts(&["standardise", file]),
            texts(&["fingerprint", file]),
            texts(&["screen", "CCO", file, "--top", "3"]),
            texts(&["screen", "CO", file, "--substructure"]),
            texts(&["substructure", "CO", file]),
            texts(&["smarts", "CO", file]),
            texts(&["depict", file, "--limit", "1000"]),
            texts(&["corpus", "build", file, "-o", &format!("{file}.corpus")]),
        ]
    };
    for (file, wanted, words) in [
        (&cut, None, ""),
        (&half, Some(2), "warning|error"),
        (&packed, Some(2), "ends in its middle"),
        (&wide, Some(2), "UTF-16"),
        (&place, Some(2), "folder"),
        (&mixed, Some(0), "line 1: The byte 0xE9 is not UTF-8 at position 7"),
        (&marked, Some(0), ""),
        (&no_gzip, Some(0), ""),
    ] {
        for arguments in commands(file) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let (code, _, errors) = told(&arguments, "");
            assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
            if let Some(wanted) = wanted {
                assert_eq!(code, Some(wanted), "{arguments:?}: {errors}");
            }
            assert!(
                words.split('|').any(|words| errors.contains(words)),
                "{arguments:?}: {errors}"
            );
        }
    }
    for file in [&empty, &blank] {
        for arguments in commands(file) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let (code, _, errors) = told(&arguments, "");
            assert!(matches!(code, Some(0 | 2)), "{arguments:?}: {errors}");
            assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
        }
    }
    for command in ["convert", "describe", "standardise", "fingerprint", "depict"] {
        refused(&[command, "absent.smi"], "absent.smi");
        let (code, _, errors) = told(&[command, "   "], "");
        assert_eq!(code, Some(2), "{command}: {errors}");
        assert!(errors.contains("empty") || errors.contains("blank"), "{command}: {errors}");
    }
}
