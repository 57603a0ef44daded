//! SVG and PNG drawings of molecules, mapped pairs, reactions and grids.
//!
//! Coordinates come from the toolkit; what is crowded is freed ([`Layout`]). [`draw`] makes lines
//! and letters of a molecule in bond lengths ([`Drawing`]); a [`Scene`] holds drawings, arrows and
//! text in pixels; [`to_svg`] and [`to_png`] write it. Every SVG is checked by [`check_svg`]
//! before it leaves.
//!
//! ```
//! use synthon_budget::Budget;
//! use synthon_depict::{DrawOptions, SheetSize, Theme, molecule_figure, to_svg};
//! use synthon_mol::Molecule;
//!
//! let caffeine = Molecule::from_smiles("Cn1cnc2c1c(=O)n(C)c(=O)n2C").unwrap();
//! let mut budget = Budget::unlimited();
//! let options = DrawOptions::default();
//! let scene = molecule_figure(&caffeine, &options, SheetSize::default(), &mut budget)?;
//! assert!(to_svg(&scene, Theme::Auto)?.starts_with("<svg"));
//! # Ok::<(), synthon_depict::DepictError>(())
//! ```
#![deny(missing_docs)]

mod check;
mod crowding;
mod drawing;
mod error;
mod figure;
mod geometry;
mod improve;
mod layout;
mod letters;
mod open_geometry;
mod png;
mod scene;
mod svg;
mod theme;

pub use check::{MAX_SVG_BYTES, check_svg};
pub use crowding::{ATOM_ON_BOND, CLOSE_ATOMS, Crowding};
pub use drawing::{DrawOptions, Drawing, draw};
pub use error::{DepictError, DepictErrorKind};
pub use figure::{
    BOND_PIXELS, Cell, MAX_DRAWINGS, PairMap, Reaction, SheetSize, grid_figure, molecule_figure,
    pair_figure, reaction_figure,
};
pub use geometry::{Point, Rect};
pub use layout::Layout;
pub use open_geometry::open_double_bonds;
pub use png::{MAX_PNG_SIDE, to_png};
pub use scene::Scene;
pub use svg::to_svg;
pub use theme::Theme;
