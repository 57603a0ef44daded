//! Canonical SMILES: one text for all spellings, a fixed point, and read as chemists expect.

use synthon_mol::{AtomOrder, BondStereo, Chirality, Molecule, WriteOptions, write_smiles};

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn canonical(text: &str) -> String {
    read(text).to_smiles()
}

fn spelling(molecule: &Molecule, seed: u64) -> String {
    let options = WriteOptions { order: AtomOrder::Random(seed), ..WriteOptions::default() };
    write_smiles(molecule, &options).text
}

/// Reads back random, ordered and kekulé spellings: all must give one text and one key.
fn assert_one_text(text: &str) {
    let molecule = read(text);
    let defaults = WriteOptions::default();
    let written = write_smiles(&molecule, &defaults);
    assert!(written.certain, "{text}");
    let kekule = WriteOptions { kekule: true, ..defaults };
    let kekule_text = write_smiles(&molecule, &kekule).text;
    let mut spellings: Vec<String> = (0..10).map(|seed| spelling(&molecule, seed)).collect();
    spellings.push(written.text.clone());
    spellings.push(kekule_text.clone());
    spellings
        .push(write_smiles(&molecule, &WriteOptions { order: AtomOrder::Input, ..defaults }).text);
    for spelling in spellings {
        let again = read(&spelling);
        assert_eq!(again.to_smiles(), written.text, "{text} spelt {spelling}");
        assert_eq!(again.canonical_key(), molecule.canonical_key(), "{text} spelt {spelling}");
        assert_eq!(write_smiles(&again, &kekule).text, kekule_text, "{text} spelt {spelling}");
        // A spelling of ours never has marks to be dropped.
        assert_eq!(again.warnings(), &[] as &[String], "{text} spelt {spelling}");
    }
}

#[test]
fn extract_of_the_corpora_reads_as_rdkit_writes_it() {
    let table = include_str!("../../../testdata/molecule/canonical_extract.tsv");
    let mut seen = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (spelling, expected) = line.split_once('\t').expect("two columns");
        assert_eq!(canonical(spelling), expected);
        assert_one_text(spelling);
        seen += 1;
    }
    assert!(seen > 120, "{seen}");
}

#[test]
fn cages_and_other_symmetrical_graphs_have_one_text() {
    for text in [
        "C12C3C4C1C5C4C3C25",
        "C1CCC2(CC1)CCC1(CC2)CCCCC1",
        "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1\
         c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41",
        "C1CC2CCC1CC2",
        "c1ccc(-c2ccccc2)cc1",
        "c1ccccc1",
        "C1=CC=CC=CC=C1",
        "C12C3C1C1C2C31",
        "C1CCCC1C1CCCC1.C1CCC2CCCCC2C1",
        "FC(F)(F)C(C(F)(F)F)(C(F)(F)F)C(F)(F)F",
    ] {
        assert_one_text(text);
    }
}

#[test]
fn meso_compounds_and_stereo_that_depends_on_stereo_have_one_text() {
    for text in [
        "C[C@H](O)[C@@H](C)O",
        "C[C@H](O)[C@H](O)[C@@H](C)O",
        "O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@H](O)[C@@H]1O",
        "O[C@H]1[C@H](O)[C@@H](O)[C@@H](O)[C@H](O)[C@@H]1O",
        "F[C@H]1[C@@H](F)[C@H](F)[C@@H](F)[C@H](F)[C@@H]1F",
        "C[C@H]1CC[C@@H](C)CC1",
        "C[C@H]1C[C@@H](C)C1",
        "C[C@H]1C[C@@H](C)C[C@H](C)C1",
        "C[C@H]1CC[C@]2(CC1)CC[C@@H](C)CC2",
        "C/C=C1\\CC[C@H](C)CC1",
        "C/C=C/[C@H](O)/C=C\\C",
        "C/C=C/C(=C/C)/C=C\\C",
        "[C@H]12[C@H]3[C@@H]4[C@H]1[C@H]5[C@@H]4[C@H]3[C@@H]25",
        "C1=C/CCCCCC/1",
        "CO/C1=C/C=C\\C=C/C=N\\1",
        "O=c1/c(=C/c2ccccc2)sc2nccn12",
        "CC=[C@AL1]=CC",
        "N[Pt@SP1](N)(Cl)Cl",
        "F[Co@OH5](Cl)(Br)(N)(O)S",
        "[Co@OH7]12(NCCN1)(Cl)(Br)OCCO2",
        "F[As@TB1](Cl)(Br)(N)O",
    ] {
        assert_one_text(text);
    }
}

