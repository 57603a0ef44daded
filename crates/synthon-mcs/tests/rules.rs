//! The measured rules, pair by pair, from `testdata/mcs/rules.tsv`; and how searches stop.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::Duration;

use synthon_budget::{Budget, Status};
use synthon_mcs::{
    McsAnswer, McsError, McsOptions, Objective, check_common_subgraph, find_all_mcs, find_mcs,
};
use synthon_mol::Molecule;
use synthon_query::BondOrderMatch;
use synthon_testkit::workspace_root;

fn read(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap()
}

fn options(words: &str) -> McsOptions {
    let mut options = McsOptions::default();
    let chemistry = &mut options.chemistry;
    for word in words.split_whitespace() {
        match word {
            "disconnected" => options.connected = false,
            "ring" => chemistry.ring_matches_ring_only = true,
            "whole" => chemistry.complete_rings_only = true,
            "stereo" => chemistry.match_stereo = true,
            "strict" => chemistry.aromaticity_strict = true,
            "any" => chemistry.bond_order = BondOrderMatch::Any,
            "element" => chemistry.atom_type = false,
            "charge" => chemistry.formal_charge = true,
            "isotope" => chemistry.isotope = true,
            "least3" => options.min_fragment_atoms = 3,
            "most2" => options.max_fragments = 2,
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn sizes(answer: &McsAnswer) -> String {
    match &answer.common {
        None => "-".to_string(),
        Some(common) => format!("{}/{}", common.atoms.len(), common.bonds.len()),
    }
}

#[test]
fn measured_rules() {
    let table = std::fs::read_to_string(workspace_root().join("testdata/mcs/rules.tsv")).unwrap();
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (query, target) = (read(fields[0]), read(fields[1]));
        for (objective, expected) in [(Objective::Mcis, fields[3]), (Objective::Mces, fields[4])] {
            let options = McsOptions { objective, ..options(fields[2]) };
            for (a, b) in [(&query, &target), (&target, &query)] {
                let answer = find_mcs(a, b, &options, &mut Budget::unlimited()).unwrap();
                assert_eq!(sizes(&answer), expected, "{line} {objective:?}");
                assert!(answer.optimal && answer.status == Status::Completed, "{line}");
                if let Some(common) = &answer.common {
                    let faults = check_common_subgraph(a, b, common, &options);
                    assert!(faults.is_empty(), "{line}: {faults:?}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 280, "{compared} comparisons");
}

#[test]
fn a_pair_without_time_gets_no_answer_at_once() {
    let benzene = read("c1ccccc1");
    let mut budget = Budget::unlimited().with_time_limit(Duration::ZERO);
    let answer = find_mcs(&benzene, &benzene, &McsOptions::default(), &mut budget).unwrap();
    assert_eq!(answer.status, Status::TimedOut);
    assert!(answer.common.is_none() && !answer.optimal && answer.nodes == 0);
}

#[test]
fn a_stopped_search_returns_a_valid_map() {
    let a = read(
        "CC1(C)O[C@@H]2C[C@H]3[C@@H]4C[C@H](F)C5=CC(=O)C=C[C@]5(C)[C@H]4[C@@H](O)C[C@]3(C)[C@]2(C(=O)CO)O1",
    );
    let b = read(
        "CO[C@H]1/C=C/O[C@@]2(C)Oc3c(C)c(O)c4c(O)c(cc(O)c4c3C2=O)NC(=O)/C(C)=C\\C=C\\[C@H](C)[C@H](O)[C@@H](C)[C@@H](O)[C@@H](C)[C@H](OC(C)=O)[C@@H]1C",
    );
    for objective in [Objective::Mcis, Objective::Mces] {
        let options = McsOptions { objective, ..McsOptions::default() };
        let mut last = 0;
        for limit in [1, 20, 100, 1000] {
            let mut budget = Budget::unlimited().with_node_limit(limit);
            let answer = find_mcs(&a, &b, &options, &mut budget).unwrap();
            assert_eq!(answer.status, Status::LimitReached, "{objective:?} {limit}");
            assert!(!answer.optimal && answer.nodes <= limit);
            if let Some(common) = &answer.common {
                assert!(check_common_subgraph(&a, &b, common, &options).is_empty());
                assert!(common.score(objective) >= last);
                last = common.score(objective);
            }
        }
        assert!(last >= 10, "{objective:?}: {last}");
    }
}

#[test]
fn limits_of_zero_and_sizes_beyond_the_search_are_refused() {
    let (a, big) = (read("CC"), read(&"C".repeat(2049)));
    let mut budget = Budget::unlimited();
    let zero = McsOptions { connected: false, min_fragment_atoms: 0, ..McsOptions::default() };
    let found = find_mcs(&a, &a, &zero, &mut budget).unwrap_err();
    assert_eq!(found, McsError::ZeroLimit("min_fragment_atoms"));
    let found = find_all_mcs(&a, &a, &McsOptions::default(), 0, &mut budget).unwrap_err();
    assert_eq!(found.code(), "mcs.zero_limit");
    let found = find_mcs(&a, &big, &McsOptions::default(), &mut budget).unwrap_err();
    assert_eq!(found, McsError::TooLarge { found: 2049, limit: 2048 });
}
