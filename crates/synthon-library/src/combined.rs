//! Named and extracted templates as one library.
//!
//! Positions of templates count through the named ones first, then through the extracted ones.

use std::borrow::Cow;
use std::collections::BTreeMap;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{StereoRule, Template};

use crate::build::keys;
use crate::expand::{Expansion, Proposal, Scratch};
use crate::extracted::ExtractedTemplate;
use crate::library::{Library, NamedTemplate};
use crate::policy::{ExtractedProposal, ProposeOptions};

/// Family of a template for which none is known.
pub const UNASSIGNED: &str = "unassigned";
/// Share of right proposals that a named template has before anything is counted, and the number
/// of products that this is worth.
const PRIOR: [f64; 2] = [0.2, 4.0];
/// Confidence below which a proposal is left out whose template no named one accounts for and no
/// family is known of: read critically, most such steps were wrong.
const LEAST_UNASSIGNED: f64 = 0.02;

/// A template of a library, named or extracted.
#[derive(Clone, Copy, Debug)]
pub enum Rule<'l> {
    /// Written by hand.
    Named(&'l NamedTemplate),
    /// Extracted from reactions, in a library whose named templates are these.
    Extracted(ExtractedTemplate<'l>, &'l Library),
}

impl<'l> Rule<'l> {
    /// The template; `None` for a text of a damaged library.
    pub fn template(&self) -> Option<&'l Template> {
        match self {
            Rule::Named(named) => Some(named.template()),
            Rule::Extracted(extracted, _) => extracted.template(),
        }
    }

    /// The template run forwards.
    pub fn forward(&self) -> Option<Cow<'l, Template>> {
        match self {
            Rule::Named(named) => named.forward().map(Cow::Borrowed),
            Rule::Extracted(..) => self.template()?.reversed().ok().map(Cow::Owned),
        }
    }

    /// Which matches stereo allows when it is applied.
    pub fn stereo(&self) -> StereoRule {
        match self {
            Rule::Named(_) => StereoRule::Lenient,
            Rule::Extracted(..) => StereoRule::Strict,
        }
    }

    /// Name; of an extracted template that of the named one which does the same, or
    /// `extracted_<n>` with its position.
    pub fn name(&self) -> Cow<'l, str> {
        match self {
            Rule::Named(named) => Cow::Borrowed(named.name()),
            Rule::Extracted(extracted, library) => {
                match extracted.named().and_then(|id| library.find(id)) {
                    Some(named) => Cow::Borrowed(named.name()),
                    None => Cow::Owned(format!("extracted_{}", extracted.position())),
                }
            }
        }
    }

    /// What the library calls the named template that it is, or that does the same.
    pub fn named(&self) -> Option<&'l str> {
        match self {
            Rule::Named(named) => Some(named.id()),
            Rule::Extracted(extracted, _) => extracted.named(),
        }
    }

    /// Reaction family; [`UNASSIGNED`] where none is known.
    pub fn family(&self) -> &'l str {
        match self {
            Rule::Named(named) => named.family(),
            Rule::Extracted(extracted, _) => extracted
                .family()
                .or_else(|| family_of_class(extracted.class()))
                .unwrap_or(UNASSIGNED),
        }
    }

    /// Reactions of the source data that it accounts for.
    pub fn use_count(&self) -> u32 {
        match self {
            Rule::Named(named) => named.use_count(),
            Rule::Extracted(extracted, _) => extracted.count(),
        }
    }

    /// Up to three of them: patent numbers, or the reactions themselves where no number is known.
    pub fn precedents(&self) -> Vec<String> {
        match self {
            Rule::Named(named) => named.precedents().to_vec(),
            Rule::Extracted(extracted, _) => extracted
                .precedents()
                .iter()
                .map(|p| p.source.clone().unwrap_or_else(|| p.reaction.clone()))
                .collect(),
        }
    }

    /// Typical forward conditions, and where they come from.
    pub fn conditions(&self) -> Option<(&'l str, &'static str)> {
        match self {
            Rule::Named(named) => Some((named.conditions()?, named.metadata_source())),
            Rule::Extracted(..) => None,
        }
    }

    /// Groups that may not stand elsewhere in the product, and those that compete there, as
    /// positions in [`Library::groups`]. Of extracted templates nothing is known.
    pub fn minds(&self) -> impl Iterator<Item = usize> + 'l {
        let (forbids, competes) = match self {
            Rule::Named(named) => (named.forbids(), named.competes()),
            Rule::Extracted(..) => Default::default(),
        };
        forbids.iter().chain(competes).copied()
    }
}

