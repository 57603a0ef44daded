//! The real world of the search: templates, stock, and the second look at every step.

use std::cell::Cell;

use synthon_budget::{Budget, Stop};
use synthon_library::{Library, Proposal as Disconnection, ProposeOptions, Scratch};
use synthon_mol::{Element, Molecule};
use synthon_reaction::{ApplyOptions, StereoRule, atom_economy, balance, forward_check};
use synthon_stock::{Membership, Stock};

use crate::accessibility::{estimated_block_cost, estimated_route_cost};
use crate::assemble::Block;
use crate::cost::Cost;
use crate::request::PlanRequest;
use crate::result::{CandidateRecord, Removed};
use crate::route::{Conditions, ForwardReport, InStock, Leaf, Precedents, Step, rounded};
use crate::step::{Source, changed_atoms, competition_alarm, stereo_alarms};
use crate::world::{Expansion, Proposal, World};

/// Cost of any step beside its doubtfulness, in nats: what keeps routes short.
const STEP_COST: f64 = 1.0;
/// What a step of middling confidence costs, for estimates of work to come.
const TYPICAL_STEP_COST: f64 = STEP_COST + 0.4;
/// Precursor sets kept for one molecule; more are cut off, and the answer says so.
const MAX_PROPOSALS: usize = 500;
/// Work that one expansion may do, in matches times atoms of the molecule.
const MAX_EXPANSION_WORK: u64 = 4_000_000;
/// Least number of matches allowed in one expansion, however large the molecule is.
const LEAST_EXPANSION_MATCHES: u64 = 2_000;

/// What the graph keeps with a reaction.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Position of the template in the library, see `Library::rule`.
    template: u32,
    confidence: f32,
    /// Positions of the competing groups in the library, and at how many places each stands.
    competing: Box<[(u16, u16)]>,
    /// Filled in when the step has been replayed.
    pub replayed: Option<Box<Replayed>>,
}

impl Known {
    /// Position of the template in the library.
    pub fn template(&self) -> usize {
        self.template as usize
    }
}

/// A step that holds.
#[derive(Clone, Debug)]
pub(crate) struct Replayed {
    pub step: Step,
    /// For each atom of the step's target, where it comes from.
    pub sources: Vec<Source>,
}

/// A proposal with its texts.
pub(crate) struct Found {
    pub precursors: Vec<String>,
    pub known: Known,
}

pub(crate) struct Chemistry<'a> {
    library: &'a Library,
    stock: &'a Stock,
    request: &'a PlanRequest,
    avoided_blocks: Vec<u128>,
    /// Key of the molecule that counts as stocked because the caller has it.
    at_hand: Option<u128>,
    scratch: Scratch,
    replay_scratch: synthon_reaction::Scratch,
    pub templates_tried: u64,
    pub templates_matched: u64,
    /// What constraints ruled out on the way.
    pub removed: Vec<Removed>,
    trace: Vec<CandidateRecord>,
    trace_cut: bool,
}

impl<'a> Chemistry<'a> {
    pub fn new(library: &'a Library, stock: &'a Stock, request: &'a PlanRequest) -> Self {
        Chemistry {
            library,
            stock,
            request,
            avoided_blocks: request
                .constraints
                .avoid_building_blocks
                .iter()
                .map(|block| block.molecule.canonical_key())
                .collect(),
            at_hand: request.constraints.start_from.as_ref().map(|b| b.molecule.canonical_key()),
            scratch: Scratch::new(),
            replay_scratch: synthon_reaction::Scratch::new(),
            templates_tried: 0,
            templates_matched: 0,
            removed: Vec::new(),
            trace: Vec::new(),
            trace_cut: false,
        }
    }

    /// The candidate records, and whether there were more.
    pub fn take_trace(&mut self) -> (Vec<CandidateRecord>, bool) {
        (std::mem::take(&mut self.trace), self.trace_cut)
    }

    /// What a cut expansion left out.
    pub fn cutoff(library: &Library) -> String {
        if library.extracted().is_some() {
            let options = ProposeOptions::default();
            return format!(
                "of the extracted templates the {} most promising that apply to a molecule were \
                 tried, and {} of their precursor sets kept",
                options.max_templates, options.max_proposals
            );
        }
        format!(
            "for some molecules not every match of every template was followed (at most 1,000 \
             for a template, {MAX_PROPOSALS} precursor sets for a molecule)"
        )
    }

