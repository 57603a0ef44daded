//! One query against many targets gives what one target at a time gives, for any number of
//! threads.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::num::NonZeroUsize;

use synthon_budget::{Budget, CancelFlag, Status};
use synthon_mcs::{McsError, McsOptions, find_mcs, find_mcs_many};
use synthon_mol::Molecule;

fn targets() -> Vec<Molecule> {
    [
        "CC(=O)Oc1ccccc1C(=O)O",
        "CN1CCC[C@H]1c1cccnc1",
        "[Na+].[Cl-]",
        "CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2O",
        "Cn1c(=O)c2c(ncn2C)n(C)c1=O",
        "II",
        "OC(=O)c1ccccc1O",
        "CC(C)Cc1ccc(C(C)C(=O)O)cc1",
    ]
    .iter()
    .cycle()
    .take(40)
    .map(|text| Molecule::from_smiles(text).unwrap())
    .collect()
}

#[test]
fn the_same_answers_for_any_number_of_threads() {
    let query = Molecule::from_smiles("COc1ccc2cc(ccc2c1)C(C)C(=O)O").unwrap();
    let targets = targets();
    let options = McsOptions::default();
    for limit in [200, u64::MAX] {
        let budget = |_: usize| Budget::unlimited().with_node_limit(limit);
        let mut seen = 0;
        let alone: Vec<_> = targets
            .iter()
            .map(|target| find_mcs(&query, target, &options, &mut budget(0)).unwrap())
            .collect();
        for threads in [1, 2, 3, 8] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let answers = find_mcs_many(&query, &targets, &options, budget, threads);
            assert_eq!(answers.len(), targets.len());
            for (answer, alone) in answers.into_iter().zip(&alone) {
                let answer = answer.unwrap();
                assert_eq!(answer.common, alone.common);
                assert_eq!((answer.status, answer.nodes), (alone.status, alone.nodes));
                seen += usize::from(answer.common.is_some());
            }
        }
        assert!(seen >= 4 * 30, "{seen}");
    }
}

#[test]
fn refusals_and_cancelling_concern_each_target() {
    let query = Molecule::from_smiles("CCO").unwrap();
    let big = Molecule::from_smiles(&"C".repeat(2049)).unwrap();
    let targets = vec![big, Molecule::from_smiles("CCO").unwrap()];
    let threads = NonZeroUsize::new(2).unwrap();
    let options = McsOptions::default();
    let answers = find_mcs_many(&query, &targets, &options, |_| Budget::unlimited(), threads);
    assert!(matches!(answers[0], Err(McsError::TooLarge { found: 2049, .. })));
    assert_eq!(answers[1].as_ref().unwrap().common.as_ref().unwrap().atoms.len(), 3);
    let flag = CancelFlag::new();
    flag.cancel();
    let cancelled = |_: usize| Budget::unlimited().with_cancel_flag(flag.clone());
    let answers = find_mcs_many(&query, &targets[1..], &options, cancelled, threads);
    assert_eq!(answers[0].as_ref().unwrap().status, Status::Cancelled);
    assert!(find_mcs_many(&query, &[], &options, |_| Budget::unlimited(), threads).is_empty());
}
