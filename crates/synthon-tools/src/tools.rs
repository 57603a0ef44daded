//! The tools, one file each.

mod depict_mcs;
mod depict_route;
mod diagnose_failure;
mod estimate_diversity;
mod explain_route;
mod find_mcs;
mod find_pareto_routes;
mod find_routes;
mod find_substructure;
mod molecular_fingerprint;
mod molecular_similarity;
mod plan_with_constraints;
mod screen_molecules;
mod search_smarts;
mod standardise_molecule;
mod suggest_disconnections;
mod validate_route;

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
    &validate_route::TOOL,
    &explain_route::TOOL,
    &find_pareto_routes::TOOL,
    &plan_with_constraints::TOOL,
    &estimate_diversity::TOOL,
    &diagnose_failure::TOOL,
    &suggest_disconnections::TOOL,
    &depict_route::TOOL,
];
