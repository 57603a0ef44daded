//! Rewrites one match: edits the graph of the product, cuts it into its pieces and builds them.

use synthon_mol::{
    AtomSpec, BondOrder, BondStereo, Chirality, Element, Hydrogens, Molecule, MoleculeBuilder,
};

use crate::changes;
use crate::geometry::{Ligands, transfer};
use crate::outcome::{ApplyOptions, Note, Origin, Outcome, Spectators, StereoRule};
use crate::script::{BondEdit, CentreEdit, Script, Slot};

/// What the edit of a product bond says, in [`Scratch::bond_edit`].
const UNCHANGED: u8 = 0;
const REMOVED: u8 = u8::MAX;

const NOWHERE: u32 = u32::MAX;

/// A bond that the product does not have.
#[derive(Clone, Copy, Debug)]
struct NewBond {
    begin: u32,
    end: u32,
    order: BondOrder,
}

/// Working memory, kept from one application to the next.
///
/// Atoms of the result are numbered like those of the product, the new ones after them.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// For each product atom its product-side pattern atom plus one; 0: not matched.
    pattern_atom: Vec<u32>,
    /// For each product bond: unchanged, removed, or the new order.
    bond_edit: Vec<u8>,
    new_bonds: Vec<NewBond>,
    /// Whether an atom loses or gains a neighbour.
    touched: Vec<bool>,
    /// Whether an atom has another bond order sum.
    reordered: Vec<bool>,
    deleted: Vec<bool>,
    /// Union-find over the atoms of the result.
    parent: Vec<u32>,
    /// Piece of each root, piece of each atom, and index of each atom in its piece.
    piece_of_root: Vec<u32>,
    piece_of: Vec<u32>,
    index_in_piece: Vec<u32>,
    /// Atoms and bonds of each piece.
    sizes: Vec<(usize, usize)>,
}

/// A match with what stereo made of it.
#[derive(Clone, Copy)]
pub(crate) struct Match<'a> {
    /// Product atom of each product-side pattern atom.
    pub atoms: &'a [u32],
    /// Whether the marked centres of the product are the mirror images of the template's.
    pub mirrored: bool,
}

impl Match<'_> {
    /// The atom of the result in this slot.
    fn atom(&self, slot: Slot, product: &Molecule) -> u32 {
        match self.atoms.get(slot as usize) {
            Some(&atom) => atom,
            None => product.atom_count() as u32 + slot - self.atoms.len() as u32,
        }
    }
}

/// Why a rewriting gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoMolecule;

impl Workspace {
    /// Builds the precursors of one match.
    pub fn rewrite(
        &mut self,
        script: &Script,
        product: &Molecule,
        found: Match<'_>,
        options: &ApplyOptions,
    ) -> Result<Outcome, NoMolecule> {
        self.edit(script, product, found);
        self.join(script, product);
        let mut notes = Vec::new();
        let (builders, origins) = self.write(script, product, found, options, &mut notes);
        let mut pieces = Vec::with_capacity(builders.len());
        for (builder, mut origins) in builders.into_iter().zip(origins) {
            drop_folded(&builder, &mut origins)?;
            let molecule = builder.build().map_err(|_| NoMolecule)?;
            debug_assert_eq!(molecule.atom_count(), origins.len());
            pieces.push((molecule, origins));
        }
        let edited = (0..product.atom_count())
            .map(|a| self.touched[a] || self.reordered[a] || self.deleted[a])
            .collect();
        let changed_atoms = changes::changed_atoms(product, edited, &pieces, &mut notes);
        changes::order_pieces(&mut pieces);
        notes.sort_unstable();
        notes.dedup();
        let (precursors, origins) = pieces.into_iter().unzip();
        Ok(Outcome { precursors, origins, changed_atoms, matched: found.atoms.to_vec(), notes })
    }

