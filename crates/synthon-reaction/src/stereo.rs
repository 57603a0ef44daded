//! Whether stereo allows a match.

use synthon_mol::{BondOrder, BondStereo, Chirality, Molecule, MoleculeBuilder};

use crate::geometry::{IMPLIED, Ligands, transfer};
use crate::outcome::StereoRule;
use crate::replay::copy_into;
use crate::script::{DoubleBondDemand, Script};

/// The verdict on a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No match.
    Forbidden,
    /// A match; `mirrored` when the marked centres are the mirror images of the template's.
    Allowed { mirrored: bool },
}

/// Judges a match; `atoms` is the product atom of each pattern atom.
pub(crate) fn judge(
    script: &Script,
    molecule: &Molecule,
    atoms: &[u32],
    rule: StereoRule,
) -> Verdict {
    let mut mirrored = None;
    for (demand, &image) in script.demands.iter().zip(atoms) {
        let present = molecule.atom(image as usize).chirality();
        if !present.is_tetrahedral() {
            if demand.has_mark
                && rule == StereoRule::Strict
                && could_be_centre(molecule, image as usize)
            {
                return Verdict::Forbidden;
            }
            continue;
        }
        if !demand.has_mark {
            if demand.shown && rule == StereoRule::Strict {
                return Verdict::Forbidden;
            }
            continue;
        }
        let Some(mark) = demand.mark else { continue };
        let from = Ligands::new(
            mark.ligands.into_iter().filter(|&l| l != IMPLIED).map(|l| atoms[l as usize]),
        );
        let to = Ligands::new(molecule.neighbours(image as usize).iter().map(|n| n.atom() as u32));
        let expected = from.zip(to).and_then(|(from, to)| transfer(mark.chirality, from, to));
        let Some(expected) = expected else { continue };
        let mirror = expected != present;
        if mirrored.is_some_and(|m| m != mirror) {
            return Verdict::Forbidden;
        }
        mirrored = Some(mirror);
    }
    for demand in &script.double_bond_demands {
        if !allows(demand, molecule, atoms, rule) {
            return Verdict::Forbidden;
        }
    }
    Verdict::Allowed { mirrored: mirrored.unwrap_or(false) }
}

fn allows(demand: &DoubleBondDemand, molecule: &Molecule, atoms: &[u32], rule: StereoRule) -> bool {
    let ends = demand.ends.map(|e| atoms[e as usize] as usize);
    let references = demand.references.map(|r| atoms[r as usize] as usize);
    let Some(index) = molecule.bond_between(ends[0], ends[1]) else { return true };
    let bond = molecule.bond(index);
    if bond.order() != BondOrder::Double {
        return true;
    }
    let (present, implicit) = match bond.stereo() {
        BondStereo::None if bond.in_ring() => (ring_geometry(molecule, index, references), true),
        stereo => (geometry_of(molecule, index, stereo, ends, references), false),
    };
    match (demand.stereo, present) {
        (BondStereo::None, BondStereo::None) => true,
        (BondStereo::None, _) => implicit || rule == StereoRule::Lenient,
        (_, BondStereo::None) => rule == StereoRule::Lenient,
        (wanted, present) => wanted == present,
    }
}

/// The stated geometry, said of these references.
fn geometry_of(
    molecule: &Molecule,
    bond: usize,
    stereo: BondStereo,
    ends: [usize; 2],
    references: [usize; 2],
) -> BondStereo {
    let Some((a, b)) = molecule.stereo_references(bond) else { return BondStereo::None };
    let first = if molecule.bond(bond).begin() == ends[0] { [a, b] } else { [b, a] };
    let swaps = (0..2).filter(|&k| references[k] != first[k]).count();
    if swaps == 1 { stereo.inverted() } else { stereo }
}

/// The geometry that a ring forces on a double bond in it: cis for its own neighbours.
fn ring_geometry(molecule: &Molecule, bond: usize, references: [usize; 2]) -> BondStereo {
    let rings = molecule.rings();
    for i in 0..rings.len() {
        if rings.bonds(i).contains(&(bond as u32)) {
            let inside = references.map(|r| rings.atoms(i).contains(&(r as u32)));
            return if inside[0] == inside[1] { BondStereo::Cis } else { BondStereo::Trans };
        }
    }
    BondStereo::None
}

/// Whether an atom without handedness could have one: whether a mark on it survives perception.
pub(crate) fn could_be_centre(molecule: &Molecule, atom: usize) -> bool {
    let degree = molecule.degree(atom);
    if !(3..=4).contains(&degree) || molecule.atom(atom).hydrogens() > 1 {
        return false;
    }
    let mut builder = MoleculeBuilder::new();
    copy_into(&mut builder, molecule, true);
    builder.atom_mut(atom).chirality = Chirality::Clockwise;
    builder.build().is_ok_and(|marked| marked.atom(atom).chirality() != Chirality::None)
}

/// Whether a double bond without geometry could have one: whether one that is stated survives
/// perception.
pub(crate) fn could_have_geometry(molecule: &Molecule, bond: usize) -> bool {
    if molecule.bond(bond).order() != BondOrder::Double
        || molecule.stereo_references(bond).is_none()
    {
        return false;
    }
    let mut builder = MoleculeBuilder::new();
    copy_into(&mut builder, molecule, true);
    builder.bond_mut(bond).stereo = BondStereo::Trans;
    builder.build().is_ok_and(|marked| marked.bond(bond).stereo() != BondStereo::None)
}
