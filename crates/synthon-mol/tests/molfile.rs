//! Molfiles as a user of the crate sees them.

use synthon_mol::{
    Dimension, MolError, Molecule, MolfileForm, MolfileOptions, MolfileRecord, ReadOptions,
    read_molfile, write_molfile,
};
use synthon_testkit::{Random, smiles_corpora};

fn read(text: &str) -> Result<MolfileRecord, MolError> {
    read_molfile(text, &ReadOptions::default())
}

fn smiles(text: &str) -> String {
    read(text).unwrap_or_else(|e| panic!("{e}\n{text}")).molecule.to_smiles()
}

/// A V2000 file of atoms `x y symbol columns` (what follows the symbol may be cut short) and lines
/// of bonds and properties.
fn v2000(atoms: &[(f64, f64, &str)], rest: &[&str]) -> String {
    let bonds = rest.iter().filter(|line| line.starts_with(' ')).count();
    let mut text = format!("name\n  program           2D\ncomment\n{:3}{bonds:3}", atoms.len());
    text += "  0  0  0  0            999 V2000\n";
    for (x, y, symbol) in atoms {
        text += &format!("{x:10.4}{y:10.4}    0.0000 {symbol}\n");
    }
    rest.iter().for_each(|line| text += &format!("{line}\n"));
    text + "M  END\n"
}

fn pair(second: &str, rest: &[&str]) -> String {
    let lines: Vec<&str> = std::iter::once("  1  2  1  0").chain(rest.iter().copied()).collect();
    v2000(&[(0.0, 0.0, "C   0  0"), (1.5, 0.0, second)], &lines)
}

#[test]
fn atoms_and_properties_mean_what_rdkit_reads() {
    for (text, expected) in [
        (pair("N   0  0", &[]), "CN"),
        (pair("CL  0  0", &[]), "CCl"),
        (pair("D   0  0", &[]), "[2H]C"),
        (pair("R#  0  0", &["M  RGP  1   2   3"]), "[3*]C"),
        (pair("R2  0  0", &[]), "[2*]C"),
        (pair("*   0  0", &[]), "*C"),
        (pair("A   0  0", &[]), "*C"),
        (pair("L   0  0", &["M  ALS   2  2 F N   O   "]), "*C"),
        (pair("C   1  0", &[]), "[13CH3]C"),
        (pair("Cl  2  0", &[]), "C[37Cl]"),
        (pair("N   0  3", &[]), "C[NH3+]"),
        (pair("O   0  5", &[]), "C[O-]"),
        (pair("O   0  5", &["M  CHG  1   1  -1"]), "[CH2-]O"),
        (pair("C   0  0", &["M  RAD  1   2   2"]), "[CH2]C"),
        (pair("C   0  0", &["M  RAD  1   2   3"]), "[CH]C"),
        (pair("N   0  0", &["M  ISO  1   2  15"]), "C[15NH2]"),
        (pair("Na  0  0  0  0  0 15", &[]), "[CH3][Na]"),
    ] {
        assert_eq!(smiles(&text), Molecule::from_smiles(expected).unwrap().to_smiles(), "{text}");
    }
}

#[test]
fn what_is_not_taken_over_is_said() {
    let warnings = |text: &str| read(text).unwrap().molecule.warnings().to_vec();
    assert_eq!(
        warnings(&pair("Q   0  0", &[])),
        ["Symbol 'Q' of atom 2 is a query; it was read as *"]
    );
    assert_eq!(
        warnings(&pair("C   0  0", &["A    2", "Boc"])),
        ["The text 'Boc' at atom 2 was ignored"]
    );
    assert_eq!(warnings(&pair("C   0  0", &[])), [""; 0]);
}