#[test]
fn different_stereoisomers_have_different_texts() {
    for isomers in [
        &["C[C@H]1CC[C@@H](C)CC1", "C[C@H]1CC[C@H](C)CC1", "CC1CCC(C)CC1"][..],
        &["C[C@H](O)[C@@H](C)O", "C[C@H](O)[C@H](C)O", "C[C@@H](O)[C@@H](C)O", "CC(O)C(C)O"],
        &["C[C@H]1C[C@@H](C)C[C@H](C)C1", "C[C@H]1C[C@@H](C)C[C@@H](C)C1", "CC1CC(C)CC(C)C1"],
        &["C/C=C1\\CC[C@H](C)CC1", "C/C=C1/CC[C@H](C)CC1"],
        &["C[C@H]1CC[C@]2(CC1)CC[C@@H](C)CC2", "C[C@H]1CC[C@]2(CC1)CC[C@H](C)CC2"],
        &["N[Pt@SP1](N)(Cl)Cl", "N[Pt@SP2](N)(Cl)Cl"],
        &["N[Co@OH1](N)(N)(Cl)(Cl)Cl", "N[Co@OH25](N)(N)(Cl)(Cl)Cl"],
        &["C/C=C\\C", "C/C=C/C", "CC=CC"],
    ] {
        let texts: std::collections::BTreeSet<String> =
            isomers.iter().map(|t| canonical(t)).collect();
        let keys: std::collections::BTreeSet<u128> =
            isomers.iter().map(|t| read(t).canonical_key()).collect();
        assert_eq!((texts.len(), keys.len()), (isomers.len(), isomers.len()), "{texts:?}");
    }
}

#[test]
fn enantiomers_of_meso_forms_are_the_same() {
    assert_eq!(canonical("C[C@H](O)[C@@H](C)O"), canonical("C[C@@H](O)[C@H](C)O"));
    assert_eq!(canonical("C[C@H]1C[C@H]1C"), canonical("C[C@@H]1C[C@@H]1C"));
    assert_eq!(canonical("N[Pt@SP1](N)(Cl)Cl"), canonical("N[Pt@SP3](N)(Cl)Cl"));
}

/// What the mark of the only ring methyl leans on is missing (RDKit alternates between two texts).
#[test]
fn rdkit_6420() {
    let input = "O=C(C[C@]1(c2ccc(-c3ccc(F)cc3)cc2)C2CC3CC1CC(C2)[C@@H]3O)N1CC(O)C1";
    let molecule = read(input);
    assert_eq!(molecule.to_smiles(), "O=C(CC1(c2ccc(-c3ccc(F)cc3)cc2)C2CC3CC1CC(C2)C3O)N1CC(O)C1");
    assert_eq!(molecule.warnings().len(), 2, "{:?}", molecule.warnings());
    assert_one_text(input);
}

#[test]
fn rdkit_4710() {
    let input = "COC(=O)CC[C@@H](C)[C@H]1CC[C@H]2[C@H]3[C@H](CC[C@@]21C)[C@@]1(C)CC[C@]2(C[C@H]1C\
                 [C@H]3OC(C)=O)OOC1(CC[C@@H](C)CC1)OO2";
    let molecule = read(input);
    let marks = molecule.atoms().iter().filter(|a| a.chirality() != Chirality::None).count();
    let written = input.matches('@').count() - input.matches("@@").count();
    assert_eq!(marks, written - 2, "the ring methyl and the spiro centre lose their marks");
    assert_eq!(molecule.warnings().len(), 2, "{:?}", molecule.warnings());
    assert_one_text(input);
}

