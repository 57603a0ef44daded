//! The 166 public MACCS keys: small substructures, some of them wanted several times.
//!
//! The definitions stand in `maccs_keys.tsv` (key, least number of places, SMARTS): those of
//! RDKit (BSD-3-Clause), after Durant and others, J. Chem. Inf. Comput. Sci. 42 (2002) 1273.
//! Three keys are no pattern: 1 (isotopes) is never set, 125 wants two aromatic rings, 166 two
//! fragments.

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};

use crate::codes::Sink;

/// Bits of the fingerprint: key `i` is bit `i`.
pub(crate) const SIZE: usize = 167;

const TABLE: &str = include_str!("maccs_keys.tsv");
const TWO_AROMATIC_RINGS: u64 = 125;
const TWO_FRAGMENTS: u64 = 166;

/// RDKit looks at this many matches of a pattern at most.
const MOST_MATCHES: usize = 1_000;

/// The compiled keys.
#[derive(Debug)]
pub(crate) struct Keys {
    patterns: Vec<Key>,
}

/// A pattern and the keys that it sets, each with the number of places it takes.
#[derive(Debug)]
struct Key {
    text: &'static str,
    pattern: Pattern,
    sets: Vec<(u64, usize)>,
}

impl Default for Keys {
    fn default() -> Self {
        let mut patterns: Vec<Key> = Vec::new();
        for line in TABLE.lines() {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("three fields a line");
            let (number, least, text) = (field(), field(), field());
            let number = number.parse().expect("the number of a key");
            let least = least.parse().expect("a number of places");
            match patterns.iter_mut().find(|key| key.text == text) {
                Some(key) => key.sets.push((number, least)),
                None => {
                    let pattern = Pattern::from_smarts(text).expect("the definitions are SMARTS");
                    patterns.push(Key { text, pattern, sets: vec![(number, least)] });
                }
            }
        }
        Keys { patterns }
    }
}

impl Keys {
    /// Passes the number of every key that a molecule has to `sink`.
    pub(crate) fn codes(
        &self,
        molecule: &Molecule,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let target = Target::new(molecule);
        let mut matcher = Matcher::new();
        let options = MatchOptions::default();
        for key in &self.patterns {
            let places = if key.sets.iter().all(|&(_, least)| least == 1) {
                usize::from(matcher.matches_within(&key.pattern, &target, &options, budget)?)
            } else {
                let pattern = &key.pattern;
                let found = matcher.all_within(pattern, &target, &options, MOST_MATCHES, budget);
                budget.check()?;
                found.unique().len()
            };
            for &(number, _) in key.sets.iter().filter(|&&(_, least)| least <= places) {
                sink.take(number);
            }
        }
        let rings = molecule.rings();
        let aromatic = |ring: &usize| {
            rings.bonds(*ring).iter().all(|&bond| molecule.bond(bond as usize).is_aromatic())
        };
        if (0..rings.len()).filter(aromatic).nth(1).is_some() {
            sink.take(TWO_AROMATIC_RINGS);
        }
        if molecule.components().0 > 1 {
            sink.take(TWO_FRAGMENTS);
        }
        Ok(())
    }
}
