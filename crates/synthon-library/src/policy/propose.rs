//! One retrosynthetic step by extracted templates: what they propose for a molecule, ranked.

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::Outcome;

use super::candidates::Memory;
use super::features::{Experience, Product, Seen, Shape, look};
use super::{Policy, TEMPLATES};
use crate::expand::Scratch;
use crate::extracted::{ExtractedLibrary, ExtractedTemplate};

/// How far a molecule is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProposeOptions {
    /// Most sets of precursors; default 50.
    pub max_proposals: usize,
    /// Applicable templates that are tried, the most promising first; default 80, with which the
    /// shipped policy was trained.
    pub max_templates: usize,
}

impl Default for ProposeOptions {
    fn default() -> Self {
        ProposeOptions { max_proposals: 50, max_templates: TEMPLATES }
    }
}

impl ProposeOptions {
    /// Sets [`max_proposals`](Self::max_proposals).
    pub fn max_proposals(mut self, proposals: usize) -> Self {
        self.max_proposals = proposals;
        self
    }

    /// Sets [`max_templates`](Self::max_templates).
    pub fn max_templates(mut self, templates: usize) -> Self {
        self.max_templates = templates;
        self
    }
}

/// A way to make a molecule, by templates that were extracted from reactions.
#[derive(Clone, Debug)]
pub struct ExtractedProposal {
    /// Position of the template: of those that give these precursors, the one that was most often
    /// right where it applied.
    pub template: usize,
    /// Positions of the others, the most promising first.
    pub also: Vec<usize>,
    /// Precursors, reaction centre, remarks on stereo.
    pub outcome: Outcome,
    /// Canonical keys of the precursors, in their order.
    pub keys: Vec<u128>,
    /// Share of this proposal among all of the molecule; they sum to 1.
    pub score: f64,
    /// Probability, 0 to 1, that these are the precursors on record: the score, calibrated on
    /// reactions that were not trained on. Without a policy the score itself, which then is the
    /// template's share of the precedents, or what a [`TemplateModel`](crate::TemplateModel) says.
    pub confidence: f64,
}

/// What a library of extracted templates proposes for a molecule.
#[derive(Clone, Debug, Default)]
pub struct ExtractedExpansion {
    /// Distinct sets of precursors, the most confident first.
    pub proposals: Vec<ExtractedProposal>,
    /// Templates that were tried on the molecule.
    pub tried: usize,
    /// Templates that gave precursors.
    pub applicable: usize,
    /// Rewritings that were no molecules, and changes that no reaction makes.
    pub invalid: usize,
    /// Distinct sets of precursors before the limit.
    pub found: usize,
    /// Whether a limit of the options left templates untried or proposals out.
    pub cut: bool,
    /// Whether the budget or the limit on matches cut the work.
    pub truncated: bool,
}

impl ExtractedLibrary {
    /// Proposes precursors for a molecule.
    pub fn expand(
        &self,
        product: &Molecule,
        options: &ProposeOptions,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> ExtractedExpansion {
        self.expand_where(product, options, |_| true, scratch, budget)
    }

    /// The same with those templates only that `allowed` lets pass.
    pub fn expand_where(
        &self,
        product: &Molecule,
        options: &ProposeOptions,
        allowed: impl Fn(ExtractedTemplate<'_>) -> bool,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> ExtractedExpansion {
        let memory = &mut scratch.extracted;
        match (self.model(), self.policy()) {
            (Some(model), _) => self.modelled(model, product, options, allowed, memory, budget),
            (None, Some(policy)) => self.ranked(product, options, allowed, policy, memory, budget),
            (None, None) => {
                self.ranked(product, options, allowed, &Precedents(self), memory, budget)
            }
        }
    }

    fn ranked(
        &self,
        molecule: &Molecule,
        options: &ProposeOptions,
        allowed: impl Fn(ExtractedTemplate<'_>) -> bool,
        judge: &impl Judge,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> ExtractedExpansion {
        let profile = TargetProfile::new(molecule);
        let target = Target::with_profile(molecule, &profile);
        let promise = |template| judge.odds(template);
        let given =
            self.candidate_sets(&target, promise, allowed, options.max_templates, memory, budget);
        let product = Product::of(molecule);
        let seen: Vec<Seen> = given
            .sets
            .iter()
            .map(|set| {
                let shape = Shape::of(&product, &set.outcome, &set.keys);
                look(&product, &shape, &set.by, |t| self.core_number(t as usize), judge)
            })
            .collect();
        let shares = judge.shares(&product.features, &seen);
        let mut expansion = ExtractedExpansion {
            proposals: Vec::with_capacity(given.sets.len()),
            tried: given.tried,
            applicable: given.applicable.len(),
            invalid: given.invalid,
            found: given.sets.len(),
            cut: given.cut || given.sets.len() > options.max_proposals,
            truncated: given.truncated,
        };
        for ((set, seen), share) in given.sets.into_iter().zip(&seen).zip(shares) {
            expansion.proposals.push(ExtractedProposal {
                template: seen.template as usize,
                also: set
                    .by
                    .iter()
                    .map(|&(template, _)| template as usize)
                    .filter(|&template| template != seen.template as usize)
                    .collect(),
                outcome: set.outcome,
                keys: set.keys,
                score: f64::from(share),
                confidence: f64::from(judge.confidence(share)),
            });
        }
        expansion.rank(options.max_proposals);
        expansion
    }
}

impl ExtractedExpansion {
    /// The best proposals first, and no more than so many. Equals come in an order that does not
    /// depend on how the molecule is numbered.
    pub(crate) fn rank(&mut self, most: usize) {
        self.proposals
            .sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.keys.cmp(&b.keys)));
        self.proposals.truncate(most);
    }
}

/// What ranks candidates.
trait Judge: Experience {
    fn shares(&self, product: &[u32], candidates: &[Seen]) -> Vec<f32>;
    fn confidence(&self, share: f32) -> f32;
}

impl Judge for Policy {
    fn shares(&self, product: &[u32], candidates: &[Seen]) -> Vec<f32> {
        Policy::shares(self, product, candidates)
    }

    fn confidence(&self, share: f32) -> f32 {
        self.calibrated(share)
    }
}

/// A library without a policy: templates count by their precedents.
struct Precedents<'l>(&'l ExtractedLibrary);

impl Experience for Precedents<'_> {
    fn uses(&self, template: u32) -> [f32; 2] {
        [self.0.get(template as usize).count() as f32, 0.0]
    }

    fn reactions_of(&self, _: u32) -> f32 {
        0.0
    }

    fn odds(&self, template: u32) -> f32 {
        self.uses(template)[0]
    }
}

impl Judge for Precedents<'_> {
    fn shares(&self, _: &[u32], candidates: &[Seen]) -> Vec<f32> {
        let counts: Vec<f32> = candidates.iter().map(|seen| self.odds(seen.template)).collect();
        let sum: f32 = counts.iter().sum();
        counts.into_iter().map(|count| count / sum.max(1.0)).collect()
    }

    fn confidence(&self, share: f32) -> f32 {
        share
    }
}
