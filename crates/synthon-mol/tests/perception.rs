//! Reading and perception against RDKit's answers, one line for each kind of input, and what is
//! said of texts that are refused.

use synthon_mol::{BondOrder, MolErrorKind, Molecule, ReadOptions, read_smiles};

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn listed<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    items.map(|i| i.to_string()).collect::<Vec<_>>().join(" ")
}

/// The columns of `testdata/molecule/perception.tsv` behind the SMILES.
fn columns(m: &Molecule) -> Vec<String> {
    let mut sizes: Vec<_> = m.rings().iter().map(<[u32]>::len).collect();
    sizes.sort_unstable();
    vec![
        m.formula(),
        listed(m.atoms().iter().map(|a| a.hydrogens())),
        listed(m.atoms().iter().map(|a| a.charge())),
        listed(m.atoms().iter().map(|a| a.radical_electrons())),
        listed(m.atoms().iter().map(|a| u8::from(a.is_aromatic()))),
        listed(m.atoms().iter().map(|a| a.smallest_ring())),
        listed(m.bonds().iter().map(|b| {
            let (x, y) = (b.begin().min(b.end()), b.begin().max(b.end()));
            format!("{x}-{y}:{}:{}", b.order() as u8, b.smallest_ring())
        })),
        listed(sizes.into_iter()),
    ]
}

#[test]
fn each_kind_of_input_is_perceived_as_by_rdkit() {
    let table = include_str!("../../../testdata/molecule/perception.tsv");
    let mut seen = 0;
    for line in table.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let mut expected = line.split('\t');
        let text = expected.next().expect("the SMILES comes first");
        let expected: Vec<&str> = expected.collect();
        match Molecule::from_smiles(text) {
            Err(error) => assert_eq!(expected, ["refused"], "{text}: {error}"),
            Ok(molecule) => assert_eq!(columns(&molecule), expected, "{text}"),
        }
        seen += 1;
    }
    assert!(seen > 240, "{seen}");
}

#[test]
fn a_molecule_built_again_from_its_parts_is_the_same() {
    let table = include_str!("../../../testdata/molecule/perception.tsv");
    for line in table.lines().filter(|l| !l.starts_with('#') && !l.ends_with("refused")) {
        let Some((text, _)) = line.split_once('\t') else { continue };
        let molecule = read(text);
        let again = molecule.to_builder().build().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(columns(&again), columns(&molecule), "{text}");
        assert_eq!(again.to_smiles(), molecule.to_smiles(), "{text}");
    }
}

