//! What is this molecule: the graph, SMILES in and out, valence, rings, aromaticity, stereo,
//! canonical order and formula.
//!
//! A [`MoleculeBuilder`] is the editable form; [`MoleculeBuilder::build`] perceives everything
//! once and returns an immutable [`Molecule`] of flat arrays. Perception follows RDKit's default
//! model, because templates and queries in the wild are written against it.
#![deny(missing_docs)]

mod builder;
mod canon;
mod element;
mod element_data;
mod error;
mod formula;
mod molecule;
mod molfile_read;
mod molfile_write;
mod nuclides;
mod perceive;
mod smiles_read;
mod stereo;
mod write;

pub use builder::{AtomSpec, BondDirection, BondSpec, Hydrogens, MoleculeBuilder};
pub use element::Element;
pub use error::{MolError, MolErrorKind, is_steering, shown_character};
pub use molecule::{Atom, Bond, BondOrder, BondStereo, Chirality, Molecule, Neighbour, Rings};
pub use molfile_read::{Dimension, MolfileRecord, read_molfile};
pub use molfile_write::{MolfileForm, MolfileOptions, WrittenMolfile, write_molfile};
pub use smiles_read::{ReadOptions, read_smiles};
pub use stereo::{Wedge, Wedging};
pub use write::{AtomOrder, CANONICAL_VERSION, WriteOptions, WrittenSmiles, write_smiles};
