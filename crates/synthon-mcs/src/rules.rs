//! Which atoms and bonds of two molecules may match.

use synthon_mol::{BondOrder, Molecule};
use synthon_query::{BondOrderMatch, ChemistryOptions};

/// Compatibility of atoms and of bonds under the chemistry options. The bond relation is not
/// transitive: an aromatic bond matches a single and a double one, which do not match each other.
pub(crate) struct Rules<'a> {
    pub(crate) query: &'a Molecule,
    pub(crate) target: &'a Molecule,
    pub(crate) options: &'a ChemistryOptions,
}

impl Rules<'_> {
    fn rings_apart(&self) -> bool {
        self.options.ring_matches_ring_only || self.options.complete_rings_only
    }

    pub(crate) fn atoms_match(&self, q: usize, t: usize) -> bool {
        let (a, b) = (self.query.atom(q), self.target.atom(t));
        (!self.options.atom_type || a.element() == b.element())
            && (!self.options.formal_charge || a.charge() == b.charge())
            && (!self.options.isotope
                || a.isotope() == b.isotope()
                || a.isotope() == 0
                || b.isotope() == 0)
            && (!self.options.aromaticity_strict || a.is_aromatic() == b.is_aromatic())
            && (!self.rings_apart() || a.in_ring() == b.in_ring())
    }

    /// Whether the bonds match, their ends apart.
    pub(crate) fn bonds_match(&self, q: usize, t: usize) -> bool {
        let (a, b) = (self.query.bond(q), self.target.bond(t));
        let (aromatic_a, aromatic_b) = (a.is_aromatic(), b.is_aromatic());
        if self.options.aromaticity_strict && aromatic_a != aromatic_b {
            return false;
        }
        if self.rings_apart() && a.in_ring() != b.in_ring() {
            return false;
        }
        let flexible = |order: BondOrder| matches!(order, BondOrder::Single | BondOrder::Double);
        self.options.bond_order != BondOrderMatch::Strict
            || a.order() == b.order()
            || (aromatic_a && flexible(b.order()))
            || (aromatic_b && flexible(a.order()))
    }

    /// Everything about an atom that a rule can look at: atoms with equal keys behave alike.
    pub(crate) fn atom_key(molecule: &Molecule, atom: usize) -> (u8, i8, u16, bool, bool) {
        let a = molecule.atom(atom);
        (a.atomic_number(), a.charge(), a.isotope(), a.is_aromatic(), a.in_ring())
    }

    /// Everything about a bond that a rule can look at, its geometry apart.
    pub(crate) fn bond_key(molecule: &Molecule, bond: usize) -> (BondOrder, bool) {
        let b = molecule.bond(bond);
        (b.order(), b.in_ring())
    }
}