#[test]
fn faults_have_line_column_and_repair() {
    for (text, code, place, hint) in [
        (pair("Xy  0  0", &[]), "molfile.symbol", (6, 32), "periodic table"),
        (pair("C   0  9", &[]), "molfile.syntax", (6, 37), "5 to 7"),
        (pair("C   0  0", &["M  CHG  1   3   1"]), "molecule.graph", (8, 10), "1 to 2"),
        (pair("C   0  0", &["  1  2  2  0"]), "molecule.graph", (8, 1), "once"),
        (pair("C   0  0", &["  2  2  2  0"]), "molecule.graph", (8, 1), ""),
        (
            pair("C   0  0", &[]).replace("  1  2  1", "  1  2  6"),
            "molfile.query",
            (7, 7),
            "SMARTS",
        ),
        (pair("C   0  0", &[]).replace("M  END\n", ""), "molfile.truncated", (7, 1), "cut off"),
        (pair("C   0  0", &[]).replace("V2000", "V2001"), "molfile.version", (4, 35), "V3000"),
        (pair("C   0  0", &[]).replace("    1.5000", "    1.5x00"), "molfile.syntax", (6, 1), ""),
        (v2000(&[], &[]), "molfile.empty", (4, 1), ""),
        ("a\nb\nc\n".to_owned(), "molfile.truncated", (3, 1), ""),
        (String::new(), "molfile.truncated", (1, 1), ""),
        (
            pair("C   0  0", &[]).replace("  2  1  0", "999999  0"),
            "molfile.syntax",
            (7, 1),
            "counts",
        ),
    ] {
        let error = read(&text).expect_err(&text);
        assert_eq!((error.code(), error.line()), (code, Some(place)), "{error}\n{text}");
        assert!(error.hint().unwrap_or_default().contains(hint), "{error}");
    }
    // Faults of perception point at the line of the atom.
    let crowded = v2000(
        &[(0.0, 0.0, "N   0  0"), (1.0, 0.0, "C   0  0"), (2.0, 0.0, "C   0  0")],
        &["  1  2  2", "  1  3  2"],
    );
    let error = read(&crowded).expect_err("five bonds at nitrogen");
    assert_eq!((error.code(), error.line()), ("molecule.valence", Some((5, 1))));
}

#[test]
fn ends_of_lines_may_be_of_any_system() {
    let text = pair("O   0  0", &["M  CHG  1   2  -1"]);
    for end in ["\r\n", "\r"] {
        let record = read(&text.replace('\n', end)).unwrap();
        assert_eq!(record.molecule.to_smiles(), "C[O-]");
        assert_eq!((record.name.as_str(), record.comment.as_str()), ("name", "comment"));
    }
    assert_eq!(read(&(text.clone() + "> <ID>\n1\n")).unwrap().length, text.len());
}

#[test]
fn drawings_of_double_bonds_are_read() {
    // Atoms of but-2-ene; the last bond line is the double bond.
    let places = |down: f64| {
        [
            (-0.7, 1.2, "C   0  0"),
            (0.0, 0.0, "C   0  0"),
            (1.5, 0.0, "C   0  0"),
            (2.2, down, "C   0  0"),
        ]
    };
    let bonds = ["  1  2  1  0", "  3  4  1  0", "  2  3  2  0"];
    assert_eq!(smiles(&v2000(&places(-1.2), &bonds)), "C/C=C/C");
    assert_eq!(smiles(&v2000(&places(1.2), &bonds)), "C/C=C\\C");
    let crossed = ["  1  2  1  0", "  3  4  1  0", "  2  3  2  3"];
    assert_eq!(smiles(&v2000(&places(1.2), &crossed)), "CC=CC");
    let wavy = ["  1  2  1  4", "  3  4  1  0", "  2  3  2  0"];
    assert_eq!(smiles(&v2000(&places(1.2), &wavy)), "CC=CC");
}

#[test]
fn wedges_count_at_their_narrow_end() {
    let atoms = [
        (0.0, 0.0, "C   0  0"),
        (0.0, 1.5, "F   0  0"),
        (1.3, -0.75, "Cl  0  0"),
        (-1.3, -0.75, "Br  0  0"),
    ];
    let with = |first: &str| smiles(&v2000(&atoms, &[first, "  1  3  1", "  1  4  1"]));
    assert_eq!(with("  1  2  1  1"), "F[C@@H](Cl)Br");
    assert_eq!(with("  1  2  1  6"), "F[C@H](Cl)Br");
    assert_eq!(with("  2  1  1  1"), "FC(Cl)Br");
    assert_eq!(with("  1  2  1  4"), "FC(Cl)Br");
}

const V3000: &str = "
  program           3D

  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 5 4 0 0 1
M  V30 BEGIN ATOM
M  V30 10 C 0 0 0 0
M  V30 20 F 0.77 0.77 0.77 0
M  V30 30 Cl -0.77 -0.77 0.77 0
M  V30 40 Br -0.77 0.77 -0.77 0 -
M  V30 MASS=79
M  V30 50 \"R#\" 0.77 -0.77 -0.77 7 RGROUPS=(1 2)
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 10 20
M  V30 2 1 10 30
M  V30 3 1 10 40
M  V30 4 1 10 50
M  V30 END BOND
M  V30 BEGIN COLLECTION
M  V30 MDLV30/STERAC1 ATOMS=(1 10)
M  V30 END COLLECTION
M  V30 END CTAB
M  END
";

