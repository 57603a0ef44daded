//! What an atom expression says without leaving a choice.

use crate::expression::{AtomPrimitive, Expression, alternatives, clauses};
use synthon_mol::Element;

/// Properties that every atom matching an expression has; `None` where it leaves a choice.
///
/// Negations and recursive parts are not interpreted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// The element.
    pub element: Option<Element>,
    /// Aromatic or aliphatic.
    pub aromatic: Option<bool>,
    /// Formal charge.
    pub charge: Option<i16>,
    /// Hydrogens, folded ones and neighbours.
    pub hydrogens: Option<u16>,
    /// Mass number; `Some(0)` when the expression asks for an unstated one.
    pub isotope: Option<u16>,
    /// Explicit neighbours.
    pub degree: Option<u16>,
    /// Neighbours including hydrogens.
    pub connectivity: Option<u16>,
    /// Valence.
    pub valence: Option<u16>,
}

impl Stated {
    /// Reads an expression.
    pub fn of(expression: &Expression<AtomPrimitive>) -> Stated {
        let mut all = Stated::default();
        for clause in clauses(expression) {
            let mut agreed: Option<Stated> = None;
            for alternative in alternatives(clause) {
                let mut one = Stated::default();
                for literal in alternative.iter().filter(|l| !l.negated) {
                    one.add(literal.primitive);
                }
                agreed = Some(agreed.map_or(one, |a| a.common(one)));
            }
            all = all.or(agreed.unwrap_or_default());
        }
        all
    }

    fn add(&mut self, primitive: AtomPrimitive) {
        use AtomPrimitive as P;
        match primitive {
            P::Aliphatic => self.aromatic = Some(false),
            P::Aromatic => self.aromatic = Some(true),
            P::Number(element) => self.element = Some(element),
            P::Symbol(element, aromatic) => {
                self.element = Some(element);
                self.aromatic = Some(aromatic);
            }
            P::Isotope(mass) => self.isotope = Some(mass),
            P::Charge(low, high) if low == high => self.charge = Some(low),
            P::Hydrogens(count) => self.hydrogens = count.single().or(self.hydrogens),
            P::Degree(count) => self.degree = count.single().or(self.degree),
            P::Connectivity(count) => self.connectivity = count.single().or(self.connectivity),
            P::Valence(count) => self.valence = count.single().or(self.valence),
            _ => {}
        }
    }

    fn common(self, other: Stated) -> Stated {
        fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<T> {
            if a == b { a } else { None }
        }
        Stated {
            element: same(self.element, other.element),
            aromatic: same(self.aromatic, other.aromatic),
            charge: same(self.charge, other.charge),
            hydrogens: same(self.hydrogens, other.hydrogens),
            isotope: same(self.isotope, other.isotope),
            degree: same(self.degree, other.degree),
            connectivity: same(self.connectivity, other.connectivity),
            valence: same(self.valence, other.valence),
        }
    }

    fn or(self, other: Stated) -> Stated {
        Stated {
            element: self.element.or(other.element),
            aromatic: self.aromatic.or(other.aromatic),
            charge: self.charge.or(other.charge),
            hydrogens: self.hydrogens.or(other.hydrogens),
            isotope: self.isotope.or(other.isotope),
            degree: self.degree.or(other.degree),
            connectivity: self.connectivity.or(other.connectivity),
            valence: self.valence.or(other.valence),
        }
    }
}
