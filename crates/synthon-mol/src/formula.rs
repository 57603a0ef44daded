//! Formula and masses.

use crate::element_data::ELEMENTS;
use crate::nuclides::nuclide_mass;
use crate::{Atom, Element, Molecule};
use std::fmt::Write;

/// Mass of an electron in unified atomic mass units (CODATA).
const ELECTRON_MASS: f64 = 0.000_548_579_909_46;

impl Atom {
    /// How much heavier the stated isotope is than the element on average, in unified atomic
    /// mass units; 0 where no isotope is stated.
    pub fn mass_excess(&self) -> f64 {
        let average = ELEMENTS[self.atomic_number() as usize].average_mass;
        isotope_mass(self).map_or(0.0, |mass| mass - average)
    }
}

/// Mass of the stated isotope. Unknown nuclides weigh their mass number, wildcards nothing.
fn isotope_mass(atom: &Atom) -> Option<f64> {
    match atom.isotope() {
        0 => None,
        _ if atom.element().is_wildcard() => Some(0.0),
        isotope => {
            Some(nuclide_mass(atom.atomic_number(), isotope).unwrap_or_else(|| f64::from(isotope)))
        }
    }
}

impl Molecule {
    /// Molecular formula as RDKit writes it: carbon, hydrogen, then the others by symbol (hydrogen
    /// leads also without carbon), with the total charge behind: `C2H3O2-`, `H4N+`, `Ca+2`.
    /// Isotopes count as their element.
    pub fn formula(&self) -> String {
        let mut counts = [0u32; 119];
        for atom in self.atoms() {
            counts[atom.atomic_number() as usize] += 1;
            counts[1] += u32::from(atom.hydrogens());
        }
        let mut elements: Vec<Element> = (0..119)
            .filter_map(Element::new)
            .filter(|e| counts[e.atomic_number() as usize] > 0)
            .collect();
        elements.sort_by_key(|&e| {
            let first = match e {
                Element::C => 0,
                Element::H => 1,
                _ => 2,
            };
            (first, e.symbol())
        });
        let mut text = String::new();
        for element in elements {
            text.push_str(element.symbol());
            let count = counts[element.atomic_number() as usize];
            if count > 1 {
                let _ = write!(text, "{count}");
            }
        }
        match self.charge() {
            0 => {}
            1 => text.push('+'),
            -1 => text.push('-'),
            charge => {
                let _ = write!(text, "{charge:+}");
            }
        }
        text
    }

    /// Sum of the formal charges, in elementary charges.
    pub fn charge(&self) -> i32 {
        self.atoms().iter().map(|a| i32::from(a.charge())).sum()
    }

    /// Average molar mass in g/mol, from standard atomic weights; atoms with a stated isotope
    /// count with the mass of their nuclide. Wildcards weigh nothing.
    pub fn average_mass(&self) -> f64 {
        self.mass(|e| ELEMENTS[e.atomic_number() as usize].average_mass)
    }

    /// Monoisotopic mass in unified atomic mass units: every element as its most common isotope
    /// unless one is stated; electrons that the charge adds or takes count. Wildcards weigh
    /// nothing.
    pub fn exact_mass(&self) -> f64 {
        self.mass(|e| ELEMENTS[e.atomic_number() as usize].exact_mass)
            - f64::from(self.charge()) * ELECTRON_MASS
    }

    /// Number of atoms other than hydrogen (of any isotope); wildcards count.
    pub fn heavy_atom_count(&self) -> usize {
        self.atoms().iter().filter(|a| a.element() != Element::H).count()
    }

    fn mass(&self, of: impl Fn(Element) -> f64) -> f64 {
        let hydrogen = of(Element::H);
        let single = |a: &Atom| isotope_mass(a).unwrap_or_else(|| of(a.element()));
        self.atoms().iter().map(|a| single(a) + f64::from(a.hydrogens()) * hydrogen).sum()
    }
}
