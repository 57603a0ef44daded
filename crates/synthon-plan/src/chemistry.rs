//! The real world of the search: templates, stock, and the second look at every step.

use std::sync::Arc;

use synthon_budget::{Budget, Stop};
use synthon_library::{Library, Proposal as Disconnection, ProposeOptions, Review, Scratch};
use synthon_mol::{Element, Molecule};
use synthon_reaction::{ApplyOptions, Outcome, StereoRule, atom_economy, balance, forward_check};
use synthon_stock::{Membership, Stock, neutral_parent};

use crate::accessibility::{estimated_block_cost, estimated_route_cost};
use crate::ahead::{Ahead, Allowed, Made, make, match_limit};
use crate::assemble::Block;
use crate::cost::Cost;
use crate::duties::{Duties, Owed, shares};
use crate::marks::{Kept, MarkRule, Marked, alignment};
use crate::ranking::ALARM_WEIGHT;
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
/// Other templates tried when the second look goes against the first.
const OTHER_TEMPLATES: usize = 3;

/// What the graph keeps with a reaction.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Position of the template in the library, see `Library::rule`.
    template: u32,
    /// Other templates that give the same precursors, should this one not hold.
    also: Box<[u32]>,
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

    /// Confidence of the step, 0 to 1.
    pub fn confidence(&self) -> f64 {
        f64::from(self.confidence)
    }

    /// Position of the template, then those of the other templates.
    fn templates(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.template).chain(self.also.iter().copied()).map(|t| t as usize)
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
    pub precursors: Vec<Kept>,
    pub known: Known,
}

