//! Fused, bridged and spiro ring systems in several pieces, only whole rings counting.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_budget::Budget;
use synthon_mcs::{McsOptions, Objective, check_common_subgraph, find_mcs};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;
use synthon_testkit::workspace_root;

/// A search that runs away takes millions of nodes.
const MOST_NODES: u64 = 500_000;

#[test]
fn pieces_of_whole_rings_are_proved() {
    let table = workspace_root().join("testdata/mcs/whole_rings.tsv");
    let table = std::fs::read_to_string(table).unwrap();
    let chemistry = ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() };
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let query = Molecule::from_smiles(fields[1]).unwrap();
        let target = Molecule::from_smiles(fields[2]).unwrap();
        for (objective, expected) in [(Objective::Mcis, fields[3]), (Objective::Mces, fields[4])] {
            let options =
                McsOptions { objective, connected: false, chemistry, ..McsOptions::default() };
            for (a, b) in [(&query, &target), (&target, &query)] {
                let mut budget = Budget::unlimited().with_node_limit(MOST_NODES);
                let answer = find_mcs(a, b, &options, &mut budget).unwrap();
                let label = format!("{}, {objective:?}, {} nodes", fields[0], answer.nodes);
                assert!(answer.optimal, "{label}");
                let found = answer.common.as_ref().map_or("-".to_string(), |common| {
                    assert!(check_common_subgraph(a, b, common, &options).is_empty(), "{label}");
                    format!("{}/{}", common.atoms.len(), common.bonds.len())
                });
                assert_eq!(found, expected, "{label}");
            }
        }
        rows += 1;
    }
    assert!(rows >= 20, "{rows} rows");
}
