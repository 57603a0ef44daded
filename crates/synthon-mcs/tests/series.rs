//! The common substructure of a series: against brute force, and where existing tools failed.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use reference::{every_choice_of_bonds, small_molecule};
use synthon_budget::{Budget, Status};
use synthon_mcs::{
    CommonBond, CommonSubgraph, McsError, McsOptions, Objective, SeriesMcs, SeriesOptions,
    check_common_subgraph, find_mcs, find_series_mcs,
};
use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_query::{ChemistryOptions, Pattern};
use synthon_testkit::{Random, read_shared_lines};

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn series(texts: &[&str]) -> Vec<Molecule> {
    texts.iter().map(|text| read(text)).collect()
}

fn find(molecules: &[Molecule], options: &SeriesOptions) -> SeriesMcs {
    find_series_mcs(molecules, options, &mut Budget::unlimited()).unwrap()
}

fn sizes(found: &SeriesMcs) -> (usize, usize) {
    (found.atoms.len(), found.bonds.len())
}

/// Every placement is a valid map of the whole part, and the SMARTS matches there.
fn check(molecules: &[Molecule], options: &SeriesOptions, found: &SeriesMcs) {
    let Some(reference) = found.reference else {
        assert!(found.atoms.is_empty() && found.placements.iter().all(Option::is_none));
        return;
    };
    assert!(found.supporting().count() >= found.needed, "{found:?}");
    assert!(found.score(options.mcs.objective) <= found.at_most);
    let pattern = Pattern::from_smarts(&found.smarts).unwrap();
    assert_eq!(pattern.atoms().len(), found.atoms.len());
    assert_eq!(pattern.bonds().len(), found.bonds.len());
    for index in found.supporting() {
        let placement = found.placements[index].as_ref().unwrap();
        let image = |q: u32| placement[found.atoms.binary_search(&q).unwrap()];
        let common = CommonSubgraph {
            atoms: found.atoms.iter().copied().zip(placement.iter().copied()).collect(),
            bonds: found
                .bonds
                .iter()
                .map(|&(a, b)| CommonBond { query: (a, b), target: (image(a), image(b)) })
                .collect(),
            fragments: vec![found.atoms.clone()],
        };
        let (one, two) = (&molecules[reference], &molecules[index]);
        let faults = check_common_subgraph(one, two, &common, &options.mcs);
        assert!(faults.is_empty(), "{faults:?} {found:?}");
        assert!(pattern.matches(two), "{} in {}", found.smarts, two.to_smiles());
        for bond in pattern.bonds() {
            let place = |atom: usize| placement[found.smarts_atoms[atom] as usize] as usize;
            assert!(two.bond_between(place(bond.begin()), place(bond.end())).is_some());
        }
    }
}

/// Atoms and bonds of a reference.
type Part = (Vec<u32>, Vec<(u32, u32)>);

/// The greatest sizes by trying everything: parts of every reference that enough inputs hold.
fn by_brute_force(
    molecules: &[Molecule],
    options: &SeriesOptions,
    needed: usize,
) -> (usize, usize) {
    let mut best = (0, 0);
    for reference in molecules {
        let mut held: BTreeMap<Part, usize> = BTreeMap::new();
        for other in molecules {
            let mut parts = BTreeSet::new();
            every_choice_of_bonds(reference, other, &options.mcs, &mut |common| {
                parts.insert((
                    common.atoms.iter().map(|pair| pair.0).collect::<Vec<u32>>(),
                    common.bonds.iter().map(|bond| bond.query).collect::<Vec<_>>(),
                ));
            });
            for part in parts {
                *held.entry(part).or_insert(0) += 1;
            }
        }
        for ((atoms, bonds), count) in held {
            let here = match options.mcs.objective {
                Objective::Mcis => (atoms.len(), bonds.len()),
                Objective::Mces => (bonds.len(), atoms.len()),
            };
            if count >= needed {
                best = best.max(here);
            }
        }
    }
    best
}

