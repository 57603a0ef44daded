//! One retrosynthetic step: all that a library proposes for a molecule.

use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Matcher, Target};
use synthon_reaction::{ApplyOptions, IndexScratch, Note, Outcome, StereoRule};

use crate::group::Sites;
use crate::library::{Library, NamedTemplate};

/// What a competing site takes from the confidence in a step, as a factor; at most three count.
const COMPETING_SITE: f64 = 0.64;
const COUNTED_SITES: usize = 3;
/// What it takes when the reaction makes a stereocentre or double-bond geometry that the template
/// does not control: the product is a mixture, or a special variant of the reaction is needed.
const UNCONTROLLED_STEREO: f64 = 0.5;

/// Working memory that is kept from one expansion to the next, for speed.
#[derive(Debug, Default)]
pub struct Scratch {
    template: synthon_reaction::Scratch,
    index: IndexScratch,
    pub(crate) matcher: Matcher,
    candidates: Vec<u32>,
    pub(crate) sites: Sites,
    pub(crate) extracted: crate::policy::Memory,
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }
}

/// A functional group of the product, outside the reaction, that competes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Position in [`Library::groups`].
    pub group: usize,
    /// Atoms of the product at which it stands.
    pub sites: Vec<u32>,
}

/// A way to make a molecule.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Position of the template in [`Library::templates`], or, beyond these, in the extracted
    /// library beside them; see [`Library::rule`].
    pub template: usize,
    /// Precursors, reaction centre, remarks on stereo.
    pub outcome: Outcome,
    /// Competing groups, in the order of the library's groups.
    pub alarms: Vec<Alarm>,
    /// Confidence in the step, above 0 and at most 1: the template's plausibility, less for each
    /// competing site and for stereo that nothing controls. A ranking, not a measured rate.
    pub confidence: f64,
    /// Positions of other templates that give the same precursors, ascending.
    pub also: Vec<usize>,
}

/// What a library proposes for a molecule.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Distinct sets of precursors, the most confident first; equals in the order of the library,
    /// then of the precursors' keys.
    pub proposals: Vec<Proposal>,
    /// Templates that the index could not exclude.
    pub tried: usize,
    /// Templates that matched.
    pub matched: usize,
    /// Whether a limit or the budget cut the work, so that there may be more.
    pub truncated: bool,
    /// Whether templates of low promise, or proposals of low rank, were left out by choice.
    pub cut: bool,
}

impl Library {
    /// Proposes precursors for a molecule with every template that matches.
    ///
    /// The stereo rule is the lenient one: these templates leave stereo out where it does not
    /// matter to them.
    pub fn expand(
        &self,
        product: &Molecule,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Expansion {
        self.expand_where(product, |_| true, scratch, budget)
    }

    /// The same with those templates only that `allowed` lets pass.
    pub fn expand_where(
        &self,
        product: &Molecule,
        allowed: impl Fn(&NamedTemplate) -> bool,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Expansion {
        let target = Target::new(product);
        let mut candidates = std::mem::take(&mut scratch.candidates);
        self.index().candidates(target.profile(), &mut scratch.index, &mut candidates);
        scratch.sites.reset(self.groups().len());
        let mut expansion = Expansion::default();
        let own = product.canonical_key();
        let mut best: BTreeMap<Vec<u128>, Proposal> = BTreeMap::new();
        for &position in &candidates {
            let position = position as usize;
            let named = &self.templates()[position];
            if !allowed(named) {
                continue;
            }
            expansion.tried += 1;
            let options = ApplyOptions::default().stereo(StereoRule::Lenient);
            let applied =
                named.template().apply_to(&target, &options, &mut scratch.template, budget);
            expansion.matched += usize::from(applied.matches > 0);
            expansion.truncated |= applied.truncated;
            for outcome in applied.outcomes {
                let mut keys: Vec<u128> =
                    outcome.precursors.iter().map(Molecule::canonical_key).collect();
                if keys.contains(&own) {
                    continue;
                }
                let Some(alarms) = self.alarms(named, &outcome, &target, scratch) else { continue };
                if !self.could_be_bottled(&outcome.precursors, &target, scratch)
                    || self.any_has(&outcome.precursors, named.precursor_forbids(), scratch)
                    || !named.precursor_side().fits(&outcome.precursors, &mut scratch.matcher)
                {
                    continue;
                }
                keys.sort_unstable();
                let confidence = confidence(named, &outcome, &alarms);
                let proposal =
                    Proposal { template: position, outcome, alarms, confidence, also: Vec::new() };
                merge(&mut best, keys, proposal);
            }
            if budget.stopped().is_some() {
                expansion.truncated = true;
                break;
            }
        }
        scratch.candidates = candidates;
        expansion.proposals = best.into_values().collect();
        // The sort is stable and the map was in the order of keys.
        expansion.proposals.sort_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then(a.template.cmp(&b.template))
        });
        expansion
    }