#[test]
fn refusals_name_code_place_and_repair() {
    use MolErrorKind as K;
    // Text, kind, sentence, first byte, part of the hint.
    let cases = [
        ("", K::Empty, "SMILES string must not be empty", None, "CCO"),
        (" \t ", K::Empty, "SMILES string must not be empty", None, "CCO"),
        ("C1CC", K::UnclosedRing, "Unclosed ring(s): 1", Some(1), "write 1 again"),
        ("C1CC2", K::UnclosedRing, "Unclosed ring(s): 1, 2", Some(1), "write 1 again"),
        ("CC(", K::UnclosedBranch, "Unmatched opening parenthesis", Some(2), "1 ')'"),
        ("C(C(C", K::UnclosedBranch, "Unmatched opening parenthesis", Some(3), "2 ')'"),
        ("CC)", K::Syntax, "Unexpected character at position 2: ')'", Some(2), "no '('"),
        ("[C", K::UnclosedBracket, "Missing closing ']' in bracket atom", Some(0), "']'"),
        ("C[]", K::BadBracketAtom, "Invalid element in bracket atom: ']'", Some(2), ""),
        ("[Xx]", K::BadBracketAtom, "Unknown element: Xx", Some(1), ""),
        ("[D]O", K::BadBracketAtom, "Unknown element: D", Some(1), "[2H]"),
        ("HCl", K::Syntax, "Unexpected character at position 0: 'H'", Some(0), "written Cl"),
        ("NaO", K::Syntax, "Unexpected character at position 1: 'a'", Some(1), "[Na]"),
        ("CSi(C)C", K::Syntax, "Unexpected character at position 2: 'i'", Some(2), "[Si]"),
        ("aspirin", K::Syntax, "Unexpected character at position 0: 'a'", Some(0), "a name"),
        ("CCO>>CC", K::Syntax, "Unexpected character at position 3: '>'", Some(3), "reaction"),
        ("C/C=N/\\/NC", K::Syntax, "Bond symbol not followed by atom", Some(6), "in a row"),
        ("C=", K::Syntax, "Bond symbol not followed by atom", Some(1), ""),
        ("C%1C", K::Syntax, "Invalid %nn ring closure", Some(1), "%10"),
        ("[Fe+++]", K::UnclosedBracket, "Missing closing ']' in bracket atom", Some(5), "[Fe+3]"),
        ("C[C@TH4](F)(Cl)Br", K::BadChirality, "Invalid chiral specification", Some(3), "@TH"),
        ("C11", K::BadRingClosure, "Ring closure 1 bonds an atom to itself", Some(2), ""),
        (
            "C1C1",
            K::BadRingClosure,
            "Ring closure 1 doubles the bond between atoms 0 and 1",
            Some(3),
            "",
        ),
        (
            "CC(C)(C)(C)C",
            K::Valence,
            "Explicit valence for atom # 1 C, 5, is greater than permitted",
            Some(1),
            "5 bonds",
        ),
        (
            "C(C[NH]1CCCC1)OC",
            K::Valence,
            "Explicit valence for atom # 2 N, 4, is greater than permitted",
            Some(3),
            "3 bonds and 1 hydrogen",
        ),
        (
            "CN(C)(C)C",
            K::Valence,
            "Explicit valence for atom # 1 N, 4, is greater than permitted",
            Some(1),
            "C[N+](C)(C)C",
        ),
        ("cc", K::AromaticOutsideRing, "non-ring atom 0 marked aromatic", Some(0), "capitals"),
        (
            "c1cccn1",
            K::Kekule,
            "Can't kekulize mol.  Unkekulized atoms: 0 1 2 3 4",
            Some(0),
            "ring (atoms 0-4); one aromatic N needs a written H: try c1ccc[nH]1",
        ),
        (
            "c1cc[nH]cc1",
            K::Kekule,
            "Can't kekulize mol.  Unkekulized atoms: 0 1 2 4 5",
            Some(0),
            "try c1ccncc1",
        ),
    ];
    for (text, kind, sentence, place, hint) in cases {
        let error = Molecule::from_smiles(text).expect_err(text);
        assert_eq!((error.kind(), error.message()), (kind, sentence), "{text}");
        assert_eq!(error.span().map(|s| s.start), place, "{text}");
        let found = error.hint().unwrap_or_default();
        assert!(found.contains(hint), "{text}: {found}");
        assert!(error.to_string().starts_with(sentence), "{text}: {error}");
    }
}

#[test]
fn offered_repairs_read() {
    for (text, count) in [
        ("c1cccn1", 1),
        ("Cc1cc2nnnc2cc1", 3),
        ("N[C@@H](Cc1cncn1)C(=O)O", 2),
        ("O=c1nc(=O)cc(C)n1", 1),
        ("c1ccc2ncnc2c1", 2),
        ("C(C[NH]1CCCC1)OC", 2),
        ("CC[OH]C", 2),
    ] {
        let error = Molecule::from_smiles(text).expect_err(text);
        let hint = error.hint().expect("a repair").to_owned();
        let offers: Vec<_> = hint.split("try ").nth(1).expect(&hint).split(" or ").collect();
        assert_eq!(offers.len(), count, "{text}: {hint}");
        for offer in offers {
            assert!(Molecule::from_smiles(offer).is_ok(), "{text}: {offer}");
        }
    }
}

#[test]
fn a_name_is_ignored_and_an_extension_noted() {
    assert_eq!(read("CCO ethanol").warnings(), &[] as &[String]);
    let extended = read("CCO |$a;b;c$| ethanol");
    assert_eq!(extended.formula(), "C2H6O");
    assert!(extended.warnings()[0].contains("CXSMILES"));
    // Blanks around the text are nothing, but then it is all SMILES, as RDKit has it.
    assert_eq!(read("\t CCO \r\n").formula(), "C2H6O");
    assert!(Molecule::from_smiles(" CCO ethanol").is_err());
}

#[test]
fn nothing_is_cut_off_behind_a_control_character_or_a_line_break() {
    for (text, at) in [
        ("\0CCO", 0),
        ("CC\0O", 2),
        ("CCO\0", 3),
        ("CCO\x1b[2J", 3),
        ("CCO\x07", 3),
        ("CCO\x0b", 3),
        ("CCO\x0c", 3),
        ("CCO\x7f", 3),
        ("CCO name\x08", 8),
        ("[C\x01]", 2),
        ("CCO n\u{e4}me\u{9b}", 9),
        ("CCO\nCCN", 3),
        ("\n CCO\r\nCCN", 5),
    ] {
        let error = Molecule::from_smiles(text).expect_err(text);
        assert_eq!(error.kind(), MolErrorKind::Syntax, "{text:?}");
        assert_eq!(error.span().map(|span| span.start), Some(at), "{text:?}");
        let told = error.to_string();
        assert!(error.hint().is_some() && !told.contains(char::is_control), "{text:?}: {told}");
    }
}