#[test]
fn the_newer_form_is_read() {
    let record = read(V3000).unwrap();
    assert_eq!(record.molecule.to_smiles(), "F[C@@](Cl)([79Br])[2*:7]");
    assert_eq!((record.dimension, record.chiral_flag), (Dimension::Three, true));
    assert!(record.molecule.warnings()[0].contains("Stereo groups"));
    for (from, to, code) in [
        ("COUNTS 5 4", "COUNTS 999999999 4", "molfile.too_large"),
        ("COUNTS 5 4", "COUNTS 6 4", "molfile.syntax"),
        ("M  V30 40", "M  V30 30", "molfile.syntax"),
        ("1 10 50", "1 10 60", "molecule.graph"),
        ("0.77 0.77 0.77", "0.77 NaN 0.77", "molfile.too_large"),
        ("0.77 0.77 0.77", "0.77 1e300 0.77", "molfile.too_large"),
        ("M  V30 END CTAB\nM  END\n", "", "molfile.truncated"),
    ] {
        let error = read(&V3000.replace(from, to)).expect_err(to);
        assert_eq!(error.code(), code, "{to}: {error}");
        assert!(error.line().is_some(), "{error}");
    }
}

/// Without warnings, what is written is read back as the same molecule, wherever its atoms lie.
#[test]
fn what_is_written_reads_back() {
    let Some(corpora) = smiles_corpora() else { return };
    let mut random = Random::new(7);
    let mut unit = || random.below(1_000_000) as f64 / 1_000_000.0;
    let (mut same, mut warned) = (0, 0);
    for text in corpora.iter().flat_map(|(_, texts)| texts.iter().step_by(23)) {
        let Ok(molecule) = Molecule::from_smiles(text) else { continue };
        let scale = 3.0 * (molecule.atom_count() as f64).sqrt();
        let places: Vec<[f64; 3]> =
            molecule.atoms().iter().map(|_| [unit() * scale, unit() * scale, 0.0]).collect();
        for form in [MolfileForm::Fitting, MolfileForm::V3000] {
            let options = MolfileOptions { form, name: text.clone() };
            let written = write_molfile(&molecule, &places, &options).expect(text);
            let again = read(&written.text).unwrap_or_else(|e| panic!("{text}: {e}"));
            if written.warnings.is_empty() {
                assert_eq!(again.molecule.to_unmapped_smiles(), molecule.to_unmapped_smiles());
                same += 1;
            } else {
                warned += 1;
            }
        }
    }
    assert!(same > 3_000 && warned < same, "{same} {warned}");
}

/// No file is so broken that reading it would do anything but answer.
#[test]
fn broken_files_are_answered() {
    const LETTERS: &[u8] = b"CNOHR#0123456789 -+.=()[]MVX\"\n\r\t*";
    let mut random = Random::new(1);
    let bases = [
        V3000.to_owned(),
        pair("R#  0  0", &["M  RGP  1   2   3", "M  CHG  1   2   1", "M  RAD  1   1   2"]),
        pair(
            "N   0  0",
            &[
                "M  STY  1   1 DAT",
                "M  SAL   1  1   2",
                "M  SDT   1 MRV_IMPLICIT_H",
                "M  SED   1 IMPL_H1",
            ],
        ),
    ];
    let mut good = 0;
    for round in 0..20_000 {
        let mut text = bases[round % bases.len()].clone().into_bytes();
        for _ in 0..=random.below(3) {
            let Some(last) = text.len().checked_sub(1) else { break };
            let at = random.below(last + 1);
            match random.below(4) {
                0 => text.insert(at, *random.pick(LETTERS)),
                1 => _ = text.remove(at),
                2 => text[at] = *random.pick(LETTERS),
                _ => text.truncate(at + 1),
            }
        }
        let text = String::from_utf8(text).expect("ASCII");
        match read(&text) {
            Ok(_) => good += 1,
            Err(error) => assert!(error.line().is_some(), "{error}\n{text}"),
        }
    }
    assert!(good > 1_000, "{good}");
}