    fn record(&mut self, target: &str, disconnections: &[Disconnection]) {
        for (place, found) in disconnections.iter().enumerate() {
            if self.trace.len() >= self.request.candidate_trace_limit {
                self.trace_cut = true;
                return;
            }
            let rule = self.library.rule(found.template);
            let Some(template) = rule.template() else { continue };
            self.trace.push(CandidateRecord {
                target: target.to_owned(),
                rank: place + 1,
                template_id: template.id().to_owned(),
                rule: rule.name().into_owned(),
                reaction_family: rule.family().to_owned(),
                precursors: texts(&found.outcome.precursors),
                step_confidence: rounded(found.confidence),
                cost: rounded(cost_of(found.confidence).nats()),
            });
        }
    }

    /// What the library proposes for a molecule, and whether there may be more.
    pub fn proposals(&mut self, molecule: &Molecule, budget: &mut Budget) -> (Vec<Found>, bool) {
        let text: Box<str> = molecule.to_unmapped_smiles().into();
        match self.expand(&text, budget) {
            Err(_) => (Vec::new(), true),
            Ok(expansion) => {
                let found = expansion.proposals.into_iter().map(|proposal| Found {
                    precursors: texts(&proposal.precursors),
                    known: proposal.reaction,
                });
                (found.collect(), expansion.cut)
            }
        }
    }

    /// Runs the step forwards and describes it; `None` when it does not hold.
    pub fn second_look(
        &mut self,
        product: &str,
        precursors: &[&str],
        known: &Known,
        budget: &mut Budget,
    ) -> Option<Replayed> {
        let rule = self.library.rule(known.template as usize);
        let template = rule.template()?;
        let target = Molecule::from_smiles(product).ok()?;
        let options = ApplyOptions::default().stereo(rule.stereo());
        let scratch = &mut self.replay_scratch;
        let applied = template.apply_with(&target, &options, scratch, budget);
        let (texts, outcome) = applied
            .outcomes
            .into_iter()
            .map(|outcome| (texts(&outcome.precursors), outcome))
            .find(|(texts, _)| texts == precursors)?;
        if !balance(&outcome.precursors, &target).is_balanced() {
            return None;
        }
        let forward = rule.forward()?;
        let options = options.stereo(StereoRule::Lenient);
        let check = forward_check(
            forward.as_ref(),
            &outcome.precursors,
            &target,
            &options,
            scratch,
            budget,
        );
        if !check.reproduces_target {
            return None;
        }
        let mut alarms: Vec<String> = known
            .competing
            .iter()
            .map(|&(group, sites)| {
                competition_alarm(self.library.groups()[usize::from(group)].about(), sites)
            })
            .collect();
        alarms.extend(check.selectivity_warning.clone());
        alarms.extend(stereo_alarms(&outcome));
        let economy = atom_economy(&outcome.precursors, &target);
        let (changed, sources) = changed_atoms(&target, &outcome, &texts)?;
        let step = Step {
            target: product.to_owned(),
            template_id: template.id().to_owned(),
            rule: rule.name().into_owned(),
            reaction_family: rule.family().to_owned(),
            step_confidence: rounded(f64::from(known.confidence)),
            precedents: (rule.use_count() > 0).then(|| Precedents {
                count: u64::from(rule.use_count()),
                examples: rule.precedents(),
            }),
            conditions: rule.conditions().map(|(text, source)| Conditions {
                text: text.to_owned(),
                metadata_source: source.to_owned(),
            }),
            atom_economy: economy.value.map(rounded),
            atom_economy_status: economy.status.as_str().to_owned(),
            balanced: true,
            forward_check: ForwardReport {
                reproduces_target: true,
                distinct_products: check.distinct_products as u64,
                truncated: check.truncated,
                selectivity_warning: check.selectivity_warning,
            },
            changed_atoms: Some(changed),
            precursors: texts,
            alarms,
        };
        Some(Replayed { step, sources })
    }
}

fn texts(molecules: &[Molecule]) -> Vec<String> {
    molecules.iter().map(Molecule::to_unmapped_smiles).collect()
}

