//! 2D coordinates, by RDKit's layout.

use std::collections::BTreeMap;

use cosmolkit::Coordinate2DParams;
use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::port::Ported;
use crate::{ToolkitError, ToolkitErrorKind, guard};

const QUESTION: &str = "layout";

/// Wishes for a layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayoutOptions {
    /// Atoms that have their place already.
    pub fixed: BTreeMap<usize, [f64; 2]>,
    /// Take ring systems with a customary drawing from RDKit's library of such.
    pub ring_templates: bool,
}

/// Places for the atoms of a molecule on a plane, one for each atom in its order. Bonds are
/// about 1.5 units long, y points up; double bonds are drawn with the geometry that they have.
/// Atom maps do not count.
///
/// # Errors
/// When the molecule is too large, or the layout fails.
///
/// ```
/// # use synthon_mol::Molecule;
/// use synthon_toolkit::{LayoutOptions, coordinates};
/// let benzene = Molecule::from_smiles("c1ccccc1").unwrap();
/// let places = coordinates(&benzene, &LayoutOptions::default())?;
/// let (a, b) = (places[0], places[1]);
/// assert!(((a[0] - b[0]).hypot(a[1] - b[1]) - 1.5).abs() < 0.01);
/// # Ok::<(), synthon_toolkit::ToolkitError>(())
/// ```
pub fn coordinates(
    molecule: &Molecule,
    options: &LayoutOptions,
) -> Result<Vec<[f64; 2]>, ToolkitError> {
    let answer = coordinates_within(molecule, options, &mut Budget::unlimited())?;
    Ok(answer.expect("an unlimited budget does not end"))
}

/// The same within a budget; `None` when it ends first. Time grows with the cube of the number
/// of atoms that hang together.
///
/// # Errors
/// Those of [`coordinates`].
pub fn coordinates_within(
    molecule: &Molecule,
    options: &LayoutOptions,
    budget: &mut Budget,
) -> Result<Option<Vec<[f64; 2]>>, ToolkitError> {
    if molecule.atom_count() == 0 {
        return Ok(Some(Vec::new()));
    }
    let options = options.clone();
    guard::ask(molecule, QUESTION, budget, move |molecule| lay_out(molecule, &options))
}

fn lay_out(molecule: &Molecule, options: &LayoutOptions) -> Result<Vec<[f64; 2]>, ToolkitError> {
    let ported = Ported::new(molecule, false)?;
    let mut params = Coordinate2DParams {
        use_ring_templates: options.ring_templates,
        ..Coordinate2DParams::default()
    };
    for (theirs, ours) in ported.ours.iter().enumerate() {
        let place = ours.and_then(|atom| options.fixed.get(&(atom as usize)));
        if let Some(&place) = place {
            params.coordinate_map.insert(theirs, place);
        }
    }
    let laid_out = ported
        .inner
        .with_2d_coordinates_with_params(&params)
        .map_err(|e| ToolkitError::refused(QUESTION, e))?;
    let theirs = laid_out.coordinates_2d().unwrap_or_default();
    let mut places = vec![[f64::NAN; 2]; molecule.atom_count()];
    for (place, ours) in theirs.iter().zip(&ported.ours) {
        if let Some(atom) = ours {
            places[*atom as usize] = *place;
        }
    }
    if places.iter().flatten().all(|value| value.is_finite()) {
        Ok(places)
    } else {
        Err(ToolkitError::new(ToolkitErrorKind::Internal, "The toolkit left atoms without a place"))
    }
}
