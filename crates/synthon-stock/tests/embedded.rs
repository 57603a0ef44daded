//! The shipped stock against its own text.

use std::time::Instant;

use synthon_mol::Molecule;
use synthon_stock::{Stock, build_index, neutral_parent};

const TEXT: &str = include_str!("../../../data/stock/uspto-blocks.smi");
const INDEX: &[u8] = include_bytes!("../../../data/stock/uspto-blocks.index");

#[test]
fn the_index_is_that_of_the_text() {
    // Fails when the canonical key changes: then `cargo xtask data stock`, and a new key version.
    assert_eq!(build_index(TEXT).expect("every line is a molecule"), INDEX);
}

#[test]
fn every_line_is_canonical_and_found() {
    let stock = Stock::embedded();
    assert!((10_000..=30_000).contains(&stock.len()), "{}", stock.len());
    let mut lines = 0;
    for line in TEXT.lines() {
        let smiles = line.split('\t').next().expect("a first field");
        let molecule = Molecule::from_smiles(smiles).expect(smiles);
        assert_eq!(molecule.to_smiles(), smiles);
        assert_eq!(molecule.components().0, 1, "{smiles}");
        let metal = |number: u8| [12, 30].contains(&number);
        assert!(
            molecule.atoms().iter().all(|a| a.radical_electrons() == 0 || metal(a.atomic_number())),
            "{smiles}"
        );
        assert!(neutral_parent(&molecule).is_none(), "{smiles} is sold neutral");
        let entry = stock.contains(&molecule).entry().expect(smiles);
        assert_eq!((entry.smiles, entry.sold_as()), (smiles, None));
        lines += 1;
    }
    assert_eq!(lines, stock.len(), "no molecule stands there twice");
}

#[test]
fn what_a_laboratory_has_is_there_and_a_drug_is_not() {
    let stock = Stock::embedded();
    let holds =
        |smiles: &str| stock.contains(&Molecule::from_smiles(smiles).expect(smiles)).is_yes();
    for smiles in
        ["CCO", "Nc1ccc(O)cc1", "CC(=O)OC(C)=O", "[Na+].[N-]=[N+]=[N-]", "[K+].N#[C-]", "[Mg]"]
    {
        assert!(holds(smiles), "{smiles}");
    }
    for smiles in
        ["CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21", "CC(C)Cc1ccc(C(C)C(=O)O)cc1", "C1CC1C1CC1C1CC1"]
    {
        assert!(!holds(smiles), "{smiles}");
    }
    let water = stock.contains(&Molecule::from_smiles("O").expect("water")).entry();
    assert_eq!(water.expect("in stock").name, Some("water"));
}

#[test]
fn it_holds_what_chemists_started_from() {
    let stock = Stock::embedded();
    let entry = |smiles: &str| {
        stock.contains(&Molecule::from_smiles(smiles).expect(smiles)).entry().map(|e| e.source)
    };
    // Used twice and more.
    assert_eq!(entry("C[Mg+]"), Some("uspto"));
    assert_eq!(entry("OB(O)c1cccc2cccnc12"), Some("uspto"));
    // Ions are found by their neutral parents, and stereo counts.
    assert_eq!(entry("[O-]c1ccc(Br)cc1"), entry("Oc1ccc(Br)cc1"));
    assert!(entry("O[C@H]1CCCNC1").is_some() && entry("O[C@@H]1CCCNC1").is_some());
    // Used once, and in a list of starting materials.
    assert!(stock.entries().filter(|e| e.source == "paroutes").count() > 3_000);
    // A large intermediate of one project that is in no list.
    assert_eq!(
        entry(
            "Oc1ccc(-c2c3nc(c(-c4ccc(O)cc4)c4ccc([nH]4)c(-c4ccc(O)cc4)c4nc(c(-c5ccc(O)cc5)c5ccc2[nH]5)C=C4)C=C3)cc1"
        ),
        None
    );
}

#[test]
fn loading_takes_no_time() {
    let start = Instant::now();
    let stock = Stock::embedded();
    let elapsed = start.elapsed();
    assert!(!stock.is_empty());
    // The bound is generous because the machine may be busy; it takes well under a millisecond.
    assert!(elapsed.as_millis() < 30, "{elapsed:?}");
}