#[test]
fn openbabel_298() {
    for input in ["C1=NS(=O)N=C1", "O=s1nccn1"] {
        assert_eq!(canonical(input), "O=S1N=CC=N1");
        assert_one_text(input);
    }
}

#[test]
fn meaningless_marks_are_dropped_with_a_warning() {
    for (input, expected) in [
        ("C[C@H](C)O", "CC(C)O"),
        ("C[C@H]1CCCCC1", "CC1CCCCC1"),
        ("C[C@H](O)[C@H](O)[C@H](C)O", "C[C@H](O)C(O)[C@H](C)O"),
        ("C[N@](O)N", "CN(N)O"),
        ("C/C(C)=C/C", "CC=C(C)C"),
        ("C/C=C1/CCCCC1", "CC=C1CCCCC1"),
        ("C1CC/C=C\\CC1", "C1=CCCCCC1"),
        ("C[C@H]1CC[C@]2(CC1)CCC(C)CC2", "CC1CCC2(CC1)CCC(C)CC2"),
    ] {
        let molecule = read(input);
        assert_eq!(molecule.to_smiles(), expected, "{input}");
        assert!(!molecule.warnings().is_empty(), "{input}");
        assert_one_text(input);
    }
}

#[test]
fn meaningful_marks_stay_without_a_warning() {
    for input in [
        "C[S@](=O)CC",
        "C[S@+](CC)CCC",
        "C[P@](CC)CCC",
        "C[P@@](=O)(CC)O",
        "C[N@@]1C[C@@H]1C",
        "C[Se@](=O)CC",
        "C[N@+](CC)(CCC)CCCC",
        "C[Si@@](F)(Cl)Br",
        "[2H][C@H](C)O",
        "[13CH3][C@H](C)O",
        "C/C=N/O",
        "C/N=N\\C",
        "[H]/N=C/C",
        "[O-]/[N+](C)=C/C",
        "O/N=C1/CCCC[C@H]1C",
    ] {
        let molecule = read(input);
        assert_eq!(molecule.warnings(), &[] as &[String], "{input}");
        let centres = molecule.atoms().iter().filter(|a| a.chirality() != Chirality::None).count();
        let bonds = molecule.bonds().iter().filter(|b| b.stereo() != BondStereo::None).count();
        assert!(centres + bonds > 0, "{input}");
        assert_one_text(input);
    }
}

#[test]
fn brackets_stand_where_rdkit_puts_them() {
    for (input, expected) in [
        ("[nH]1cccc1", "c1cc[nH]c1"),
        ("[CH3][CH3]", "CC"),
        ("C[SH](C)C", "C[SH](C)C"),
        ("C[Mg]Br", "[CH3][Mg][Br]"),
        ("N->[Cu]", "[NH3]->[Cu]"),
        ("[Cu]<-N", "[NH3]->[Cu]"),
        ("[CH2]C", "[CH2]C"),
        ("[0CH4]", "C"),
        ("[*H]C", "[*H]C"),
        ("*C", "*C"),
        ("[CH3:2][CH2:1]O", "O[CH2:1][CH3:2]"),
        ("c1ccccc1-c1ccccc1", "c1ccc(-c2ccccc2)cc1"),
        ("c1ccc2c(c1)-c1ccccc1-2", "c1ccc2c(c1)-c1ccccc1-2"),
        ("C$C", "C$C"),
        ("[Fe+3].[Cl-].[Cl-].[Cl-]", "[Cl-].[Cl-].[Cl-].[Fe+3]"),
        ("[se]1cccc1", "c1cc[se]c1"),
    ] {
        assert_eq!(canonical(input), expected, "{input}");
        assert_one_text(input);
    }
}

#[test]
fn options_leave_out_what_they_say() {
    let molecule = read("[13CH3:1][C@H:2](/C=C/c1ccccc1)O");
    let defaults = WriteOptions::default();
    let flat = write_smiles(&molecule, &WriteOptions { isomeric: false, ..defaults });
    assert_eq!(flat.text, "O[CH:2](C=Cc1ccccc1)[CH3:1]");
    assert_eq!(molecule.to_unmapped_smiles(), "[13CH3][C@@H](O)/C=C/c1ccccc1");
    let bare = WriteOptions { isomeric: false, atom_maps: false, kekule: true, ..defaults };
    assert_eq!(write_smiles(&molecule, &bare).text, "CC(O)C=CC1=CC=CC=C1");
}

