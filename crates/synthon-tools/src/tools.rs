//! The tools, one file each.

mod depict_mcs;
mod find_mcs;
mod find_routes;
mod find_substructure;
mod molecular_fingerprint;
mod molecular_similarity;
mod screen_molecules;
mod search_smarts;
mod standardise_molecule;

use crate::registry::Tool;

/// Every tool in the order of the registry.
pub(crate) static ALL: &[&Tool] = &[
    &find_mcs::TOOL,
    &find_substructure::TOOL,
    &search_smarts::TOOL,
    &molecular_fingerprint::TOOL,
    &molecular_similarity::TOOL,
    &screen_molecules::TOOL,
    &standardise_molecule::TOOL,
    &depict_mcs::TOOL,
    &find_routes::TOOL,
];