    /// Whether the precursors are free of unstable groups, those apart that the product has too.
    pub(crate) fn could_be_bottled(
        &self,
        precursors: &[Molecule],
        target: &Target<'_>,
        scratch: &mut Scratch,
    ) -> bool {
        let matcher = &mut scratch.matcher;
        self.unstable().iter().all(|&group| {
            let pattern = self.groups()[group].pattern();
            !precursors.iter().any(|m| matcher.matches(pattern, &Target::new(m)))
                || !scratch.sites.of(group, self.groups(), target, matcher).is_empty()
        })
    }

    /// Whether a precursor has one of the groups.
    fn any_has(&self, precursors: &[Molecule], groups: &[usize], scratch: &mut Scratch) -> bool {
        groups.iter().any(|&group| {
            let pattern = self.groups()[group].pattern();
            precursors.iter().any(|m| scratch.matcher.matches(pattern, &Target::new(m)))
        })
    }

    /// Where a group stands outside the matched atoms.
    fn outside(
        &self,
        group: usize,
        outcome: &Outcome,
        target: &Target<'_>,
        scratch: &mut Scratch,
    ) -> Vec<u32> {
        let sites = scratch.sites.of(group, self.groups(), target, &mut scratch.matcher);
        sites.iter().copied().filter(|site| !outcome.matched.contains(site)).collect()
    }

    /// Those of these groups that stand outside the matched atoms, in ascending order.
    pub(crate) fn standing(
        &self,
        groups: impl IntoIterator<Item = usize>,
        outcome: &Outcome,
        target: &Target<'_>,
        scratch: &mut Scratch,
    ) -> Vec<Alarm> {
        let mut alarms: Vec<Alarm> = groups
            .into_iter()
            .map(|group| Alarm { group, sites: self.outside(group, outcome, target, scratch) })
            .filter(|alarm| !alarm.sites.is_empty())
            .collect();
        alarms.sort_by_key(|alarm| alarm.group);
        alarms
    }

    /// Competing groups outside the matched atoms; `None` when a forbidden one stands there.
    fn alarms(
        &self,
        named: &NamedTemplate,
        outcome: &Outcome,
        target: &Target<'_>,
        scratch: &mut Scratch,
    ) -> Option<Vec<Alarm>> {
        let mut stands = |&group: &usize| !self.outside(group, outcome, target, scratch).is_empty();
        if named.forbids().iter().any(&mut stands) {
            return None;
        }
        Some(self.standing(named.competes().iter().copied(), outcome, target, scratch))
    }
}

fn confidence(named: &NamedTemplate, outcome: &Outcome, alarms: &[Alarm]) -> f64 {
    let sites: usize = alarms.iter().map(|alarm| alarm.sites.len()).sum();
    let stereo = outcome
        .notes
        .iter()
        .filter(|note| matches!(note, Note::CentreLost(_) | Note::DoubleBondLost(..)))
        .count();
    named.plausibility()
        * COMPETING_SITE.powi(sites.min(COUNTED_SITES) as i32)
        * UNCONTROLLED_STEREO.powi(stereo.min(4) as i32)
}

/// Keeps the more confident of two proposals with the same precursors, and both templates' names.
fn merge(best: &mut BTreeMap<Vec<u128>, Proposal>, keys: Vec<u128>, mut new: Proposal) {
    match best.entry(keys) {
        std::collections::btree_map::Entry::Vacant(free) => {
            free.insert(new);
        }
        std::collections::btree_map::Entry::Occupied(mut taken) => {
            let old = taken.get_mut();
            if new.confidence > old.confidence {
                std::mem::swap(old, &mut new);
            }
            let (kept, other) = (old, new);
            kept.also.extend(other.also);
            if other.template != kept.template {
                kept.also.push(other.template);
            }
            kept.also.sort_unstable();
            kept.also.dedup();
        }
    }
}
