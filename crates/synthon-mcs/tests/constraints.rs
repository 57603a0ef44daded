//! Constraints and weights against brute force: every valid common subgraph of small random
//! pairs is built, and none that keeps to the constraints may be larger than the answer.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

mod reference;

use reference::{every_common_subgraph, small_molecule};
use synthon_budget::{Budget, Status};
use synthon_mcs::{
    CommonSubgraph, McsConstraints, McsError, McsOptions, Objective, check_common_subgraph,
    find_constrained_mcs, find_mcs,
};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;
use synthon_testkit::Random;

/// Pairs for each option set: enough for every run; the long checks ask for more.
fn pairs() -> usize {
    std::env::var("SYNTHON_LONG_PAIRS").map_or(250, |text| text.parse().unwrap())
}

fn random_constraints(random: &mut Random, q: usize, t: usize) -> McsConstraints {
    let mut constraints = McsConstraints::default();
    let pair = |random: &mut Random| (random.below(q) as u32, random.below(t) as u32);
    if random.chance(40) {
        constraints.required_pairs.push(pair(random));
        if random.chance(30) {
            constraints.required_pairs.push(pair(random));
        }
    }
    for _ in 0..random.below(3) {
        constraints.forbidden_pairs.push(pair(random));
    }
    if random.chance(30) {
        constraints.excluded_query_atoms.push(random.below(q) as u32);
    }
    if random.chance(30) {
        constraints.excluded_target_atoms.push(random.below(t) as u32);
    }
    constraints
}

fn sizes(
    common: &CommonSubgraph,
    options: &McsOptions,
    constraints: &McsConstraints,
) -> (u64, u64) {
    match options.objective {
        Objective::Mcis => (constraints.weight(common), common.bonds.len() as u64),
        Objective::Mces => (common.bonds.len() as u64, common.atoms.len() as u64),
    }
}

fn compare(seed: u64, options: &McsOptions, weighted: bool) {
    let mut random = Random::new(seed);
    let (mut held, mut bound) = (0, 0);
    for round in 0..pairs() {
        let atoms = if options.chemistry.match_stereo { 4 } else { 6 };
        let (text_a, a) = small_molecule(&mut random, atoms);
        let (text_b, b) = small_molecule(&mut random, atoms);
        let mut constraints = random_constraints(&mut random, a.atom_count(), b.atom_count());
        if weighted {
            let weights = (0..a.atom_count()).map(|_| random.below(5) as u32).collect();
            constraints.query_weights = Some(weights);
        }
        let label = format!("round {round}: {text_a} {text_b} {options:?} {constraints:?}");
        let mut budget = Budget::unlimited();
        let answer = find_constrained_mcs(&a, &b, options, &constraints, &mut budget).unwrap();
        assert!(answer.optimal && answer.status == Status::Completed, "{label}");
        let found = answer.common.as_ref().map(|c| sizes(c, options, &constraints));
        if let Some(common) = &answer.common {
            let mut faults = check_common_subgraph(&a, &b, common, options);
            faults.extend(constraints.faults(common));
            assert!(faults.is_empty(), "{faults:?} {label}");
            held += usize::from(!constraints.required_pairs.is_empty());
        }
        let mut best: Option<(u64, u64)> = None;
        let mut free: Option<(u64, u64)> = None;
        every_common_subgraph(&a, &b, options, &mut |common| {
            let here = sizes(common, options, &constraints);
            // Nothing of any worth is nothing.
            if here > (0, 0) {
                free = free.max(Some(here));
                if constraints.faults(common).is_empty() {
                    best = best.max(Some(here));
                }
            }
        });
        assert_eq!(found, best, "{label}");
        bound += usize::from(free != best);
    }
    assert!(held > pairs() / 100 && bound > pairs() / 20, "{held} held, {bound} bound");
}

fn all_engines(seed: u64, chemistry: ChemistryOptions) {
    for connected in [true, false] {
        for objective in [Objective::Mcis, Objective::Mces] {
            let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
            compare(seed, &options, false);
        }
        let options = McsOptions { connected, chemistry, ..McsOptions::default() };
        compare(seed + 100, &options, true);
    }
}