    /// Marks what the script changes in this match.
    fn edit(&mut self, script: &Script, product: &Molecule, found: Match<'_>) {
        let atoms = product.atom_count();
        let all = atoms + script.new_atoms.len();
        reset(&mut self.pattern_atom, atoms, 0);
        reset(&mut self.bond_edit, product.bond_count(), UNCHANGED);
        reset(&mut self.touched, all, false);
        reset(&mut self.reordered, all, false);
        reset(&mut self.deleted, atoms, false);
        self.new_bonds.clear();
        for (p, &atom) in found.atoms.iter().enumerate() {
            self.pattern_atom[atom as usize] = p as u32 + 1;
            if script.atoms[p].deleted {
                self.deleted[atom as usize] = true;
                for n in product.neighbours(atom as usize) {
                    self.bond_edit[n.bond()] = REMOVED;
                    self.touched[n.atom()] = true;
                }
            }
        }
        for edit in &script.bonds {
            self.edit_bond(edit, product, found);
        }
        for edit in &script.new_bonds {
            let begin = found.atom(edit.begin, product);
            let end = found.atom(edit.end, product);
            self.touched[begin as usize] = true;
            self.touched[end as usize] = true;
            let order = edit.order.expect("a bond of a new atom has an order");
            self.new_bonds.push(NewBond { begin, end, order });
        }
    }

    fn edit_bond(&mut self, edit: &BondEdit, product: &Molecule, found: Match<'_>) {
        let begin = found.atom(edit.begin, product);
        let end = found.atom(edit.end, product);
        let ends = [begin as usize, end as usize];
        match (product.bond_between(ends[0], ends[1]), edit.order) {
            (None, None) => {}
            (None, Some(order)) => {
                self.new_bonds.push(NewBond { begin, end, order });
                ends.iter().for_each(|&e| self.touched[e] = true);
            }
            (Some(bond), None) => {
                self.bond_edit[bond] = REMOVED;
                ends.iter().for_each(|&e| self.touched[e] = true);
            }
            (Some(bond), Some(order)) => {
                if !edit.orders.contains(product.bond(bond).order()) {
                    self.bond_edit[bond] = order as u8;
                    ends.iter().for_each(|&e| self.reordered[e] = true);
                }
            }
        }
    }

    /// Finds the pieces: atoms of the result that are joined by its bonds.
    fn join(&mut self, script: &Script, product: &Molecule) {
        let all = product.atom_count() + script.new_atoms.len();
        self.parent.clear();
        self.parent.extend(0..all as u32);
        for (bond, edit) in product.bonds().iter().zip(&self.bond_edit) {
            if *edit != REMOVED {
                unite(&mut self.parent, bond.begin() as u32, bond.end() as u32);
            }
        }
        for bond in &self.new_bonds {
            unite(&mut self.parent, bond.begin, bond.end);
        }
    }

    /// Numbers the pieces that become precursors in the order of their first atoms.
    fn number_pieces(
        &mut self,
        product: &Molecule,
        found: Match<'_>,
        script: &Script,
        spectators: Spectators,
    ) -> usize {
        let (atoms, all) = (product.atom_count(), self.parent.len());
        reset(&mut self.piece_of_root, all, NOWHERE);
        const WANTED: u32 = NOWHERE - 1;
        const SPOILT: u32 = NOWHERE - 2;
        if spectators == Spectators::Keep {
            self.piece_of_root.fill(WANTED);
            // What hung on a vanished atom vanishes with it.
            for atom in (0..atoms).filter(|&a| self.deleted[a]) {
                self.piece_of_root[atom] = SPOILT;
                for n in product.neighbours(atom) {
                    let root = find(&mut self.parent, n.atom() as u32);
                    self.piece_of_root[root as usize] = SPOILT;
                }
            }
        }
        for (p, &atom) in found.atoms.iter().enumerate() {
            if !script.atoms[p].deleted {
                let root = find(&mut self.parent, atom);
                self.piece_of_root[root as usize] = WANTED;
            }
        }
        for atom in atoms..all {
            let root = find(&mut self.parent, atom as u32);
            self.piece_of_root[root as usize] = WANTED;
        }
        let mut pieces = 0;
        for atom in 0..all as u32 {
            let root = find(&mut self.parent, atom) as usize;
            if self.piece_of_root[root] == WANTED {
                self.piece_of_root[root] = pieces;
                pieces += 1;
            } else if self.piece_of_root[root] == SPOILT {
                self.piece_of_root[root] = NOWHERE;
            }
        }
        self.piece_of.clear();
        for atom in 0..all as u32 {
            let root = find(&mut self.parent, atom) as usize;
            self.piece_of.push(self.piece_of_root[root]);
        }
        self.measure_pieces(product, pieces as usize);
        pieces as usize
    }

