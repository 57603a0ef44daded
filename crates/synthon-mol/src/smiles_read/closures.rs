//! Ring closures: pairing of the numbers, choice of the bond, and what the place of a number in
//! the text means for the handedness of its atom.

use super::ligand_order;
use super::reader::{BondMark, Centre};
use crate::builder::{BondDirection, BondSpec, Hydrogens, MoleculeBuilder};
use crate::{BondOrder, BondStereo, MolError, MolErrorKind};
use smallvec::SmallVec;

/// One ring-closure number in the text.
#[derive(Clone, Copy)]
struct End {
    atom: u32,
    /// Bonds along the text when the number was read, of the whole molecule at first; of the
    /// atom after [`Closures::count_degrees`].
    bonds_before: u32,
    mark: BondMark,
    span: (u32, u32),
}

/// Two ends that belong together.
struct Closure {
    number: u32,
    /// Indices into the list of ends.
    first: u32,
    second: u32,
}

#[derive(Default)]
pub(super) struct Closures {
    ends: SmallVec<[End; 16]>,
    closed: SmallVec<[Closure; 8]>,
    /// Open ends (plus one) by number, for numbers below 100.
    small: SmallOpen,
    /// Number and end, for larger numbers.
    large: Vec<(u32, u32)>,
}

struct SmallOpen([u32; 100]);

impl Default for SmallOpen {
    fn default() -> Self {
        SmallOpen([0; 100])
    }
}

impl Closures {
    /// Notes a ring-closure number at an atom; closes the ring if it is the second of its number.
    pub fn mark(
        &mut self,
        number: u32,
        atom: u32,
        bonds_before: u32,
        mark: BondMark,
        span: (usize, usize),
    ) {
        let this = self.ends.len() as u32;
        self.ends.push(End { atom, bonds_before, mark, span: (span.0 as u32, span.1 as u32) });
        if let Some(open) = self.small.0.get_mut(number as usize) {
            if *open == 0 {
                *open = this + 1;
            } else {
                self.closed.push(Closure { number, first: *open - 1, second: this });
                *open = 0;
            }
            return;
        }
        match self.large.binary_search_by_key(&number, |o| o.0) {
            Ok(at) => {
                let (_, first) = self.large.remove(at);
                self.closed.push(Closure { number, first, second: this });
            }
            Err(at) => self.large.insert(at, (number, this)),
        }
    }

    /// Adds the bonds, and corrects the handedness of the centres to the order of bond indices.
    pub fn finish(
        &mut self,
        builder: &mut MoleculeBuilder,
        centres: &[Centre],
    ) -> Result<(), MolError> {
        self.check_open()?;
        let chain_bonds = builder.bonds.len();
        self.closed.sort_by_key(|c| c.number);
        for closure in &self.closed {
            let (first, second) =
                (self.ends[closure.first as usize], self.ends[closure.second as usize]);
            if first.atom == second.atom {
                return Err(MolError::new(
                    MolErrorKind::BadRingClosure,
                    format!("Ring closure {} bonds an atom to itself", closure.number),
                )
                .at(second.span.0 as usize..second.span.1 as usize)
                .with_atoms(vec![first.atom]));
            }
            builder.bonds.push(closing_bond(first, second, builder));
        }
        if !self.closed.is_empty() {
            self.check_doubled(builder, chain_bonds)?;
        }
        if !centres.is_empty() {
            let degrees = self.count_degrees(builder, chain_bonds);
            let other = |c: &Centre| {
                c.may_be_allene || !builder.atoms[c.atom as usize].chirality.is_tetrahedral()
            };
            if centres.iter().any(other) {
                let bonds = self.bonds_of_ends(builder);
                let ends = self.ends.iter().zip(bonds);
                let ends: Vec<_> =
                    ends.map(|(end, bond)| (end.atom, end.bonds_before as u16, bond)).collect();
                ligand_order::correct(builder, &ends, centres);
            }
            self.correct_handedness(builder, &degrees, centres);
        }
        Ok(())
    }

