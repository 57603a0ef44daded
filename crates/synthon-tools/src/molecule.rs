//! Molecules out of arguments, and what was left out of them.

use serde_json::Value;
use synthon_mol::{Molecule, ReadOptions, read_smiles};

use crate::arguments::MAX_TEXT_CHARS;
use crate::error::ToolError;
use crate::output::{described, list, string};

/// Most atoms of a molecule that a search, a plan or a fingerprint takes.
pub const MAX_ATOMS: usize = 1_024;

/// Most sentences about what was dropped on reading; the last one counts the rest.
const MAX_WARNINGS: usize = 20;

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

/// What was dropped on reading the molecules of a call, each with the name of its argument where
/// there may be several.
pub(crate) fn warnings<'a>(
    molecules: impl IntoIterator<Item = (Option<&'a str>, &'a Molecule)>,
) -> Value {
    let mut told: Vec<String> = Vec::new();
    let mut left = 0;
    for (argument, molecule) in molecules {
        for warning in molecule.warnings() {
            if told.len() + 1 >= MAX_WARNINGS {
                left += 1;
                continue;
            }
            told.push(match argument {
                Some(argument) => format!("{argument}: {warning}"),
                None => warning.clone(),
            });
        }
    }
    if left > 0 {
        told.push(format!("{left} more like these"));
    }
    told.into()
}

/// The schema of [`warnings`].
pub(crate) fn warnings_field() -> (&'static str, Value) {
    ("warnings", described(list(string()), "What was dropped on reading."))
}