    /// Counts the atoms and bonds of each piece, so that its builder is made in one go.
    fn measure_pieces(&mut self, product: &Molecule, pieces: usize) {
        reset(&mut self.sizes, pieces, (0, 0));
        for &piece in &self.piece_of {
            if let Some(size) = self.sizes.get_mut(piece as usize) {
                size.0 += 1;
            }
        }
        let kept = product.bonds().iter().zip(&self.bond_edit).filter(|(_, e)| **e != REMOVED);
        let begins = kept
            .map(|(bond, _)| bond.begin())
            .chain(self.new_bonds.iter().map(|bond| bond.begin as usize));
        for begin in begins {
            if let Some(size) = self.sizes.get_mut(self.piece_of[begin] as usize) {
                size.1 += 1;
            }
        }
    }

    fn piece(&self, atom: u32) -> Option<usize> {
        let piece = self.piece_of[atom as usize];
        (piece != NOWHERE).then_some(piece as usize)
    }

    /// Writes the pieces as builders.
    fn write(
        &mut self,
        script: &Script,
        product: &Molecule,
        found: Match<'_>,
        options: &ApplyOptions,
        notes: &mut Vec<Note>,
    ) -> (Vec<MoleculeBuilder>, Vec<Vec<Origin>>) {
        let pieces = self.number_pieces(product, found, script, options.spectators);
        let sizes = &self.sizes[..pieces];
        let mut builders: Vec<MoleculeBuilder> =
            sizes.iter().map(|s| MoleculeBuilder::with_capacity(s.0, s.1)).collect();
        let mut origins: Vec<Vec<Origin>> = sizes.iter().map(|s| Vec::with_capacity(s.0)).collect();
        let (atoms, all) = (product.atom_count(), self.parent.len());
        reset(&mut self.index_in_piece, all, NOWHERE);
        for atom in 0..all as u32 {
            let Some(piece) = self.piece(atom) else { continue };
            let (mut spec, origin) = if (atom as usize) < atoms {
                let spec = self.atom_spec(script, product, atom as usize);
                (spec, Origin::Product(atom))
            } else {
                (script.new_atoms[atom as usize - atoms], Origin::New)
            };
            spec.map = match origin {
                Origin::Product(atom) if options.write_maps => atom + 1,
                _ => 0,
            };
            spec.chirality = self.handedness(script, product, found, options, atom, notes);
            self.index_in_piece[atom as usize] = builders[piece].add_atom(spec) as u32;
            origins[piece].push(origin);
        }
        self.write_bonds(script, product, found, &mut builders);
        (builders, origins)
    }

