//! Sizes and proof depend neither on the order of atoms, nor on how the molecules are spelled,
//! nor on which of the two is the query.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_budget::Budget;
use synthon_mcs::{McsOptions, Objective, check_common_subgraph, find_mcs};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

/// Three spellings of one random molecule, each beginning elsewhere.
fn spellings(random: &mut Random) -> Option<[Molecule; 3]> {
    let shape = MoleculeShape {
        atoms: random.between(8, 16),
        closures: random.below(4),
        aromatic_rings: random.below(2),
        ..MoleculeShape::default()
    };
    let drawn = RandomMolecule::new(&shape, random);
    let texts: [String; 3] = std::array::from_fn(|_| drawn.spell(random));
    let read = texts.map(|text| Molecule::from_smiles(&text).ok());
    let [Some(a), Some(b), Some(c)] = read else { return None };
    Some([a, b, c])
}

fn compare(seed: u64, chemistry: ChemistryOptions) {
    let mut random = Random::new(seed);
    let mut pairs = 0;
    while pairs < 150 {
        let (Some(queries), Some(targets)) = (spellings(&mut random), spellings(&mut random))
        else {
            continue;
        };
        pairs += 1;
        for (objective, connected) in [
            (Objective::Mcis, true),
            (Objective::Mces, true),
            (Objective::Mcis, false),
            (Objective::Mces, false),
        ] {
            let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
            let mut first = None;
            for (a, b) in queries.iter().zip(&targets).flat_map(|(a, b)| [(a, b), (b, a)]) {
                let answer = find_mcs(a, b, &options, &mut Budget::unlimited()).unwrap();
                if let Some(common) = &answer.common {
                    let faults = check_common_subgraph(a, b, common, &options);
                    assert!(faults.is_empty(), "{faults:?}");
                }
                let sizes = answer.common.map_or((0, 0), |c| (c.atoms.len(), c.bonds.len()));
                let found = (sizes, answer.optimal, answer.status);
                let label = || format!("{} {} {options:?}", a.to_smiles(), b.to_smiles());
                assert_eq!(*first.get_or_insert(found), found, "{}", label());
            }
        }
    }
}

#[test]
fn default_rules() {
    compare(41, ChemistryOptions::default());
}

#[test]
fn stereo() {
    compare(42, ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() });
}

#[test]
fn whole_rings() {
    compare(43, ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() });
}

#[test]
fn strict_aromaticity() {
    compare(44, ChemistryOptions { aromaticity_strict: true, ..ChemistryOptions::default() });
}
