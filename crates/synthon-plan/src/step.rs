//! The second look at a step: replay, balance, atom economy, reaction centre.

use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_reaction::{Note, Origin, Outcome};

use crate::route::ChangedAtoms;

/// Where an atom of a step's target comes from: which precursor, and which atom of its text.
pub(crate) type Source = Option<(u32, u32)>;

/// Reaction centre of a step in terms of its texts, and the source of each atom of the target.
///
/// `target` was read from its canonical text, so that its atoms are in the order of the text.
/// Only the atoms that change are mapped: a text in which every atom carries a number is hard to
/// read, and the others can be found by their neighbours.
pub(crate) fn changed_atoms(
    target: &Molecule,
    outcome: &Outcome,
    precursor_texts: &[String],
) -> Option<(ChangedAtoms, Vec<Source>)> {
    let mut sources: Vec<Source> = vec![None; target.atom_count()];
    let map_of =
        |atom: u32| outcome.changed_atoms.binary_search(&atom).ok().map(|place| place as u32 + 1);
    let mut mapped_precursors = Vec::with_capacity(precursor_texts.len());
    let mut precursors = Vec::with_capacity(precursor_texts.len());
    let canonical = WriteOptions::default();
    let as_given = WriteOptions { order: AtomOrder::Input, ..canonical };
    for (which, ((molecule, origins), text)) in
        outcome.precursors.iter().zip(&outcome.origins).zip(precursor_texts).enumerate()
    {
        let written = write_smiles(molecule, &canonical);
        debug_assert_eq!(&written.text, text);
        let mut builder = Molecule::from_smiles(&written.text).ok()?.to_builder();
        let mut changed = Vec::new();
        for (place, &atom) in written.atom_order.iter().enumerate() {
            let map = match origins[atom as usize] {
                Origin::Product(atom) => {
                    sources[atom as usize] = Some((which as u32, place as u32));
                    map_of(atom)
                }
                // What the template brings changes by definition; it has no partner to map to.
                Origin::New => Some(0),
            };
            if let Some(map) = map {
                changed.push(place as u32);
                builder.atom_mut(place).map = map;
            }
        }
        mapped_precursors.push(write_smiles(&builder.build().ok()?, &as_given).text);
        precursors.push(changed);
    }
    let mut builder = target.to_builder();
    for &atom in &outcome.changed_atoms {
        builder.atom_mut(atom as usize).map = map_of(atom)?;
    }
    let mapped_target = write_smiles(&builder.build().ok()?, &as_given).text;
    let changed = ChangedAtoms {
        mapped: format!("{}>>{mapped_target}", mapped_precursors.join(".")),
        target: outcome.changed_atoms.clone(),
        precursors,
    };
    Some((changed, sources))
}

/// Alarms that follow from what a step does to stereo.
///
/// An outcome speaks backwards: a centre lost on the way to the precursors is one that the
/// forward reaction has to make.
pub(crate) fn stereo_alarms(outcome: &Outcome) -> Vec<String> {
    let (mut made, mut lost, mut bonds) = (0, 0, 0);
    for note in &outcome.notes {
        match note {
            Note::CentreLost(_) => made += 1,
            Note::CentreMade(_) => lost += 1,
            Note::DoubleBondLost(..) => bonds += 1,
            _ => {}
        }
    }
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("a {one}"),
        _ => format!("{count} {many}"),
    };
    let mut alarms = Vec::new();
    if made > 0 {
        alarms.push(format!(
            "{} is made here, and nothing in the template says with which handedness",
            counted(made, "stereo centre", "stereo centres")
        ));
    }
    if lost > 0 {
        alarms.push(format!(
            "{} of the precursors is lost here",
            counted(lost, "stereo centre", "stereo centres")
        ));
    }
    if bonds > 0 {
        alarms.push(format!(
            "the geometry of {} is made here, and nothing in the template says which",
            counted(bonds, "double bond", "double bonds")
        ));
    }
    alarms
}

/// The alarm for a group outside the place of reaction that may react as well, or may not
/// survive, and stands at so many places.
pub(crate) fn competition_alarm(group: &str, sites: u16) -> String {
    let article = if group.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let places = if sites > 1 { format!(" (at {sites} places)") } else { String::new() };
    format!("{article} {group}{places} elsewhere in the molecule may react under these conditions")
}