    /// Properties of a kept atom of the product, handedness and map aside. Aromatic flags are set
    /// with the aromatic bonds.
    fn atom_spec(&self, script: &Script, product: &Molecule, index: usize) -> AtomSpec {
        let atom = product.atom(index);
        let mut spec = AtomSpec::new(atom.element());
        spec.charge = atom.charge();
        spec.isotope = atom.isotope();
        spec.hydrogens = Hydrogens::Exactly(atom.hydrogens());
        let edit = match self.pattern_atom[index] {
            0 => None,
            p => Some(&script.atoms[p as usize - 1]),
        };
        let mut changed = self.touched[index] || self.reordered[index];
        let (mut stated, mut connectivity) = (None, None);
        if let Some(edit) = edit {
            if let Some(element) = edit.element.filter(|&e| e != atom.element()) {
                spec.element = element;
                // Another element starts afresh, as in RDKit.
                (spec.charge, spec.isotope) = (0, 0);
                changed = true;
            }
            if let Some(charge) = edit.charge.filter(|&c| c != spec.charge) {
                spec.charge = charge;
                changed = true;
            }
            if let Some(isotope) = edit.isotope {
                spec.isotope = isotope;
            }
            spec.aromatic = edit.aromatic;
            (stated, connectivity) = (edit.hydrogens, edit.connectivity);
        }
        if let Some(h) = stated {
            spec.hydrogens = Hydrogens::Exactly(h);
        } else if let Some(all) = connectivity.filter(|_| spec.element.atomic_number() == 7) {
            let neighbours = self.neighbours(product, index as u32).count();
            let hydrogens = usize::from(all).saturating_sub(neighbours).min(1);
            spec.hydrogens = Hydrogens::Exactly(hydrogens as u8);
        } else if changed {
            spec.hydrogens = self.implied_hydrogens(product, index, spec);
        }
        spec
    }

    /// Hydrogens of an atom whose bonds, charge or element change and of which the template does
    /// not state the count.
    ///
    /// The valence model says, except for an aromatic hetero-atom, where it knows no hydrogens:
    /// there the hydrogen takes the place of a lost substituent and gives way to a new one.
    fn implied_hydrogens(&self, product: &Molecule, index: usize, spec: AtomSpec) -> Hydrogens {
        let atom = product.atom(index);
        if !atom.is_aromatic()
            || spec.element != atom.element()
            || spec.charge != atom.charge()
            || atom.atomic_number() == 6
        {
            return Hydrogens::Implied;
        }
        let mut exocyclic = 0i32;
        for n in product.neighbours(index) {
            let order = product.bond(n.bond()).order();
            let edit = self.bond_edit[n.bond()];
            if order == BondOrder::Aromatic {
                if edit != UNCHANGED {
                    return Hydrogens::Implied;
                }
            } else {
                exocyclic += order as i32;
                exocyclic -= if edit == UNCHANGED {
                    order as i32
                } else if edit == REMOVED {
                    0
                } else {
                    edit as i32
                };
            }
        }
        for bond in self.bonds_gained(index as u32) {
            if bond.order == BondOrder::Aromatic {
                return Hydrogens::Implied;
            }
            exocyclic -= bond.order as i32;
        }
        Hydrogens::Exactly((i32::from(atom.hydrogens()) + exocyclic).clamp(0, 4) as u8)
    }

