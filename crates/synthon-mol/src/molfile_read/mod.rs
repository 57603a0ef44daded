//! From a molfile to a molecule: the V2000 and V3000 forms of BIOVIA's CTfile formats, and what
//! RDKit reads beside them.

mod assemble;
mod double_bonds;
mod lines;
mod properties;
mod sgroups;
mod space;
mod symbol;
mod table;
mod v2000;
mod v3000;
mod wedges;

use assemble::View;
use lines::Lines;
use table::{Table, fault};

use crate::perceive::{self, Marks, Source};
use crate::{MolError, MolErrorKind, Molecule, ReadOptions};

/// Coordinates beyond this are no coordinates, in the unit of the file.
const FARTHEST: f64 = 1e10;

/// Third coordinates up to this are those of a drawing.
pub(crate) const FLAT: f64 = 1e-3;

/// Number of the counts line.
const COUNTS_LINE: u32 = 4;

/// What the coordinates of a molfile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// There are none: all are zero.
    None,
    /// Those of a drawing.
    Two,
    /// Those of a conformation.
    Three,
}

/// A molfile as read.
#[derive(Clone, Debug, PartialEq)]
pub struct MolfileRecord {
    /// The molecule. Its warnings also tell what of the file was not taken over.
    pub molecule: Molecule,
    /// The first line: the name of the molecule.
    pub name: String,
    /// The third line.
    pub comment: String,
    /// Coordinates of each atom of the molecule, in the unit of the file (ångström by
    /// convention).
    pub coordinates: Vec<[f64; 3]>,
    /// What the coordinates are.
    pub dimension: Dimension,
    /// Place of each atom of the molecule in the atom block, from zero. Plain hydrogen atoms of
    /// the file are folded into their neighbours.
    pub input_atoms: Vec<u32>,
    /// Whether the file says that its stereo centres are absolute. Centres are read as drawn in
    /// either case.
    pub chiral_flag: bool,
    /// Length in bytes of the molfile, `M  END` and its line end included; the data of an SDF
    /// record follow from here.
    pub length: usize,
}

/// Reads a molfile, V2000 or V3000, and perceives everything.
///
/// Stereo centres come from wedges in a drawing and from the coordinates in space; the geometry of
/// double bonds from the coordinates, except where it is marked as unknown. Parities of the atom
/// block are ignored, as programs do that draw. R groups become `*` with their number as isotope.
/// Atoms that stand for any of several elements become `*` with a warning.
///
/// Of the `options`, [`max_atoms`](ReadOptions::max_atoms) counts, and not `max_text`.
///
/// # Errors
/// A [`MolError`] with line and column, and a repair where there is one.
///
/// ```
/// let text = "water\n\n\n  1  0  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 O   0  0\nM  END\n";
/// let record = synthon_mol::read_molfile(text, &synthon_mol::ReadOptions::default()).unwrap();
/// assert_eq!(record.molecule.to_smiles(), "O");
/// assert_eq!(record.name, "water");
/// ```
pub fn read_molfile(text: &str, options: &ReadOptions) -> Result<MolfileRecord, MolError> {
    let mut lines = Lines::new(text);
    let name = lines.expect("the counts line")?.text.trim().to_owned();
    let program = lines.expect("the counts line")?;
    let stated_3d = program.text.get(20..22).is_some_and(|d| d.eq_ignore_ascii_case("3D"));
    let comment = lines.expect("the counts line")?.text.trim().to_owned();
    let mut table = Table::default();
    connection_table(&mut lines, &mut table, options)?;
    let length = lines.offset();
    if table.atoms.is_empty() {
        return Err(MolError::new(MolErrorKind::MolfileEmpty, "The molfile holds no atoms")
            .on_line(COUNTS_LINE, 1));
    }
    let (dimension, view) = dimension(&table, stated_3d);
    let traced = assemble::builder(&table, view).and_then(|builder| {
        let marks = Marks { centres: view == View::Flat, double_bonds: false };
        let source = Source { text: None, from_text: true, direction_marks: false, marks };
        perceive::perceive_and_trace(builder, source)
    });
    let (mut molecule, kept) = traced.map_err(|error| placed(error, text))?;
    let input_atoms = kept.unwrap_or_else(|| (0..table.atoms.len() as u32).collect());
    molecule.warnings.splice(0..0, table.warnings);
    Ok(MolfileRecord {
        coordinates: input_atoms.iter().map(|&a| table.atoms[a as usize].position).collect(),
        molecule,
        name,
        comment,
        dimension,
        input_atoms,
        chiral_flag: table.chiral_flag,
        length,
    })
}

