//! Training a policy for a library.
//!
//! Every reaction is looked at twice. First all templates are tried on its product, and it is
//! counted which apply and which give the recorded reactants. Then candidates are made as they
//! will be later, and described with the counts of all other parts of the reactions: what a
//! reaction taught must not be used to judge it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::MappedReaction;

use super::candidates::Memory;
use super::counts::{Counts, Elsewhere, Observation};
use super::environment::{environments, mix};
use super::features::{Experience, Product, Seen, Shape, look, number};
use super::learning::{Course, Example, Network, Random};
use super::network::{HIDDEN, PRODUCT, Policy, Vocabulary};
use super::rows::{Rows, shortened};
use crate::build::keys;
use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted::ExtractedLibrary;
use crate::reactions::ReactionReader;

/// Parts into which the reactions are divided by their products.
const PARTS: usize = 20;
/// Matches that one reaction may cost.
const MAX_NODES: u64 = 1_000_000;
/// Candidates of a product that are learned from beside the recorded one.
const CANDIDATES: usize = 48;
/// Products that must show a feature for it to be learned, and how many are learned at most: it is
/// these that the size of a policy is made of.
const LEAST_PRODUCTS: u32 = 20;
const MOST_FEATURES: usize = 125_000;
/// The same for features of products, and how many of these are learned at most.
const LEAST_OF_PRODUCT: u32 = 5;
const MOST_OF_PRODUCT: usize = 20_000;
/// Weight with which a template must have been right elsewhere to be used.
const LEAST_RIGHT: f32 = 0.25;

/// How a policy is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrainOptions {
    /// Seed of all that is random. Default 1.
    pub seed: u64,
    /// Times that the examples are gone through. Default 6.
    pub epochs: u32,
    /// Times that background reactions are learned from together with the others, before these are
    /// learned from alone. Default 2.
    pub background_epochs: u32,
    /// Weight of a background reaction where it is counted, beside 1 for the others. Default 0.3.
    pub background: f32,
}

impl Default for TrainOptions {
    fn default() -> Self {
        TrainOptions { seed: 1, epochs: 6, background_epochs: 2, background: 0.3 }
    }
}

impl TrainOptions {
    /// Sets [`seed`](Self::seed).
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`epochs`](Self::epochs).
    pub fn epochs(mut self, epochs: u32) -> Self {
        self.epochs = epochs;
        self
    }

    /// Sets [`background_epochs`](Self::background_epochs).
    pub fn background_epochs(mut self, epochs: u32) -> Self {
        self.background_epochs = epochs;
        self
    }
}

/// What became of the reactions, and how the training went.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TrainReport {
    /// Reactions that were counted.
    pub reactions: u64,
    /// Lines that could not be read.
    pub unreadable: u64,
    /// Reactions that were learned from: those whose reactants the library proposes.
    pub examples: u64,
    /// Features that the policy knows.
    pub features: u64,
    /// Mean logarithmic loss of each time through.
    pub losses: Vec<f32>,
}

/// Collects reactions and trains a policy on them.
#[derive(Debug)]
pub struct PolicyTrainer<'l> {
    library: &'l ExtractedLibrary,
    options: TrainOptions,
    all: Counts,
    parts: Vec<Counts>,
    /// Texts of the reactions that are learned from, and of those in the background.
    learned: Vec<String>,
    background: Vec<String>,
    report: TrainReport,
}

impl<'l> PolicyTrainer<'l> {
    /// A trainer without reactions.
    pub fn new(library: &'l ExtractedLibrary, options: TrainOptions) -> Self {
        let counts = Counts::new(library.len());
        PolicyTrainer {
            library,
            options,
            parts: vec![counts.clone(); PARTS],
            all: counts,
            learned: Vec::new(),
            background: Vec::new(),
            report: TrainReport::default(),
        }
    }

