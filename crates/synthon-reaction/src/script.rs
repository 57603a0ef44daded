//! The edit script of a template: what its precursor side changes in a match of its product side,
//! worked out once.
//!
//! A *slot* names an atom of the result: `0..matched` are the atoms of the product side, in the
//! order of the pattern, and the slots after them are the new atoms.

use synthon_mol::{AtomSpec, BondOrder, BondStereo, Chirality, Element, Hydrogens};
use synthon_query::{AtomPrimitive, BondPrimitive, Expression, Pattern, evaluate};

use crate::geometry::{IMPLIED, Ligands, transfer};

/// Index of an atom of the result, see the module.
pub(crate) type Slot = u32;

/// Bond orders as a set, bit `order as u8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orders(u8);

impl Orders {
    const ALL: [BondOrder; 6] = [
        BondOrder::Single,
        BondOrder::Double,
        BondOrder::Triple,
        BondOrder::Quadruple,
        BondOrder::Aromatic,
        BondOrder::Dative,
    ];

    /// The orders that a bond expression allows, in a ring or outside one, directions aside.
    fn of(expression: &Expression<BondPrimitive>) -> Orders {
        let allows = |order: BondOrder, in_ring: bool| {
            evaluate(expression, |primitive| match primitive {
                BondPrimitive::Any => true,
                BondPrimitive::Ring => in_ring,
                BondPrimitive::SingleOrAromatic => {
                    matches!(order, BondOrder::Single | BondOrder::Aromatic)
                }
                BondPrimitive::Single | BondPrimitive::Direction { .. } => {
                    order == BondOrder::Single
                }
                BondPrimitive::Double => order == BondOrder::Double,
                BondPrimitive::Triple => order == BondOrder::Triple,
                BondPrimitive::Quadruple => order == BondOrder::Quadruple,
                BondPrimitive::Aromatic => order == BondOrder::Aromatic,
                BondPrimitive::Dative(_) => order == BondOrder::Dative,
            })
        };
        let allowed = Self::ALL.into_iter().filter(|&o| allows(o, false) || allows(o, true));
        Orders(allowed.fold(0, |set, order| set | 1 << order as u8))
    }

    pub fn contains(self, order: BondOrder) -> bool {
        self.0 >> order as u8 & 1 == 1
    }

    pub fn bits(self) -> u8 {
        self.0
    }

    fn only(order: BondOrder) -> Orders {
        Orders(1 << order as u8)
    }

    fn is_only(self, order: BondOrder) -> bool {
        self.0 == 1 << order as u8
    }

    fn without(self, order: BondOrder) -> Orders {
        Orders(self.0 & !(1 << order as u8))
    }

    fn is_subset(self, of: Orders) -> bool {
        self.0 & !of.0 == 0
    }

    fn first(self) -> Option<BondOrder> {
        Self::ALL.into_iter().find(|&o| self.contains(o))
    }
}

/// What happens to one atom of the product side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AtomEdit {
    /// Absent from the precursors; the properties below are then empty.
    pub deleted: bool,
    pub element: Option<Element>,
    pub charge: Option<i8>,
    pub hydrogens: Option<u8>,
    /// Neighbours including hydrogens (`X3`), told where the atom becomes aromatic: what tells the
    /// nitrogen of pyrrole from that of pyridine when no hydrogens are stated.
    pub connectivity: Option<u8>,
    pub isotope: Option<u16>,
    /// Written as aromatic on the precursor side.
    pub aromatic: bool,
    /// What happens to its handedness.
    pub centre: CentreEdit,
}

/// What happens to the handedness of a kept atom. `Set` and `Follow` point into
/// [`Script::marks`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CentreEdit {
    /// Carried over, a replaced ligand standing where the old one stood.
    #[default]
    Copy,
    /// The same, and inverted.
    Invert,
    /// Lost.
    Clear,
    /// Lost where the molecule has none anyway, carried over under the lenient rule.
    ClearUnlessLenient,
    /// As the precursor side says.
    Set(u32),
    /// As the precursor side says, mirrored when the match is; none when the molecule has none.
    Follow(u32),
}

/// A mark and the four ligands that it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub chirality: Chirality,
    pub ligands: [Slot; 4],
}

/// A bond between two slots that must become one of some orders; `orders` empty: no bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BondEdit {
    pub begin: Slot,
    pub end: Slot,
    pub orders: Orders,
    /// The order to set where the present one is not among them; `None`: remove.
    pub order: Option<BondOrder>,
}

