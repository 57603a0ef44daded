//! Fingerprints of molecules, one after another.

use std::sync::Arc;

use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::atom_pair::AtomPairs;
use crate::codes::{Bits, Counter, Fold, Sink};
use crate::features::Features;
use crate::maccs::Keys;
use crate::mcs_screen::McsScreen;
use crate::morgan::{self, Morgan};
use crate::subgraphs::{MAX_BONDS, Subgraphs};
use crate::torsion::Torsions;
use crate::{CountFingerprint, Fingerprint, FpError, FpErrorKind, Scheme};

/// Most bits of a fingerprint: 8 MiB.
const MAX_SIZE: usize = 1 << 26;

/// How often a torsion or an atom pair must occur to set each of its four bits.
const COUNT_BOUNDS: [u32; 4] = [1, 2, 4, 8];

/// Makes fingerprints of one scheme and size. It keeps its working memory between molecules, so
/// one is made for many of them, and a clone for each thread.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    scheme: Scheme,
    size: usize,
    generator: Generator,
    counter: Counter,
    /// Kept, since making one costs as much as a small molecule.
    unlimited: Option<Budget>,
}

/// What finds the codes of a scheme.
#[derive(Clone, Debug)]
enum Generator {
    Ecfp(Morgan),
    Fcfp(Morgan, Arc<Features>),
    Path(Subgraphs),
    Torsion(Torsions),
    AtomPair(AtomPairs),
    Maccs(Arc<Keys>),
    Mcs(McsScreen),
}

