//! Can I start from it: named sets of molecules with which a route may begin.
//!
//! A [`Stock`] decides membership on the canonical key of a molecule, so that no text is compared
//! and none is parsed when the shipped stock is loaded. [`Stock::embedded`] is that stock;
//! [`Stock::from_smiles_lines`] and [`Stock::from_csv`] read a user's, [`Stock::from_inchi_keys`] a
//! list of InChIKeys and [`Stock::from_bloom`] a Bloom filter, which is never sure. Salts and charged forms are
//! found by their neutral parent, and an answer says as what it is sold, see [`Membership`].
#![deny(missing_docs)]

mod embedded;
mod error;
mod index;
mod keyed;
mod load;
mod parent;
mod stock;

pub use error::{StockError, StockErrorKind};
pub use index::{KEY_VERSION, build_index};
pub use keyed::TextOf;
pub use load::{BadLine, CsvColumns, LoadOptions, LoadReport};
pub use parent::{flat, neutral_parent};
pub use stock::{Entry, Found, Membership, StereoMatch, Stock};