/// A double bond between two slots that gets a geometry, or loses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DoubleBondEdit {
    pub ends: [Slot; 2],
    /// Neighbours to which the geometry refers, one of either end.
    pub references: [Slot; 2],
    /// [`BondStereo::None`]: lost.
    pub stereo: BondStereo,
}

/// What a product-side atom demands of the handedness of its image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CentreDemand {
    /// The template shows the whole centre: four neighbours, or three and a word on hydrogens.
    pub shown: bool,
    pub mark: Option<Mark>,
    pub has_mark: bool,
}

/// What a product-side double bond demands of the geometry of its image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DoubleBondDemand {
    pub ends: [Slot; 2],
    pub references: [Slot; 2],
    /// [`BondStereo::None`]: not marked, although the neighbours are shown.
    pub stereo: BondStereo,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// One for each product-side atom.
    pub atoms: Vec<AtomEdit>,
    pub new_atoms: Vec<AtomSpec>,
    /// Bonds with two matched ends.
    pub bonds: Vec<BondEdit>,
    /// Bonds with a new atom.
    pub new_bonds: Vec<BondEdit>,
    pub marks: Vec<Mark>,
    /// New atoms that are stereo centres: slot and index of the mark.
    pub new_centres: Vec<(Slot, u32)>,
    pub double_bonds: Vec<DoubleBondEdit>,
    /// One for each product-side atom.
    pub demands: Vec<CentreDemand>,
    pub double_bond_demands: Vec<DoubleBondDemand>,
    /// Whether any stereo mark stands on either side.
    pub has_marks: bool,
    /// Whether the product side has more than one component.
    pub several_components: bool,
    /// For each product-side atom, which change it undergoes: equal numbers, equal changes; 0
    /// for an atom that stays as it is.
    pub atom_kinds: Vec<u32>,
}

/// Compiles the script. `slots[q]` is the slot of precursor-side atom `q`; new atoms state their
/// element.
pub(crate) fn compile(product: &Pattern, precursor: &Pattern, slots: &[Slot]) -> Script {
    let matched = product.atoms().len();
    let mut atom_of = vec![None; matched];
    for (q, &slot) in slots.iter().enumerate() {
        if (slot as usize) < matched {
            atom_of[slot as usize] = Some(q);
        }
    }
    let mut script = Script {
        demands: (0..matched).map(|p| demand(product, p)).collect(),
        has_marks: has_marks(product) || has_marks(precursor),
        several_components: product.graph().component_count() > 1,
        ..Script::default()
    };
    for (p, &q) in atom_of.iter().enumerate() {
        let edit = match q {
            Some(q) => atom_edit(product, p, precursor, q, slots, &mut script.marks),
            None => AtomEdit { deleted: true, ..AtomEdit::default() },
        };
        script.atoms.push(edit);
    }
    add_new_atoms(precursor, slots, matched, &mut script);
    add_bonds(product, precursor, slots, &atom_of, &mut script);
    add_double_bonds(product, precursor, slots, &atom_of, &mut script);
    script.atom_kinds = atom_kinds(product, &script);
    script
}

fn atom_kinds(product: &Pattern, script: &Script) -> Vec<u32> {
    let mut in_bond_edit = vec![false; script.atoms.len()];
    for edit in script.bonds.iter().chain(&script.new_bonds) {
        for slot in [edit.begin, edit.end] {
            if let Some(flag) = in_bond_edit.get_mut(slot as usize) {
                *flag = true;
            }
        }
    }
    // What is kept hangs on the neighbours of what vanishes.
    for bond in product.bonds() {
        for (atom, other) in [(bond.begin(), bond.end()), (bond.end(), bond.begin())] {
            in_bond_edit[other] |= script.atoms[atom].deleted;
        }
    }
    let mut known: Vec<AtomEdit> = Vec::new();
    let mut kinds = Vec::with_capacity(script.atoms.len());
    for (p, &edit) in script.atoms.iter().enumerate() {
        let before = product.stated(p);
        let same_hydrogens = edit.hydrogens.map(u16::from) == before.hydrogens;
        let stays = AtomEdit {
            hydrogens: edit.hydrogens.filter(|_| !same_hydrogens),
            aromatic: edit.aromatic && before.aromatic != Some(true),
            ..edit
        } == AtomEdit::default();
        if stays && !in_bond_edit[p] {
            kinds.push(0);
            continue;
        }
        let kind = known.iter().position(|&k| k == edit).unwrap_or_else(|| {
            known.push(edit);
            known.len() - 1
        });
        kinds.push(kind as u32 + 1);
    }
    kinds
}