pub(crate) struct Chemistry<'a> {
    library: &'a Library,
    stock: &'a Stock,
    request: &'a PlanRequest,
    allowed: Allowed<'a>,
    avoided_blocks: Vec<u128>,
    /// Key of the molecule that counts as stocked because the caller has it.
    at_hand: Option<u128>,
    /// The bond constraints.
    marks: MarkRule,
    /// What must be somewhere in a route.
    duties: Duties,
    /// Threads that work ahead, if there are any.
    ahead: Option<Arc<Ahead>>,
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
            allowed: Allowed::new(library, request),
            avoided_blocks: request
                .constraints
                .avoid_building_blocks
                .iter()
                .map(|block| block.molecule.canonical_key())
                .collect(),
            at_hand: request.constraints.start_from.as_ref().map(|b| b.molecule.canonical_key()),
            marks: MarkRule::new(&request.constraints),
            duties: Duties::new(&request.constraints),
            ahead: None,
            scratch: Scratch::new(),
            replay_scratch: synthon_reaction::Scratch::new(),
            templates_tried: 0,
            templates_matched: 0,
            removed: Vec::new(),
            trace: Vec::new(),
            trace_cut: false,
        }
    }

    /// Takes expansions from threads that work ahead.
    pub fn work_ahead(&mut self, ahead: Arc<Ahead>) {
        self.ahead = Some(ahead);
    }

    /// The candidate records, and whether there were more.
    pub fn take_trace(&mut self) -> (Vec<CandidateRecord>, bool) {
        (std::mem::take(&mut self.trace), self.trace_cut)
    }

    /// What a cut expansion left out.
    pub fn cutoff(library: &Library) -> String {
        if library.extracted().is_some_and(|extracted| extracted.model().is_some()) {
            return "for each molecule the templates that the model chose were tried, and steps \
                    that its filter refuses left out"
                .to_owned();
        }
        if library.extracted().is_some() {
            let options = ProposeOptions::default();
            return format!(
                "of the extracted templates the {} most promising that apply to a molecule were \
                 tried, {} of their precursor sets kept, and guesses left out that are right less \
                 than once in fifty times and of no known family",
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

    /// Whether a precursor is an ion of what is made, or of the target.
    fn starts_from_itself(&self, product: &Molecule, precursors: &[Molecule]) -> bool {
        let is_charged = |m: &&Molecule| m.atoms().iter().any(|atom| atom.charge() != 0);
        precursors.iter().filter(is_charged).filter_map(neutral_parent).any(|parent| {
            let key = parent.canonical_key();
            key == product.canonical_key() || key == self.request.target.canonical_key()
        })
    }

    /// Whether a molecule is in stock, or the one that the caller has.
    fn is_at_hand(&self, molecule: &Molecule) -> bool {
        self.at_hand.is_some_and(|own| own == molecule.canonical_key())
            || self.stock.contains(molecule).may_be()
    }

    fn is_avoided(&self, block: &Molecule) -> bool {
        !self.avoided_blocks.is_empty() && self.avoided_blocks.contains(&block.canonical_key())
    }

    /// What may still be owed after a step: templates of several families may give the same
    /// precursors, and which of them holds is not known before the second look.
    fn owed_after(&self, owed: Owed, known: &Known) -> Vec<Owed> {
        let families = known.templates().map(|template| self.library.rule(template).family());
        let mut after: Vec<Owed> = families.map(|f| self.duties.after(owed, f)).collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    /// The target, as the search begins with it.
    pub fn target(&self) -> Marked {
        self.marks.target(self.request.target.clone()).owing(self.duties.all())
    }

    /// The precursors of a step with their marks; `None` when it takes a bond that must be kept.
    fn below(&self, product: &Marked, outcome: &Outcome) -> Option<Vec<Marked>> {
        let marks = self.marks.below(product, outcome)?;
        let molecules = outcome.precursors.iter().cloned();
        let marked = |(molecule, marks)| Marked { molecule, marks, owed: 0 };
        Some(molecules.zip(marks).map(marked).collect())
    }

    /// All the ways in which a proposal can be taken, told apart by what becomes of the marks: the
    /// same precursors may come from either half of a symmetric molecule.
    fn variants(
        &mut self,
        product: &Marked,
        known: &Known,
        proposed: &Outcome,
        budget: &mut Budget,
    ) -> Vec<Vec<Marked>> {
        let keys = |outcome: &Outcome| -> Vec<u128> {
            outcome.precursors.iter().map(Molecule::canonical_key).collect()
        };
        let wanted = keys(proposed);
        let mut seen: Vec<Vec<u128>> = Vec::new();
        let mut all = Vec::new();
        for position in known.templates() {
            let rule = self.library.rule(position);
            let Some(template) = rule.template() else { continue };
            let options = ApplyOptions::default().stereo(rule.stereo()).every_origin(true);
            let scratch = &mut self.replay_scratch;
            let applied = template.apply_with(&product.molecule, &options, scratch, budget);
            for outcome in applied.outcomes.iter().filter(|outcome| keys(outcome) == wanted) {
                let Some(below) = self.below(product, outcome) else { continue };
                let below_keys: Vec<u128> = below.iter().map(Marked::key).collect();
                if !seen.contains(&below_keys) {
                    seen.push(below_keys);
                    all.push(below);
                }
            }
        }
        all
    }

    /// What the library proposes for a molecule, and whether there may be more.
    pub fn proposals(&mut self, molecule: &Molecule, budget: &mut Budget) -> (Vec<Found>, bool) {
        match self.expand(&Marked::plain(molecule.clone()).keep(), budget) {
            Err(_) => (Vec::new(), true),
            Ok(expansion) => {
                let found = expansion.proposals.into_iter().map(|proposal| Found {
                    precursors: proposal.precursors.iter().map(Marked::keep).collect(),
                    known: proposal.reaction,
                });
                (found.collect(), expansion.cut)
            }
        }
    }

    /// Runs the step forwards and describes it, by the first of its templates that makes it hold;
    /// `None` when none does.
    pub fn second_look(
        &mut self,
        product: &Kept,
        precursors: &[&Kept],
        known: &Known,
        budget: &mut Budget,
    ) -> Option<Replayed> {
        known
            .templates()
            .find_map(|template| self.replay(product, precursors, template, known, budget))
    }

    fn replay(
        &mut self,
        product: &Kept,
        precursors: &[&Kept],
        position: usize,
        known: &Known,
        budget: &mut Budget,
    ) -> Option<Replayed> {
        let rule = self.library.rule(position);
        let template = rule.template()?;
        let marked = product.read()?;
        let target = &marked.molecule;
        let options = ApplyOptions::default().stereo(rule.stereo());
        let all = options.every_origin(product.is_marked());
        let applied = template.apply_with(target, &all, &mut self.replay_scratch, budget);
        let wanted: Vec<Marked> = match product.is_marked() {
            true => precursors.iter().map(|kept| kept.read()).collect::<Option<_>>()?,
            false => Vec::new(),
        };
        let keys: Vec<u128> = wanted.iter().map(Marked::key).collect();
        let (texts, outcome, below) = applied.outcomes.into_iter().find_map(|outcome| {
            let texts = texts(&outcome.precursors);
            if texts.iter().map(String::as_str).ne(precursors.iter().map(|kept| &***kept)) {
                return None;
            }
            let below = self.below(&marked, &outcome)?;
            let same = keys.is_empty() || below.iter().map(Marked::key).eq(keys.iter().copied());
            same.then_some((texts, outcome, below))
        })?;
        let scratch = &mut self.replay_scratch;
        if !balance(&outcome.precursors, target).is_balanced() {
            return None;
        }
        let forward = rule.forward()?;
        let options = options.stereo(StereoRule::Lenient);
        let check =
            forward_check(forward.as_ref(), &outcome.precursors, target, &options, scratch, budget);
        if !check.reproduces_target {
            return None;
        }
        let review = self.library.review(position, target, &outcome, &mut self.scratch);
        let Review::Holds(minded) = review else { return None };
        let about = |group: usize| self.library.groups()[group].about();
        let competing = known.competing.iter().map(|&(group, sites)| (usize::from(group), sites));
        let minded = minded.iter().map(|alarm| (alarm.group, small(alarm.sites.len())));
        let mut alarms: Vec<String> = competing
            .chain(minded)
            .map(|(group, sites)| competition_alarm(about(group), sites))
            .collect();
        alarms.sort_unstable();
        alarms.dedup();
        alarms.extend(check.selectivity_warning.clone());
        alarms.extend(stereo_alarms(&outcome));
        let economy = atom_economy(&outcome.precursors, target);
        let (changed, mut sources) = changed_atoms(target, &outcome, &texts)?;
        if !wanted.is_empty() {
            align(&mut sources, &below, &wanted);
        }
        let step = Step {
            target: (**product).to_owned(),
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

fn small(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn texts(molecules: &[Molecule]) -> Vec<String> {
    molecules.iter().map(Molecule::to_unmapped_smiles).collect()
}

impl World for Chemistry<'_> {
    type Molecule = Marked;
    type Kept = Kept;
    type Reaction = Known;

    fn key(&self, molecule: &Marked) -> u128 {
        molecule.key()
    }

    fn keep(&self, molecule: Marked) -> Kept {
        molecule.keep()
    }

    fn is_terminal(&mut self, marked: &Marked) -> bool {
        let asked = &self.request.constraints;
        let molecule = &marked.molecule;
        if !self.is_at_hand(molecule) {
            return false;
        }
        let refusal = if asked.avoid_elements.iter().any(|&e| contains(molecule, e)) {
            "avoid_elements"
        } else if self.is_avoided(molecule) {
            "avoid_building_blocks"
        } else if self.marks.must_be_taken_apart(marked) {
            "break_bonds"
        } else if let Some(name) = self.duties.unpaid(marked.owed, molecule) {
            name
        } else {
            return true;
        };
        Removed::count(&mut self.removed, refusal, "building_blocks");
        false
    }

    fn estimate(&self, molecule: &Marked) -> Cost {
        let Marked { molecule, owed, .. } = molecule;
        let cost = estimated_route_cost(molecule, Cost::from_nats(TYPICAL_STEP_COST));
        if *owed == 0 {
            return cost;
        }
        if self.is_at_hand(molecule) && !self.duties.reaches_beyond_stock(*owed) {
            return Cost::INFINITE;
        }
        cost + self.duties.surcharge(*owed, molecule)
    }

    fn expand(
        &mut self,
        molecule: &Kept,
        budget: &mut Budget,
    ) -> Result<Expansion<Marked, Known>, Stop> {
        let Some(marked) = molecule.read() else {
            debug_assert!(false, "a canonical text was refused: {}", &**molecule);
            return Ok(Expansion { proposals: Vec::new(), cut: true });
        };
        let read = &marked.molecule;
        if read.components().0 != 1 {
            // Templates speak of one product; a mixture is not made, it is mixed.
            return Ok(Expansion { proposals: Vec::new(), cut: false });
        }
        let limit = match_limit(read);
        let ahead = match &self.ahead {
            Some(ahead) => ahead.take(molecule, budget)?,
            None => None,
        };
        let Made { mut found, avoided } = ahead.unwrap_or_else(|| {
            let mut inner = budget.child().with_node_limit(limit);
            make(self.library, &self.allowed, read, &mut self.scratch, &mut inner)
        });
        for (constraint, templates) in avoided {
            Removed::add(&mut self.removed, constraint, "templates", templates);
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
        let mut inner = budget.child().with_node_limit(limit);
        let mut proposals = Vec::with_capacity(found.proposals.len());
        for found in found.proposals {
            if self.starts_from_itself(read, &found.outcome.precursors) {
                continue;
            }
            let known = Known {
                template: found.template as u32,
                also: found.also.iter().take(OTHER_TEMPLATES).map(|&t| t as u32).collect(),
                confidence: found.confidence as f32,
                competing: found
                    .alarms
                    .iter()
                    .map(|alarm| (small(alarm.group), small(alarm.sites.len())))
                    .collect(),
                replayed: None,
            };
            let cost = cost_of(found.confidence);
            if molecule.is_plain() {
                let precursors = found.outcome.precursors.into_iter().map(Marked::plain).collect();
                proposals.push(Proposal { precursors, cost, reaction: known });
                continue;
            }
            let all = match molecule.is_marked() {
                true => self.variants(&marked, &known, &found.outcome, &mut inner),
                false => vec![found.outcome.precursors.into_iter().map(Marked::plain).collect()],
            };
            if all.is_empty() {
                Removed::count(&mut self.removed, "freeze_bonds", "steps");
            }
            let owed = self.owed_after(marked.owed, &known);
            for precursors in &all {
                for share in owed.iter().flat_map(|&owed| shares(owed, precursors.len())) {
                    let owing = precursors.iter().zip(share).map(|(p, owed)| p.clone().owing(owed));
                    let (precursors, reaction) = (owing.collect(), known.clone());
                    proposals.push(Proposal { precursors, cost, reaction });
                }
            }
        }
        budget.check()?;
        Ok(Expansion { proposals, cut })
    }

    fn guesses(&self) -> usize {
        self.ahead.as_ref().map_or(0, |ahead| ahead.guesses())
    }

    fn foresee(&mut self, next: &[&Kept]) {
        if let Some(ahead) = &self.ahead {
            ahead.foresee(next);
        }
    }

    fn confirm(
        &mut self,
        product: &Kept,
        precursors: &[&Kept],
        reaction: &mut Known,
        budget: &mut Budget,
    ) -> Result<Option<Cost>, Stop> {
        let mut inner = budget.child();
        let Some(replayed) = self.second_look(product, precursors, reaction, &mut inner) else {
            return inner.stopped().map_or(Ok(None), Err);
        };
        let alarms = replayed.step.alarms.len() as f64;
        reaction.replayed = Some(Box::new(replayed));
        Ok(Some(Cost::from_nats(ALARM_WEIGHT * alarms)))
    }
}

/// Atoms of the precursors as a step found them, told as those that the search keeps.
fn align(sources: &mut [Source], found: &[Marked], kept: &[Marked]) {
    let same: Vec<Vec<u32>> = found
        .iter()
        .zip(kept)
        .map(|(found, kept)| match found.keep().read() {
            Some(found) => alignment(&found, kept),
            None => Vec::new(),
        })
        .collect();
    for (which, place) in sources.iter_mut().flatten() {
        if let Some(&kept) = same[*which as usize].get(*place as usize) {
            *place = kept;
        }
    }
}

fn cost_of(confidence: f64) -> Cost {
    Cost::from_nats(STEP_COST - confidence.max(1e-6).ln())
}

/// Whether a molecule has an element; hydrogen counts where it is not written, too.
pub(crate) fn contains(molecule: &Molecule, element: Element) -> bool {
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
