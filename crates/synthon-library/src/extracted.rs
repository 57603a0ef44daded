//! A library of templates that were extracted from reactions.

use std::fmt;
use std::sync::{Arc, OnceLock};

use synthon_query::{Target, TargetProfile};
use synthon_reaction::{IndexScratch, Template, TemplateIndex};

use crate::build::{self, BuildOptions, BuildStatistics};
use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted_files::{self, Files, Manifest};
use crate::extracted_table::Table;
use crate::library::LibraryLimits;
use crate::model::TemplateModel;
use crate::policy::Policy;

/// What is known of an extracted template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub smarts: String,
    pub count: u32,
    pub class: Option<u8>,
    pub family: Option<String>,
    pub named: Option<String>,
    pub core: String,
}

/// A reaction that a template was extracted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precedent {
    /// Reaction SMILES without atom maps, `reactants>>product`.
    pub reaction: String,
    /// Where it comes from, such as a patent number, where that is known.
    pub source: Option<String>,
}

/// An extracted template in its library. Positions run from 0, most precedents first.
#[derive(Clone, Copy)]
pub struct ExtractedTemplate<'l> {
    library: &'l ExtractedLibrary,
    position: usize,
}

impl fmt::Debug for ExtractedTemplate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractedTemplate")
            .field("position", &self.position)
            .field("smarts", &self.smarts())
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

impl<'l> ExtractedTemplate<'l> {
    /// Position in the library.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Canonical text.
    pub fn smarts(&self) -> &'l str {
        self.library.table.smarts(self.position)
    }

    /// Distinct reactions of the source data that gave it.
    pub fn count(&self) -> u32 {
        self.library.table.rows[self.position].count
    }

    /// The class of most of them, 1 to 10, where any had one.
    pub fn class(&self) -> Option<u8> {
        Some(self.library.table.rows[self.position].class).filter(|&class| class != 0)
    }

    /// Reaction family, where it is known: that of the named template, or of those with the same
    /// reaction centre.
    pub fn family(&self) -> Option<&'l str> {
        self.library.table.family(self.position)
    }

    /// Word of the named template that gives the same precursors.
    pub fn named(&self) -> Option<&'l str> {
        self.library.table.named(self.position)
    }

    /// The reaction centre alone, as a template that is not checked: templates with the same one
    /// do the same in other surroundings. Empty where it is none.
    pub fn core(&self) -> &'l str {
        self.library.table.core(self.position)
    }

    /// The template, compiled when first asked for; `None` for a text that is no template, which
    /// only a damaged library has.
    pub fn template(&self) -> Option<&'l Template> {
        let cell = &self.library.compiled[self.position];
        cell.get_or_init(|| Template::from_canonical(self.smarts()).ok().map(Box::new)).as_deref()
    }

    /// Up to three of its reactions, of different sources. They are unpacked when first asked for.
    pub fn precedents(&self) -> &'l [Precedent] {
        let all = self.library.precedents.get_or_init(|| {
            extracted_files::read_precedents(&self.library.files, self.library.len())
                .unwrap_or_default()
        });
        all.get(self.position).map_or(&[], Vec::as_slice)
    }
}

/// Templates extracted from reactions, with counts, classes, families and precedents.
///
/// Opening one reads texts, counts and the index; templates are compiled when they are first
/// tried on a molecule.
#[derive(Debug)]
pub struct ExtractedLibrary {
    manifest: Manifest,
    hash: String,
    pub(crate) files: Files,
    table: Table,
    compiled: Vec<OnceLock<Option<Box<Template>>>>,
    index: TemplateIndex,
    precedents: OnceLock<Vec<Vec<Precedent>>>,
    policy: Option<Box<Policy>>,
    model: Option<Arc<dyn TemplateModel>>,
}

impl ExtractedLibrary {
    pub(crate) fn assemble(
        name: &str,
        options: &BuildOptions,
        statistics: BuildStatistics,
        entries: Vec<Entry>,
        precedents: Vec<Vec<Precedent>>,
    ) -> Result<Self, LibraryError> {
        let texts: Vec<&str> = entries.iter().map(|entry| entry.smarts.as_str()).collect();
        let index = build::index(&texts)?;
        let (manifest, files) =
            extracted_files::write(name, options, statistics, &entries, &precedents, &index);
        extracted_files::from_files(manifest, files, &LibraryLimits::NONE)
    }