fn has_marks(pattern: &Pattern) -> bool {
    pattern.atoms().iter().any(|a| a.has_chirality_mark())
        || pattern.bonds().iter().any(|b| {
            pattern
                .bond_expression(b)
                .iter()
                .any(|l| matches!(l.primitive, BondPrimitive::Direction { .. }))
        })
}

/// Whether the pattern shows all of a tetrahedral centre here.
fn shows_centre(pattern: &Pattern, atom: usize) -> bool {
    match pattern.graph().neighbours(atom).len() {
        0..=2 => false,
        3 => pattern.atom_expression(&pattern.atoms()[atom]).iter().any(|l| {
            matches!(l.primitive, AtomPrimitive::Hydrogens(_) | AtomPrimitive::ImplicitHydrogens(_))
        }),
        _ => true,
    }
}

fn mark_of(pattern: &Pattern, atom: usize, slot_of: impl Fn(usize) -> Slot) -> Option<Mark> {
    let chirality = pattern.atoms()[atom].chirality();
    if !chirality.is_tetrahedral() {
        return None;
    }
    let neighbours = pattern.graph().neighbours(atom);
    let mut ligands = [IMPLIED; 4];
    if !(3..=4).contains(&neighbours.len()) {
        return None;
    }
    for (ligand, n) in ligands.iter_mut().zip(neighbours) {
        *ligand = slot_of(n.atom());
    }
    Some(Mark { chirality, ligands })
}

fn demand(product: &Pattern, p: usize) -> CentreDemand {
    CentreDemand {
        shown: shows_centre(product, p),
        mark: mark_of(product, p, |n| n as Slot),
        has_mark: product.atoms()[p].chirality().is_tetrahedral(),
    }
}

fn atom_edit(
    product: &Pattern,
    p: usize,
    precursor: &Pattern,
    q: usize,
    slots: &[Slot],
    marks: &mut Vec<Mark>,
) -> AtomEdit {
    let (before, after) = (product.stated(p), precursor.stated(q));
    AtomEdit {
        deleted: false,
        element: after.element.filter(|_| before.element != after.element),
        charge: after
            .charge
            .filter(|_| before.charge != after.charge)
            .and_then(|c| i8::try_from(c).ok()),
        // Also when it was the same before: the count holds whatever happens to the bonds.
        hydrogens: after.hydrogens.and_then(|h| u8::try_from(h).ok()),
        connectivity: after
            .connectivity
            .filter(|_| after.aromatic == Some(true) && before.aromatic != Some(true))
            .and_then(|x| u8::try_from(x).ok()),
        isotope: after.isotope.filter(|_| before.isotope != after.isotope),
        aromatic: after.aromatic == Some(true),
        centre: centre_edit(product, p, precursor, q, slots, marks),
    }
}

/// The rules of rdchiral for a mapped atom, with marks on a centre of which a side shows fewer
/// neighbours read as RDKit reads them: the same mark keeps, the other one inverts.
fn centre_edit(
    product: &Pattern,
    p: usize,
    precursor: &Pattern,
    q: usize,
    slots: &[Slot],
    marks: &mut Vec<Mark>,
) -> CentreEdit {
    let before = product.atoms()[p].chirality();
    let after = precursor.atoms()[q].chirality();
    let shown = (shows_centre(product, p), shows_centre(precursor, q));
    let marked = (before.is_tetrahedral(), after.is_tetrahedral());
    let mut push = |make: fn(u32) -> CentreEdit| {
        mark_of(precursor, q, |n| slots[n]).map_or(CentreEdit::Clear, |mark| {
            marks.push(mark);
            make(marks.len() as u32 - 1)
        })
    };
    match (shown, marked) {
        ((true, true), (true, true)) => push(CentreEdit::Follow),
        ((true, true), (false, true)) => push(CentreEdit::Set),
        ((true, _), (true, false)) => CentreEdit::Clear,
        ((true, _), (false, false)) | ((true, false), (false, true)) => CentreEdit::Copy,
        ((false, true), (_, true)) => push(CentreEdit::Set),
        ((false, true), (true, false)) => CentreEdit::Clear,
        ((false, true), (false, false)) => CentreEdit::ClearUnlessLenient,
        ((_, false), (true, true)) => {
            let ligands = |pattern: &Pattern, atom: usize, slot_of: &dyn Fn(usize) -> Slot| {
                Ligands::new(pattern.graph().neighbours(atom).iter().map(|n| slot_of(n.atom())))
            };
            let from = ligands(product, p, &|n| n as Slot);
            let to = ligands(precursor, q, &|n| slots[n]);
            let expected = match (from, to) {
                (Some(from), Some(to)) => transfer(before, from, to).unwrap_or(before),
                _ => before,
            };
            if expected == after { CentreEdit::Copy } else { CentreEdit::Invert }
        }
        ((false, false), _) => CentreEdit::Copy,
    }
}

