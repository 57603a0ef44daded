//! Routes and their steps, as they go over the wire.
//!
//! Every field states something that was looked up or computed; a field without a source is
//! absent (or `null` where the reader expects it).

use serde::{Deserialize, Serialize};

/// Whether a molecule can be started from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum InStock {
    /// It is listed.
    Yes,
    /// A Bloom filter says so, with its stated rate of false positives.
    Probable,
    /// It is not listed.
    #[default]
    No,
}

impl InStock {
    /// The name on the wire: `yes`, `probable` or `no`.
    pub fn as_str(self) -> &'static str {
        match self {
            InStock::Yes => "yes",
            InStock::Probable => "probable",
            InStock::No => "no",
        }
    }

    /// The same for people: `in stock`, `probably in stock` or `not in stock`.
    pub fn in_words(self) -> &'static str {
        match self {
            InStock::Yes => "in stock",
            InStock::Probable => "probably in stock",
            InStock::No => "not in stock",
        }
    }
}

/// A molecule in which a branch of a route ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// Canonical SMILES.
    pub smiles: String,
    /// Whether it is in stock.
    pub in_stock: InStock,
    /// The stock that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Price as the stock states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// The form that is listed, where it is not this one (a salt of it, or its neutral parent).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sold_as: Option<String>,
}

/// Known reactions behind a step's template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precedents {
    /// How many source reactions gave the template.
    pub count: u64,
    /// Up to three of them, by patent number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// Forward conditions that come with a template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Reagents, solvent, temperature, as the source words them.
    pub text: String,
    /// Where the words come from.
    pub metadata_source: String,
}

/// What the forward template makes of a step's precursors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForwardReport {
    /// Whether the target is among the products.
    pub reproduces_target: bool,
    /// Number of distinct products.
    pub distinct_products: u64,
    /// Whether a limit cut the count, which is then a lower bound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Set when the same template also gives other products.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selectivity_warning: Option<String>,
}

/// Which atoms a step changes, for drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedAtoms {
    /// The step with the changed atoms mapped: `precursors>>target`.
    pub mapped: String,
    /// Zero-based atoms of the step's `target` text.
    pub target: Vec<u32>,
    /// Zero-based atoms of each text of the step's `precursors`.
    pub precursors: Vec<Vec<u32>>,
}

/// One reaction of a route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the step makes.
    pub target: String,
    /// What it starts from, larger ones first.
    pub precursors: Vec<String>,
    /// `smarts-sha256:<hex>` of the template.
    pub template_id: String,
    /// Name of the template.
    pub rule: String,
    /// Reaction family.
    pub reaction_family: String,
    /// How far the step can be trusted, 0 to 1.
    pub step_confidence: f64,
    /// Known reactions behind the template, where it was extracted from any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precedents: Option<Precedents>,
    /// Typical forward conditions, where the template carries them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// Mass of the target over the mass of all precursors, 0 to 1.
    pub atom_economy: Option<f64>,
    /// `evaluated`, or why there is no value.
    pub atom_economy_status: String,
    /// For every element but hydrogen the target has no more atoms than the precursors.
    pub balanced: bool,
    /// The template run forwards.
    pub forward_check: ForwardReport,
    /// Reaction centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_atoms: Option<ChangedAtoms>,
    /// What a chemist should look at before running the step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<String>,
}

/// The first step that keeps a route from the next tier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingStep {
    /// Index in `steps`, zero-based.
    pub step: usize,
    /// The tier it fails.
    pub tier: u8,
    /// Why.
    pub reason: String,
}

/// A way from building blocks to the target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// `route-` and 16 hexadecimal digits that depend on the steps alone.
    pub route_id: String,
    /// The steps, the one that makes the target first; a molecule is made by one step only.
    pub steps: Vec<Step>,
    /// The leaves, by SMILES.
    pub leaves: Vec<Leaf>,
    /// Highest tier reached, 0 to 3.
    pub tier: u8,
    /// What keeps it from the next one.
    pub first_failing_step: Option<FailingStep>,
    /// Longest chain of steps.
    pub depth: usize,
    /// Rank value, lower is better.
    pub score: f64,
    /// SMILES of the leaves, sorted, unique.
    pub building_blocks: Vec<String>,
    /// Mean of the step confidences.
    pub confidence: f64,
    /// Product of the step confidences.
    pub success_probability: f64,
    /// Depth of the shallowest leaf over that of the deepest, 0 to 1.
    pub convergency: f64,
    /// Cost of the building blocks plus 0.5 a step.
    pub route_cost: f64,
    /// `stock_prices` or `synthetic_accessibility`; see [`crate::accessibility`].
    pub cost_basis: String,
    /// Mass of the target over the mass of all building blocks used, 0 to 1; `null` when a step
    /// cannot be evaluated.
    pub atom_economy: Option<f64>,
    /// What a chemist should know of the route.
    pub warnings: Vec<String>,
}

impl Route {
    /// The step that makes a molecule, by SMILES.
    pub fn step_making(&self, smiles: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.target == smiles)
    }

    /// The leaf with this SMILES.
    pub fn leaf(&self, smiles: &str) -> Option<&Leaf> {
        self.leaves.iter().find(|leaf| leaf.smiles == smiles)
    }
}

/// Rounds to four decimals: what is shown is then what is compared.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