    pub(crate) fn from_parts(
        manifest: Manifest,
        hash: String,
        files: Files,
        table: Table,
        index: TemplateIndex,
    ) -> Self {
        let compiled = std::iter::repeat_with(OnceLock::new).take(table.rows.len()).collect();
        ExtractedLibrary {
            manifest,
            hash,
            files,
            table,
            compiled,
            index,
            precedents: OnceLock::new(),
            policy: None,
            model: None,
        }
    }

    /// The same library with the policy of this file in place of its own.
    pub(crate) fn with_policy(&self, bytes: Vec<u8>) -> Result<Self, LibraryError> {
        let (manifest, files) = extracted_files::with_policy(&self.manifest, &self.files, bytes);
        extracted_files::from_files(manifest, files, &LibraryLimits::NONE)
    }

    /// The same library with the policy of another one whose templates and reaction centres are the
    /// same, in the same order; `None` where they are not, or it has no policy.
    pub fn with_policy_of(&self, other: &ExtractedLibrary) -> Option<Self> {
        let same = self.len() == other.len()
            && self.iter().zip(other.iter()).all(|(own, others)| {
                let core = |t: ExtractedTemplate<'_>| t.library.core_number(t.position);
                own.smarts() == others.smarts() && core(own) == core(others)
            });
        let policy = extracted_files::policy(&other.files).filter(|_| same)?;
        self.with_policy(policy.to_vec()).ok()
    }

    pub(crate) fn with_calibration(&self, points: Vec<f32>) -> Result<Self, LibraryError> {
        let bytes = extracted_files::policy(&self.files)
            .and_then(|bytes| crate::policy::with_calibration(bytes, points));
        let none = || {
            LibraryError::new(LibraryErrorKind::Empty, "the library has no policy")
                .with_hint("train one with `synthon library train`")
        };
        self.with_policy(bytes.ok_or_else(none)?)
    }

    /// The same library with its index made anew by this version of the engine.
    ///
    /// # Errors
    /// A text that is no template, which only a damaged library has.
    pub fn indexed_anew(&self) -> Result<Self, LibraryError> {
        let texts: Vec<&str> = self.iter().map(|template| template.smarts()).collect();
        let index = build::index(&texts)?;
        let (manifest, files) = extracted_files::with_index(&self.manifest, &self.files, &index);
        extracted_files::from_files(manifest, files, &LibraryLimits::NONE)
    }

    pub(crate) fn with_read_policy(mut self, policy: Policy) -> Self {
        self.policy = Some(Box::new(policy));
        self
    }

    /// The policy, where the library has one.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.policy.as_deref()
    }

    pub(crate) fn with_read_model(mut self, model: Arc<dyn TemplateModel>) -> Self {
        self.model = Some(model);
        self
    }

    /// The model of another planner, where that chooses among the templates.
    pub fn model(&self) -> Option<&dyn TemplateModel> {
        self.model.as_deref()
    }

    /// Whether it has a policy that ranks what its templates give.
    pub fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// The index as it is written.
    #[cfg(test)]
    pub(crate) fn index_bytes(&self) -> Vec<u8> {
        self.index.to_bytes()
    }

    /// Number of distinct reaction centres.
    pub(crate) fn core_count(&self) -> usize {
        self.table.core_count()
    }

    /// Number of a template's reaction centre.
    pub(crate) fn core_number(&self, position: usize) -> u32 {
        self.table.rows[position].core
    }

    /// Name by which the library is asked for.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// SHA-256 of the manifest, which holds those of the other files, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What became of the reactions when the library was built.
    pub fn statistics(&self) -> &BuildStatistics {
        &self.manifest.statistics
    }

    /// Number of templates.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// The template at a position below [`len`](Self::len).
    pub fn get(&self, position: usize) -> ExtractedTemplate<'_> {
        debug_assert!(position < self.len());
        ExtractedTemplate { library: self, position }
    }

    /// All templates, most precedents first; those of another planner in its order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ExtractedTemplate<'_>> + '_ {
        (0..self.len()).map(|position| self.get(position))
    }

    /// Positions of the templates that may match a molecule, ascending; all others do not.
    pub fn candidates(
        &self,
        molecule: &TargetProfile,
        scratch: &mut IndexScratch,
        found: &mut Vec<u32>,
    ) {
        self.index.candidates(molecule, scratch, found);
    }

    /// The templates that may match a molecule; see [`candidates`](Self::candidates).
    pub fn candidates_for(&self, molecule: &Target<'_>) -> Vec<u32> {
        let mut found = Vec::new();
        self.candidates(molecule.profile(), &mut IndexScratch::default(), &mut found);
        found
    }

    /// The files of the library, by name: write them into one folder to keep it.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> + '_ {
        self.files.iter()
    }
}
