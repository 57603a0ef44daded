//! The tools, one file each.

mod standardise_molecule;

use crate::registry::Tool;

/// Every tool in the order of the registry.
pub(crate) static ALL: &[&Tool] = &[&standardise_molecule::TOOL];