    /// Counts the bonds along the text of each atom, in all and before each ring-closure number.
    fn count_degrees(&mut self, builder: &MoleculeBuilder, chain_bonds: usize) -> Vec<u16> {
        let mut degrees = vec![0u16; builder.atoms.len()];
        let mut counted = 0;
        let mut count_to = |to: usize, degrees: &mut [u16]| {
            for bond in &builder.bonds[counted..to] {
                for atom in [bond.begin, bond.end] {
                    let degree = &mut degrees[atom as usize];
                    *degree = degree.saturating_add(1);
                }
            }
            counted = to;
        };
        for end in &mut self.ends {
            count_to(end.bonds_before as usize, &mut degrees);
            end.bonds_before = u32::from(degrees[end.atom as usize]);
        }
        count_to(chain_bonds, &mut degrees);
        degrees
    }

    fn check_open(&self) -> Result<(), MolError> {
        if self.ends.len() == 2 * self.closed.len() {
            return Ok(());
        }
        let small = (0u32..100).filter_map(|n| match self.small.0[n as usize] {
            0 => None,
            end => Some((n, end - 1)),
        });
        let open: Vec<_> = small.chain(self.large.iter().copied()).collect();
        let Some(&(number, end)) = open.first() else { return Ok(()) };
        let numbers: Vec<_> = open.iter().map(|o| o.0.to_string()).collect();
        let end = self.ends[end as usize];
        Err(MolError::new(
            MolErrorKind::UnclosedRing,
            format!("Unclosed ring(s): {}", numbers.join(", ")),
        )
        .at(end.span.0 as usize..end.span.1 as usize)
        .with_atoms(open.iter().map(|o| self.ends[o.1 as usize].atom).collect())
        .with_hint(format!("write {number} again at the atom that closes the ring")))
    }

    /// Refuses a closure between atoms that are bonded already.
    fn check_doubled(&self, builder: &MoleculeBuilder, chain_bonds: usize) -> Result<(), MolError> {
        let key = |b: &BondSpec| (b.begin.min(b.end), b.begin.max(b.end));
        let (chain, closing) = builder.bonds.split_at(chain_bonds);
        let is_doubled = |nth: usize| {
            let this = key(&closing[nth]);
            // Along the text each atom is bonded to an earlier one when it is read, so that the
            // bonds are sorted by their later atoms.
            let at = chain.partition_point(|b| b.begin.max(b.end) < this.1);
            chain.get(at).is_some_and(|b| key(b) == this)
                || (closing.len() <= 16 && closing[..nth].iter().any(|b| key(b) == this))
        };
        let mut doubled = (0..closing.len()).find(|&nth| is_doubled(nth));
        if doubled.is_none() && closing.len() > 16 {
            let mut pairs: Vec<_> =
                (0..closing.len()).map(|nth| (key(&closing[nth]), nth)).collect();
            pairs.sort_unstable();
            doubled = pairs.windows(2).find(|w| w[0].0 == w[1].0).map(|w| w[1].1);
        }
        let Some(nth) = doubled else { return Ok(()) };
        let this = key(&closing[nth]);
        let second = self.ends[self.closed[nth].second as usize];
        Err(MolError::new(
            MolErrorKind::BadRingClosure,
            format!(
                "Ring closure {} doubles the bond between atoms {} and {}",
                self.closed[nth].number, this.0, this.1
            ),
        )
        .at(second.span.0 as usize..second.span.1 as usize)
        .with_atoms(vec![this.0, this.1]))
    }

    /// The bond of each end, once all bonds are there.
    fn bonds_of_ends(&self, builder: &MoleculeBuilder) -> Vec<u32> {
        let chain_bonds = (builder.bonds.len() - self.closed.len()) as u32;
        let mut bonds = vec![0; self.ends.len()];
        for (nth, closure) in self.closed.iter().enumerate() {
            bonds[closure.first as usize] = chain_bonds + nth as u32;
            bonds[closure.second as usize] = chain_bonds + nth as u32;
        }
        bonds
    }

