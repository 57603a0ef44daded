//! Protecting groups that are put on and taken off again for nothing.
//!
//! A protection earns its two steps when some step between putting the group on and taking it
//! off runs under conditions that the free group would disturb: the template of that step names
//! the group among those that compete with it or rule it out. If none does, the protection
//! changes nothing. A building block that is bought protected raises no alarm.

use synthon_budget::Budget;
use synthon_library::Library;
use synthon_mol::Molecule;

use crate::chemistry::{Chemistry, Replayed};
use crate::search::enumerate::Derivation;
use crate::search::graph::{Graph, MoleculeId};

/// Words of the families in the library.
const PROTECTION: &str = "protection";
const DEPROTECTION: &str = "deprotection";
/// Most sites of a group looked at in one molecule.
const MAX_SITES: usize = 256;

/// The molecules of a route that are freed of a group which nothing needed.
pub(crate) fn freed_for_nothing(
    graph: &Graph<Chemistry<'_>>,
    route: &Derivation,
    library: &Library,
) -> Vec<MoleculeId> {
    route
        .made_by
        .iter()
        .filter(|&&(molecule, _)| {
            step_of(graph, route, molecule).is_some_and(|(template, replayed, _)| {
                library.rule(template).family() == DEPROTECTION
                    && is_needless(graph, route, library, molecule, replayed)
            })
        })
        .map(|&(molecule, _)| molecule)
        .collect()
}

/// Template, replay and precursors of the step that makes a molecule.
fn step_of<'g>(
    graph: &'g Graph<Chemistry<'_>>,
    route: &Derivation,
    molecule: MoleculeId,
) -> Option<(usize, &'g Replayed, &'g [MoleculeId])> {
    let reaction = graph.reaction(route.reaction_of(molecule)??);
    let replayed = reaction.reaction.replayed.as_deref()?;
    Some((reaction.reaction.template(), replayed, &reaction.precursors))
}

/// Follows the freed site from a deprotection down to the step that protected it.
fn is_needless(
    graph: &Graph<Chemistry<'_>>,
    route: &Derivation,
    library: &Library,
    freed: MoleculeId,
    deprotection: &Replayed,
) -> bool {
    let Some(changed) = &deprotection.step.changed_atoms else { return false };
    for &site in &changed.target {
        let (mut at, mut atom) = (freed, site);
        let mut between: Vec<usize> = Vec::new();
        // A route has no loops, so this ends at the latest in a building block.
        while let Some((template, replayed, precursors)) = step_of(graph, route, at) {
            let named = library.rule(template);
            let touches = replayed
                .step
                .changed_atoms
                .as_ref()
                .is_some_and(|changed| changed.target.contains(&atom));
            if named.family() == PROTECTION && touches && at != freed {
                return !between
                    .iter()
                    .any(|&template| minds(library, template, graph, freed, &changed.target));
            }
            if at != freed {
                between.push(template);
            }
            let Some((which, place)) = replayed.sources.get(atom as usize).copied().flatten()
            else {
                break;
            };
            (at, atom) = (precursors[which as usize], place);
        }
    }
    false
}

/// Whether a template names a group that the freed molecule has at one of the freed atoms.
fn minds(
    library: &Library,
    template: usize,
    graph: &Graph<Chemistry<'_>>,
    freed: MoleculeId,
    sites: &[u32],
) -> bool {
    let Ok(molecule) = Molecule::from_smiles(&graph.molecule(freed).molecule) else { return true };
    library.rule(template).minds().any(|group| {
        let pattern = library.groups()[group].pattern();
        pattern
            .find_all(&molecule, MAX_SITES, &mut Budget::unlimited())
            .iter()
            .any(|atoms| sites.contains(&atoms[0]))
    })
}