    /// Counts the reactions of a file, on the threads of the current rayon pool; with `learn` they
    /// are also learned from.
    ///
    /// # Errors
    /// A file that cannot be read to its end.
    pub fn add(&mut self, reader: ReactionReader, learn: bool) -> Result<(), LibraryError> {
        let weight = if learn { 1.0 } else { self.options.background };
        let mut reader = reader;
        loop {
            let mut texts = Vec::new();
            let mut lines = 0;
            for record in reader.by_ref().take(2_048) {
                lines += 1;
                match record {
                    Ok(record) => texts.push(record.reaction),
                    Err(bad) if bad.ends_input => {
                        return Err(LibraryError::new(LibraryErrorKind::Read, bad.message));
                    }
                    Err(_) => self.report.unreadable += 1,
                }
            }
            if lines == 0 {
                return Ok(());
            }
            let library = self.library;
            let observed: Vec<Option<(usize, Observation)>> = texts
                .par_iter()
                .map_init(Memory::default, |memory, text| observe(library, text, memory))
                .collect();
            for (text, observed) in texts.into_iter().zip(observed) {
                let Some((part, observation)) = observed else {
                    self.report.unreadable += 1;
                    continue;
                };
                self.report.reactions += 1;
                self.all.add(&observation, weight);
                self.parts[part].add(&observation, weight);
                if learn {
                    self.learned.push(text);
                } else if self.options.background_epochs > 0 {
                    self.background.push(text);
                }
            }
        }
    }

    /// Trains. The result is the same for the same library, reactions and options.
    ///
    /// # Errors
    /// No reaction to learn from.
    pub fn finish(mut self) -> Result<(ExtractedLibrary, TrainReport), LibraryError> {
        let (library, all, parts) = (self.library, &self.all, &self.parts);
        let read = |texts: &[String]| -> Vec<Example> {
            let texts = texts.par_iter().map_init(Memory::default, |memory, text| {
                example(library, text, all, parts, memory)
            });
            texts.flatten().collect()
        };
        let mut examples = read(&self.learned);
        let learned = examples.len();
        examples.extend(read(&self.background));
        if learned == 0 {
            let message = "no reaction whose reactants the library proposes";
            return Err(LibraryError::new(LibraryErrorKind::Empty, message));
        }
        let features = words(
            examples.iter().map(|e| e.candidates.iter().flat_map(|c| &c.features)),
            LEAST_PRODUCTS,
            MOST_FEATURES,
        );
        let of_product =
            words(examples.iter().map(|e| &e.product), LEAST_OF_PRODUCT, MOST_OF_PRODUCT);
        for example in &mut examples {
            to_rows(&mut example.product, &of_product);
            example.candidates.iter_mut().for_each(|c| to_rows(&mut c.features, &features));
        }
        let mut random = Random(mix(self.options.seed));
        let mut network = Network::new(
            features.words().len(),
            of_product.words().len(),
            library.len(),
            library.core_count(),
            &mut random,
        );
        let course = Course { rate: 0.05, table_rate: 0.05, hidden: 0.6 };
        // All of them first, then those that are learned from alone.
        let first = if examples.len() > learned { self.options.background_epochs } else { 0 };
        let passes: Vec<&[Example]> = [
            vec![examples.as_slice(); first as usize],
            vec![&examples[..learned]; self.options.epochs as usize],
        ]
        .concat();
        self.report.losses = network.learn(&passes, &course, &mut random);
        self.report.examples = examples.len() as u64;
        self.report.features = features.words().len() as u64;
        let policy = policy(network, features, of_product, self.all);
        let about = [
            ("seed", self.options.seed.to_string()),
            ("epochs", self.options.epochs.to_string()),
            ("background", self.options.background.to_string()),
            ("background_epochs", self.options.background_epochs.to_string()),
            ("reactions", self.report.reactions.to_string()),
            ("examples", self.report.examples.to_string()),
        ];
        let library = library.with_policy(policy.to_bytes(&about))?;
        Ok((library, self.report))
    }
}

fn policy(network: Network, features: Vocabulary, of_product: Vocabulary, all: Counts) -> Policy {
    Policy {
        single: network.single.values.iter().copied().map(shortened).collect(),
        vectors: Rows::quantised(HIDDEN, &network.vectors.values),
        features,
        product_vectors: Rows::quantised(PRODUCT, &network.product_vectors.values),
        product_features: of_product,
        templates: Rows::quantised(PRODUCT, &network.templates.values),
        cores: Rows::quantised(PRODUCT, &network.cores.values),
        from_numbers: network.from_numbers.values,
        from_product: network.from_product.values,
        bias: network.bias.values,
        output: network.output.values,
        direct: network.direct.values,
        right: all.right,
        applicable: all.applicable,
        molecules: Vocabulary::new(all.reactions_of.keys().copied().collect()),
        reactions_of: all.reactions_of.values().copied().map(shortened).collect(),
        calibration: Vec::new(),
    }
}

