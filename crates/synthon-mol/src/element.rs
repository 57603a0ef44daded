//! The elements: symbols and the other constants of a nucleus.

use crate::element_data::ELEMENTS;
use std::fmt;

/// Symbols by atomic number; 0 is the wildcard.
const SYMBOLS: [&str; 119] = [
    "*", "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S",
    "Cl", "Ar", "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge",
    "As", "Se", "Br", "Kr", "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd",
    "In", "Sn", "Sb", "Te", "I", "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd",
    "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au", "Hg",
    "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U", "Np", "Pu", "Am", "Cm",
    "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn",
    "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
];

/// An element by its atomic number, 1 to 118; number 0 is the wildcard `*` (any or unknown atom).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element(u8);

macro_rules! elements {
    ($($name:ident = $number:literal),* $(,)?) => {
        $(#[allow(missing_docs)] pub const $name: Element = Element($number);)*
    };
}

impl Element {
    /// Symbols by atomic number, the wildcard first.
    pub(crate) const SYMBOLS: [&'static str; 119] = SYMBOLS;
    /// The wildcard atom `*`.
    pub const WILDCARD: Element = Element(0);
    elements! {
        H = 1, HE = 2, LI = 3, BE = 4, B = 5, C = 6, N = 7, O = 8, F = 9, NE = 10, NA = 11, MG = 12,
        AL = 13, SI = 14, P = 15, S = 16, CL = 17, K = 19, CU = 29, ZN = 30, GE = 32, AS = 33,
        SE = 34, BR = 35, PD = 46, SN = 50, TE = 52, I = 53,
    }

    /// The element of this atomic number (0: wildcard), or `None` above 118.
    pub const fn new(atomic_number: u8) -> Option<Element> {
        if atomic_number <= 118 { Some(Element(atomic_number)) } else { None }
    }

    /// Atomic number; 0 for the wildcard.
    #[inline]
    pub const fn atomic_number(self) -> u8 {
        self.0
    }

    /// The symbol as in the periodic table, `*` for the wildcard.
    pub fn symbol(self) -> &'static str {
        SYMBOLS[self.0 as usize]
    }

    /// Looks a symbol up; case counts (`Cl`, not `CL`).
    pub fn from_symbol(symbol: &str) -> Option<Element> {
        SYMBOLS.iter().position(|s| *s == symbol).map(|i| Element(i as u8))
    }

    /// Mass number of the most common isotope; 0 for the wildcard.
    pub fn common_isotope(self) -> u16 {
        ELEMENTS[self.0 as usize].exact_mass.round() as u16
    }

    /// Valences that the model allows, lowest first; -1 stands for any (alone for transition
    /// metals and the wildcard).
    pub fn valences(self) -> &'static [i8] {
        ELEMENTS[self.0 as usize].valences()
    }

    /// Electrons of the outer shell.
    pub fn outer_electrons(self) -> u8 {
        ELEMENTS[self.0 as usize].outer_electrons
    }

    /// Whether this is the wildcard.
    #[inline]
    pub const fn is_wildcard(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
