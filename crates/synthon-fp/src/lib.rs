//! How alike are two molecules: fingerprints and the coefficients between them.
//!
//! A [`Scheme`] says what is hashed; a [`Fingerprinter`] turns molecules into a [`Fingerprint`]
//! of bits or a [`CountFingerprint`]. All schemes but `mcs` give the bits of RDKit 2026.09, so
//! that fingerprints made elsewhere can be compared with ours. Atom-map numbers never count.
#![deny(missing_docs)]

mod bits;
mod counts;
mod error;
mod fingerprinter;
pub mod kernel;
mod scheme;
pub mod similarity;

pub use bits::Fingerprint;
pub use counts::CountFingerprint;
pub use error::{FpError, FpErrorKind};
pub use fingerprinter::Fingerprinter;
pub use scheme::Scheme;