#[test]
fn keys_ignore_maps_and_follow_unmapped_texts() {
    let (a, b) = (read("[CH3:7][CH2:9]O"), read("OCC"));
    assert_eq!(a.canonical_key(), b.canonical_key());
    assert_eq!(a.to_unmapped_smiles(), b.to_unmapped_smiles());
    assert_ne!(a.canonical_key(), read("OC[13CH3]").canonical_key());
    assert_ne!(read("C.C").canonical_key(), read("C").canonical_key());
}

#[test]
fn atom_order_and_ranks_belong_to_the_text() {
    let molecule = read("OC(=O)[C@@H](N)Cc1ccccc1.Cl");
    let written = write_smiles(&molecule, &WriteOptions::default());
    assert_eq!(written.text, "Cl.N[C@@H](Cc1ccccc1)C(=O)O");
    let symbols: String =
        written.atom_order.iter().map(|&a| molecule.atom(a as usize).element().symbol()).collect();
    assert_eq!(symbols, "ClNCCCCCCCCCOO");
    let mut ranks = molecule.canonical_ranks();
    let again = read(&written.text);
    let expected: Vec<u32> = written.atom_order.iter().map(|&a| ranks[a as usize]).collect();
    // Up to the symmetry of the phenyl ring, a reading of the text ranks its atoms the same.
    assert_eq!(again.canonical_ranks().len(), expected.len());
    ranks.sort_unstable();
    assert!(ranks.iter().enumerate().all(|(i, &rank)| i as u32 == rank));
}

#[test]
fn large_and_hostile_graphs_are_written_without_recursion() {
    let chain = "C".repeat(10_000);
    assert_eq!(canonical(&chain), chain);
    let star = format!("[Pt]{}C", "(C)".repeat(3_000));
    assert_eq!(read(&canonical(&star)).atom_count(), 3_002);
    assert_eq!(canonical("C.".repeat(5_000).trim_end_matches('.')).len(), 9_999);
    let comb = format!("{}C", "C(C)".repeat(3_000));
    assert_eq!(read(&canonical(&comb)).canonical_key(), read(&comb).canonical_key());
    let spiro = format!("C[C@H]1CC[C@]2(CC1){}CCC(C)CC2", "CC[C@]3(CC2)CC[C@]2(CC3)".repeat(10));
    let written = write_smiles(&read(&spiro), &WriteOptions::default());
    assert!(written.certain);
}

#[test]
fn an_open_double_bond_between_two_others_stays_open() {
    let open = read("F/C=C(\\[H])C=CC(/[H])=C/F");
    let with_geometry = open.bonds().iter().filter(|b| b.stereo() != BondStereo::None).count();
    assert_eq!(with_geometry, 2);
    assert_ne!(open.to_smiles(), canonical("F/C=C/C=C/C=C/F"));
    for text in [
        "F/C=C(\\[H])C=CC(/[H])=C/F",
        "F/C=C(/[H])C(C)=C(C)/C=C/F",
        "F/C=C(/[H])[C-]=CC(/[H])=C/F",
        "C/C=C\\C=CC=C/C=C/C",
    ] {
        assert_one_text(text);
    }
    assert_eq!(canonical("[H]/C(F)=C/F"), "F/C=C\\F");
    assert_eq!(canonical("[H]/C(C=C/F)=C/F"), "FC=C/C=C\\F");
}

/// RDKit reads `~` as a single bond where it closes a ring; we do not, and write it elsewhere
/// where we can.
#[test]
fn a_bond_of_unknown_order_keeps_its_place() {
    assert_one_text("C1CC~CC1");
    assert_eq!(canonical("C1CCCC~1"), canonical("C1CC~CC1"));
    assert_ne!(canonical("C1CCCC~1"), canonical("C1CCCC1"));
    assert_one_text("C1~C~C~C~1");
    assert!(!canonical("C1CC~CC1").contains("~1"));
}
