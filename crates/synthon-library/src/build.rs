//! Making a library out of reactions: extract, count, class, keep.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{ExtractOptions, MappedReaction, Scratch, TemplateIndex};

use crate::build_naming::{self, Named};
use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted::{Entry, ExtractedLibrary, Precedent};
use crate::library::Library;
use crate::reactions::{BadLine, ReactionReader, ReactionRecord};

/// Reactions in work at a time: what is held of a file in memory.
const CHUNK: usize = 4_096;
/// Precedents kept for a template.
pub(crate) const PRECEDENTS: usize = 3;
/// Rejected lines kept as examples of each reason.
const EXAMPLES: usize = 3;
/// Matches that one reaction may cost; no honest one comes near.
const MAX_NODES: u64 = 10_000_000;

/// How a library is built.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// How much templates show.
    pub extract: ExtractOptions,
    /// Reactions that a template must account for, unless a named template gives the same
    /// precursors. Default 1.
    pub min_precedents: u32,
    /// Least confidence of the atom mapping, where the file states one. Default 0: the template
    /// is checked anyway, and a low confidence often only means that reagents are not written.
    pub min_confidence: f64,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { extract: ExtractOptions::default(), min_precedents: 1, min_confidence: 0.0 }
    }
}

impl BuildOptions {
    /// Sets [`extract`](Self::extract).
    pub fn extract(mut self, options: ExtractOptions) -> Self {
        self.extract = options;
        self
    }

    /// Sets [`min_precedents`](Self::min_precedents).
    pub fn min_precedents(mut self, precedents: u32) -> Self {
        self.min_precedents = precedents;
        self
    }

    /// Sets [`min_confidence`](Self::min_confidence).
    pub fn min_confidence(mut self, confidence: f64) -> Self {
        self.min_confidence = confidence;
        self
    }
}

/// What became of the reactions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BuildStatistics {
    /// Lines that were not blank.
    pub lines: u64,
    /// Distinct reactions that gave a template.
    pub reactions: u64,
    /// Distinct reactions whose template is in the library.
    pub reactions_kept: u64,
    /// Distinct templates before rare ones were left out.
    pub templates_found: u64,
    /// Templates of the library with two precedents or more.
    pub templates_repeated: u64,
    /// Templates that a named template accounts for.
    pub templates_named: u64,
    /// Templates with a reaction family.
    pub templates_with_family: u64,
    /// Lines that gave no reaction or no template, by reason.
    pub rejected: BTreeMap<String, u64>,
}

/// A rejected line, kept as an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Stable code of the reason.
    pub code: &'static str,
    /// File, as the caller named it.
    pub file: String,
    /// Line, counted from 1.
    pub line: u64,
    /// One sentence.
    pub message: String,
}

/// Collects reactions and makes a library of them.
///
/// Equal steps (product and reactants, stereo included) count once. Memory grows with the number
/// of distinct steps (some 20 bytes each) and templates, not with the size of the files. The
/// result does not depend on the number of threads.
#[derive(Debug)]
pub struct LibraryBuilder {
    options: BuildOptions,
    seen: HashSet<u128>,
    by_text: HashMap<String, usize>,
    found: Vec<Found>,
    statistics: BuildStatistics,
    rejected: Vec<Rejected>,
}

/// A template and what is known of it so far.
#[derive(Debug)]
pub(crate) struct Found {
    pub smarts: String,
    pub count: u32,
    /// Reactions of each class; 0 for those without.
    pub classes: [u32; 11],
    /// Mapped reactions and their sources.
    pub precedents: Vec<(String, Option<String>)>,
}

/// What a reaction gave.
struct Step {
    key: u128,
    smarts: String,
}

impl LibraryBuilder {
    /// A builder without reactions.
    pub fn new(options: BuildOptions) -> Self {
        LibraryBuilder {
            options,
            seen: HashSet::new(),
            by_text: HashMap::new(),
            found: Vec::new(),
            statistics: BuildStatistics::default(),
            rejected: Vec::new(),
        }
    }

