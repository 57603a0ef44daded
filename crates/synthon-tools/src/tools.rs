//! The tools, one file each.

use crate::registry::Tool;

/// Every tool in the order of the registry.
pub(crate) static ALL: &[&Tool] = &[];