    fn bonds_gained(&self, atom: u32) -> impl Iterator<Item = &NewBond> + '_ {
        self.new_bonds.iter().filter(move |b| b.begin == atom || b.end == atom)
    }

    /// Neighbours of an atom of the result, in the order of the bonds that are written.
    fn neighbours<'a>(
        &'a self,
        product: &'a Molecule,
        atom: u32,
    ) -> impl Iterator<Item = u32> + 'a {
        let kept: &[_] = if (atom as usize) < product.atom_count() {
            product.neighbours(atom as usize)
        } else {
            &[]
        };
        kept.iter()
            .filter(|n| self.bond_edit[n.bond()] != REMOVED)
            .map(|n| n.atom() as u32)
            .chain(self.bonds_gained(atom).map(move |b| b.begin ^ b.end ^ atom))
    }

    /// The mark of an atom of the result.
    fn handedness(
        &self,
        script: &Script,
        product: &Molecule,
        found: Match<'_>,
        options: &ApplyOptions,
        atom: u32,
        notes: &mut Vec<Note>,
    ) -> Chirality {
        let set = |mark: u32| {
            let mark = script.marks[mark as usize];
            let from = Ligands::new(
                mark.ligands
                    .into_iter()
                    .filter(|&l| l != crate::geometry::IMPLIED)
                    .map(|slot| found.atom(slot, product)),
            );
            let to = Ligands::new(self.neighbours(product, atom));
            from.zip(to)
                .and_then(|(from, to)| transfer(mark.chirality, from, to))
                .unwrap_or(Chirality::None)
        };
        let index = atom as usize;
        if index >= product.atom_count() {
            let slot = atom - product.atom_count() as u32 + found.atoms.len() as u32;
            return script
                .new_centres
                .iter()
                .find(|(centre, _)| *centre == slot)
                .map_or(Chirality::None, |&(_, mark)| set(mark));
        }
        let present = product.atom(index).chirality();
        let edit = match self.pattern_atom[index] {
            0 => CentreEdit::Copy,
            p => script.atoms[p as usize - 1].centre,
        };
        let copy = || {
            if present == Chirality::None || !self.touched[index] {
                return present;
            }
            if !present.is_tetrahedral() {
                return Chirality::None;
            }
            let from = Ligands::new(product.neighbours(index).iter().map(|n| n.atom() as u32));
            let to = Ligands::new(self.neighbours(product, atom));
            from.zip(to)
                .and_then(|(from, to)| transfer(present, from, to))
                .unwrap_or(Chirality::None)
        };
        match edit {
            CentreEdit::Copy => copy(),
            CentreEdit::Invert => {
                let copied = copy();
                if copied.is_tetrahedral() {
                    notes.push(Note::CentreInverted(atom));
                }
                copied.inverted()
            }
            CentreEdit::Clear => Chirality::None,
            CentreEdit::ClearUnlessLenient => match options.stereo {
                StereoRule::Strict => Chirality::None,
                StereoRule::Lenient => copy(),
            },
            CentreEdit::Set(mark) => set(mark),
            CentreEdit::Follow(_) if !present.is_tetrahedral() => Chirality::None,
            CentreEdit::Follow(mark) => {
                let wanted = set(mark);
                let wanted = if found.mirrored { wanted.inverted() } else { wanted };
                if wanted.is_tetrahedral() && copy() == wanted.inverted() {
                    notes.push(Note::CentreInverted(atom));
                }
                wanted
            }
        }
    }

    /// Writes the bonds: those of the product in their order, then the new ones.
    fn write_bonds(
        &self,
        script: &Script,
        product: &Molecule,
        found: Match<'_>,
        builders: &mut [MoleculeBuilder],
    ) {
        for (index, bond) in product.bonds().iter().enumerate() {
            let edit = self.bond_edit[index];
            let Some(piece) = self.piece(bond.begin() as u32) else { continue };
            if edit == REMOVED {
                continue;
            }
            let order = order_of(edit).unwrap_or(bond.order());
            let ends = [bond.begin() as u32, bond.end() as u32];
            let written = self.add_bond(&mut builders[piece], ends, order);
            if order == BondOrder::Double && bond.stereo() != BondStereo::None {
                let stereo = self.carried_geometry(product, index);
                builders[piece].bond_mut(written).stereo = stereo;
            }
            if !script.double_bonds.is_empty() && order == BondOrder::Double {
                self.set_geometry(script, product, found, ends, &mut builders[piece], written);
            }
        }
        for i in 0..self.new_bonds.len() {
            let NewBond { begin, end, order } = self.new_bonds[i];
            let Some(piece) = self.piece(begin) else { continue };
            let written = self.add_bond(&mut builders[piece], [begin, end], order);
            if order == BondOrder::Double {
                let ends = [begin, end];
                self.set_geometry(script, product, found, ends, &mut builders[piece], written);
            }
        }
    }

    fn add_bond(&self, builder: &mut MoleculeBuilder, ends: [u32; 2], order: BondOrder) -> usize {
        let [begin, end] = ends.map(|e| self.index_in_piece[e as usize] as usize);
        if order == BondOrder::Aromatic {
            builder.atom_mut(begin).aromatic = true;
            builder.atom_mut(end).aromatic = true;
        }
        builder.add_bond(begin, end, order)
    }

    fn first_other(&self, product: &Molecule, at: u32, not: u32) -> Option<u32> {
        self.neighbours(product, at).find(|&n| n != not)
    }

    /// Geometry of a double bond of the product, said of the neighbours in the result.
    fn carried_geometry(&self, product: &Molecule, index: usize) -> BondStereo {
        let bond = product.bond(index);
        let ends = [bond.begin() as u32, bond.end() as u32];
        if ends.iter().all(|&e| !self.touched[e as usize]) {
            return bond.stereo();
        }
        let Some((a, b)) = product.stereo_references(index) else { return BondStereo::None };
        let mut stereo = bond.stereo();
        for (k, reference) in [(0, a as u32), (1, b as u32)] {
            let (at, not) = (ends[k], ends[1 - k]);
            let Some(first) = self.first_other(product, at, not) else {
                return BondStereo::None;
            };
            if first == reference {
                continue;
            }
            let has = |atom: u32| self.neighbours(product, at).any(|n| n == atom);
            let old = product.neighbours(at as usize).iter().any(|n| n.atom() as u32 == first);
            let replaces = if old {
                // The other neighbour on this side: the reference is gone or comes later.
                false
            } else {
                // A new neighbour stands where a lost one stood.
                !has(reference)
            };
            if !replaces {
                stereo = stereo.inverted();
            }
        }
        stereo
    }

    /// Applies what the template says of the double bond between these atoms.
    fn set_geometry(
        &self,
        script: &Script,
        product: &Molecule,
        found: Match<'_>,
        ends: [u32; 2],
        builder: &mut MoleculeBuilder,
        written: usize,
    ) {
        for edit in &script.double_bonds {
            let mut at = edit.ends.map(|slot| found.atom(slot, product));
            let mut references = edit.references.map(|slot| found.atom(slot, product));
            if at == [ends[1], ends[0]] {
                at.reverse();
                references.reverse();
            }
            if at != ends {
                continue;
            }
            let mut stereo = edit.stereo;
            for k in 0..2 {
                match self.first_other(product, at[k], at[1 - k]) {
                    Some(first) if first == references[k] => {}
                    Some(_) => stereo = stereo.inverted(),
                    None => stereo = BondStereo::None,
                }
            }
            builder.bond_mut(written).stereo = stereo;
        }
    }
}

