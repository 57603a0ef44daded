//! What to say of a ring whose double bonds cannot be placed.

use super::Draft;
use super::kekule::wanted_double_bond;
use crate::{MolError, MolErrorKind};

/// The error for a ring system without a kekulé form.
#[cold]
pub(super) fn cannot_kekulise(draft: &Draft, system: &[u32], _text: Option<&str>) -> MolError {
    let atoms: Vec<u32> =
        system.iter().copied().filter(|&a| wanted_double_bond(draft, a)).collect();
    let list: Vec<_> = atoms.iter().map(u32::to_string).collect();
    let start = system.iter().map(|&a| draft.state[a as usize].span.0).min().unwrap_or(0);
    let end = system.iter().map(|&a| draft.state[a as usize].span.1).max().unwrap_or(0);
    MolError::new(
        MolErrorKind::Kekule,
        format!("Can't kekulize mol.  Unkekulized atoms: {}", list.join(" ")),
    )
    .at(start as usize..end as usize)
    .with_atoms(atoms)
}
