//! Molecules out of arguments.

use synthon_mol::{Molecule, ReadOptions, read_smiles};

use crate::arguments::MAX_TEXT_CHARS;
use crate::error::ToolError;

/// Most atoms of a molecule that a search, a plan or a fingerprint takes.
pub const MAX_ATOMS: usize = 1_024;

/// Reads the SMILES given as `argument`, with at most `max_atoms` atoms.
///
/// # Errors
/// What the reader found wrong, with its place, or the size.
pub fn read_molecule(
    argument: &str,
    smiles: &str,
    max_atoms: usize,
) -> Result<Molecule, ToolError> {
    // Hydrogens fold away, so the cap is applied to what is left; the length of the text bounds
    // the reader.
    let options = ReadOptions { max_atoms: MAX_TEXT_CHARS, ..ReadOptions::default() };
    let molecule = read_smiles(smiles, &options)
        .map_err(|error| ToolError::from_molecule(argument, &error))?;
    let atoms = molecule.atom_count();
    if atoms > max_atoms {
        return Err(ToolError::tool(
            "molecule.too_large",
            format!("{argument} has too many atoms"),
        )
        .about(argument)
        .found(atoms.to_string())
        .accepting(format!("at most {max_atoms}")));
    }
    Ok(molecule)
}