impl World for Chemistry<'_> {
    type Molecule = Molecule;
    type Kept = Box<str>;
    type Reaction = Known;

    fn key(&self, molecule: &Molecule) -> u128 {
        molecule.canonical_key()
    }

    fn keep(&self, molecule: Molecule) -> Box<str> {
        molecule.to_unmapped_smiles().into()
    }

    fn is_terminal(&mut self, molecule: &Molecule) -> bool {
        let asked = &self.request.constraints;
        let key = molecule.canonical_key();
        let at_hand = self.at_hand == Some(key);
        if !at_hand && !self.stock.contains(molecule).may_be() {
            return false;
        }
        let refusal = if asked.avoid_elements.iter().any(|&e| contains(molecule, e)) {
            "avoid_elements"
        } else if self.avoided_blocks.contains(&key) {
            "avoid_building_blocks"
        } else {
            return true;
        };
        Removed::count(&mut self.removed, refusal, "building_blocks");
        false
    }

    fn estimate(&self, molecule: &Molecule) -> Cost {
        estimated_route_cost(molecule, Cost::from_nats(TYPICAL_STEP_COST))
    }

    fn expand(
        &mut self,
        molecule: &Box<str>,
        budget: &mut Budget,
    ) -> Result<Expansion<Molecule, Known>, Stop> {
        let Ok(read) = Molecule::from_smiles(molecule) else {
            debug_assert!(false, "a canonical text was refused: {molecule}");
            return Ok(Expansion { proposals: Vec::new(), cut: true });
        };
        if read.components().0 != 1 {
            // Templates speak of one product; a mixture is not made, it is mixed.
            return Ok(Expansion { proposals: Vec::new(), cut: false });
        }
        let matches = MAX_EXPANSION_WORK / (read.atom_count() as u64 + 1);
        let mut inner = budget.child().with_node_limit(matches.max(LEAST_EXPANSION_MATCHES));
        let avoided = &self.request.constraints.avoid_reaction_families;
        let refused = Cell::new(0);
        let mut found = self.library.propose(
            &read,
            |family| {
                let allowed = !avoided.iter().any(|word| word == family);
                refused.set(refused.get() + u64::from(!allowed));
                allowed
            },
            &ProposeOptions::default(),
            &mut self.scratch,
            &mut inner,
        );
        for _ in 0..refused.get() {
            Removed::count(&mut self.removed, "avoid_reaction_families", "templates");
        }
        // The part stops for the whole's reasons too, and those end the search.
        budget.check()?;
        self.templates_tried += found.tried as u64;
        self.templates_matched += found.matched as u64;
        let cut = found.truncated || found.cut || found.proposals.len() > MAX_PROPOSALS;
        found.proposals.truncate(MAX_PROPOSALS);
        if self.request.candidate_trace_limit > 0 {
            self.record(molecule, &found.proposals);
        }
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let proposals = found
            .proposals
            .into_iter()
            .map(|found| Proposal {
                precursors: found.outcome.precursors,
                cost: cost_of(found.confidence),
                reaction: Known {
                    template: found.template as u32,
                    confidence: found.confidence as f32,
                    competing: found
                        .alarms
                        .iter()
                        .map(|alarm| (small(alarm.group), small(alarm.sites.len())))
                        .collect(),
                    replayed: None,
                },
            })
            .collect();
        Ok(Expansion { proposals, cut })
    }

    fn confirm(
        &mut self,
        product: &Box<str>,
        precursors: &[&Box<str>],
        reaction: &mut Known,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let precursors: Vec<&str> = precursors.iter().map(|text| &***text).collect();
        let mut inner = budget.child();
        let replayed = self.second_look(product, &precursors, reaction, &mut inner);
        reaction.replayed = replayed.map(Box::new);
        if reaction.replayed.is_none()
            && let Some(stop) = inner.stopped()
        {
            return Err(stop);
        }
        Ok(reaction.replayed.is_some())
    }
}

fn cost_of(confidence: f64) -> Cost {
    Cost::from_nats(STEP_COST - confidence.max(1e-6).ln())
}

fn contains(molecule: &Molecule, element: Element) -> bool {
    molecule
        .atoms()
        .iter()
        .any(|atom| atom.element() == element || (element == Element::H && atom.hydrogens() > 0))
}

/// Whether the molecule of a canonical text has an element.
pub(crate) fn has(smiles: &str, element: Element) -> bool {
    Molecule::from_smiles(smiles).is_ok_and(|molecule| contains(&molecule, element))
}

/// Whether a molecule is in stock.
pub(crate) fn stock_state(stock: &Stock, molecule: &Molecule) -> InStock {
    match stock.contains(molecule) {
        Membership::Yes(_) => InStock::Yes,
        Membership::Probable { .. } => InStock::Probable,
        _ => InStock::No,
    }
}

/// What is known of a building block, by its canonical text.
pub(crate) fn block_of(stock: &Stock, smiles: &str) -> Block {
    let mut block = Block {
        leaf: Leaf { smiles: smiles.to_owned(), ..Leaf::default() },
        mass: 0.0,
        estimated_cost: 0.0,
    };
    let Ok(molecule) = Molecule::from_smiles(smiles) else { return block };
    block.mass = molecule.average_mass();
    block.estimated_cost = estimated_block_cost(&molecule);
    block.leaf.in_stock = stock_state(stock, &molecule);
    if let Some(entry) = stock.contains(&molecule).entry() {
        block.leaf.source = Some(entry.source.to_owned());
        block.leaf.price = entry.price;
        block.leaf.sold_as = entry.sold_as().map(str::to_owned);
    }
    block
}
