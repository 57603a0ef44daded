//! The common part as SMARTS matches both molecules that it was found in.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::Duration;

use synthon_budget::Budget;
use synthon_mcs::{McsOptions, Objective, find_mcs};
use synthon_mol::Molecule;
use synthon_query::{BondOrderMatch, ChemistryOptions, Pattern};
use synthon_testkit::read_shared_lines;

/// Every this many rows of each table; every row in the long checks.
fn stride() -> usize {
    if std::env::var_os("SYNTHON_LONG_PAIRS").is_some() { 1 } else { 12 }
}

/// The pattern of the pair; it must match either molecule, at the mapped atoms.
fn pattern(a: &Molecule, b: &Molecule, options: &McsOptions) -> String {
    let mut budget = Budget::unlimited().with_time_limit(Duration::from_secs(2));
    let answer = find_mcs(a, b, options, &mut budget).unwrap();
    let Some(common) = answer.common else { return String::new() };
    let smarts = common.to_smarts(a, b, options);
    let label = format!("{} of {} and {}", smarts.text, a.to_smiles(), b.to_smiles());
    let pattern = Pattern::from_smarts(&smarts.text).unwrap_or_else(|e| panic!("{e}: {label}"));
    assert_eq!(pattern.atoms().len(), common.atoms.len(), "{label}");
    assert_eq!(pattern.bonds().len(), common.bonds.len(), "{label}");
    let mut listed = smarts.atoms.clone();
    listed.sort_unstable();
    assert_eq!(listed, common.atoms, "{label}");
    for (molecule, other_side) in [(a, false), (b, true)] {
        assert!(pattern.matches(molecule), "{label}");
        // Not only somewhere: the mapped atoms are bonded as the pattern says.
        for (at, bond) in pattern.bonds().iter().enumerate() {
            let image = |i: usize| {
                let (q, t) = smarts.atoms[i];
                if other_side { t as usize } else { q as usize }
            };
            let bonded = molecule.bond_between(image(bond.begin()), image(bond.end()));
            assert!(bonded.is_some(), "bond {at} of {label}");
        }
    }
    smarts.text
}

fn check_table(name: &str, connected: bool, chemistry: ChemistryOptions) {
    let Some(lines) = read_shared_lines(&format!("data/mcs/{name}.tsv")) else { return };
    let header: Vec<&str> = lines[0].split('\t').collect();
    let column = |title: &str| header.iter().position(|h| *h == title).unwrap();
    let (a, b) = (column("smiles_a"), column("smiles_b"));
    let mut patterns = 0;
    for line in lines[1..].iter().step_by(stride()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let query = Molecule::from_smiles(fields[a]).unwrap();
        let target = Molecule::from_smiles(fields[b]).unwrap();
        for objective in [Objective::Mcis, Objective::Mces] {
            let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
            patterns += usize::from(!pattern(&query, &target, &options).is_empty());
        }
    }
    assert!(patterns > 0, "{name}");
}

#[test]
fn patterns_of_the_shared_tables_match_both() {
    let plain = ChemistryOptions::default();
    for (name, connected, chemistry) in [
        ("default_nn", true, plain),
        ("default_random", true, plain),
        ("default_stress", true, plain),
        ("disconnected", false, plain),
        ("match_stereo", true, ChemistryOptions { match_stereo: true, ..plain }),
        (
            "ring_matches_ring_only",
            true,
            ChemistryOptions { ring_matches_ring_only: true, ..plain },
        ),
        ("complete_rings_only", true, ChemistryOptions { complete_rings_only: true, ..plain }),
        ("aromaticity_strict", true, ChemistryOptions { aromaticity_strict: true, ..plain }),
        ("default_nn", true, ChemistryOptions { atom_type: false, ..plain }),
        (
            "default_nn",
            true,
            ChemistryOptions { bond_order: BondOrderMatch::Any, formal_charge: true, ..plain },
        ),
    ] {
        check_table(name, connected, chemistry);
    }
}

#[test]
fn terms_say_what_was_joined() {
    let read = |text: &str| Molecule::from_smiles(text).unwrap();
    let mut options = McsOptions::default();
    let words = |a: &str, b: &str, options: &McsOptions| pattern(&read(a), &read(b), options);
    assert_eq!(words("CC=CC", "c1ccccc1", &options), "[#6]-,:[#6]=,:[#6]-,:[#6]");
    assert_eq!(words("C1CC1", "C1CC1", &options), "[#6]-1-[#6]-[#6]1");
    assert_eq!(words("CC(C)O", "CC(C)O", &options), "[#6]-[#6](-[#6])-[#8]");
    assert_eq!(words("CC[*]", "CC[*]", &options), "[#6]-[#6]-[#0]");
    options.chemistry.atom_type = false;
    assert_eq!(words("CCO", "CCN", &options), "[#6]-[#6]-[#7,#8]");
    options = McsOptions::default();
    options.chemistry.ring_matches_ring_only = true;
    assert_eq!(words("CC1CC1", "CC1CC1", &options).matches(";!R").count(), 1);
    options = McsOptions::default();
    options.chemistry.formal_charge = true;
    options.chemistry.isotope = true;
    assert_eq!(words("[13CH3][O-]", "[13CH3][O-]", &options), "[13*;#6;+0]-[#8;-1]");
    options.connected = false;
    assert_eq!(words("[Na+].[Cl-]", "[Cl-].[Na+]", &options), "[#11;+1].[#17;-1]");
    // A dative bond keeps its direction, whichever end is written first.
    for text in ["N->[Cu]", "[Cu]<-N"] {
        assert!(words(text, "CN->[Cu]<-O", &McsOptions::default()).contains("#29"));
    }
}

/// rdkit#6082: a returned pattern did not match one of the inputs.
#[test]
fn rdkit_6082() {
    let a = Molecule::from_smiles("OCc1cc2nc(C3CC3)ccn2n1").unwrap();
    let b = Molecule::from_smiles("CCc1ccc2nc(CO)cn2n1").unwrap();
    for (objective, sizes) in [(Objective::Mces, (11, 10)), (Objective::Mcis, (9, 8))] {
        let options = McsOptions { objective, ..McsOptions::default() };
        let answer = find_mcs(&a, &b, &options, &mut Budget::unlimited()).unwrap();
        let common = answer.common.unwrap();
        assert!(answer.optimal);
        assert_eq!((common.atoms.len(), common.bonds.len()), sizes, "{objective:?}");
        assert!(!pattern(&a, &b, &options).is_empty());
        assert!(!pattern(&b, &a, &options).is_empty());
    }
}
