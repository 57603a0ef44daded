//! The connection table to be written, the same for both forms.

use super::geometry;
use crate::builder::{AtomSpec, BondDirection, BondSpec, MoleculeBuilder};
use crate::molfile_read::FLAT;
use crate::perceive;
use crate::{BondOrder, BondStereo, Molecule};

/// An atom line.
pub(super) struct AtomLine {
    pub position: [f64; 3],
    pub symbol: &'static str,
    pub charge: i8,
    pub isotope: u16,
    /// Number of an R group, 0: none.
    pub r_group: u16,
    /// Multiplicity code, 0: none.
    pub radical: u8,
    pub map: u32,
    /// Total valence, where a reader would not find the right hydrogens without.
    pub valence: Option<u32>,
}

/// How a bond is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawing {
    Plain,
    Wedge,
    Dash,
    Crossed,
}

/// A bond line; atoms from zero.
pub(super) struct BondLine {
    pub begin: usize,
    pub end: usize,
    pub kind: u8,
    pub drawing: Drawing,
}

pub(super) struct Table {
    pub atoms: Vec<AtomLine>,
    pub bonds: Vec<BondLine>,
    /// There are stereo centres, and they are absolute.
    pub chiral: bool,
    pub is_flat: bool,
    pub warnings: Vec<String>,
}

impl Table {
    pub fn new(molecule: &Molecule, coordinates: &[[f64; 3]]) -> Self {
        let implied = perceive::implied_hydrogens(&plain_builder(molecule));
        let atoms = (0..molecule.atom_count())
            .map(|i| atom_line(molecule, i, coordinates[i], implied[i]))
            .collect();
        let mut table = Table {
            atoms,
            bonds: molecule.bonds().iter().map(bond_line).collect(),
            chiral: molecule.atoms().iter().any(|a| a.chirality().is_tetrahedral()),
            is_flat: coordinates.iter().all(|p| p[2].abs() <= FLAT),
            warnings: Vec::new(),
        };
        if table.is_flat {
            table.add_wedges(molecule, coordinates);
        }
        table.cross_open_bonds(molecule, coordinates);
        table
    }

    fn add_wedges(&mut self, molecule: &Molecule, coordinates: &[[f64; 3]]) {
        let flat: Vec<[f64; 2]> = coordinates.iter().map(|p| [p[0], p[1]]).collect();
        let wedging = molecule.wedges(&flat);
        for wedge in wedging.wedges {
            let line = &mut self.bonds[wedge.bond];
            if line.begin != wedge.centre {
                std::mem::swap(&mut line.begin, &mut line.end);
            }
            line.drawing = if wedge.towards_viewer { Drawing::Wedge } else { Drawing::Dash };
        }
        for atom in wedging.undrawn {
            let reason = if molecule.atom(atom).chirality().is_tetrahedral() {
                "no wedge shows it at these coordinates"
            } else {
                "a drawing has no sign for it"
            };
            self.warnings.push(format!("The stereo mark of atom {atom} was left out: {reason}"));
        }
    }

    /// Marks double bonds whose geometry a reader would take from the coordinates although it is
    /// unknown, or another one.
    fn cross_open_bonds(&mut self, molecule: &Molecule, coordinates: &[[f64; 3]]) {
        let could_have = molecule.bonds_that_could_have_geometry();
        for (index, bond) in molecule.bonds().iter().enumerate() {
            if !could_have[index] {
                continue;
            }
            let drawn = geometry::drawn(molecule, index, coordinates);
            if bond.stereo() == drawn {
                continue;
            }
            if bond.stereo() != BondStereo::None {
                self.warnings.push(format!(
                    "The geometry of the double bond between atoms {} and {} was left out: the \
                     coordinates show another one",
                    bond.begin(),
                    bond.end()
                ));
            }
            self.bonds[index].drawing = Drawing::Crossed;
        }
    }
}

/// The molecule in kekulé form with all hydrogens left to the valence model.
fn plain_builder(molecule: &Molecule) -> MoleculeBuilder {
    MoleculeBuilder {
        atoms: molecule
            .atoms()
            .iter()
            .map(|a| AtomSpec {
                charge: a.charge(),
                radicals: a.radical_electrons(),
                ..AtomSpec::new(a.element())
            })
            .collect(),
        bonds: molecule
            .bonds()
            .iter()
            .map(|b| BondSpec {
                begin: b.begin() as u32,
                end: b.end() as u32,
                order: b.kekule_order(),
                direction: BondDirection::None,
                stereo: BondStereo::None,
            })
            .collect(),
    }
}

fn atom_line(
    molecule: &Molecule,
    index: usize,
    position: [f64; 3],
    implied: Option<u8>,
) -> AtomLine {
    let atom = molecule.atom(index);
    let wildcard = atom.element().is_wildcard();
    let r_group = if wildcard && atom.isotope() <= 999 { atom.isotope() } else { 0 };
    let symbol = match (wildcard, r_group) {
        (true, 0) => "*",
        (true, _) => "R#",
        _ => atom.element().symbol(),
    };
    let right = atom.radical_electrons() == 0 && implied == Some(atom.hydrogens());
    let valence = (!wildcard && !right).then(|| {
        let bonds = molecule.neighbours(index).iter().map(|n| {
            let bond = molecule.bond(n.bond());
            match bond.kekule_order() {
                BondOrder::Unspecified | BondOrder::Aromatic => 0,
                BondOrder::Dative => u32::from(bond.end() == index),
                order => order as u32,
            }
        });
        bonds.sum::<u32>() + u32::from(atom.hydrogens())
    });
    AtomLine {
        position,
        symbol,
        charge: atom.charge(),
        isotope: if r_group == 0 { atom.isotope() } else { 0 },
        r_group,
        radical: match atom.radical_electrons() {
            1 => 2,
            2 => 3,
            // There is no code; the valence tells.
            _ => 0,
        },
        map: atom.map(),
        valence,
    }
}

fn bond_line(bond: &crate::Bond) -> BondLine {
    let kind = match bond.kekule_order() {
        BondOrder::Single => 1,
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Aromatic => 4,
        BondOrder::Dative => 9,
        BondOrder::Unspecified | BondOrder::Quadruple => 8,
    };
    BondLine { begin: bond.begin(), end: bond.end(), kind, drawing: Drawing::Plain }
}
