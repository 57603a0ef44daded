//! From a molecule to SMILES text: canonical, in the order of the input, or at random.

mod atom;
mod direction;
mod traversal;

use atom::{AtomWriter, Bonds, is_metal, push_number};
use direction::{Directions, Mark};
use traversal::{Branching, NONE, Traversal};

use crate::canon::partition::Span;
use crate::canon::{Invariants, order_components};
use crate::{Bond, BondOrder, Molecule};

/// Version of the canonical text. People keep canonical SMILES as keys, so any change of the text
/// of any molecule is a breaking change and comes with a new version.
pub const CANONICAL_VERSION: &str = "1";

/// In which order the atoms are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtomOrder {
    /// One text for all spellings of a molecule.
    #[default]
    Canonical,
    /// Starting from the first atom of each component, following lower indices first.
    Input,
    /// A walk drawn with this seed.
    Random(u64),
}

/// What a SMILES text shows. The default is the canonical text with stereo, isotopes and atom
/// maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Write stereo marks and isotopes. Default true.
    pub isomeric: bool,
    /// Write atom-map numbers; they then also count in the canonical order. Default true.
    pub atom_maps: bool,
    /// Write aromatic systems with single and double bonds. Default false.
    pub kekule: bool,
    /// Order of the atoms. Default canonical.
    pub order: AtomOrder,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions { isomeric: true, atom_maps: true, kekule: false, order: AtomOrder::Canonical }
    }
}

/// A SMILES text, and how its atoms relate to those of the molecule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSmiles {
    /// The text.
    pub text: String,
    /// Index in the molecule of each atom of the text, in the order of the text.
    pub atom_order: Vec<u32>,
    /// Whether a canonical text is certain not to depend on the spelling of the input. It is
    /// `false` only when the search of a highly symmetrical graph was stopped at its work limit,
    /// and for other orders.
    pub certain: bool,
}

/// Writes a molecule as SMILES. Reading the text back gives the same molecule, up to the order of
/// the atoms and to what the options leave out.
///
/// ```
/// # use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
/// let molecule = Molecule::from_smiles("OC(=O)[C@@H](N)C")?;
/// let flat = WriteOptions { isomeric: false, ..WriteOptions::default() };
/// assert_eq!(write_smiles(&molecule, &flat).text, "CC(N)C(=O)O");
/// # Ok::<(), synthon_mol::MolError>(())
/// ```
pub fn write_smiles(molecule: &Molecule, options: &WriteOptions) -> WrittenSmiles {
    let invariants = Invariants { isomeric: options.isomeric, atom_maps: options.atom_maps };
    let (ranks, order, spans, branching, certain) = match options.order {
        AtomOrder::Canonical => {
            let orders = order_components(molecule, invariants, false);
            (orders.ranks, orders.order, orders.spans, Branching::ChainsFirst, orders.certain)
        }
        AtomOrder::Input => {
            let (order, spans) = crate::canon::partition::by_component(molecule);
            let ranks = (0..molecule.atom_count() as u32).collect();
            (ranks, order, spans, Branching::ChainsFirst, false)
        }
        AtomOrder::Random(seed) => {
            let (order, mut spans) = crate::canon::partition::by_component(molecule);
            let mut random = Random(seed);
            let mut ranks: Vec<u32> = (0..molecule.atom_count() as u32).collect();
            random.shuffle(&mut ranks);
            random.shuffle(&mut spans);
            (ranks, order, spans, Branching::ByRank, false)
        }
    };
    let walk = Traversal::new(molecule, &ranks, &spans, &order, branching);
    let kekule = match (options.kekule, options.order) {
        (false, _) => Vec::new(),
        (true, AtomOrder::Canonical) => canonical_kekule_orders(molecule, options),
        (true, _) => molecule.bonds().iter().map(|bond| bond.kekule).collect(),
    };
    let directions = if options.isomeric {
        direction::directions(molecule, &walk)
    } else {
        Directions::default()
    };
    let writer = TextWriter {
        atoms: AtomWriter {
            molecule,
            walk: &walk,
            isomeric: options.isomeric,
            atom_maps: options.atom_maps,
            bonds: if options.kekule { Bonds::Kekule(&kekule) } else { Bonds::Aromatic },
            written_hydrogens: &directions.hydrogens,
            metals: molecule.atoms().iter().any(|atom| is_metal(atom.element())),
        },
        directions: &directions,
    };
    writer.write(&spans, options.order == AtomOrder::Canonical, certain)
}