fn compare(seed: u64, chemistry: ChemistryOptions) {
    let rounds = std::env::var("SYNTHON_LONG_PAIRS").map_or(60, |text| text.parse().unwrap());
    let mut random = Random::new(seed);
    let mut something = 0;
    for round in 0..rounds {
        let count = random.between(2, 4);
        let (texts, mut molecules): (Vec<String>, Vec<Molecule>) =
            (0..count).map(|_| small_molecule(&mut random, 5)).unzip();
        if random.chance(30) {
            // A copy, in another spelling.
            let spelling =
                WriteOptions { order: AtomOrder::Random(round as u64), ..WriteOptions::default() };
            molecules.push(read(&write_smiles(&molecules[0], &spelling).text));
        }
        let support = *random.pick(&[1.0, 1.0, 0.75, 0.5, 0.3]);
        for objective in [Objective::Mcis, Objective::Mces] {
            let mcs = McsOptions { objective, chemistry, ..McsOptions::default() };
            let options = SeriesOptions { support, mcs };
            let label = format!("round {round}: {texts:?} {} {options:?}", molecules.len());
            let found = find(&molecules, &options);
            assert!(found.optimal && found.status == Status::Completed, "{label}");
            check(&molecules, &options, &found);
            let (atoms, bonds) = sizes(&found);
            let here = if objective == Objective::Mcis { (atoms, bonds) } else { (bonds, atoms) };
            assert_eq!(here, by_brute_force(&molecules, &options, found.needed), "{label}");
            molecules.reverse();
            assert_eq!(sizes(&find(&molecules, &options)), (atoms, bonds), "reversed {label}");
            something += usize::from(atoms > 1);
        }
    }
    assert!(something > rounds / 4, "{something}");
}

#[test]
fn default_rules_by_brute_force() {
    compare(51, ChemistryOptions::default());
}

#[test]
fn whole_rings_by_brute_force() {
    compare(52, ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() });
}

#[test]
fn stereo_by_brute_force() {
    compare(53, ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() });
}

#[test]
fn any_element_by_brute_force() {
    compare(54, ChemistryOptions { atom_type: false, ..ChemistryOptions::default() });
}

/// rdkit#2525: the answer depended on the order of the inputs and on repeats.
#[test]
fn rdkit_2525() {
    let a =
        "S(=O)(=O)(O[C@@H]1[C@@]2([C@H]([C@H]3[C@H](CC2)c2c(CC3)cc(OS(=O)(=O)[O-])cc2)CC1)C)[O-]";
    let b = "C4[C@]1(C(=CC[C@@H]2[C@@H]1CC[C@]3([C@H]2CC[C@@H]3O[S](=O)(=O)[O-])C)C[C@H](C4)O[S](=O)(=O)[O-])C";
    let chemistry = ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() };
    for objective in [Objective::Mcis, Objective::Mces] {
        let mcs = McsOptions { objective, chemistry, ..McsOptions::default() };
        let options = SeriesOptions { mcs, ..SeriesOptions::default() };
        let pair = find_mcs(&read(a), &read(b), &mcs, &mut Budget::unlimited()).unwrap();
        let pair = pair.common.unwrap();
        let expected = (pair.atoms.len(), pair.bonds.len());
        for texts in [vec![a, b], vec![b, a], vec![a, b, a], vec![b, a, a], vec![a, b, b, a]] {
            let molecules = series(&texts);
            let found = find(&molecules, &options);
            assert!(found.optimal);
            check(&molecules, &options, &found);
            assert_eq!(sizes(&found), expected, "{objective:?} {}", texts.len());
        }
        if objective == Objective::Mces {
            assert_eq!(expected.0, 28);
        }
    }
}