/// Leaves out the origins of hydrogen atoms that building folds into their neighbours. Which ones
/// those are only building knows: a copy whose atoms are numbered shows it.
fn drop_folded(builder: &MoleculeBuilder, origins: &mut Vec<Origin>) -> Result<(), NoMolecule> {
    let plain_hydrogen = |a: &AtomSpec| a.element == Element::H && a.isotope == 0;
    if !builder.atoms().iter().any(plain_hydrogen) {
        return Ok(());
    }
    let mut numbered = builder.clone();
    for atom in 0..origins.len() {
        numbered.atom_mut(atom).map = atom as u32 + 1;
    }
    let built = numbered.build().map_err(|_| NoMolecule)?;
    *origins = built.atoms().iter().map(|a| origins[a.map() as usize - 1]).collect();
    Ok(())
}

fn order_of(edit: u8) -> Option<BondOrder> {
    [
        BondOrder::Single,
        BondOrder::Double,
        BondOrder::Triple,
        BondOrder::Quadruple,
        BondOrder::Aromatic,
        BondOrder::Dative,
    ]
    .into_iter()
    .find(|&o| o as u8 == edit)
}

fn reset<T: Copy>(values: &mut Vec<T>, len: usize, value: T) {
    values.clear();
    values.resize(len, value);
}

fn find(parent: &mut [u32], atom: u32) -> u32 {
    let mut at = atom;
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    // The smaller index is the root, so that roots do not depend on the order of bonds.
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
    }
}
