//! Finding, among many templates, the few that can match a molecule.

use std::collections::HashMap;

use synthon_query::{AtomScreen, BondScreen, Pattern, TargetProfile};

use crate::template::Template;

/// A demand that many templates share: an atom, or two atoms and the bond between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Feature {
    /// Index of the atom's screen.
    pub(crate) atom: u32,
    /// The bond, and the screen of the atom at its other end.
    pub(crate) bond: Option<(BondScreen, u32)>,
}

/// An index over the product sides of templates.
///
/// Each product side is taken apart into its bonds with their ends (and its lone atoms). Of these
/// demands a library has far fewer different ones than templates; each is looked for in the
/// molecule at most once, and a template is a candidate when all of its own are there. Templates
/// are reached through their most specific demand only, so that most are never looked at.
#[derive(Clone, Debug, Default)]
pub struct TemplateIndex {
    pub(crate) screens: Vec<AtomScreen>,
    pub(crate) features: Vec<Feature>,
    /// Demands of template `i`: `needs[offsets[i]..offsets[i + 1]]`, most specific first.
    pub(crate) offsets: Vec<u32>,
    pub(crate) needs: Vec<u32>,
    /// Templates by their most specific demand, in ascending order.
    buckets: Vec<(u32, Vec<u32>)>,
    /// Templates without demands: always candidates.
    always: Vec<u32>,
}

/// Working memory of [`TemplateIndex::candidates`].
#[derive(Clone, Debug, Default)]
pub struct IndexScratch {
    /// For each screen, the atoms that pass, as bits.
    passing: Vec<u64>,
    /// For each feature: 0 not looked for yet, 1 absent, 2 present.
    present: Vec<u8>,
}

impl TemplateIndex {
    /// Indexes templates; candidates are named by their position.
    pub fn new<'a>(templates: impl IntoIterator<Item = &'a Template>) -> Self {
        Self::of_patterns(templates.into_iter().map(Template::searched))
    }

    fn of_patterns<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Self {
        let mut index = TemplateIndex { offsets: vec![0], ..TemplateIndex::default() };
        let mut screen_ids: HashMap<AtomScreen, u32> = HashMap::new();
        let mut feature_ids: HashMap<Feature, u32> = HashMap::new();
        for pattern in patterns {
            let mut screen_of = |atom: usize| {
                let screen = pattern.atom_screen(atom);
                *screen_ids.entry(screen).or_insert_with(|| {
                    index.screens.push(screen);
                    index.screens.len() as u32 - 1
                })
            };
            let screens: Vec<u32> = (0..pattern.atoms().len()).map(&mut screen_of).collect();
            let mut own: Vec<u32> = Vec::new();
            let mut add = |feature: Feature| {
                own.push(*feature_ids.entry(feature).or_insert_with(|| {
                    index.features.push(feature);
                    index.features.len() as u32 - 1
                }));
            };
            for (i, bond) in pattern.bonds().iter().enumerate() {
                let (a, b) = (screens[bond.begin()], screens[bond.end()]);
                let bond = Some((pattern.bond_screen(i), a.max(b)));
                add(Feature { atom: a.min(b), bond });
            }
            for (atom, &screen) in screens.iter().enumerate() {
                if pattern.graph().neighbours(atom).is_empty() {
                    add(Feature { atom: screen, bond: None });
                }
            }
            own.sort_unstable();
            own.dedup();
            index.needs.extend(own);
            index.offsets.push(index.needs.len() as u32);
        }
        index.fill_buckets();
        index
    }

    /// Sorts the demands of each template and files it under the first.
    pub(crate) fn fill_buckets(&mut self) {
        let mut used = vec![0u32; self.features.len()];
        for &need in &self.needs {
            used[need as usize] += 1;
        }
        // Specific demands first; of equally specific ones those that fewer templates share.
        let keys: Vec<_> = (0..self.features.len() as u32)
            .map(|need| (std::cmp::Reverse(self.strength(need)), used[need as usize], need))
            .collect();
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); self.features.len()];
        let mut needs = std::mem::take(&mut self.needs);
        for template in 0..self.len() {
            let range = self.offsets[template] as usize..self.offsets[template + 1] as usize;
            let own = &mut needs[range];
            own.sort_unstable_by_key(|&n| keys[n as usize]);
            match own.first() {
                Some(&first) => buckets[first as usize].push(template as u32),
                None => self.always.push(template as u32),
            }
        }
        self.needs = needs;
        self.buckets = (0..).zip(buckets).filter(|(_, list)| !list.is_empty()).collect();
    }

    fn strength(&self, feature: u32) -> u32 {
        let feature = self.features[feature as usize];
        let atom = self.screens[feature.atom as usize].strength();
        feature.bond.map_or(atom, |(bond, other)| {
            atom + self.screens[other as usize].strength() + bond.strength()
        })
    }

    /// Number of templates.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the positions of all templates that may match the molecule into `found`, ascending.
    /// A template that is not among them does not match; one that is need not match either.
    pub fn candidates(
        &self,
        molecule: &TargetProfile,
        scratch: &mut IndexScratch,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        found.extend_from_slice(&self.always);
        let atoms = molecule.atom_count();
        let words = atoms.div_ceil(64);
        scratch.passing.clear();
        scratch.passing.resize(self.screens.len() * words, 0);
        scratch.present.clear();
        scratch.present.resize(self.features.len(), 0);
        for (s, screen) in self.screens.iter().enumerate() {
            for atom in 0..atoms {
                let bit = u64::from(screen.allows(molecule, atom)) << (atom % 64);
                scratch.passing[s * words + atom / 64] |= bit;
            }
        }
        let IndexScratch { passing, present } = scratch;
        let mut has = |feature: u32| {
            let known = &mut present[feature as usize];
            if *known == 0 {
                let feature = self.features[feature as usize];
                *known = 1 + u8::from(occurs(feature, molecule, passing, words));
            }
            *known == 2
        };
        for (feature, templates) in &self.buckets {
            if !has(*feature) {
                continue;
            }
            for &template in templates {
                let range = self.offsets[template as usize] as usize + 1
                    ..self.offsets[template as usize + 1] as usize;
                if self.needs[range].iter().all(|&need| has(need)) {
                    found.push(template);
                }
            }
        }
        found.sort_unstable();
    }
}

/// Whether a demand is met somewhere in the molecule.
fn occurs(feature: Feature, molecule: &TargetProfile, passing: &[u64], words: usize) -> bool {
    let row = |screen: u32| &passing[screen as usize * words..(screen as usize + 1) * words];
    let first = row(feature.atom);
    let Some((bond, other)) = feature.bond else { return first.iter().any(|&w| w != 0) };
    let second = row(other);
    if second.iter().all(|&w| w == 0) {
        return false;
    }
    first.iter().enumerate().any(|(word, &bits)| {
        let mut bits = bits;
        while bits != 0 {
            let atom = word * 64 + bits.trailing_zeros() as usize;
            if molecule.neighbours_over(atom, bond).any(|n| second[n / 64] >> (n % 64) & 1 == 1) {
                return true;
            }
            bits &= bits - 1;
        }
        false
    })
}
