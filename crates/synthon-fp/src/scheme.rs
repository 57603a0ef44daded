//! What is hashed into a fingerprint.

use std::fmt;

use crate::maccs;

/// A kind of fingerprint with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// Extended connectivity: the surroundings of each atom up to `radius` bonds away
    /// (Rogers and Hahn 2010). ECFP4 has radius 2.
    Ecfp {
        /// Largest distance from the central atom, in bonds.
        radius: u32,
    },
    /// The same, starting from pharmacophoric roles of the atoms instead of their elements.
    Fcfp {
        /// Largest distance from the central atom, in bonds.
        radius: u32,
    },
    /// RDKit's path fingerprint: all connected subgraphs of `min_path` to `max_path` bonds,
    /// branched ones too, each setting two bits.
    Path {
        /// Fewest bonds of a subgraph.
        min_path: usize,
        /// Most bonds of a subgraph.
        max_path: usize,
    },
    /// Topological torsions: chains of four atoms (Nilakantan 1987).
    Torsion,
    /// Pairs of atoms with the distance between them (Carhart 1985).
    AtomPair,
    /// The 166 public MACCS keys; bit 0 is never set, so that bits have the keys' numbers.
    Maccs,
    /// Our own paths, made as a screen for common substructures: the bits of a molecule are a
    /// subset of those of every molecule that contains it.
    Mcs {
        /// Most bonds of a path.
        max_path: usize,
    },
}

impl Scheme {
    /// ECFP4.
    pub const ECFP4: Scheme = Scheme::Ecfp { radius: 2 };
    /// RDKit's path fingerprint with its defaults.
    pub const PATH: Scheme = Scheme::Path { min_path: 1, max_path: 7 };

    /// The names of all schemes, aliases not among them.
    pub const NAMES: [&'static str; 7] =
        ["ecfp", "fcfp", "path", "torsion", "atom_pair", "maccs", "mcs"];

    /// A scheme with its default parameters by name; `circular` is another name of `ecfp`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ecfp" | "circular" => Scheme::ECFP4,
            "fcfp" => Scheme::Fcfp { radius: 2 },
            "path" => Scheme::PATH,
            "torsion" => Scheme::Torsion,
            "atom_pair" => Scheme::AtomPair,
            "maccs" => Scheme::Maccs,
            "mcs" => Scheme::Mcs { max_path: 7 },
            _ => return None,
        })
    }

    /// The same with this radius, in bonds; schemes without one stay as they are.
    pub fn with_radius(self, radius: u32) -> Self {
        match self {
            Scheme::Ecfp { .. } => Scheme::Ecfp { radius },
            Scheme::Fcfp { .. } => Scheme::Fcfp { radius },
            other => other,
        }
    }

    /// The same with paths of at most so many bonds; schemes without paths stay as they are.
    pub fn with_max_path(self, max_path: usize) -> Self {
        match self {
            Scheme::Path { min_path, .. } => Scheme::Path { min_path, max_path },
            Scheme::Mcs { .. } => Scheme::Mcs { max_path },
            other => other,
        }
    }

    /// The name without parameters.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Ecfp { .. } => "ecfp",
            Scheme::Fcfp { .. } => "fcfp",
            Scheme::Path { .. } => "path",
            Scheme::Torsion => "torsion",
            Scheme::AtomPair => "atom_pair",
            Scheme::Maccs => "maccs",
            Scheme::Mcs { .. } => "mcs",
        }
    }

    /// Whose bits these are and since when: fingerprints can be compared when their version, their
    /// parameters and their size are equal. A change of bits is a change of this text.
    pub fn version(self) -> &'static str {
        match self {
            Scheme::Mcs { .. } => "synthon-mcs-1",
            _ => "rdkit-2026.09",
        }
    }

    /// The size of a scheme that cannot be folded: 167 for MACCS keys.
    pub fn fixed_size(self) -> Option<usize> {
        match self {
            Scheme::Maccs => Some(maccs::SIZE),
            _ => None,
        }
    }

    /// Fewest bits that the fingerprint fits into; counts fit into any number of positions but
    /// zero.
    pub fn min_size(self) -> usize {
        match self {
            Scheme::Torsion | Scheme::AtomPair => 5,
            _ => self.fixed_size().unwrap_or(1),
        }
    }

    /// Whether bits tell of counts: each code has four bits, for 1, 2, 4 and 8 occurrences.
    pub fn simulates_counts(self) -> bool {
        matches!(self, Scheme::Torsion | Scheme::AtomPair)
    }

    /// Whether the scheme has counts.
    pub fn has_counts(self) -> bool {
        !matches!(self, Scheme::Maccs | Scheme::Mcs { .. })
    }
}

impl fmt::Display for Scheme {
    /// Name and parameters, such as `ecfp(radius=2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Scheme::Ecfp { radius } | Scheme::Fcfp { radius } => write!(f, "(radius={radius})"),
            Scheme::Path { min_path, max_path } => {
                write!(f, "(min_path={min_path},max_path={max_path})")
            }
            Scheme::Mcs { max_path } => write!(f, "(max_path={max_path})"),
            Scheme::Torsion | Scheme::AtomPair | Scheme::Maccs => Ok(()),
        }
    }
}
