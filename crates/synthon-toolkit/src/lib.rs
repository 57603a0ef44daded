//! What a third-party port of RDKit answers for us: InChI and InChIKey, the canonical tautomer,
//! and 2D coordinates. The only crate that names that port.
//!
//! The port is slow beside our own code (about 0.1 ms to read a molecule) and young, so it stays
//! off hot paths, its panics become errors, and what it returns is measured against RDKit. Work
//! that it has begun cannot be stopped from outside (a tautomer search apart), hence
//! [`MAX_ATOMS`].
#![deny(missing_docs)]

mod coordinates;
mod error;
mod guard;
mod inchi;
mod port;
mod tautomer;

pub use coordinates::{LayoutOptions, coordinates, coordinates_within};
pub use error::{ToolkitError, ToolkitErrorKind};
pub use inchi::{inchi, inchi_key, kekule_smiles};
pub use tautomer::{CanonicalTautomer, TautomerLimit, TautomerLimits, canonical_tautomer};

/// Most atoms in a molecule that is handed to the port.
pub const MAX_ATOMS: usize = 1024;
