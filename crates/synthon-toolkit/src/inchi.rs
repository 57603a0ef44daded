//! Standard InChI and its key.

use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::port::Ported;
use crate::{ToolkitError, guard};

const QUESTION: &str = "InChI";

/// The standard InChI of a molecule. Atom maps do not count.
///
/// # Errors
/// When there is none, as for wildcard atoms, or the molecule is too large.
///
/// ```
/// # use synthon_mol::Molecule;
/// let ethanol = Molecule::from_smiles("OCC").unwrap();
/// assert_eq!(synthon_toolkit::inchi(&ethanol)?, "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3");
/// # Ok::<(), synthon_toolkit::ToolkitError>(())
/// ```
pub fn inchi(molecule: &Molecule) -> Result<String, ToolkitError> {
    if molecule.atoms().iter().any(|atom| atom.atomic_number() == 0) {
        return Err(ToolkitError::refused(QUESTION, "the wildcard `*` has none"));
    }
    let answer = guard::ask(molecule, QUESTION, &mut Budget::unlimited(), |molecule| {
        let ported = Ported::new(molecule, false)?;
        let text = ported.inner.to_inchi().map_err(|e| ToolkitError::refused(QUESTION, e))?;
        if text.is_empty() {
            return Err(ToolkitError::refused(QUESTION, "it has atoms or bonds without one"));
        }
        Ok(text)
    })?;
    Ok(answer.expect("an unlimited budget does not end"))
}

/// The InChIKey of a molecule: 27 characters that stand for its standard InChI.
///
/// # Errors
/// Those of [`inchi`].
///
/// ```
/// # use synthon_mol::Molecule;
/// let ethanol = Molecule::from_smiles("OCC").unwrap();
/// assert_eq!(synthon_toolkit::inchi_key(&ethanol)?, "LFQSCWFLJHTTHZ-UHFFFAOYSA-N");
/// # Ok::<(), synthon_toolkit::ToolkitError>(())
/// ```
pub fn inchi_key(molecule: &Molecule) -> Result<String, ToolkitError> {
    let text = inchi(molecule)?;
    cosmolkit::inchi_to_key(&text).map_err(|e| ToolkitError::refused(QUESTION, e))
}

/// RDKit's canonical text of a molecule, isomeric, with alternating bonds in place of aromatic
/// ones: the text by which the public molbloom filters know molecules. Atom maps do not count.
///
/// # Errors
/// A molecule that the port refuses, or that is too large.
///
/// ```
/// # use synthon_mol::Molecule;
/// let benzene = Molecule::from_smiles("c1ccccc1").unwrap();
/// assert_eq!(synthon_toolkit::kekule_smiles(&benzene)?, "C1=CC=CC=C1");
/// # Ok::<(), synthon_toolkit::ToolkitError>(())
/// ```
pub fn kekule_smiles(molecule: &Molecule) -> Result<String, ToolkitError> {
    const QUESTION: &str = "canonical text";
    let answer = guard::ask(molecule, QUESTION, &mut Budget::unlimited(), |molecule| {
        let ported = Ported::new(molecule, false)?;
        let params = cosmolkit::SmilesWriteParams { kekule: true, ..Default::default() };
        let text = ported.inner.to_smiles_with_params(&params);
        let bytes = text.map_err(|e| ToolkitError::refused(QUESTION, e))?.into_bytes();
        String::from_utf8(bytes).map_err(|e| ToolkitError::refused(QUESTION, e))
    })?;
    Ok(answer.expect("an unlimited budget does not end"))
}