/// Orders of the bonds in a kekulé form that does not depend on the input: the one found on
/// reading the canonical text.
fn canonical_kekule_orders(molecule: &Molecule, options: &WriteOptions) -> Vec<BondOrder> {
    let own = |bond: &Bond| bond.kekule;
    let aromatic = write_smiles(molecule, &WriteOptions { kekule: false, ..*options });
    let Ok(read) = Molecule::from_smiles(&aromatic.text) else {
        return molecule.bonds().iter().map(own).collect();
    };
    let mut place = vec![0; molecule.atom_count()];
    for (k, &atom) in aromatic.atom_order.iter().enumerate() {
        place[atom as usize] = k;
    }
    let order = |bond: &Bond| {
        let same = read.bond_between(place[bond.begin()], place[bond.end()]);
        same.map_or(bond.kekule, |same| read.bond(same).kekule)
    };
    molecule.bonds().iter().map(order).collect()
}

impl Molecule {
    /// Canonical SMILES with stereo, isotopes and atom maps: one text for all spellings of a
    /// molecule, and a fixed point of reading and writing.
    ///
    /// ```
    /// # use synthon_mol::Molecule;
    /// let paracetamol = Molecule::from_smiles("c1cc(ccc1NC(C)=O)O")?;
    /// assert_eq!(paracetamol.to_smiles(), "CC(=O)Nc1ccc(O)cc1");
    /// # Ok::<(), synthon_mol::MolError>(())
    /// ```
    pub fn to_smiles(&self) -> String {
        write_smiles(self, &WriteOptions::default()).text
    }

    /// Canonical SMILES with stereo and isotopes, without atom maps.
    pub fn to_unmapped_smiles(&self) -> String {
        write_smiles(self, &WriteOptions { atom_maps: false, ..WriteOptions::default() }).text
    }
}

fn finished(text: Vec<u8>, atom_order: Vec<u32>, certain: bool) -> WrittenSmiles {
    let text = String::from_utf8(text).expect("SMILES are ASCII");
    WrittenSmiles { text, atom_order, certain }
}

enum Item {
    Atom { atom: u32, branch: bool },
    Close,
}

struct TextWriter<'a> {
    atoms: AtomWriter<'a>,
    directions: &'a Directions,
}

