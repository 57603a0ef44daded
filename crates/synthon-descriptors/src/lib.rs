//! What kind of molecule is this, in numbers: the descriptors that everyone asks for, equal to
//! RDKit's of the same names, and the Murcko scaffold.
//!
//! ```
//! use synthon_descriptors::{describe, murcko_scaffold};
//! use synthon_mol::Molecule;
//!
//! let aspirin = Molecule::from_smiles("CC(=O)Oc1ccccc1C(=O)O").unwrap();
//! let numbers = describe(&aspirin);
//! assert_eq!((numbers.hydrogen_bond_donors, numbers.hydrogen_bond_acceptors), (1, 3));
//! assert!((numbers.log_p - 1.3101).abs() < 1e-6);
//! assert!((numbers.tpsa - 63.60).abs() < 1e-6);
//! assert_eq!(murcko_scaffold(&aspirin).unwrap().to_smiles(), "c1ccccc1");
//! ```
#![deny(missing_docs)]

mod counts;
mod crippen;
mod rings;
mod scaffold;
mod surface;

pub use counts::Describer;
pub use scaffold::{generic_scaffold, murcko_scaffold};

use synthon_mol::Molecule;

/// The descriptors of one molecule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descriptors {
    /// Average molar mass in g/mol ([`Molecule::average_mass`]).
    pub molecular_weight: f64,
    /// Monoisotopic mass in unified atomic mass units ([`Molecule::exact_mass`]).
    pub exact_mass: f64,
    /// Atoms other than hydrogen and wildcards.
    pub heavy_atoms: usize,
    /// Atoms other than carbon and hydrogen.
    pub heteroatoms: usize,
    /// Sum of the formal charges, in elementary charges.
    pub formal_charge: i32,
    /// Octanol-water partition coefficient, decimal logarithm (Wildman and Crippen, J. Chem. Inf.
    /// Comput. Sci. 1999, 39, 868).
    pub log_p: f64,
    /// Molar refractivity in cm³/mol, by the same method.
    pub molar_refractivity: f64,
    /// Topological polar surface area of N and O in Å² (Ertl, Rohde and Selzer, J. Med. Chem.
    /// 2000, 43, 3714).
    pub tpsa: f64,
    /// Hydrogen-bond donors: atoms, by the patterns of RDKit's `CalcNumHBD`, not Lipinski's count
    /// of N-H and O-H bonds.
    pub hydrogen_bond_donors: usize,
    /// Hydrogen-bond acceptors: atoms, by the patterns of RDKit's `CalcNumHBA`, not Lipinski's
    /// count of N and O.
    pub hydrogen_bond_acceptors: usize,
    /// Rotatable bonds by RDKit's strict definition (without amides, esters and bonds that turn
    /// CF₃, tert-butyl and the like).
    pub rotatable_bonds: usize,
    /// Rings of the symmetrised smallest set.
    pub rings: usize,
    /// Rings whose bonds are all aromatic.
    pub aromatic_rings: usize,
    /// Rings with a bond that is not aromatic.
    pub aliphatic_rings: usize,
    /// Rings with single bonds only.
    pub saturated_rings: usize,
    /// Rings with an atom other than carbon.
    pub heterocycles: usize,
    /// Part of the carbon atoms that have four neighbours, hydrogens included; 0 without carbon.
    pub fraction_csp3: f64,
    /// Atoms with a tetrahedral stereo mark that means something.
    pub stereocentres: usize,
}

impl Descriptors {
    /// Names of the numbers, as columns of a table, in the order of [`values`](Self::values).
    pub const NAMES: [&'static str; 18] = [
        "molecular_weight",
        "exact_mass",
        "heavy_atoms",
        "heteroatoms",
        "formal_charge",
        "log_p",
        "molar_refractivity",
        "tpsa",
        "hydrogen_bond_donors",
        "hydrogen_bond_acceptors",
        "rotatable_bonds",
        "rings",
        "aromatic_rings",
        "aliphatic_rings",
        "saturated_rings",
        "heterocycles",
        "fraction_csp3",
        "stereocentres",
    ];

    /// The numbers in the order of [`NAMES`](Self::NAMES).
    pub fn values(&self) -> [Value; 18] {
        let count = |n: usize| Value::Count(n as i64);
        [
            Value::Measure(self.molecular_weight),
            Value::Measure(self.exact_mass),
            count(self.heavy_atoms),
            count(self.heteroatoms),
            Value::Count(i64::from(self.formal_charge)),
            Value::Measure(self.log_p),
            Value::Measure(self.molar_refractivity),
            Value::Measure(self.tpsa),
            count(self.hydrogen_bond_donors),
            count(self.hydrogen_bond_acceptors),
            count(self.rotatable_bonds),
            count(self.rings),
            count(self.aromatic_rings),
            count(self.aliphatic_rings),
            count(self.saturated_rings),
            count(self.heterocycles),
            Value::Measure(self.fraction_csp3),
            count(self.stereocentres),
        ]
    }
}

/// The value of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Count(i64),
    /// Any number.
    Measure(f64),
}

impl std::fmt::Display for Value {
    /// Measures have four decimals.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Count(count) => write!(f, "{count}"),
            Value::Measure(measure) => write!(f, "{measure:.4}"),
        }
    }
}

/// All descriptors of a molecule. For many molecules keep a [`Describer`].
pub fn describe(molecule: &Molecule) -> Descriptors {
    Describer::new().describe(molecule)
}
