//! The connection table as the file states it, before anything is perceived.

use std::ops::Range;

use super::lines::Line;
use crate::builder::Hydrogens;
use crate::{BondOrder, Element, MolError, MolErrorKind};

/// An atom of the table.
#[derive(Clone, Debug)]
pub(super) struct TableAtom {
    pub element: Element,
    pub isotope: u16,
    pub charge: i8,
    /// Unpaired electrons.
    pub radicals: u8,
    pub map: u32,
    /// Total valence, where the file states it: what the bonds do not use is hydrogens.
    pub valence: Option<u32>,
    /// Hydrogens, where an extension of the format states them.
    pub hydrogens: Hydrogens,
    pub position: [f64; 3],
    /// Byte range of its line.
    pub span: (u32, u32),
}

/// How a bond is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Drawing {
    #[default]
    Plain,
    /// Towards the viewer, the narrow end at the begin atom.
    Wedge,
    /// Away from the viewer, the narrow end at the begin atom.
    Dash,
    /// Either of both.
    Wavy,
    /// A double bond of unknown geometry.
    Crossed,
}

/// A bond of the table; the atoms exist and differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableBond {
    pub begin: u32,
    pub end: u32,
    pub order: BondOrder,
    pub drawing: Drawing,
    /// Byte offset of its line.
    pub at: u32,
}

/// A connection table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub atoms: Vec<TableAtom>,
    pub bonds: Vec<TableBond>,
    pub chiral_flag: bool,
    /// Whether some mark in the bond block may stand for a configuration.
    pub stereo_marks: bool,
    pub warnings: Vec<String>,
}

impl Table {
    /// The atom with this number, counted from one.
    ///
    /// # Errors
    /// When there is none; the number stands in these columns of the line.
    pub fn atom_index(
        &self,
        number: Option<i64>,
        line: &Line<'_>,
        columns: Range<usize>,
    ) -> Result<usize, MolError> {
        let count = self.atoms.len();
        let index = number.and_then(|n| usize::try_from(n - 1).ok()).filter(|&i| i < count);
        index.ok_or_else(|| {
            let name = number.map_or_else(|| "without a number".to_owned(), |n| n.to_string());
            fault(MolErrorKind::BadGraph, format!("Atom {name} does not exist"), line, columns)
                .with_hint(format!("atoms are numbered from 1 to {count}"))
        })
    }

    /// Adds a bond between two atoms that exist.
    ///
    /// # Errors
    /// When it joins an atom to itself. Bonds that come twice are found when all are there.
    pub fn add_bond(&mut self, bond: TableBond, line: &Line<'_>) -> Result<(), MolError> {
        if bond.begin == bond.end {
            let sentence = format!("A bond joins atom {} to itself", bond.begin + 1);
            return Err(fault(MolErrorKind::BadGraph, sentence, line, 0..line.text.len()));
        }
        self.bonds.push(bond);
        Ok(())
    }
}

/// A fault at these columns (zero-based) of a line.
pub(super) fn fault(
    kind: MolErrorKind,
    message: impl Into<String>,
    line: &Line<'_>,
    columns: Range<usize>,
) -> MolError {
    let length = line.text.len();
    let (from, to) = (columns.start.min(length), columns.end.min(length));
    MolError::new(kind, message)
        .at(line.start + from..line.start + to)
        .on_line(line.number, columns.start as u32 + 1)
}
