//! What a diagnosis says would help does help.

use synthon_budget::Budget;
use synthon_library::Library;
use synthon_mol::Molecule;
use synthon_plan::{Diagnosis, PlanRequest, Remedy, diagnose, plan};
use synthon_stock::{StereoMatch, Stock};

fn stock(blocks: &[&str]) -> Stock {
    let read = |smiles: &&str| Molecule::from_smiles(smiles).expect(smiles);
    let blocks: Vec<Molecule> = blocks.iter().map(read).collect();
    Stock::from_molecules("small", &blocks).expect("small")
}

fn nodes(limit: u64) -> Budget {
    Budget::unlimited().with_node_limit(limit)
}

fn request(smiles: &str, depth: u8) -> PlanRequest {
    PlanRequest::new(Molecule::from_smiles(smiles).expect(smiles)).depth(depth)
}

fn ask(request: &PlanRequest, library: &Library, stock: &Stock, limit: u64) -> Diagnosis {
    let found = diagnose(request, library, stock, &nodes(limit), |_| {});
    assert!(found.result.routes.is_empty(), "{}", found.result.claim);
    assert!(found.target_has_steps);
    found
}

/// An amide of benzylamine with an amino group that was a nitro group.
const AMINOBENZAMIDE: &str = "Nc1ccc(C(=O)NCc2ccccc2)cc1";

#[test]
fn more_steps_in_a_row() {
    let library = Library::curated();
    let stock = stock(&["O=[N+]([O-])c1ccc(C(=O)O)cc1", "NCc1ccccc1"]);
    let request = request(AMINOBENZAMIDE, 1);
    let found = ask(&request, &library, &stock, 200);
    let Some(Remedy::Depth(depth)) = found.remedy else { panic!("{:?}", found.remedy) };
    let deeper = plan(&request.depth(depth), &library, &stock, &mut nodes(500));
    assert!(!deeper.routes.is_empty());
}

#[test]
fn a_stock_of_the_other_enantiomer() {
    let library = Library::curated();
    let stock = stock(&["N[C@H](C)c1ccccc1", "CC(=O)OC(C)=O"]);
    let request = request("CC(=O)N[C@@H](C)c1ccccc1", 1);
    let found = ask(&request, &library, &stock, 200);
    assert_eq!(found.remedy, Some(Remedy::AnyStereo));
    assert!(found.missing.iter().any(|leaf| leaf.stereoisomer.is_some()));
    let loose = stock.with_stereo(StereoMatch::Ignore);
    assert!(!plan(&request, &library, &loose, &mut nodes(500)).routes.is_empty());
}

#[test]
fn more_molecules_expanded() {
    let library = Library::curated();
    let stock = stock(&["O=[N+]([O-])c1ccc(C(=O)O)cc1", "NCc1ccccc1"]);
    let request = request(AMINOBENZAMIDE, 3);
    let found = ask(&request, &library, &stock, 1);
    let Some(Remedy::Nodes(limit)) = found.remedy else { panic!("{:?}", found.remedy) };
    assert!(!plan(&request, &library, &stock, &mut nodes(limit)).routes.is_empty());
}

#[test]
fn where_nothing_helps_nothing_is_claimed() {
    let library = Library::curated();
    let found = ask(&request(AMINOBENZAMIDE, 2), &library, &stock(&["CCO"]), 50);
    assert_eq!(found.remedy, None);
    assert!(!found.near_misses.is_empty());
}