fn add_new_atoms(precursor: &Pattern, slots: &[Slot], matched: usize, script: &mut Script) {
    for (q, &slot) in slots.iter().enumerate() {
        if (slot as usize) < matched {
            continue;
        }
        let stated = precursor.stated(q);
        let mut atom = AtomSpec::new(stated.element.unwrap_or(Element::WILDCARD));
        atom.charge = stated.charge.and_then(|c| i8::try_from(c).ok()).unwrap_or(0);
        atom.isotope = stated.isotope.unwrap_or(0);
        atom.aromatic = stated.aromatic == Some(true);
        atom.hydrogens = match stated.hydrogens.and_then(|h| u8::try_from(h).ok()) {
            Some(h) => Hydrogens::Exactly(h),
            None => Hydrogens::Implied,
        };
        script.new_atoms.push(atom);
        if let Some(mark) = mark_of(precursor, q, |n| slots[n]) {
            script.new_centres.push((slot, script.marks.len() as u32));
            script.marks.push(mark);
        }
    }
}

/// The orders that a bond of a pattern allows once its atoms have had their say: an aliphatic
/// end rules out an aromatic bond.
fn orders_between(pattern: &Pattern, bond: usize) -> Orders {
    let b = &pattern.bonds()[bond];
    let orders = Orders::of(pattern.bond_expression(b));
    let aliphatic = |atom| pattern.stated(atom).aromatic == Some(false);
    let trimmed = orders.without(BondOrder::Aromatic);
    if trimmed.0 != 0 && (aliphatic(b.begin()) || aliphatic(b.end())) { trimmed } else { orders }
}

fn add_bonds(
    product: &Pattern,
    precursor: &Pattern,
    slots: &[Slot],
    atom_of: &[Option<usize>],
    script: &mut Script,
) {
    let matched = product.atoms().len() as Slot;
    let in_ring = ring_bonds(precursor);
    let aromatic = |pattern: &Pattern, atom| pattern.stated(atom).aromatic == Some(true);
    for (index, bond) in precursor.bonds().iter().enumerate() {
        let mut orders = orders_between(precursor, index);
        let (mut begin, mut end) = (slots[bond.begin()], slots[bond.end()]);
        let become_aromatic = begin < matched
            && end < matched
            && !(aromatic(product, begin as usize) && aromatic(product, end as usize));
        let order = if orders.contains(BondOrder::Aromatic)
            && aromatic(precursor, bond.begin())
            && aromatic(precursor, bond.end())
            && (in_ring[index] || become_aromatic)
        {
            // Atoms that become aromatic do so by their bonds.
            if become_aromatic {
                orders = Orders::only(BondOrder::Aromatic);
            }
            BondOrder::Aromatic
        } else {
            orders.first().unwrap_or(BondOrder::Single)
        };
        if precursor
            .bond_expression(bond)
            .iter()
            .any(|l| l.primitive == BondPrimitive::Dative(false))
        {
            std::mem::swap(&mut begin, &mut end);
        }
        let edit = BondEdit { begin, end, orders, order: Some(order) };
        if begin >= matched || end >= matched {
            script.new_bonds.push(edit);
            continue;
        }
        let unchanged = product
            .graph()
            .bond_between(begin as usize, end as usize)
            .is_some_and(|b| orders_between(product, b).is_subset(orders));
        if !unchanged {
            script.bonds.push(edit);
        }
    }
    for bond in product.bonds() {
        if let (Some(a), Some(b)) = (atom_of[bond.begin()], atom_of[bond.end()])
            && precursor.graph().bond_between(a, b).is_none()
        {
            script.bonds.push(BondEdit {
                begin: bond.begin() as Slot,
                end: bond.end() as Slot,
                orders: Orders(0),
                order: None,
            });
        }
    }
}