    /// Adds all reactions of a file, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// A file that cannot be read to its end. Bad lines are counted.
    pub fn add(&mut self, file: &str, reader: ReactionReader) -> Result<(), LibraryError> {
        let mut reader = reader;
        let mut chunk = Vec::with_capacity(CHUNK);
        loop {
            chunk.clear();
            chunk.extend(reader.by_ref().take(CHUNK));
            if chunk.is_empty() {
                return Ok(());
            }
            let options = self.options;
            let steps: Vec<Result<Step, (&'static str, String)>> = chunk
                .par_iter()
                .map_init(Scratch::new, |scratch, record| match record {
                    Ok(record) => step(record, &options, scratch),
                    Err(bad) => Err((bad.code, bad.message.clone())),
                })
                .collect();
            for (record, step) in chunk.drain(..).zip(steps) {
                self.take(file, record, step)?;
            }
        }
    }

    fn take(
        &mut self,
        file: &str,
        record: Result<ReactionRecord, BadLine>,
        step: Result<Step, (&'static str, String)>,
    ) -> Result<(), LibraryError> {
        self.statistics.lines += 1;
        let line = record.as_ref().map_or_else(|bad| bad.line, |record| record.line);
        let step = match step {
            Ok(step) if self.seen.contains(&step.key) => {
                Err(("reactions.duplicate", "the same step was read before".to_owned()))
            }
            other => other,
        };
        match (record, step) {
            (Ok(record), Ok(step)) => {
                self.seen.insert(step.key);
                self.count(record, step.smarts);
            }
            (record, step) => {
                if let Err(bad) = record.as_ref()
                    && bad.ends_input
                {
                    return Err(LibraryError::new(LibraryErrorKind::Read, bad.message.clone())
                        .at(file, Some(line as usize)));
                }
                if let Err((code, message)) = step {
                    self.reject(Rejected { code, file: file.to_owned(), line, message });
                }
            }
        }
        Ok(())
    }

    fn reject(&mut self, rejected: Rejected) {
        *self.statistics.rejected.entry(rejected.code.to_owned()).or_default() += 1;
        if self.rejected.iter().filter(|r| r.code == rejected.code).count() < EXAMPLES {
            self.rejected.push(rejected);
        }
    }

    fn count(&mut self, record: ReactionRecord, smarts: String) {
        self.statistics.reactions += 1;
        let next = self.found.len();
        let position = *self.by_text.entry(smarts.clone()).or_insert(next);
        if position == next {
            self.found.push(Found { smarts, count: 0, classes: [0; 11], precedents: Vec::new() });
        }
        let found = &mut self.found[position];
        found.count += 1;
        found.classes[usize::from(record.class.unwrap_or(0))] += 1;
        // Several reactions of one patent are one precedent.
        let told = record.source.is_some()
            && found.precedents.iter().any(|(_, source)| *source == record.source);
        if found.precedents.len() < PRECEDENTS && !told {
            found.precedents.push((record.reaction, record.source));
        }
    }

    /// Lines that were rejected: the first of each reason.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// Counts so far.
    pub fn statistics(&self) -> &BuildStatistics {
        &self.statistics
    }

    /// Makes the library: names, families, order (most precedents first, then by text), index.
    ///
    /// # Errors
    /// No template was found.
    pub fn finish(self, name: &str, curated: &Library) -> Result<ExtractedLibrary, LibraryError> {
        let LibraryBuilder { options, mut found, mut statistics, .. } = self;
        statistics.templates_found = found.len() as u64;
        found.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.smarts.cmp(&b.smarts)));
        let mut names = build_naming::names(&found, curated);
        let kept: Vec<bool> = found
            .iter()
            .zip(&names)
            .map(|(found, name)| found.count >= options.min_precedents || name.named.is_some())
            .collect();
        let mut keep = kept.iter();
        found.retain(|_| *keep.next().expect("one for each"));
        let mut keep = kept.iter();
        names.retain(|_| *keep.next().expect("one for each"));
        if found.is_empty() {
            return Err(LibraryError::new(LibraryErrorKind::Empty, "no reaction gave a template"));
        }
        let precedents: Vec<Vec<Precedent>> = found.par_iter().map(precedents).collect();
        let mut entries = Vec::with_capacity(found.len());
        for (found, Named { named, family, core }) in found.iter().zip(names) {
            statistics.reactions_kept += u64::from(found.count);
            statistics.templates_repeated += u64::from(found.count > 1);
            statistics.templates_named += u64::from(named.is_some());
            statistics.templates_with_family += u64::from(family.is_some());
            entries.push(Entry {
                smarts: found.smarts.clone(),
                count: found.count,
                class: main_class(&found.classes),
                family,
                named,
                core,
            });
        }
        ExtractedLibrary::assemble(name, &options, statistics, entries, precedents)
    }
}

/// The index of templates by their canonical texts.
pub(crate) fn index(texts: &[&str]) -> Result<TemplateIndex, LibraryError> {
    let templates: Result<Vec<_>, _> =
        texts.par_iter().map(|text| synthon_reaction::Template::from_canonical(text)).collect();
    let templates = templates
        .map_err(|error| LibraryError::new(LibraryErrorKind::Template, error.to_string()))?;
    Ok(TemplateIndex::new(&templates))
}

fn step(
    record: &ReactionRecord,
    options: &BuildOptions,
    scratch: &mut Scratch,
) -> Result<Step, (&'static str, String)> {
    if let Some(confidence) = record.confidence
        && (confidence.is_nan() || confidence < options.min_confidence)
    {
        let message = format!("confidence {confidence} of the mapping");
        return Err(("reactions.low_confidence", message));
    }
    let mut budget = Budget::unlimited().with_node_limit(MAX_NODES);
    let reaction =
        MappedReaction::from_smiles(&record.reaction).map_err(|e| (e.code(), e.to_string()))?;
    let template = reaction
        .extract(&options.extract, scratch, &mut budget)
        .map_err(|e| (e.code(), e.to_string()))?;
    Ok(Step { key: step_key(&reaction), smarts: template.smarts().to_owned() })
}

/// A digest of product and reactants.
fn step_key(reaction: &MappedReaction) -> u128 {
    let mix = |state: u128, value: u128| {
        let mixed = (state ^ value).wrapping_mul(0x0dd1_3a2d_f0a7_3c59_9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 61
    };
    reaction
        .reactant_keys()
        .iter()
        .fold(mix(1, reaction.product().canonical_key()), |s, &k| mix(s, k))
}

/// The class of most of the reactions that have one; of equals the lower.
pub(crate) fn main_class(classes: &[u32; 11]) -> Option<u8> {
    let best = (1..=10u8).rev().max_by_key(|&class| classes[usize::from(class)])?;
    (classes[usize::from(best)] > 0).then_some(best)
}

fn precedents(found: &Found) -> Vec<Precedent> {
    found
        .precedents
        .iter()
        .filter_map(|(reaction, source)| {
            let reaction = MappedReaction::from_smiles(reaction).ok()?;
            Some(Precedent { reaction: reaction.to_unmapped_smiles(), source: source.clone() })
        })
        .collect()
}

/// Sorted canonical keys.
pub(crate) fn keys(molecules: &[Molecule]) -> Vec<u128> {
    let mut keys: Vec<u128> = molecules.iter().map(Molecule::canonical_key).collect();
    keys.sort_unstable();
    keys
}
