//! How alike are two molecules: fingerprints and the coefficients between them.
//!
//! A [`Scheme`] says what is hashed; a [`Fingerprinter`] turns molecules into a [`Fingerprint`]
//! of bits or a [`CountFingerprint`]. All schemes but `mcs` give the bits of RDKit 2026.09, so
//! that fingerprints made elsewhere can be compared with ours. Atom-map numbers never count.
#![deny(missing_docs)]

mod atom_code;
mod atom_pair;
mod bits;
mod codes;
mod counts;
mod error;
mod features;
mod fingerprinter;
mod hash;
pub mod kernel;
mod maccs;
mod mcs_screen;
mod morgan;
mod scheme;
pub mod similarity;
mod subgraphs;
mod torsion;

pub use bits::Fingerprint;
pub use counts::CountFingerprint;
pub use error::{FpError, FpErrorKind};
pub use fingerprinter::Fingerprinter;
pub use scheme::Scheme;
