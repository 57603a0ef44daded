//! The text of one atom.

use std::io::Write as _;

use super::direction::Mark;
use super::traversal::{NONE, Traversal};
use crate::stereo::configuration::{ligand_count, reordered};
use crate::stereo::elements::allene_end;
use crate::{Atom, BondOrder, Chirality, Element, Molecule};

/// Valences of the elements that may stand without brackets, the lowest first.
fn plain_valences(element: Element) -> Option<&'static [u8]> {
    Some(match element {
        Element::C => &[4],
        Element::B | Element::N => &[3],
        Element::O => &[2],
        Element::F | Element::CL | Element::BR => &[1],
        Element::P => &[3, 5, 7],
        Element::S => &[2, 4, 6],
        Element::I => &[1, 3, 5],
        Element::WILDCARD => &[],
        _ => return None,
    })
}

/// Metals for the purpose of brackets: bonds to them do not follow the valence model, so their
/// neighbours are spelt out.
pub(super) fn is_metal(element: Element) -> bool {
    !matches!(
        element.atomic_number(),
        0 | 1 | 2 | 5..=10 | 14..=18 | 33..=36 | 52..=54 | 85 | 86
    )
}

/// Twice what a bond adds to the valence of its atoms, by order; a dative bond adds to its end
/// only.
const HALF_ORDERS: [u32; 7] = [0, 2, 4, 6, 8, 3, 0];

/// Which order of bonds the text shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bonds<'a> {
    Aromatic,
    /// Single and double bonds, by bond.
    Kekule(&'a [BondOrder]),
}

pub(super) struct AtomWriter<'a> {
    pub(super) molecule: &'a Molecule,
    pub(super) walk: &'a Traversal,
    pub(super) isomeric: bool,
    pub(super) atom_maps: bool,
    pub(super) bonds: Bonds<'a>,
    /// Atoms whose hydrogen is written as an atom.
    pub(super) written_hydrogens: &'a [(u32, Mark)],
    /// Whether there are metal atoms.
    pub(super) metals: bool,
}