impl TextWriter<'_> {
    fn write(&self, spans: &[Span], sorted: bool, certain: bool) -> WrittenSmiles {
        let walk = self.atoms.walk;
        let mut text = Vec::with_capacity(2 * walk.order.len() + 8);
        let mut numbers = RingNumbers::default();
        let mut items = Vec::with_capacity(32);
        // Texts of the components as ranges, with their atoms.
        let mut parts: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> = Vec::new();
        let mut next = 0;
        for span in spans {
            let (start, atoms) = (text.len(), next..next + span.end - span.start);
            next = atoms.end;
            self.write_component(&mut text, walk.order[atoms.start], &mut numbers, &mut items);
            parts.push((start..text.len(), atoms));
        }
        if parts.len() == 1 {
            return finished(text, walk.order.clone(), certain);
        }
        if sorted {
            parts.sort_by(|a, b| text[a.0.clone()].cmp(&text[b.0.clone()]));
        }
        let mut joined = Vec::with_capacity(text.len() + parts.len());
        let mut atom_order = Vec::with_capacity(walk.order.len());
        for (i, (part, atoms)) in parts.into_iter().enumerate() {
            if i > 0 {
                joined.push(b'.');
            }
            joined.extend_from_slice(&text[part]);
            atom_order.extend_from_slice(&walk.order[atoms]);
        }
        finished(joined, atom_order, certain)
    }

    fn write_component(
        &self,
        text: &mut Vec<u8>,
        first: u32,
        numbers: &mut RingNumbers,
        items: &mut Vec<Item>,
    ) {
        let walk = self.atoms.walk;
        items.push(Item::Atom { atom: first, branch: false });
        while let Some(item) = items.pop() {
            let Item::Atom { mut atom, branch } = item else {
                text.push(b')');
                continue;
            };
            if branch {
                text.push(b'(');
            }
            // Along a chain without branches.
            loop {
                let bond = walk.parent_bond(atom as usize);
                if bond != NONE {
                    self.write_bond(text, bond);
                }
                self.atoms.write(text, atom);
                self.write_closures(text, atom, numbers);
                if !self.directions.hydrogens.is_empty() {
                    self.write_hydrogen(text, atom);
                }
                let mut children = walk.children(atom);
                let Some(only) = children.next() else { break };
                atom = only;
                let Some(mut child) = children.next() else { continue };
                // Children go onto the stack last to first; the last goes on without brackets.
                let base = items.len();
                items.push(Item::Atom { atom: only, branch: true });
                loop {
                    items.push(Item::Close);
                    let next = children.next();
                    items.push(Item::Atom { atom: child, branch: next.is_some() });
                    match next {
                        Some(next) => child = next,
                        None => break,
                    }
                }
                items[base..].reverse();
                break;
            }
        }
    }

    /// Writes the hydrogen of an atom as an atom, where its mark is needed.
    fn write_hydrogen(&self, text: &mut Vec<u8>, atom: u32) {
        let Some((_, mark)) = self.directions.hydrogens.iter().find(|(a, _)| *a == atom) else {
            return;
        };
        let mark = if *mark == Mark::Up { b'/' } else { b'\\' };
        if self.atoms.walk.children(atom).next().is_some() {
            text.extend_from_slice(&[b'(', mark, b'[', b'H', b']', b')']);
        } else {
            text.extend_from_slice(&[mark, b'[', b'H', b']']);
        }
    }

    fn write_closures(&self, text: &mut Vec<u8>, atom: u32, numbers: &mut RingNumbers) {
        let mut closures = self.atoms.walk.closures(atom).peekable();
        if closures.peek().is_none() {
            return;
        }
        for bond in closures {
            let number = match numbers.number_of(bond) {
                Some(number) => {
                    self.write_bond(text, bond);
                    number
                }
                None => numbers.open(bond),
            };
            match number {
                0..=9 => text.push(b'0' + number as u8),
                10..=99 => {
                    text.push(b'%');
                    push_number(text, number);
                }
                _ => {
                    text.extend_from_slice(b"%(");
                    push_number(text, number);
                    text.push(b')');
                }
            }
        }
        numbers.release();
    }

    fn write_bond(&self, text: &mut Vec<u8>, index: u32) {
        let molecule = self.atoms.molecule;
        let bond = molecule.bond(index as usize);
        let order = match self.atoms.bonds {
            Bonds::Aromatic => bond.order,
            Bonds::Kekule(orders) => orders[index as usize],
        };
        match self.directions.bonds.get(index as usize) {
            Some(Mark::Up) => return text.push(b'/'),
            Some(Mark::Down) => return text.push(b'\\'),
            _ => {}
        }
        let between_aromatic = self.atoms.bonds == Bonds::Aromatic
            && molecule.atom(bond.begin()).aromatic
            && molecule.atom(bond.end()).aromatic;
        match order {
            BondOrder::Unspecified => text.push(b'~'),
            BondOrder::Single if between_aromatic => text.push(b'-'),
            BondOrder::Single => {}
            BondOrder::Double => text.push(b'='),
            BondOrder::Triple => text.push(b'#'),
            BondOrder::Quadruple => text.push(b'$'),
            BondOrder::Aromatic if between_aromatic => {}
            BondOrder::Aromatic => text.push(b':'),
            BondOrder::Dative => {
                let outward = self.atoms.walk.left_atom(molecule, index) == bond.begin();
                text.extend_from_slice(if outward { b"->" } else { b"<-" });
            }
        }
    }
}

/// Numbers of the rings open at a place of the text: the lowest free one is taken, and one that
/// is closed becomes free after the atom.
#[derive(Default)]
struct RingNumbers {
    /// Bond by number, from one; [`NONE`] where the number is free.
    open: Vec<u32>,
    closed: Vec<u32>,
}

impl RingNumbers {
    fn number_of(&mut self, bond: u32) -> Option<u32> {
        let place = self.open.iter().position(|&b| b == bond)? as u32;
        self.closed.push(place);
        Some(place + 1)
    }

    fn open(&mut self, bond: u32) -> u32 {
        let free = self.open.iter().position(|&b| b == NONE);
        let place = free.unwrap_or_else(|| {
            self.open.push(NONE);
            self.open.len() - 1
        });
        self.open[place] = bond;
        place as u32 + 1
    }

    fn release(&mut self) {
        for place in self.closed.drain(..) {
            self.open[place as usize] = NONE;
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let k = ((u128::from(self.next()) * (i as u128 + 1)) >> 64) as usize;
            items.swap(i, k);
        }
    }
}
