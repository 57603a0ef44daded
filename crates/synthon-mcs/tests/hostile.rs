//! Hostile pairs: every search ends at its deadline with an honest status and a valid map.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use synthon_budget::{Budget, Status};
use synthon_mcs::{
    Core, DecompositionOptions, McsAnswer, McsConstraints, McsOptions, Objective, SeriesOptions,
    check_common_subgraph, decompose, find_all_mcs, find_constrained_mcs, find_mcs, find_mcs_many,
    find_series_mcs,
};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;
use synthon_testkit::hostile_pairs;

/// What a hostile input may cost beyond its deadline, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_millis(500);

const LIMIT: Duration = Duration::from_millis(20);

fn budget() -> Budget {
    Budget::unlimited().with_time_limit(LIMIT)
}

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn pairs() -> Vec<(&'static str, Molecule, Molecule)> {
    hostile_pairs().iter().map(|(name, a, b)| (*name, read(a), read(b))).collect()
}

/// Runs one search and holds it to its deadline.
fn in_time<T>(label: &str, search: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = search();
    let over = begun.elapsed().saturating_sub(LIMIT);
    assert!(over < PATIENCE, "{over:?} over: {label}");
    result
}

fn modes(chemistry: ChemistryOptions) -> [McsOptions; 4] {
    [
        (Objective::Mcis, true),
        (Objective::Mces, true),
        (Objective::Mcis, false),
        (Objective::Mces, false),
    ]
    .map(|(objective, connected)| McsOptions {
        objective,
        connected,
        chemistry,
        ..McsOptions::default()
    })
}

/// Proved exactly when the search came to its end, and valid in any case.
fn judge(
    label: &str,
    (query, target): (&Molecule, &Molecule),
    options: &McsOptions,
    answer: &McsAnswer,
) {
    let ended = matches!(answer.status, Status::Completed | Status::TimedOut);
    assert!(ended && answer.optimal == (answer.status == Status::Completed), "{label}");
    if let Some(common) = &answer.common {
        let faults = check_common_subgraph(query, target, common, options);
        assert!(faults.is_empty(), "{label}: {faults:?}");
    }
}

fn find_every_way(chemistry: ChemistryOptions) {
    for (name, a, b) in &pairs() {
        for options in modes(chemistry) {
            let label = format!("{name} with {options:?}");
            let answer = in_time(&label, || find_mcs(a, b, &options, &mut budget())).unwrap();
            judge(&label, (a, b), &options, &answer);
        }
    }
}

#[test]
fn default_rules() {
    find_every_way(ChemistryOptions::default());
}

#[test]
fn whole_rings_and_stereo() {
    find_every_way(ChemistryOptions {
        complete_rings_only: true,
        match_stereo: true,
        ..ChemistryOptions::default()
    });
}

#[test]
fn limits_on_pieces() {
    for (name, a, b) in &pairs() {
        for options in &modes(ChemistryOptions::default())[2..] {
            let options = McsOptions { min_fragment_atoms: 3, max_fragments: 4, ..*options };
            let label = format!("{name} with {options:?}");
            let answer = in_time(&label, || find_mcs(a, b, &options, &mut budget())).unwrap();
            judge(&label, (a, b), &options, &answer);
        }
    }
}

#[test]
fn lists_and_constraints() {
    for (name, a, b) in &pairs() {
        for options in modes(ChemistryOptions::default()) {
            let label = format!("all of {name} with {options:?}");
            let (list, complete, answer) =
                in_time(&label, || find_all_mcs(a, b, &options, 100, &mut budget())).unwrap();
            assert!(list.len() <= 100 && (!complete || answer.status == Status::Completed));
            for common in &list {
                assert!(check_common_subgraph(a, b, common, &options).is_empty(), "{label}");
                assert_eq!(common.score(options.objective), list[0].score(options.objective));
            }
            let constraints = McsConstraints {
                required_pairs: vec![(0, 0)],
                excluded_query_atoms: vec![1],
                ..McsConstraints::default()
            };
            let label = format!("constrained {name} with {options:?}");
            let answer = in_time(&label, || {
                find_constrained_mcs(a, b, &options, &constraints, &mut budget())
            })
            .unwrap();
            judge(&label, (a, b), &options, &answer);
            assert!(answer.common.iter().all(|found| constraints.faults(found).is_empty()));
        }
    }
}

#[test]
fn series_and_decompositions() {
    let pairs = pairs();
    for (name, a, b) in &pairs {
        let molecules = [a.clone(), b.clone(), a.clone()];
        for objective in [Objective::Mcis, Objective::Mces] {
            let mcs = McsOptions { objective, ..McsOptions::default() };
            let options = SeriesOptions { mcs, support: 0.6 };
            let label = format!("series of {name} with {objective:?}");
            let found =
                in_time(&label, || find_series_mcs(&molecules, &options, &mut budget())).unwrap();
            assert_eq!(found.optimal, found.status == Status::Completed, "{label}");
            assert!(found.reference.is_none() || found.supporting().count() >= found.needed);
        }
        let core = Core::from_molecule(a, &ChemistryOptions::default()).unwrap();
        let options = DecompositionOptions::default();
        let label = format!("decomposition of {name}");
        let table =
            in_time(&label, || decompose(&core, &molecules, &options, &mut budget())).unwrap();
        let told = table.rows.len() + table.unmatched.len() + table.undecided.len();
        assert_eq!(told, molecules.len(), "{label}");
        assert!(table.undecided.is_empty() || table.status != Status::Completed, "{label}");
    }
    let targets: Vec<Molecule> = pairs.iter().map(|(_, _, b)| b.clone()).collect();
    let threads = NonZeroUsize::new(2).unwrap();
    let options = McsOptions::default();
    let answers = find_mcs_many(&pairs[0].1, &targets, &options, |_| budget(), threads);
    for (answer, target) in answers.into_iter().zip(&targets) {
        judge("many targets", (&pairs[0].1, target), &options, &answer.unwrap());
    }
}
