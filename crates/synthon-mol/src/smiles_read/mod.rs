//! From SMILES text to a molecule: OpenSMILES and what RDKit reads beside it.

mod bracket;
mod closures;
mod ligand_order;
mod reader;

use crate::perceive::{self, Marks, Source};
use crate::{MolError, MolErrorKind, Molecule, shown_character};

/// Limits on what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Longest text, in bytes, without the name that may follow it. Default 1,000,000.
    pub max_text: usize,
    /// Most atoms written in the text, hydrogens included. Default 100,000.
    pub max_atoms: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { max_text: 1_000_000, max_atoms: 100_000 }
    }
}

/// Reads a SMILES text and perceives everything: implicit hydrogens, rings, aromaticity, stereo.
///
/// What follows the first blank or tab is a name and is ignored; a CXSMILES extension there leaves
/// a warning. Control characters, in the name too, and a second line are refused. Atoms keep the
/// order of the text without the plain hydrogens, which are folded into their neighbours. Bonds
/// are numbered as in RDKit: first those along the text, then the ring closures by their numbers.
///
/// # Errors
/// A [`MolError`] with the place in `text` and, where there is one, a repair.
pub fn read_smiles(text: &str, options: &ReadOptions) -> Result<Molecule, MolError> {
    no_controls(text)?;
    let (start, end) = extent(text.as_bytes());
    if start == end {
        return Err(MolError::new(MolErrorKind::Empty, "SMILES string must not be empty")
            .with_hint("write a molecule, such as CCO for ethanol"));
    }
    if end - start > options.max_text {
        return Err(MolError::new(
            MolErrorKind::TooLarge,
            format!("SMILES text of {} bytes exceeds {}", end - start, options.max_text),
        ));
    }
    let (builder, direction_marks) = reader::read(text, start, end, options)?;
    let source = Some((&text[..end], start));
    let mut molecule = perceive::perceive(
        builder,
        Source { text: source, from_text: true, direction_marks, marks: Marks::WRITTEN },
    )?;
    if text[end..].trim_start().starts_with('|') {
        molecule.warnings.push("The CXSMILES extension after the SMILES was ignored".to_owned());
    }
    Ok(molecule)
}

/// Whether a text that is offered as a repair reads.
pub(crate) fn reads(text: &str) -> bool {
    reader::read(text, 0, text.len(), &ReadOptions::default()).is_ok_and(
        |(builder, direction_marks)| {
            let source =
                Source { text: None, from_text: true, direction_marks, marks: Marks::WRITTEN };
            perceive::perceive(builder, source).is_ok()
        },
    )
}

impl Molecule {
    /// Reads a SMILES text with the default limits; see [`read_smiles`].
    ///
    /// # Errors
    /// A [`MolError`] with the place in the text and, where there is one, a repair.
    ///
    /// ```
    /// let aspirin = synthon_mol::Molecule::from_smiles("CC(=O)Oc1ccccc1C(=O)O").unwrap();
    /// assert_eq!(aspirin.atom_count(), 13);
    /// ```
    pub fn from_smiles(text: &str) -> Result<Molecule, MolError> {
        read_smiles(text, &ReadOptions::default())
    }
}

/// Refuses what a reader would never see: characters that steer terminals, end C strings or hide
/// what follows, and a second line.
fn no_controls(text: &str) -> Result<(), MolError> {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    if let Some((at, c)) = text.char_indices().find(|&(_, c)| c.is_control() && !is_blank(c)) {
        let sentence = format!("Control character '{}'", shown_character(c));
        return Err(MolError::new(MolErrorKind::Syntax, sentence)
            .at(at..at + c.len_utf8())
            .with_hint("remove it; a name may follow the SMILES after a blank or a tab"));
    }
    let written = text.trim_matches(is_blank);
    let start = text.len() - text.trim_start_matches(is_blank).len();
    if let Some(at) = written.find(['\n', '\r']) {
        return Err(MolError::new(MolErrorKind::Syntax, "Line break inside the text")
            .at(start + at..start + at + 1)
            .with_hint("give one molecule, on one line"));
    }
    Ok(())
}

/// The byte range of the SMILES proper: up to the first blank, a name follows; where the text
/// begins with a blank, all of it but the blanks around it, so that a blank inside is a fault.
fn extent(bytes: &[u8]) -> (usize, usize) {
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    let written = |b: &u8| !is_blank(b);
    let start = bytes.iter().position(written).unwrap_or(bytes.len());
    let last = bytes.iter().rposition(written).map_or(start, |last| last + 1);
    match bytes.iter().position(is_blank) {
        Some(end) if start == 0 => (0, end),
        _ => (start, last),
    }
}