impl Fingerprinter {
    /// For this scheme, folded to `size` bits.
    ///
    /// # Errors
    /// [`FpErrorKind::Size`] for a size of zero or above 2^26, and for MACCS keys for any but 167;
    /// [`FpErrorKind::Parameter`] for paths that are shorter than one bond or longer than 16.
    pub fn new(scheme: Scheme, size: usize) -> Result<Self, FpError> {
        if size == 0 {
            return Err(size_fault(scheme, size, "at least 1 is needed"));
        }
        if size > MAX_SIZE {
            return Err(size_fault(scheme, size, &format!("at most {MAX_SIZE} are made")));
        }
        if let Some(fixed) = scheme.fixed_size().filter(|&fixed| fixed != size) {
            return Err(size_fault(scheme, size, &format!("its size is {fixed}")));
        }
        let generator = match scheme {
            Scheme::Ecfp { .. } => Generator::Ecfp(Morgan::default()),
            Scheme::Fcfp { .. } => Generator::Fcfp(Morgan::default(), Arc::default()),
            Scheme::Path { min_path, max_path } => {
                path_range(min_path, max_path)?;
                Generator::Path(Subgraphs::default())
            }
            Scheme::Torsion => Generator::Torsion(Torsions::default()),
            Scheme::AtomPair => Generator::AtomPair(AtomPairs::default()),
            Scheme::Maccs => Generator::Maccs(Arc::default()),
            Scheme::Mcs { max_path } => {
                path_range(1, max_path)?;
                Generator::Mcs(McsScreen::default())
            }
        };
        Ok(Fingerprinter { scheme, size, generator, counter: Counter::default(), unlimited: None })
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The size in bits.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bits of a molecule.
    ///
    /// # Errors
    /// As [`bits_within`](Self::bits_within), which can also be stopped.
    pub fn bits(&mut self, molecule: &Molecule) -> Result<Fingerprint, FpError> {
        let mut budget = self.unlimited.take().unwrap_or_default();
        let bits = self.bits_within(molecule, &mut budget);
        self.unlimited = Some(budget);
        bits
    }

    /// The bits of a molecule, within a budget that one node is spent of for each part of the
    /// molecule.
    ///
    /// # Errors
    /// [`FpErrorKind::Size`] for torsions and atom pairs in four bits or fewer, since each takes
    /// four; [`FpErrorKind::TooLarge`] for a molecule that takes too much memory;
    /// [`FpErrorKind::Stopped`] when the budget ran out.
    pub fn bits_within(
        &mut self,
        molecule: &Molecule,
        budget: &mut Budget,
    ) -> Result<Fingerprint, FpError> {
        let mut words = vec![0; Fingerprint::words_for(self.size)].into_boxed_slice();
        self.bits_into(molecule, &mut words, budget)?;
        Ok(Fingerprint::from_words(self.size, words).expect("positions are below the size"))
    }

    /// Sets the bits of a molecule in packed words, which need not be zero before.
    ///
    /// # Errors
    /// As [`bits_within`](Self::bits_within); the words are then in part set.
    ///
    /// # Panics
    /// When there are not [`Fingerprint::words_for`] words.
    pub fn bits_into(
        &mut self,
        molecule: &Molecule,
        words: &mut [u64],
        budget: &mut Budget,
    ) -> Result<(), FpError> {
        assert_eq!(words.len(), Fingerprint::words_for(self.size), "words of {} bits", self.size);
        if !self.scheme.simulates_counts() {
            let mut bits = Bits { fold: Fold::new(self.size), words };
            return codes(self.scheme, &mut self.generator, molecule, true, &mut bits, budget);
        }
        let bounds = COUNT_BOUNDS.len();
        if self.size < self.scheme.min_size() {
            return Err(size_fault(self.scheme, self.size, "each code takes four bits"));
        }
        self.counter.start(Some(self.size / bounds));
        codes(self.scheme, &mut self.generator, molecule, true, &mut self.counter, budget)?;
        for (position, count) in self.counter.entries() {
            for (index, _) in COUNT_BOUNDS.iter().enumerate().filter(|bound| *bound.1 <= count) {
                let bit = position as usize * bounds + index;
                words[bit / 64] |= 1 << (bit % 64);
            }
        }
        Ok(())
    }

    /// How often each position occurs in a molecule.
    ///
    /// # Errors
    /// As [`counts_within`](Self::counts_within), which can also be stopped.
    pub fn counts(&mut self, molecule: &Molecule) -> Result<CountFingerprint, FpError> {
        self.counts_within(molecule, &mut Budget::unlimited())
    }

    /// How often each position occurs in a molecule, within a budget.
    ///
    /// # Errors
    /// [`FpErrorKind::NoCounts`] for schemes without; else as
    /// [`bits_within`](Self::bits_within), but for the size.
    pub fn counts_within(
        &mut self,
        molecule: &Molecule,
        budget: &mut Budget,
    ) -> Result<CountFingerprint, FpError> {
        self.count(molecule, Some(self.size), budget)
    }

    /// How often each code occurs in a molecule, not folded to any size; torsions and atom pairs
    /// then have codes that can be read, see [`Scheme`].
    ///
    /// # Errors
    /// As [`counts_within`](Self::counts_within).
    pub fn sparse_counts_within(
        &mut self,
        molecule: &Molecule,
        budget: &mut Budget,
    ) -> Result<CountFingerprint, FpError> {
        self.count(molecule, None, budget)
    }

    fn count(
        &mut self,
        molecule: &Molecule,
        size: Option<usize>,
        budget: &mut Budget,
    ) -> Result<CountFingerprint, FpError> {
        if !self.scheme.has_counts() {
            let message = format!("{} has no counts", self.scheme.name());
            return Err(FpError::new(FpErrorKind::NoCounts, message).with_hint("ask for bits"));
        }
        self.counter.start(size);
        let folded = size.is_some();
        codes(self.scheme, &mut self.generator, molecule, folded, &mut self.counter, budget)?;
        Ok(CountFingerprint::from_entries(size, self.counter.entries().collect()))
    }
}

/// Passes the codes of a molecule to `sink`.
fn codes(
    scheme: Scheme,
    generator: &mut Generator,
    molecule: &Molecule,
    folded: bool,
    sink: &mut impl Sink,
    budget: &mut Budget,
) -> Result<(), FpError> {
    budget.check()?;
    match (scheme, generator) {
        (Scheme::Ecfp { radius }, Generator::Ecfp(morgan)) => {
            morgan_fits(molecule)?;
            morgan.codes(molecule, radius, morgan::connectivity(molecule), sink, budget)?;
        }
        (Scheme::Fcfp { radius }, Generator::Fcfp(morgan, features)) => {
            morgan_fits(molecule)?;
            let start = features.of(molecule, budget)?;
            morgan.codes(molecule, radius, |atom| start[atom], sink, budget)?;
        }
        (Scheme::Path { min_path, max_path }, Generator::Path(subgraphs)) => {
            subgraphs.codes(molecule, min_path, max_path, sink, budget)?;
        }
        (Scheme::Mcs { max_path }, Generator::Mcs(screen)) => {
            screen.codes(molecule, max_path, sink, budget)?;
        }
        (_, Generator::Torsion(torsions)) => torsions.codes(molecule, folded, sink, budget)?,
        (_, Generator::AtomPair(pairs)) => pairs.codes(molecule, folded, sink, budget)?,
        (_, Generator::Maccs(keys)) => keys.codes(molecule, sink, budget)?,
        _ => unreachable!("the generator is made for the scheme"),
    }
    Ok(())
}

fn size_fault(scheme: Scheme, size: usize, hint: &str) -> FpError {
    let message = format!("{} has no fingerprint of {size} bits", scheme.name());
    FpError::new(FpErrorKind::Size, message).with_hint(hint)
}

fn path_range(min: usize, max: usize) -> Result<(), FpError> {
    if 1 <= min && min <= max && max <= MAX_BONDS {
        return Ok(());
    }
    let message = format!("paths of {min} to {max} bonds are none");
    let hint = format!("the shortest has at least 1 bond, the longest at most {MAX_BONDS}");
    Err(FpError::new(FpErrorKind::Parameter, message).with_hint(hint))
}

/// Surroundings take a set of bonds for each atom.
fn morgan_fits(molecule: &Molecule) -> Result<(), FpError> {
    let (atoms, bonds) = (molecule.atom_count(), molecule.bond_count());
    if bonds <= morgan::MAX_BONDS && atoms <= 2 * morgan::MAX_BONDS {
        return Ok(());
    }
    let message = format!("{atoms} atoms and {bonds} bonds are too many for this fingerprint");
    let hint = format!("at most {} bonds and twice as many atoms", morgan::MAX_BONDS);
    Err(FpError::new(FpErrorKind::TooLarge, message).with_hint(hint))
}