#[test]
fn limits_are_the_callers() {
    let options = ReadOptions { max_text: 10, max_atoms: 4 };
    assert!(read_smiles("CCCC", &options).is_ok());
    for text in ["CCCCC", "CCCC(CCCC)"] {
        let error = read_smiles(text, &options).expect_err(text);
        assert_eq!(error.kind(), MolErrorKind::TooLarge, "{text}");
    }
}

#[test]
fn large_and_entangled_inputs_end() {
    let repeat = |s: &str, n: usize| s.repeat(n);
    assert_eq!(read(&repeat("C", 50_000)).atom_count(), 50_000);
    assert_eq!(read(&format!("{}C", repeat("C.", 50_000))).atom_count(), 50_001);
    let nested = format!("{}C{}", repeat("C(", 20_000), repeat(")", 20_000));
    assert_eq!(read(&nested).atom_count(), 20_001);
    assert_eq!(read(&format!("C1{}1", repeat("C", 1_023))).rings().len(), 1);
    assert_eq!(read(&repeat("C1CC1", 10_000)).rings().len(), 10_000);
    // A ladder of 3,000 rungs.
    let strand: String = (0..3_000).map(|i| format!("C%({i})")).collect();
    assert_eq!(read(&format!("{strand}.{strand}")).rings().len(), 2_999);
    // Every one of 80 atoms bonded to every one of 80 others.
    let side = |rows: bool| -> String {
        let number = |i: usize, j: usize| if rows { 80 * i + j } else { 80 * j + i };
        let atom = |i| (0..80).map(|j| format!("%({})", number(i, j))).collect::<String>();
        (0..80).map(|i| format!("[U]{}.", atom(i))).collect()
    };
    let complete = side(true) + side(false).trim_end_matches('.');
    let error = Molecule::from_smiles(&complete).expect_err("no molecule");
    assert_eq!(error.kind(), MolErrorKind::TooLarge);
    let error = Molecule::from_smiles(&format!("[U]{}", repeat("[H]", 1))).map(|m| m.formula());
    assert_eq!(error.expect("a hydride"), "HU");
    let many = format!("[U]{}", repeat("([H])", 1_000));
    assert_eq!(Molecule::from_smiles(&many).expect_err("none").kind(), MolErrorKind::TooLarge);
}

#[test]
fn exponentially_many_rings_are_listed_up_to_a_bound() {
    // Each of n phenylenes in the great ring may be passed on either side: 2^n rings of one size.
    let phenylenes = |n: usize| format!("C%99{}%99", "c1ccc(cc1)C".repeat(n));
    assert_eq!(read(&phenylenes(4)).rings().len(), 4 + 16);
    let many = read(&phenylenes(40));
    assert_eq!((many.rings().sssr_count(), many.rings().len()), (41, 42));
}

#[test]
fn masses_count_isotopes_and_electrons() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    // Values of RDKit's Descriptors.MolWt and ExactMolWt.
    for (text, average, exact) in [
        ("CC(=O)Oc1ccccc1C(=O)O", 180.159, 180.042_258_736),
        ("[13CH4]", 17.035_354_84, 17.034_654_968),
        ("[2H]O[2H]", 20.027_203_556, 20.023_118_176),
        ("C[N+](C)(C)C", 74.147, 74.096_425_804_09),
        ("[Cl-]", 35.453, 34.969_401_259_909),
        ("*C", 15.035, 15.023_475_096),
        ("[300U]", 300.0, 300.0),
    ] {
        let molecule = read(text);
        close(molecule.average_mass(), average);
        close(molecule.exact_mass(), exact);
    }
}

#[test]
fn kekule_orders_make_up_the_valence() {
    for text in ["c1ccccc1", "c1ccc2[nH]ccc2c1", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "c1ccc2cccc2cc1"] {
        let molecule = read(text);
        for i in 0..molecule.atom_count() {
            let orders: u32 = molecule
                .neighbours(i)
                .iter()
                .map(|n| match molecule.bond(n.bond()).kekule_order() {
                    BondOrder::Double => 2,
                    order => order as u32,
                })
                .sum();
            let atom = molecule.atom(i);
            let valence = orders + u32::from(atom.hydrogens());
            let expected = match atom.atomic_number() {
                6 => 4,
                7 => 3,
                _ => 2,
            };
            assert_eq!(valence, expected, "atom {i} of {text}");
        }
    }
}
