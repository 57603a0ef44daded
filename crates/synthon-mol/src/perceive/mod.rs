//! From a molecule as written to a molecule as understood, in the order of RDKit's sanitisation:
//! hydrogens folded, groups rewritten, valences checked, rings, kekulé form, radicals,
//! aromaticity.

mod aromaticity;
mod blocks;
mod draft;
mod fixups;
mod hydrogens;
mod kekule;
mod organometallics;
mod radicals;
mod repair;
mod ring_search;
mod rings;
mod valence;

use draft::Draft;
use rings::Systems;

use crate::builder::MoleculeBuilder;
use crate::stereo;
use crate::{MolError, MolErrorKind, Molecule};

/// Where a builder comes from.
pub(crate) struct Source<'t> {
    /// The SMILES text and where it begins after leading blanks, for repairs.
    pub text: Option<(&'t str, usize)>,
    /// The graph is sound, since it was read from text.
    pub from_text: bool,
    /// Whether any bond may carry a `/` or `\` mark.
    pub direction_marks: bool,
    /// Which stereo marks somebody wrote.
    pub marks: Marks,
}

/// What is aromatic in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aromaticity {
    /// What the model says.
    Model,
    /// What is marked so.
    AsMarked,
}

/// Which stereo marks were written, so that it matters when they mean nothing; the others follow
/// from coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub centres: bool,
    pub double_bonds: bool,
}

impl Marks {
    pub const WRITTEN: Marks = Marks { centres: true, double_bonds: true };
}

/// Perceives everything. A builder that comes from text has a sound graph already.
pub(crate) fn perceive(builder: MoleculeBuilder, source: Source<'_>) -> Result<Molecule, MolError> {
    perceive_and_trace(builder, source).map(|(molecule, _)| molecule)
}

/// The same; also gives the atoms of the builder that the molecule has, in its order, unless it
/// has them all.
pub(crate) fn perceive_and_trace(
    builder: MoleculeBuilder,
    source: Source<'_>,
) -> Result<(Molecule, Option<Vec<u32>>), MolError> {
    perceive_with(Aromaticity::Model, builder, source)
}

/// The same, with a word on what is aromatic in the end.
pub(crate) fn perceive_with(
    aromaticity: Aromaticity,
    mut builder: MoleculeBuilder,
    source: Source<'_>,
) -> Result<(Molecule, Option<Vec<u32>>), MolError> {
    if !source.from_text {
        check_graph(&builder)?;
    }
    let kept = hydrogens::fold(&mut builder)?;
    let mut draft = Draft::new(&builder, source.direction_marks);
    drop(builder);
    fixups::rewrite(&mut draft);
    organometallics::make_dative(&mut draft);
    valence::assign(&mut draft).map_err(|e| repair::too_many_bonds(&draft, e, source.text))?;
    let mut systems = Systems::default();
    let rings = rings::find(&mut draft, &mut systems)?;
    let marked = match aromaticity {
        Aromaticity::Model => None,
        Aromaticity::AsMarked => Some(draft.aromatic_marks()),
    };
    kekule::assign(&mut draft, &rings, &systems, source.text)?;
    radicals::assign(&mut draft);
    match marked {
        None => aromaticity::assign(&mut draft, &rings),
        Some(marks) => draft.mark_aromatic(&marks),
    }
    valence::settle(&mut draft)?;
    let directions = std::mem::take(&mut draft.directions);
    let mut molecule = draft.finish(rings);
    stereo::perceive_stereo(&mut molecule, &directions, source.marks);
    Ok((molecule, kept))
}

/// The hydrogens that the valence model gives to each atom of a molecule in kekulé form, before
/// any group is rewritten; `None` for atoms that it refuses.
pub(crate) fn implied_hydrogens(builder: &MoleculeBuilder) -> Vec<Option<u8>> {
    let draft = Draft::new(builder, false);
    let hydrogens = |atom: usize| {
        let valence = valence::explicit_valence(&draft, atom);
        valence::implicit_hydrogens(&draft, atom, valence).ok().map(|n| n.clamp(0, 255) as u8)
    };
    (0..draft.atoms.len()).map(hydrogens).collect()
}

/// A graph built by hand must have its bonds between two different atoms that exist, once each.
fn check_graph(builder: &MoleculeBuilder) -> Result<(), MolError> {
    let fault = |sentence: String| Err(MolError::new(MolErrorKind::BadGraph, sentence));
    let atoms = builder.atoms.len() as u32;
    let mut pairs = Vec::with_capacity(builder.bonds.len());
    for (i, bond) in builder.bonds.iter().enumerate() {
        if bond.begin >= atoms || bond.end >= atoms {
            return fault(format!("Bond {i} leads to an atom that does not exist"));
        }
        if bond.begin == bond.end {
            return fault(format!("Bond {i} joins atom {} to itself", bond.begin));
        }
        pairs.push((bond.begin.min(bond.end), bond.begin.max(bond.end)));
    }
    pairs.sort_unstable();
    match pairs.windows(2).find(|w| w[0] == w[1]) {
        Some(w) => fault(format!("Atoms {} and {} are bonded twice", w[0].0, w[0].1)),
        None => Ok(()),
    }
}