/// The part of a product. Stereoisomers are in one part, since some files leave stereo out.
fn part(product: &Molecule) -> usize {
    let [_, around, _] = environments::<3>(product);
    let sum = around.into_iter().map(mix).fold(0, u64::wrapping_add);
    (mix(sum) % PARTS as u64) as usize
}

fn observe(
    library: &ExtractedLibrary,
    text: &str,
    memory: &mut Memory,
) -> Option<(usize, Observation)> {
    let reaction = MappedReaction::from_smiles(text).ok()?;
    let product = reaction.product();
    let target = Target::new(product);
    let mut budget = Budget::unlimited().with_node_limit(MAX_NODES);
    let given = library.candidate_sets(&target, |_| 0.0, |_| true, usize::MAX, memory, &mut budget);
    let recorded = reaction.reactant_keys();
    let right = given.sets.iter().find(|set| keys(&set.outcome.precursors) == recorded);
    let observation = Observation {
        right: right.map_or_else(Vec::new, |set| set.by.iter().map(|&(t, _)| t).collect()),
        applicable: given.applicable,
        reactants: recorded.iter().copied().map(number).collect(),
    };
    Some((part(product), observation))
}

/// The candidates of a recorded reaction, described; `None` where it is not among them.
fn example(
    library: &ExtractedLibrary,
    text: &str,
    all: &Counts,
    parts: &[Counts],
    memory: &mut Memory,
) -> Option<Example> {
    let reaction = MappedReaction::from_smiles(text).ok()?;
    let molecule = reaction.product();
    let experience = Elsewhere { all, part: &parts[part(molecule)] };
    let profile = TargetProfile::new(molecule);
    let target = Target::with_profile(molecule, &profile);
    let mut budget = Budget::unlimited().with_node_limit(MAX_NODES);
    let given = library.candidate_sets(
        &target,
        |template| experience.odds(template),
        |template| experience.uses(template.position() as u32)[0] >= LEAST_RIGHT,
        super::TEMPLATES,
        memory,
        &mut budget,
    );
    let product = Product::of(molecule);
    let place =
        given.sets.iter().position(|s| keys(&s.outcome.precursors) == reaction.reactant_keys())?;
    let seen: Vec<Seen> = given
        .sets
        .iter()
        .map(|set| {
            let shape = Shape::of(&product, &set.outcome, &set.keys);
            look(&product, &shape, &set.by, |t| library.core_number(t as usize), &experience)
        })
        .collect();
    let mut order: Vec<usize> = (0..seen.len()).filter(|&i| i != place).collect();
    order.sort_by(|&a, &b| seen[b].prior.total_cmp(&seen[a].prior).then(a.cmp(&b)));
    order.truncate(CANDIDATES);
    order.push(place);
    let candidates: Vec<Seen> = order.iter().map(|&i| seen[i].clone()).collect();
    Some(Example { product: product.features, recorded: candidates.len() - 1, candidates })
}

/// The words that enough examples show, and of these the most frequent.
fn words<'e, I: IntoIterator<Item = &'e u32>>(
    examples: impl Iterator<Item = I>,
    least: u32,
    most: usize,
) -> Vocabulary {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let mut own: Vec<u32> = Vec::new();
    for example in examples {
        own.clear();
        own.extend(example);
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|&word| *counts.entry(word).or_default() += 1);
    }
    let mut kept: Vec<(u32, u32)> =
        counts.into_iter().filter(|&(_, n)| n >= least).map(|(word, n)| (n, word)).collect();
    kept.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    kept.truncate(most);
    let mut words: Vec<u32> = kept.into_iter().map(|(_, word)| word).collect();
    words.sort_unstable();
    Vocabulary::new(words)
}

fn to_rows(words: &mut Vec<u32>, vocabulary: &Vocabulary) {
    *words = words.iter().filter_map(|&word| vocabulary.row(word)).collect();
}
