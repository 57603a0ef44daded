//! The engines against brute force on small random pairs: every atom map and, for the edge
//! objective, every choice of common bonds that could beat the answer is built and judged by the
//! independent check.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

mod reference;

use reference::{larger_common_subgraph, small_molecule};
use synthon_budget::Budget;
use synthon_mcs::{
    CommonSubgraph, McsOptions, Objective, check_common_subgraph, find_all_mcs, find_mcs,
};
use synthon_mol::Molecule;
use synthon_query::{BondOrderMatch, ChemistryOptions};
use synthon_testkit::Random;

/// Pairs for each option set: enough for every run; the long checks ask for more.
fn pairs() -> usize {
    std::env::var("SYNTHON_LONG_PAIRS").map_or(400, |text| text.parse().unwrap())
}

fn compare(seed: u64, options: &McsOptions) {
    let mut random = Random::new(seed);
    for round in 0..pairs() {
        // Dropping bonds multiplies the work of the reference.
        let atoms = if options.chemistry.match_stereo { 5 } else { 6 };
        let (text_a, a) = small_molecule(&mut random, atoms);
        let (text_b, b) = small_molecule(&mut random, atoms);
        let answer = find_mcs(&a, &b, options, &mut Budget::unlimited()).unwrap();
        let back = find_mcs(&b, &a, options, &mut Budget::unlimited()).unwrap();
        let sizes = |common: &Option<CommonSubgraph>| {
            let (atoms, bonds) = common.as_ref().map_or((0, 0), |c| (c.atoms.len(), c.bonds.len()));
            match options.objective {
                Objective::Mcis => (atoms, bonds),
                Objective::Mces => (bonds, atoms),
            }
        };
        let found = sizes(&answer.common);
        let label = format!("round {round}: {text_a} {text_b} {options:?}");
        assert!(answer.optimal, "{label}");
        assert_eq!(found, sizes(&back.common), "other way round, {label}");
        if let Some(common) = &answer.common {
            let faults = check_common_subgraph(&a, &b, common, options);
            assert!(faults.is_empty(), "{faults:?} {label}");
        }
        let larger = larger_common_subgraph(&a, &b, options, found);
        assert!(larger.is_none(), "{found:?} found, but {larger:?}: {label}");
    }
}

fn both_objectives(seed: u64, options: McsOptions) {
    for objective in [Objective::Mcis, Objective::Mces] {
        for connected in [true, false] {
            compare(seed, &McsOptions { objective, connected, ..options });
        }
    }
}

fn with_chemistry(seed: u64, chemistry: ChemistryOptions) {
    both_objectives(seed, McsOptions { chemistry, ..McsOptions::default() });
}

#[test]
fn default_rules() {
    with_chemistry(11, ChemistryOptions::default());
}

#[test]
fn ring_matches_ring_only() {
    with_chemistry(
        12,
        ChemistryOptions { ring_matches_ring_only: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn complete_rings_only() {
    with_chemistry(
        13,
        ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn match_stereo() {
    with_chemistry(14, ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() });
}

#[test]
fn stereo_and_whole_rings() {
    let chemistry = ChemistryOptions {
        match_stereo: true,
        complete_rings_only: true,
        ..ChemistryOptions::default()
    };
    with_chemistry(15, chemistry);
}

#[test]
fn strict_aromaticity() {
    with_chemistry(
        16,
        ChemistryOptions { aromaticity_strict: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn loose_bonds_and_charges() {
    let chemistry = ChemistryOptions {
        bond_order: BondOrderMatch::Any,
        formal_charge: true,
        isotope: true,
        ..ChemistryOptions::default()
    };
    with_chemistry(17, chemistry);
}

#[test]
fn any_element() {
    with_chemistry(18, ChemistryOptions { atom_type: false, ..ChemistryOptions::default() });
}

#[test]
fn limits_on_pieces() {
    let options = McsOptions {
        connected: false,
        min_fragment_atoms: 2,
        max_fragments: 2,
        ..McsOptions::default()
    };
    for objective in [Objective::Mcis, Objective::Mces] {
        compare(19, &McsOptions { objective, ..options });
    }
}

/// All maps of the greatest size are found once each, by counting them in another way: every
/// automorphism of a molecule is a largest common subgraph of it with itself.
#[test]
fn all_maps_of_symmetric_molecules() {
    for (text, automorphisms) in [
        ("c1ccccc1", 12),
        ("CC", 2),
        ("CC(C)(C)C", 24),
        ("C1CC1", 6),
        ("C1CCCCC1", 12),
        ("c1ccc2ccccc2c1", 4),
        ("C1CC2CCC1CC2", 12),
        ("FC(F)(F)c1ccccc1", 12),
    ] {
        let molecule = Molecule::from_smiles(text).unwrap();
        for objective in [Objective::Mcis, Objective::Mces] {
            let options = McsOptions { objective, ..McsOptions::default() };
            let mut budget = Budget::unlimited();
            let (list, complete, answer) =
                find_all_mcs(&molecule, &molecule, &options, 1000, &mut budget).unwrap();
            assert_eq!(list.len(), automorphisms, "{text} {objective:?}");
            assert!(complete && answer.optimal, "{text}");
            assert!(list.windows(2).all(|w| w[0].atoms < w[1].atoms), "{text}");
            let (cut, complete, _) =
                find_all_mcs(&molecule, &molecule, &options, 1, &mut Budget::unlimited()).unwrap();
            assert!(cut.len() == 1 && !complete, "{text}");
        }
    }
}
