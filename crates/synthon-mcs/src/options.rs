//! What is asked for.

use synthon_query::ChemistryOptions;

/// What makes one common subgraph larger than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Maximum common induced subgraph: two mapped atoms are bonded in the query exactly when
    /// their images are bonded in the target. The most atoms, then the most bonds.
    #[default]
    Mcis,
    /// Maximum common edge subgraph: a mapped pair may be bonded in one molecule only. The most
    /// bonds, then the most atoms; no atom without a common bond.
    Mces,
}

/// How the common part of two molecules is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McsOptions {
    /// Which of two common subgraphs is the larger.
    pub objective: Objective,
    /// One connected piece (default), or any number of pieces.
    pub connected: bool,
    /// Least number of atoms of a piece, at least 1; only when not `connected`.
    pub min_fragment_atoms: usize,
    /// Greatest number of pieces, at least 1; only when not `connected`.
    pub max_fragments: usize,
    /// When atoms and bonds match. `match_stereo`: two stated configurations must not
    /// contradict each other, one that is not stated matches any.
    pub chemistry: ChemistryOptions,
}

impl Default for McsOptions {
    /// Connected MCIS by elements and bond orders.
    fn default() -> Self {
        McsOptions {
            objective: Objective::Mcis,
            connected: true,
            min_fragment_atoms: 1,
            max_fragments: usize::MAX,
            chemistry: ChemistryOptions::default(),
        }
    }
}