#[test]
fn support_lets_odd_inputs_go() {
    let molecules =
        series(&["OC(=O)c1ccc(Cl)cc1", "OC(=O)c1ccc(Br)cc1", "OC(=O)c1ccc(C#N)cc1", "NCCS"]);
    let mut options = SeriesOptions::default();
    assert_eq!(sizes(&find(&molecules, &options)), (2, 1));
    options.support = 0.75;
    let found = find(&molecules, &options);
    check(&molecules, &options, &found);
    assert_eq!(sizes(&found), (9, 9));
    assert_eq!(found.supporting().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(found.needed, 3);
    options.support = 0.01;
    assert_eq!(sizes(&find(&molecules, &options)), (11, 11));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let molecules = series(&["CC", "CO"]);
    let mut budget = Budget::unlimited();
    for support in [0.0, -1.0, 1.5, f64::NAN] {
        let options = SeriesOptions { support, ..SeriesOptions::default() };
        let error = find_series_mcs(&molecules, &options, &mut budget).unwrap_err();
        assert_eq!(error, McsError::Support);
    }
    let mcs = McsOptions { connected: false, ..McsOptions::default() };
    let options = SeriesOptions { mcs, ..SeriesOptions::default() };
    let error = find_series_mcs(&molecules, &options, &mut budget).unwrap_err();
    assert_eq!(error.code(), "mcs.series");
    let nothing = find(&[], &SeriesOptions::default());
    assert!(nothing.reference.is_none() && nothing.optimal);
    let apart = find(&series(&["CC", "[Na+]"]), &SeriesOptions::default());
    assert!(apart.reference.is_none() && apart.optimal && apart.at_most == 0);
}

/// Three neighbours in a list of molecules at a time: real series, for which the largest part of
/// all three is no larger than that of any two.
#[test]
fn triples_of_the_shared_table() {
    let Some(lines) = read_shared_lines("data/mcs/default_nn.tsv") else { return };
    let header: Vec<&str> = lines[0].split('\t').collect();
    let column = |title: &str| header.iter().position(|h| *h == title).unwrap();
    let (a, b) = (column("smiles_a"), column("smiles_b"));
    let mut proved = 0;
    let rows: Vec<&String> = lines[1..].iter().step_by(29).collect();
    for pair in rows.windows(2) {
        let fields: Vec<&str> = pair[0].split('\t').collect();
        let more: Vec<&str> = pair[1].split('\t').collect();
        let mut molecules = series(&[fields[a], fields[b], more[a]]);
        for objective in [Objective::Mcis, Objective::Mces] {
            let mcs = McsOptions { objective, ..McsOptions::default() };
            let options = SeriesOptions { mcs, ..SeriesOptions::default() };
            let ask = |molecules: &[Molecule]| {
                let mut budget = Budget::unlimited().with_node_limit(100_000);
                find_series_mcs(molecules, &options, &mut budget).unwrap()
            };
            let found = ask(&molecules);
            check(&molecules, &options, &found);
            molecules.rotate_left(1);
            let turned = ask(&molecules);
            if found.optimal && turned.optimal {
                assert_eq!(sizes(&found), sizes(&turned));
                proved += 1;
            }
        }
    }
    assert!(proved > 2 * (rows.len() - 1) * 9 / 10, "{proved} of {}", 2 * (rows.len() - 1));
}

/// A deadline holds on series whose proof, or whose embeddings, are out of reach.
#[test]
fn deadlines_hold_on_hostile_series() {
    let chains: Vec<String> =
        (0..4).map(|k| "C(C)(C)".repeat(40 + k) + &"C".repeat(3 * k)).collect();
    let rings: Vec<String> = (0..4).map(|k| "C1CC2CCC1CC2".repeat(8) + &"O".repeat(k)).collect();
    let dots: Vec<String> = (0..4).map(|k| vec!["CC"; 100 + k].join(".")).collect();
    for texts in [chains, rings, dots] {
        let molecules: Vec<Molecule> = texts.iter().map(|text| read(text)).collect();
        for objective in [Objective::Mcis, Objective::Mces] {
            let mcs = McsOptions { objective, ..McsOptions::default() };
            let options = SeriesOptions { support: 0.7, mcs };
            let start = Instant::now();
            let mut budget = Budget::unlimited().with_time_limit(Duration::from_millis(200));
            let found = find_series_mcs(&molecules, &options, &mut budget).unwrap();
            let over = start.elapsed().saturating_sub(Duration::from_millis(200));
            assert!(over < Duration::from_millis(500), "{over:?} over, {objective:?}");
            assert_eq!(found.optimal, found.status == Status::Completed);
            check(&molecules, &options, &found);
        }
    }
}
