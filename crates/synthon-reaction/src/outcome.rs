//! What applying a template gives, and the choices that a caller has.

use std::fmt;

use synthon_budget::Status;
use synthon_mol::Molecule;

/// Which matches a template's stereo marks, or their absence, allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StereoRule {
    /// As rdchiral: a centre or double bond that the product side describes with all its
    /// neighbours but without a mark stands for an unspecified one, and does not match a
    /// specified one; a mark does not match an unspecified centre that could be specified; the
    /// marked centres of a match agree all or are mirrored all. A centre of which the template
    /// shows fewer neighbours (fewer than three, or three without a word on hydrogens) matches
    /// in any case and keeps its handedness.
    #[default]
    Strict,
    /// Only a mark that contradicts a specified centre or double bond forbids a match. What an
    /// unmarked template does to a specified centre is then: handedness kept where one ligand at
    /// most is replaced, lost (with a [`Note`]) where the centre is rebuilt. Suits hand-written
    /// templates, which leave stereo out because it does not matter to them.
    Lenient,
}

/// What becomes of the components of the molecule that the template does not touch (counter-ions,
/// solvent).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spectators {
    /// They do not appear among the precursors, as in RDKit.
    #[default]
    Drop,
    /// They are precursors like the others, so that the step stays balanced.
    Keep,
}

/// Where the components of a product side that stand alone (not in one pair of parentheses) lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Components {
    /// Each has a component of the molecule to itself, as each is given a molecule in RDKit.
    #[default]
    Apart,
    /// Anywhere, as in the Daylight theory: two of them may lie in one component.
    Free,
}

/// Choices for applying a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyOptions {
    /// Which matches stereo allows. Default: [`StereoRule::Strict`].
    pub stereo: StereoRule,
    /// What becomes of untouched components. Default: [`Spectators::Drop`].
    pub spectators: Spectators,
    /// Where the components of the product side lie. Default: [`Components::Apart`].
    pub components: Components,
    /// Matches looked at before the answer is cut and called truncated. Default 1,000, as in
    /// RDKit.
    pub max_matches: usize,
    /// Whether precursor atoms carry the index of their product atom plus one as atom map, and
    /// new atoms none. Default: false, no maps.
    pub write_maps: bool,
    /// Whether outcomes with the same precursors that come from different atoms of the product
    /// are all given. Default: false, each set of precursors once.
    pub every_origin: bool,
}

impl Default for ApplyOptions {
    fn default() -> Self {
        ApplyOptions {
            stereo: StereoRule::Strict,
            spectators: Spectators::Drop,
            components: Components::Apart,
            max_matches: 1_000,
            write_maps: false,
            every_origin: false,
        }
    }
}

impl ApplyOptions {
    /// Sets [`stereo`](Self::stereo).
    pub fn stereo(mut self, rule: StereoRule) -> Self {
        self.stereo = rule;
        self
    }

    /// Sets [`spectators`](Self::spectators).
    pub fn spectators(mut self, spectators: Spectators) -> Self {
        self.spectators = spectators;
        self
    }

    /// Sets [`components`](Self::components).
    pub fn components(mut self, components: Components) -> Self {
        self.components = components;
        self
    }

    /// Sets [`max_matches`](Self::max_matches).
    pub fn max_matches(mut self, matches: usize) -> Self {
        self.max_matches = matches;
        self
    }

    /// Sets [`every_origin`](Self::every_origin).
    pub fn every_origin(mut self, every: bool) -> Self {
        self.every_origin = every;
        self
    }

    /// Sets [`write_maps`](Self::write_maps).
    pub fn write_maps(mut self, write: bool) -> Self {
        self.write_maps = write;
        self
    }
}

/// Where an atom of a precursor comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// This atom of the product.
    Product(u32),
    /// Written by the template: a leaving group, reagent or protecting group.
    New,
}

/// Something about an outcome that a chemist should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// This atom of the product is a stereo centre, and is none in the precursors.
    CentreLost(u32),
    /// This atom of the product is a stereo centre of the other handedness in the precursors.
    CentreInverted(u32),
    /// This atom of the product is no specified stereo centre, but one in the precursors.
    CentreMade(u32),
    /// The double bond between these atoms of the product loses its geometry.
    DoubleBondLost(u32, u32),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::CentreLost(atom) => write!(f, "stereo centre lost at product atom {atom}"),
            Note::CentreInverted(atom) => {
                write!(f, "stereo centre inverted at product atom {atom}")
            }
            Note::CentreMade(atom) => write!(f, "stereo centre made at product atom {atom}"),
            Note::DoubleBondLost(a, b) => {
                write!(f, "double bond geometry lost between product atoms {a} and {b}")
            }
        }
    }
}

/// One distinct set of precursors.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The precursors, each one connected molecule: larger ones (by atoms) first, then by
    /// canonical key; equal ones are repeated.
    pub precursors: Vec<Molecule>,
    /// For each precursor and each of its atoms, where that atom comes from.
    pub origins: Vec<Vec<Origin>>,
    /// Atoms of the product that change: lose or gain a bond, or differ in bond order, hydrogens,
    /// charge, or handedness; ascending. Atoms that vanish are among them.
    pub changed_atoms: Vec<u32>,
    /// The product atoms that the template matched, in the order of its product side.
    pub matched: Vec<u32>,
    /// Remarks, ascending.
    pub notes: Vec<Note>,
}

/// All distinct precursor sets that a template gives for a molecule.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// The distinct outcomes, in an order that depends on their precursors alone and not on how
    /// the molecule is numbered.
    pub outcomes: Vec<Outcome>,
    /// Matches of the product side that stereo allowed, symmetry images included.
    pub matches: usize,
    /// Distinct rewritings whose pieces are no molecules (valence, aromaticity), and were dropped.
    pub invalid: usize,
    /// Whether there may be more outcomes: the match limit or the budget cut the work.
    pub truncated: bool,
}

impl Applied {
    /// Whether nothing came of it.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// [`Status::LimitReached`] when truncated, unless `budget_status` says why.
    pub fn status(&self, budget_status: Status) -> Status {
        match budget_status {
            Status::Completed if self.truncated => Status::LimitReached,
            other => other,
        }
    }
}
