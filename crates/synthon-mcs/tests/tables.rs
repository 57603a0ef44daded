//! The shared pair tables: every size on both levels, for both objectives and every option set.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::Duration;

use synthon_budget::{Budget, Status};
use synthon_mcs::{McsOptions, Objective, check_common_subgraph, find_mcs};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;
use synthon_testkit::read_shared_lines;

/// Rows whose proof takes long: the size is asked for, not the proof.
const HARD: &[(&str, Objective)] = &[];

fn check_table(name: &str, connected: bool, chemistry: ChemistryOptions) {
    let Some(lines) = read_shared_lines(&format!("data/mcs/{name}.tsv")) else { return };
    let header: Vec<&str> = lines[0].split('\t').collect();
    let column = |title: &str| header.iter().position(|h| *h == title).unwrap();
    let (a, b) = (column("smiles_a"), column("smiles_b"));
    let mut faults = Vec::new();
    let mut rows = 0;
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split('\t').collect();
        let size = |title: &str| fields[column(title)].parse::<usize>().unwrap();
        let query = Molecule::from_smiles(fields[a]).unwrap();
        let target = Molecule::from_smiles(fields[b]).unwrap();
        for objective in [Objective::Mcis, Objective::Mces] {
            let expected = match objective {
                Objective::Mcis => (size("mcis_atoms"), size("mcis_bonds")),
                Objective::Mces => (size("mces_atoms"), size("mces_bonds")),
            };
            let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
            let mut budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
            let answer = find_mcs(&query, &target, &options, &mut budget).unwrap();
            let found = answer.common.as_ref().map_or((0, 0), |c| (c.atoms.len(), c.bonds.len()));
            let hard = HARD.contains(&(fields[0], objective));
            if found != expected || (answer.status != Status::Completed && !hard) {
                faults.push(format!(
                    "{} {objective:?}: {expected:?} expected, {found:?} found, {:?}",
                    fields[0], answer.status
                ));
            }
            if let Some(common) = &answer.common {
                for fault in check_common_subgraph(&query, &target, common, &options) {
                    faults.push(format!("{} {objective:?}: {fault}", fields[0]));
                }
            }
        }
        rows += 1;
    }
    assert!(rows > 5, "{name} has {rows} rows");
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
}

#[test]
fn nearest_neighbour_pairs() {
    check_table("default_nn", true, ChemistryOptions::default());
}

#[test]
fn random_pairs() {
    check_table("default_random", true, ChemistryOptions::default());
}

#[test]
fn stress_pairs() {
    check_table("default_stress", true, ChemistryOptions::default());
}

#[test]
fn ring_matches_ring_only() {
    let chemistry =
        ChemistryOptions { ring_matches_ring_only: true, ..ChemistryOptions::default() };
    check_table("ring_matches_ring_only", true, chemistry);
}

#[test]
fn complete_rings_only() {
    let chemistry = ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() };
    check_table("complete_rings_only", true, chemistry);
}

#[test]
fn match_stereo() {
    let chemistry = ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() };
    check_table("match_stereo", true, chemistry);
}

#[test]
fn strict_aromaticity() {
    let chemistry = ChemistryOptions { aromaticity_strict: true, ..ChemistryOptions::default() };
    check_table("aromaticity_strict", true, chemistry);
}

#[test]
fn disconnected() {
    check_table("disconnected", false, ChemistryOptions::default());
}