    /// In the text a ring-closure number stands between the other neighbours of its atom, in the
    /// list of bonds it comes after them: each pair that changes places inverts the mark.
    fn correct_handedness(
        &self,
        builder: &mut MoleculeBuilder,
        degrees: &[u16],
        centres: &[Centre],
    ) {
        // The bond of each end, and the ends in the order of their atoms.
        let bonds = self.bonds_of_ends(builder);
        let mut by_atom: Vec<u32> = (0..self.ends.len() as u32).collect();
        by_atom.sort_by_key(|&e| self.ends[e as usize].atom);
        let mut unsaturated: Option<Vec<bool>> = None;
        let tetrahedral =
            |centre: &&Centre| builder.atoms[centre.atom as usize].chirality.is_tetrahedral();
        let centres: Vec<&Centre> = centres.iter().filter(tetrahedral).collect();
        for centre in centres {
            let from = by_atom.partition_point(|&e| self.ends[e as usize].atom < centre.atom);
            let to = from
                + by_atom[from..]
                    .iter()
                    .take_while(|&&e| self.ends[e as usize].atom == centre.atom)
                    .count();
            let ends = &by_atom[from..to];
            let chain = usize::from(degrees[centre.atom as usize]);
            let mut swaps = 0;
            for (i, &end) in ends.iter().enumerate() {
                swaps += chain - self.ends[end as usize].bonds_before as usize;
                let bond = bonds[end as usize];
                swaps += ends[..i].iter().filter(|&&e| bonds[e as usize] > bond).count();
            }
            if chain + ends.len() == 3 {
                let one_hydrogen =
                    builder.atoms[centre.atom as usize].hydrogens == Hydrogens::Exactly(1);
                // A hydrogen of the first atom is the one looked from; as the implied ligand it
                // goes last, past three neighbours. RDKit counts one swap more for a saturated
                // three-coordinate centre with a lone pair and one ring closure.
                let inverts = if one_hydrogen {
                    centre.first
                } else {
                    ends.len() == 1
                        && !unsaturated.get_or_insert_with(|| unsaturated_atoms(builder))
                            [centre.atom as usize]
                };
                swaps += usize::from(inverts);
            }
            if swaps % 2 == 1 {
                let atom = &mut builder.atoms[centre.atom as usize];
                atom.chirality = atom.chirality.inverted();
            }
        }
    }
}

fn unsaturated_atoms(builder: &MoleculeBuilder) -> Vec<bool> {
    let mut unsaturated = vec![false; builder.atoms.len()];
    for bond in &builder.bonds {
        if !matches!(bond.order, BondOrder::Single | BondOrder::Dative) {
            unsaturated[bond.begin as usize] = true;
            unsaturated[bond.end as usize] = true;
        }
    }
    unsaturated
}

/// The bond between two ends: the first of them that states an order decides, and the bond
/// begins there; a `/` or `\` may stand at the other.
fn closing_bond(first: End, second: End, builder: &MoleculeBuilder) -> BondSpec {
    let (chosen, other) =
        if first.mark.order.is_some() { (first, second) } else { (second, first) };
    let order = chosen.mark.order.unwrap_or_else(|| {
        let aromatic = |e: End| builder.atoms[e.atom as usize].aromatic;
        if aromatic(chosen) && aromatic(other) { BondOrder::Aromatic } else { BondOrder::Single }
    });
    let mut direction = chosen.mark.direction;
    if direction == BondDirection::None {
        direction = other.mark.direction.inverted();
    }
    let (begin, end) =
        if chosen.mark.reversed { (other.atom, chosen.atom) } else { (chosen.atom, other.atom) };
    BondSpec { begin, end, order, direction, stereo: BondStereo::None }
}