impl AtomWriter<'_> {
    pub(super) fn write(&self, text: &mut Vec<u8>, index: u32) {
        let atom = &self.molecule.atoms()[index as usize];
        let aromatic = atom.aromatic && self.bonds == Bonds::Aromatic;
        let isotope = if self.isomeric { atom.isotope } else { 0 };
        let map = if self.atom_maps { atom.map } else { 0 };
        let mark = if self.isomeric { self.mark(index) } else { Chirality::None };
        let symbol = atom.element.symbol();
        let plain = atom.charge == 0
            && isotope == 0
            && map == 0
            && mark == Chirality::None
            && atom.radicals == 0
            && self.is_plain(index as usize, atom, aromatic);
        if plain {
            push_symbol(text, symbol, aromatic);
            return;
        }
        text.push(b'[');
        if isotope != 0 {
            push_number(text, isotope.into());
        }
        push_symbol(text, symbol, aromatic);
        match mark {
            Chirality::None => {}
            Chirality::Anticlockwise => text.push(b'@'),
            Chirality::Clockwise => text.extend_from_slice(b"@@"),
            Chirality::Allene(number) => _ = write!(text, "@AL{number}"),
            Chirality::SquarePlanar(number) => _ = write!(text, "@SP{number}"),
            Chirality::TrigonalBipyramidal(number) => _ = write!(text, "@TB{number}"),
            Chirality::Octahedral(number) => _ = write!(text, "@OH{number}"),
        }
        let written = self.written_hydrogens.iter().filter(|(a, _)| *a == index).count() as u8;
        let hydrogens = atom.hydrogens - written;
        if hydrogens > 0 {
            text.push(b'H');
            if hydrogens > 1 {
                push_number(text, hydrogens.into());
            }
        }
        if atom.charge != 0 {
            text.push(if atom.charge > 0 { b'+' } else { b'-' });
            if atom.charge.unsigned_abs() > 1 {
                push_number(text, atom.charge.unsigned_abs().into());
            }
        }
        if map != 0 {
            text.push(b':');
            push_number(text, map);
        }
        text.push(b']');
    }

    /// Whether the atom may stand without brackets: a reader would give it the same hydrogens.
    fn is_plain(&self, index: usize, atom: &Atom, aromatic: bool) -> bool {
        let Some(valences) = plain_valences(atom.element) else { return false };
        if aromatic && !matches!(atom.element.atomic_number(), 5..=8 | 15 | 16) {
            return false;
        }
        let mut halves = 0u32;
        for neighbour in self.molecule.neighbours(index) {
            let bond = self.molecule.bond(neighbour.bond());
            let order = match self.bonds {
                Bonds::Aromatic => bond.order,
                Bonds::Kekule(orders) => orders[neighbour.bond()],
            };
            halves += HALF_ORDERS[order as usize];
            if order == BondOrder::Dative && bond.end() == index {
                halves += 2;
            }
        }
        if self.metals {
            let mut neighbours = self.molecule.neighbours(index).iter();
            if neighbours.any(|n| is_metal(self.molecule.atom(n.atom()).element)) {
                return false;
            }
        }
        let Some(&lowest) = valences.first() else { return atom.hydrogens == 0 };
        let lowest = u32::from(lowest);
        if aromatic {
            // Aromatic bonds beyond the lowest valence leave room for no hydrogen.
            let used = halves.div_ceil(2);
            return u32::from(atom.hydrogens) == lowest.saturating_sub(used);
        }
        let used = halves.div_ceil(2);
        let implied =
            valences.iter().map(|&v| u32::from(v)).find(|&v| v >= used).map_or(0, |v| v - used);
        let total = used + u32::from(atom.hydrogens);
        u32::from(atom.hydrogens) == implied && (total == lowest || atom.hydrogens == 0)
    }

    /// The atom's mark as seen in the order of the text.
    fn mark(&self, index: u32) -> Chirality {
        let atom = index as usize;
        let mark = self.molecule.atom(atom).chirality;
        if mark == Chirality::None {
            return mark;
        }
        if matches!(mark, Chirality::Allene(_)) {
            return self.allene_mark(atom, mark);
        }
        let neighbours = self.molecule.neighbours(atom);
        let mut order = [0u8; 8];
        let mut len = 0;
        let (mut closures, first) = (0, self.walk.parent_bond(atom) == NONE);
        let mut add = |bond: u32| {
            let place = neighbours.iter().position(|n| n.bond == bond);
            order[len] = place.expect("the bond is one of the atom's") as u8;
            len += 1;
        };
        if neighbours.len() > 6 {
            return Chirality::None;
        }
        if !first {
            add(self.walk.parent_bond(atom));
        }
        for bond in self.walk.closures(index) {
            add(bond);
            closures += 1;
        }
        for child in self.walk.children(index) {
            add(self.walk.parent_bond(child as usize));
        }
        if mark.is_tetrahedral() {
            let seen = reordered(mark, &order[..len]);
            return if len == 3 && self.implied_ligand_moves(atom, first, closures) {
                seen.inverted()
            } else {
                seen
            };
        }
        // Ligands that are not in the graph are read right after the atom before, or first.
        let count = ligand_count(mark);
        let mut full = [0u8; 8];
        let after = usize::from(!first).min(len);
        let missing = count.saturating_sub(len);
        full[..after].copy_from_slice(&order[..after]);
        for k in 0..missing {
            full[after + k] = (len + k) as u8;
        }
        full[after + missing..len + missing].copy_from_slice(&order[after..len]);
        reordered(mark, &full[..len + missing])
    }

    /// Whether the fourth ligand of a centre with three neighbours, last in the molecule, is read
    /// at a place an odd number of steps away: a hydrogen on the first atom of a text is read
    /// first; and a lone pair on a saturated atom with one ring closure is read as RDKit does.
    fn implied_ligand_moves(&self, atom: usize, first: bool, closures: usize) -> bool {
        let hydrogen = self.molecule.atom(atom).hydrogens == 1;
        if hydrogen {
            return first;
        }
        let saturated = self.molecule.neighbours(atom).iter().all(|n| {
            matches!(self.molecule.bond(n.bond()).order, BondOrder::Single | BondOrder::Dative)
        });
        closures == 1 && saturated
    }

    /// The outer ligands of an allene as the text has them, end by end.
    fn allene_mark(&self, atom: usize, mark: Chirality) -> Chirality {
        let mut odd = false;
        for neighbour in self.molecule.neighbours(atom) {
            let Some((before, terminal)) = allene_end(self.molecule, atom, neighbour.bond()) else {
                return Chirality::None;
            };
            let outer: Vec<u32> = self
                .molecule
                .neighbours(terminal)
                .iter()
                .map(|n| n.bond)
                .filter(|&b| self.molecule.bond(b as usize).other(terminal) != before)
                .collect();
            let first = self.walk.parent_bond(terminal);
            match outer[..] {
                // The hydrogen is read before everything that follows the atom.
                [only] => odd ^= only != first,
                [one, two] => {
                    let place = |bond: u32| {
                        let closures = self.walk.closures(terminal as u32);
                        let children = self.walk.children(terminal as u32);
                        let bonds =
                            closures.chain(children.map(|c| self.walk.parent_bond(c as usize)));
                        let mut bonds = std::iter::once(first).chain(bonds);
                        bonds.position(|b| b == bond)
                    };
                    odd ^= place(two) < place(one);
                }
                _ => return Chirality::None,
            }
        }
        match mark {
            Chirality::Allene(number) if odd => Chirality::Allene(3 - number),
            _ => mark,
        }
    }
}

fn push_symbol(text: &mut Vec<u8>, symbol: &str, aromatic: bool) {
    // Aromatic symbols are the lower case of one or two letters.
    let case = if aromatic { 0x20 } else { 0 };
    text.extend(symbol.bytes().map(|letter| letter | case));
}

pub(super) fn push_number(text: &mut Vec<u8>, number: u32) {
    if number < 10 {
        return text.push(b'0' + number as u8);
    }
    let mut digits = [0u8; 10];
    let (mut at, mut rest) = (digits.len(), number);
    while rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    text.extend_from_slice(&digits[at..]);
}