/// Reads from the counts line to `M  END`.
fn connection_table(
    lines: &mut Lines<'_>,
    table: &mut Table,
    options: &ReadOptions,
) -> Result<(), MolError> {
    let counts = lines.expect("the counts line")?;
    if counts.text.len() < 6 {
        return Err(fault(
            MolErrorKind::MolfileSyntax,
            "The counts line is too short",
            &counts,
            0..counts.text.len(),
        )
        .with_hint(
            "the fourth line states the numbers of atoms and bonds, three columns each; three \
             lines stand before it",
        ));
    }
    let version = counts.text.get(34..).unwrap_or_default().trim_end();
    match version.get(..5) {
        Some("V3000") => return v3000::read(lines, table, options),
        Some("V2000") => {}
        None if version.len() < 2 => {}
        _ => {
            let sentence = format!("'{}' is no version of the format", version.escape_default());
            return Err(fault(MolErrorKind::MolfileVersion, sentence, &counts, 34..39)
                .with_hint("V2000 or V3000 stands in columns 35 to 39"));
        }
    }
    let number = |columns, what| {
        let number = counts.integer(columns, what)?.unwrap_or(0);
        usize::try_from(number).map_err(|_| {
            fault(MolErrorKind::MolfileSyntax, format!("A negative {what}"), &counts, 0..6)
        })
    };
    let atoms = number(0..3, "number of atoms")?;
    let bonds = number(3..6, "number of bonds")?;
    too_many(atoms, options, &counts)?;
    table.chiral_flag = counts.integer(12..15, "chiral flag").ok().flatten() == Some(1);
    v2000::atoms(lines, atoms, table)?;
    v2000::bonds(lines, bonds, table)?;
    properties::read(lines, table)
}

/// Refuses more atoms than the caller allows.
fn too_many(atoms: usize, options: &ReadOptions, line: &lines::Line<'_>) -> Result<(), MolError> {
    if atoms <= options.max_atoms {
        return Ok(());
    }
    let sentence = format!("{atoms} atoms, more than {}", options.max_atoms);
    Err(fault(MolErrorKind::MolfileTooLarge, sentence, line, 0..line.text.len()))
}

/// What the coordinates are, and how to look at them. A file that says nothing, or the wrong
/// thing, goes by its third coordinates.
fn dimension(table: &Table, stated_3d: bool) -> (Dimension, View) {
    let any = |k: usize| table.atoms.iter().any(|a| a.position[k] != 0.0);
    if table.atoms.iter().any(|a| a.position[2].abs() > FLAT) {
        (Dimension::Three, View::Space)
    } else if !any(0) && !any(1) {
        (Dimension::None, View::Flat)
    } else if stated_3d && !table.stereo_marks {
        (Dimension::Three, View::Space)
    } else {
        (Dimension::Two, View::Flat)
    }
}

/// Adds line and column to an error that only knows its place in the text.
fn placed(error: MolError, text: &str) -> MolError {
    match (error.line(), error.span()) {
        (None, Some(span)) => {
            let before = &text[..span.start.min(text.len())];
            let mut lines = Lines::new(before);
            let mut last = None;
            while let Some(line) = lines.next() {
                last = Some(line);
            }
            // A span begins where a line does.
            let line = last.map_or(1, |line| line.number + 1);
            error.on_line(line, 1)
        }
        _ => error,
    }
}