/// The family that a class of the Schneider set amounts to, where it is one.
pub(crate) fn family_of_class(class: Option<u8>) -> Option<&'static str> {
    Some(match class? {
        4 => "heterocycle_synthesis",
        5 => "protection",
        6 => "deprotection",
        7 => "reduction",
        8 => "oxidation",
        9 => "functional_group_interconversion",
        _ => return None,
    })
}

impl Library {
    /// The template at a position; see [`Proposal::template`].
    pub fn rule(&self, position: usize) -> Rule<'_> {
        match (self.templates().get(position), self.extracted()) {
            (None, Some(extracted)) => Rule::Extracted(extracted.get(position - self.len()), self),
            _ => Rule::Named(&self.templates()[position]),
        }
    }

    /// Proposes precursors by all templates, named and extracted, that `allowed` lets pass.
    ///
    /// With extracted templates every confidence is on their scale: the probability that these are
    /// the precursors on record. A set that a named template gives as well is told by that name.
    /// What named templates alone give is judged by how often they were right in the source data,
    /// less for competing sites.
    pub fn propose(
        &self,
        product: &Molecule,
        allowed: impl Fn(&Rule<'_>) -> bool,
        options: &ProposeOptions,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Expansion {
        let mut named = self.expand_where(product, |t| allowed(&Rule::Named(t)), scratch, budget);
        let Some(extracted) = self.extracted() else { return named };
        let found = extracted.expand_where(
            product,
            options,
            |template| allowed(&Rule::Extracted(template, self)),
            scratch,
            budget,
        );
        named.tried += found.tried;
        named.matched += found.applicable;
        named.truncated |= found.truncated;
        named.cut = found.cut;
        let mut by_keys: BTreeMap<Vec<u128>, usize> = BTreeMap::new();
        for (place, proposal) in named.proposals.iter_mut().enumerate() {
            let template = &self.templates()[proposal.template];
            proposal.confidence *= record(template) / template.plausibility();
            by_keys.insert(keys(&proposal.outcome.precursors), place);
        }
        for proposal in found.proposals {
            let idle = self.is_idle_guess(&proposal);
            let mut sorted = proposal.keys;
            sorted.sort_unstable();
            let position = |template: usize| template + self.len();
            let templates = proposal.also.iter().copied().map(position);
            match by_keys.get(&sorted) {
                Some(&place) => {
                    let known = &mut named.proposals[place];
                    known.confidence = proposal.confidence;
                    known.also.push(position(proposal.template));
                    known.also.extend(templates);
                }
                None if idle => named.cut = true,
                None => named.proposals.push(Proposal {
                    template: position(proposal.template),
                    outcome: proposal.outcome,
                    alarms: Vec::new(),
                    confidence: proposal.confidence,
                    also: templates.collect(),
                }),
            }
        }
        // Stable: equals stay in the order of the parts, which is that of the precursors.
        named.proposals.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        named
    }
}

impl Library {
    /// Whether nothing is known of a proposal but that it is most likely wrong.
    fn is_idle_guess(&self, proposal: &ExtractedProposal) -> bool {
        // What a model of others says is no measured probability.
        let measured = self.extracted().is_some_and(|extracted| extracted.model().is_none());
        let family = self.rule(self.len() + proposal.template).family();
        measured && proposal.confidence < LEAST_UNASSIGNED && family == UNASSIGNED
    }
}

/// How often a named template was right where it proposed something.
fn record(template: &NamedTemplate) -> f64 {
    let [right, proposed] = [template.use_count(), template.proposed_for()].map(f64::from);
    ((right + PRIOR[0]) / (proposed.max(right) + PRIOR[1])).min(1.0)
}