/// For each bond of the pattern, whether it lies in a ring of the pattern.
fn ring_bonds(pattern: &Pattern) -> Vec<bool> {
    // A bond is in a ring when its ends stay joined without it. The bonds that a depth-first
    // search leaves out close the rings; walking each back to the common ancestor marks them.
    let graph = pattern.graph();
    let n = graph.atoms().len();
    let (mut parent, mut depth) = (vec![(usize::MAX, usize::MAX); n], vec![usize::MAX; n]);
    let mut in_tree = vec![false; graph.bonds().len()];
    for root in 0..n {
        if depth[root] != usize::MAX {
            continue;
        }
        depth[root] = 0;
        let mut stack = vec![root];
        while let Some(atom) = stack.pop() {
            for nb in graph.neighbours(atom) {
                if depth[nb.atom()] == usize::MAX {
                    depth[nb.atom()] = depth[atom] + 1;
                    parent[nb.atom()] = (atom, nb.bond());
                    in_tree[nb.bond()] = true;
                    stack.push(nb.atom());
                }
            }
        }
    }
    let mut ring = vec![false; graph.bonds().len()];
    for (index, bond) in graph.bonds().iter().enumerate() {
        if in_tree[index] {
            continue;
        }
        ring[index] = true;
        let (mut a, mut b) = (bond.begin(), bond.end());
        while a != b {
            let deeper = if depth[a] >= depth[b] { &mut a } else { &mut b };
            let (up, via) = parent[*deeper];
            ring[via] = true;
            *deeper = up;
        }
    }
    ring
}

/// A double bond of a pattern whose ends both show another neighbour.
struct ShownDoubleBond {
    ends: [usize; 2],
    references: [usize; 2],
    stereo: BondStereo,
}

fn shown_double_bonds(pattern: &Pattern) -> Vec<ShownDoubleBond> {
    let graph = pattern.graph();
    let mut found = Vec::new();
    for (index, bond) in graph.bonds().iter().enumerate() {
        let ends = [bond.begin(), bond.end()];
        if !orders_between(pattern, index).is_only(BondOrder::Double)
            || ends.iter().any(|&e| graph.neighbours(e).len() < 2)
        {
            continue;
        }
        // The marked neighbour of either end, and whether it lies above the double bond when the
        // text is read from left to right.
        let side = |end: usize| {
            graph.neighbours(end).iter().filter(|n| n.bond() != index).find_map(|n| {
                let b = &graph.bonds()[n.bond()];
                pattern.bond_expression(b).iter().find_map(|l| match l.primitive {
                    BondPrimitive::Direction { up, or_unspecified: false } if !l.negated => {
                        Some((n.atom(), up == (b.begin() == end)))
                    }
                    _ => None,
                })
            })
        };
        let first =
            |end: usize| graph.neighbours(end).iter().find(|n| n.bond() != index).map(|n| n.atom());
        match (side(ends[0]), side(ends[1])) {
            (Some((a, above_a)), Some((b, above_b))) => found.push(ShownDoubleBond {
                ends,
                references: [a, b],
                stereo: if above_a == above_b { BondStereo::Cis } else { BondStereo::Trans },
            }),
            _ => {
                if let (Some(a), Some(b)) = (first(ends[0]), first(ends[1])) {
                    found.push(ShownDoubleBond {
                        ends,
                        references: [a, b],
                        stereo: BondStereo::None,
                    });
                }
            }
        }
    }
    found
}

fn add_double_bonds(
    product: &Pattern,
    precursor: &Pattern,
    slots: &[Slot],
    atom_of: &[Option<usize>],
    script: &mut Script,
) {
    let before = shown_double_bonds(product);
    let after = shown_double_bonds(precursor);
    for bond in &after {
        if bond.stereo != BondStereo::None {
            script.double_bonds.push(DoubleBondEdit {
                ends: bond.ends.map(|e| slots[e]),
                references: bond.references.map(|r| slots[r]),
                stereo: bond.stereo,
            });
        }
    }
    for bond in &before {
        script.double_bond_demands.push(DoubleBondDemand {
            ends: bond.ends.map(|e| e as Slot),
            references: bond.references.map(|r| r as Slot),
            stereo: bond.stereo,
        });
        // A marked double bond that the precursor side does not mark loses its geometry.
        let ends = bond.ends.map(|e| atom_of[e]);
        if bond.stereo != BondStereo::None
            && let [Some(a), Some(b)] = ends
            && !after
                .iter()
                .any(|n| n.stereo != BondStereo::None && (n.ends == [a, b] || n.ends == [b, a]))
        {
            script.double_bonds.push(DoubleBondEdit {
                ends: bond.ends.map(|e| e as Slot),
                references: bond.references.map(|r| r as Slot),
                stereo: BondStereo::None,
            });
        }
    }
}
