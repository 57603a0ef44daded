//! Pairs from the field on which existing tools went wrong.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_budget::Budget;
use synthon_mcs::{McsOptions, Objective, find_mcs};
use synthon_mol::Molecule;

/// rdkit#1585: took seconds.
#[test]
fn rdkit_1585() {
    let a = Molecule::from_smiles("c1cc(c(c(c1)Cl)N2c3cc(cc(c3CNC2=O)c4ccc(cc4F)F)N5CCNCC5)Cl")
        .unwrap();
    let b = Molecule::from_smiles("CCNc1cc(c2c(c1)N(C(=O)NC2)c3ccc(cc3)n4ccc-5ncnc5c4)c6ccnnc6")
        .unwrap();
    let options = McsOptions { objective: Objective::Mces, ..McsOptions::default() };
    for (query, target) in [(&a, &b), (&b, &a)] {
        // A node limit, not a clock: the machine of a test may be busy.
        let mut budget = Budget::unlimited().with_node_limit(20_000);
        let answer = find_mcs(query, target, &options, &mut budget).unwrap();
        let common = answer.common.unwrap();
        assert!(answer.optimal, "{} nodes", answer.nodes);
        assert_eq!((common.atoms.len(), common.bonds.len()), (24, 26));
        assert_eq!(common.fragments.len(), 1);
    }
}