#[test]
fn default_rules() {
    all_engines(31, ChemistryOptions::default());
}

#[test]
fn whole_rings() {
    all_engines(32, ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() });
}

#[test]
fn match_stereo() {
    all_engines(33, ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() });
}

#[test]
fn any_element() {
    all_engines(34, ChemistryOptions { atom_type: false, ..ChemistryOptions::default() });
}

#[test]
fn limits_on_pieces() {
    let options = McsOptions {
        connected: false,
        min_fragment_atoms: 2,
        max_fragments: 1,
        ..McsOptions::default()
    };
    compare(35, &options, false);
    compare(36, &options, true);
    compare(37, &McsOptions { objective: Objective::Mces, ..options }, false);
}

#[test]
fn nothing_asked_changes_nothing() {
    let read = |text: &str| Molecule::from_smiles(text).unwrap();
    let a = read("Cc1ccc(C(=O)NC2CCN(C)CC2)cc1OC(F)(F)F");
    let b = read("CN1CCC(NC(=O)c2cccc(Cl)c2)CC1");
    for objective in [Objective::Mcis, Objective::Mces] {
        for connected in [true, false] {
            let options = McsOptions { objective, connected, ..McsOptions::default() };
            let none = McsConstraints::default();
            assert!(none.is_empty());
            let ones =
                McsConstraints { query_weights: Some(vec![1; a.atom_count()]), ..none.clone() };
            let plain = find_mcs(&a, &b, &options, &mut Budget::unlimited()).unwrap();
            let size = plain.common.map(|c| sizes(&c, &options, &none));
            for constraints in [&none, &ones] {
                if objective == Objective::Mces && constraints.query_weights.is_some() {
                    continue;
                }
                let mut budget = Budget::unlimited();
                let found =
                    find_constrained_mcs(&a, &b, &options, constraints, &mut budget).unwrap();
                assert_eq!(found.common.map(|c| sizes(&c, &options, &none)), size);
            }
        }
    }
}

#[test]
fn weights_lead_the_search_away_from_the_larger_part() {
    let a = Molecule::from_smiles("CCCCCCN").unwrap();
    let b = Molecule::from_smiles("CCCCCCO.CN").unwrap();
    let mut constraints = McsConstraints::default();
    let find = |constraints: &McsConstraints| {
        let options = McsOptions::default();
        let mut budget = Budget::unlimited();
        find_constrained_mcs(&a, &b, &options, constraints, &mut budget).unwrap().common.unwrap()
    };
    assert_eq!(find(&constraints).atoms.len(), 6);
    constraints.query_weights = Some(vec![1, 1, 1, 1, 1, 1, 9]);
    let common = find(&constraints);
    assert_eq!((constraints.weight(&common), common.atoms), (10, vec![(5, 7), (6, 8)]));
}

#[test]
fn constraints_that_name_nothing_are_refused() {
    let a = Molecule::from_smiles("CC").unwrap();
    let refuse = |constraints: McsConstraints, objective| {
        let options = McsOptions { objective, ..McsOptions::default() };
        find_constrained_mcs(&a, &a, &options, &constraints, &mut Budget::unlimited()).unwrap_err()
    };
    let none = McsConstraints::default();
    let error =
        refuse(McsConstraints { required_pairs: vec![(0, 2)], ..none.clone() }, Objective::Mcis);
    assert_eq!(error, McsError::NoSuchAtom { molecule: "target", atom: 2 });
    let error =
        refuse(McsConstraints { excluded_query_atoms: vec![7], ..none.clone() }, Objective::Mcis);
    assert_eq!(error, McsError::NoSuchAtom { molecule: "query", atom: 7 });
    for (weights, objective) in [
        (vec![1, 1], Objective::Mces),
        (vec![1], Objective::Mcis),
        (vec![1, 2_000_000], Objective::Mcis),
    ] {
        let error =
            refuse(McsConstraints { query_weights: Some(weights), ..none.clone() }, objective);
        assert_eq!(error.code(), "mcs.weights");
    }
}
