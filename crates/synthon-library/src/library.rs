//! A library: read, checked, indexed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use synthon_query::Pattern;
use synthon_reaction::{Template, TemplateIndex};

use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted::ExtractedLibrary;
use crate::family::{families, is_family};
use crate::group::FunctionalGroup;
use crate::macros;
use crate::precursor_side::PrecursorSide;
use crate::review::minded_by_families;
use crate::source::{Document, Place, RawTemplate};

/// What a caller allows when reading a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryLimits {
    /// Most templates; default 100,000.
    pub max_templates: usize,
    /// Longest file in bytes, packed and unpacked, and of the TOML files of a folder all together;
    /// default 64 MiB.
    pub max_file: u64,
    /// Most files of a folder; default 1,000.
    pub max_files: usize,
}

impl LibraryLimits {
    /// For what was made here.
    pub(crate) const NONE: LibraryLimits =
        LibraryLimits { max_templates: usize::MAX, max_file: u64::MAX, max_files: usize::MAX };
}

impl Default for LibraryLimits {
    fn default() -> Self {
        LibraryLimits { max_templates: 100_000, max_file: 64 << 20, max_files: 1_000 }
    }
}

/// A retro template and what is known of it.
#[derive(Clone, Debug)]
pub struct NamedTemplate {
    template: Template,
    forward: OnceLock<Option<Template>>,
    precursor_side: OnceLock<PrecursorSide>,
    id: String,
    name: String,
    family: String,
    about: String,
    conditions: Option<String>,
    plausibility: f64,
    use_count: u32,
    precedents: Vec<String>,
    proposed_for: u32,
    forbids: Vec<usize>,
    competes: Vec<usize>,
    precursor_forbids: Vec<usize>,
}

impl NamedTemplate {
    /// The template itself. Its [`id`](Template::id) is the stable identity.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The template run forwards, made when first asked for.
    pub fn forward(&self) -> Option<&Template> {
        self.forward.get_or_init(|| self.template.reversed().ok()).as_ref()
    }

    /// Word by which the library calls it, such as `amide_from_acid`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name that a chemist knows it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reaction family, one of [`families`].
    pub fn family(&self) -> &str {
        &self.family
    }

    /// One sentence on what it does, forwards.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Typical forward conditions: a usual set, not those of a particular precedent.
    pub fn conditions(&self) -> Option<&str> {
        self.conditions.as_deref()
    }

    /// Where the conditions come from.
    pub fn metadata_source(&self) -> &'static str {
        "typical conditions, stated with the template"
    }

    /// How readily a chemist would try this step where it applies, 0 to 1: a judgement, not a
    /// measured rate.
    pub fn plausibility(&self) -> f64 {
        self.plausibility
    }

    /// Reactions of the source data that it accounts for; 0 where that was not counted.
    pub fn use_count(&self) -> u32 {
        self.use_count
    }

    /// Products of the source data for which it proposes anything; 0 where that was not counted.
    pub fn proposed_for(&self) -> u32 {
        self.proposed_for
    }

    /// Up to three examples, such as patent numbers.
    pub fn precedents(&self) -> &[String] {
        &self.precedents
    }

    /// Groups that may not stand in the product outside the reaction, as positions in
    /// [`Library::groups`].
    pub fn forbids(&self) -> &[usize] {
        &self.forbids
    }

    /// Groups that compete when they stand in the product outside the reaction, as positions in
    /// [`Library::groups`].
    pub fn competes(&self) -> &[usize] {
        &self.competes
    }

    /// Groups that no precursor may have, as positions in [`Library::groups`].
    pub fn precursor_forbids(&self) -> &[usize] {
        &self.precursor_forbids
    }

    pub(crate) fn precursor_side(&self) -> &PrecursorSide {
        self.precursor_side.get_or_init(|| PrecursorSide::of(&self.template))
    }
}

/// A named set of templates.
#[derive(Clone, Debug)]
pub struct Library {
    name: String,
    version: String,
    templates: Vec<NamedTemplate>,
    groups: Vec<FunctionalGroup>,
    unstable: Vec<usize>,
    default_forbids: Vec<usize>,
    index: OnceLock<TemplateIndex>,
    minded: OnceLock<BTreeMap<String, Vec<usize>>>,
    hash: String,
    extracted: Option<Arc<ExtractedLibrary>>,
}

impl Library {
    /// Reads a library from files, each with the name by which faults speak of it. The shipped
    /// abbreviations and functional groups may be used; those of the files come before them.
    ///
    /// # Errors
    /// The first fault, with file and line. Nothing is skipped.
    pub fn from_toml(
        name: &str,
        files: &[(&str, &str)],
        limits: &LibraryLimits,
    ) -> Result<Library, LibraryError> {
        let shipped = synthon_data::CURATED_GROUPS;
        let given = files.iter().any(|(_, text)| *text == shipped.1);
        let all: Vec<(&str, &str)> =
            if given { files.to_vec() } else { [files, &[shipped]].concat() };
        Reader::new(limits).read(name, &all)
    }

    /// Reads a library from a TOML file or from all TOML files of a folder, by name.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml), and files that cannot be read or are too large.
    pub fn from_path(
        name: &str,
        path: &Path,
        limits: &LibraryLimits,
    ) -> Result<Library, LibraryError> {
        let fault = |path: &Path, error: &dyn std::fmt::Display| {
            LibraryError::new(LibraryErrorKind::Read, error.to_string())
                .at(&path.display().to_string(), None)
        };
        let mut paths = Vec::new();
        if path.is_dir() {
            for entry in fs::read_dir(path).map_err(|e| fault(path, &e))? {
                let path = entry.map_err(|e| fault(path, &e))?.path();
                if path.extension().is_some_and(|e| e == "toml") && path.is_file() {
                    paths.push(path);
                }
                if paths.len() > limits.max_files {
                    return Err(LibraryError::new(
                        LibraryErrorKind::TooLarge,
                        format!("more than {} files", limits.max_files),
                    )
                    .at(&path_text(&paths), None));
                }
            }
            if paths.is_empty() {
                let message = "neither a library.toml nor any other file of templates (*.toml)";
                return Err(LibraryError::new(LibraryErrorKind::Empty, message)
                    .at(&path.display().to_string(), None));
            }
            paths.sort();
        } else {
            paths.push(path.to_path_buf());
        }
        let mut texts = Vec::new();
        let mut left = limits.max_file;
        for path in &paths {
            // The size that a file announces is no bound: a device announces none.
            let file = fs::File::open(path).map_err(|e| fault(path, &e))?;
            let mut text = String::new();
            let read = file.take(left.saturating_add(1)).read_to_string(&mut text);
            read.map_err(|e| fault(path, &e))?;
            let Some(rest) = left.checked_sub(text.len() as u64) else {
                return Err(LibraryError::new(
                    LibraryErrorKind::TooLarge,
                    format!("more than the {} bytes that are allowed together", limits.max_file),
                )
                .at(&path.display().to_string(), None));
            };
            left = rest;
            texts.push((path.display().to_string(), text));
        }
        let files: Vec<(&str, &str)> =
            texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        Library::from_toml(name, &files, limits)
    }

    /// Name by which the library is asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of its content; empty for a user's library.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn with_version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.version);
        self
    }

    /// The same named templates with these extracted ones beside them, under another name.
    pub fn with_extracted(mut self, name: &str, extracted: Arc<ExtractedLibrary>) -> Self {
        name.clone_into(&mut self.name);
        self.extracted = Some(extracted);
        self
    }

    /// The same functional groups without any template.
    pub(crate) fn without_named(mut self) -> Self {
        self.templates = Vec::new();
        self.index = OnceLock::new();
        self.minded = OnceLock::new();
        self
    }

    /// Extracted templates beside the named ones, if any.
    pub fn extracted(&self) -> Option<&ExtractedLibrary> {
        self.extracted.as_deref()
    }

    /// Takes over use counts: a template's word, the reactions that it accounts for and the products
    /// that it proposes something for a line, with tabs between; `#` starts a comment.
    pub(crate) fn with_use_counts(mut self, text: &str) -> Self {
        let counts: BTreeMap<&str, (u32, u32)> = text
            .lines()
            .filter_map(|line| {
                let mut fields = line.split('\t');
                let word = fields.next()?;
                let mut count = || fields.next()?.parse().ok();
                Some((word, (count()?, count()?)))
            })
            .collect();
        for named in &mut self.templates {
            if let Some(&(used, proposed)) = counts.get(named.id.as_str()) {
                (named.use_count, named.proposed_for) = (used, proposed);
            }
        }
        self
    }

    /// SHA-256 of its files, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The templates, in the order of the files.
    pub fn templates(&self) -> &[NamedTemplate] {
        &self.templates
    }

    /// Number of templates.
    pub fn len(&self) -> usize {
        self.templates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty()
    }

    /// The template that the library calls by this word.
    pub fn find(&self, id: &str) -> Option<&NamedTemplate> {
        self.templates.iter().find(|template| template.id == id)
    }

    /// Functional groups that templates speak of.
    pub fn groups(&self) -> &[FunctionalGroup] {
        &self.groups
    }

    /// Groups that no precursor may have unless the product has one, as positions in
    /// [`groups`](Self::groups).
    pub fn unstable(&self) -> &[usize] {
        &self.unstable
    }

    /// Groups that no reaction leaves untouched unless its template says so.
    pub(crate) fn default_forbids(&self) -> &[usize] {
        &self.default_forbids
    }

    /// Groups that the named templates of a family mind, as positions in
    /// [`groups`](Self::groups).
    pub(crate) fn minded_in(&self, family: &str) -> &[usize] {
        let minded = self.minded.get_or_init(|| minded_by_families(self));
        minded.get(family).map_or(&[], Vec::as_slice)
    }

    /// Families that have a template here, in the order of the list.
    pub fn families(&self) -> Vec<&'static str> {
        let used: BTreeSet<&str> = self.templates.iter().map(|t| t.family.as_str()).collect();
        families().iter().map(|f| f.id.as_str()).filter(|id| used.contains(id)).collect()
    }

    /// The index by which the templates that can match a molecule are found. Positions are those
    /// of [`templates`](Self::templates). Made when first asked for.
    pub fn index(&self) -> &TemplateIndex {
        self.index.get_or_init(|| TemplateIndex::new(self.templates.iter().map(|t| &t.template)))
    }
}

fn path_text(paths: &[std::path::PathBuf]) -> String {
    paths.first().and_then(|p| p.parent()).map(|p| p.display().to_string()).unwrap_or_default()
}

struct Reader<'l> {
    limits: &'l LibraryLimits,
    macros: BTreeMap<String, String>,
    groups: Vec<FunctionalGroup>,
    by_group: BTreeMap<String, usize>,
    default_forbids: Vec<usize>,
    unstable: Vec<usize>,
    templates: Vec<NamedTemplate>,
    ids: BTreeSet<String>,
}

impl<'l> Reader<'l> {
    fn new(limits: &'l LibraryLimits) -> Self {
        Reader {
            limits,
            macros: BTreeMap::new(),
            groups: Vec::new(),
            by_group: BTreeMap::new(),
            default_forbids: Vec::new(),
            unstable: Vec::new(),
            templates: Vec::new(),
            ids: BTreeSet::new(),
        }
    }

    fn read(mut self, name: &str, files: &[(&str, &str)]) -> Result<Library, LibraryError> {
        let mut documents = Vec::with_capacity(files.len());
        for &(file, text) in files {
            let place = Place { file, text };
            if text.len() as u64 > self.limits.max_file {
                let message = format!("{} bytes, {} are allowed", text.len(), self.limits.max_file);
                return Err(LibraryError::new(LibraryErrorKind::TooLarge, message).at(file, None));
            }
            documents.push((place, place.document()?));
        }
        for (place, document) in &documents {
            self.read_macros(*place, document)?;
        }
        for (place, document) in &documents {
            self.read_groups(*place, document)?;
        }
        for (place, document) in &documents {
            for group in &document.default_forbids {
                let group = self.group(*place, group)?;
                self.default_forbids.push(group);
            }
            for group in &document.unstable {
                let group = self.group(*place, group)?;
                self.unstable.push(group);
            }
        }
        let mut hash = Sha256::new();
        for (place, document) in documents {
            hash.update(place.text.as_bytes());
            for raw in document.template {
                self.read_template(place, raw)?;
            }
        }
        if self.templates.is_empty() {
            let error = LibraryError::new(LibraryErrorKind::Empty, "no template")
                .with_hint("a template is a table [[template]] with id, name, family and retro");
            return Err(match files.first() {
                Some((file, _)) => error.at(file, None),
                None => error,
            });
        }
        Ok(Library {
            name: name.to_owned(),
            version: String::new(),
            templates: self.templates,
            groups: self.groups,
            unstable: self.unstable,
            default_forbids: self.default_forbids,
            index: OnceLock::new(),
            minded: OnceLock::new(),
            extracted: None,
            hash: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    fn read_macros(&mut self, place: Place<'_>, document: &Document) -> Result<(), LibraryError> {
        for (name, meaning) in &document.macros {
            if !macros::is_name(name) {
                return Err(place.fault(
                    LibraryErrorKind::Macro,
                    meaning,
                    format!("`{name}` is no name for an abbreviation: lower-case letters, digits and `_`"),
                ));
            }
            // Files come in order of precedence.
            self.macros.entry(name.clone()).or_insert_with(|| meaning.get_ref().clone());
        }
        Ok(())
    }

    fn read_groups(&mut self, place: Place<'_>, document: &Document) -> Result<(), LibraryError> {
        for raw in &document.group {
            let id = raw.id.get_ref();
            if self.by_group.contains_key(id) {
                continue;
            }
            let smarts = self.expand(place, &raw.smarts)?;
            let pattern = Pattern::from_smarts(&smarts).map_err(|error| {
                place.fault(
                    LibraryErrorKind::Template,
                    &raw.smarts,
                    format!("group `{id}`: {error}"),
                )
            })?;
            self.by_group.insert(id.clone(), self.groups.len());
            self.groups.push(FunctionalGroup::new(id.clone(), raw.about.clone(), pattern));
        }
        Ok(())
    }

    fn expand(
        &self,
        place: Place<'_>,
        text: &toml::Spanned<String>,
    ) -> Result<String, LibraryError> {
        macros::expand(text.get_ref(), &self.macros)
            .map_err(|message| place.fault(LibraryErrorKind::Macro, text, message))
    }

    fn group(
        &self,
        place: Place<'_>,
        group: &toml::Spanned<String>,
    ) -> Result<usize, LibraryError> {
        self.by_group.get(group.get_ref()).copied().ok_or_else(|| {
            let known: Vec<&str> = self.groups.iter().map(|g| g.id()).collect();
            place
                .fault(
                    LibraryErrorKind::UnknownGroup,
                    group,
                    format!("unknown functional group `{}`", group.get_ref()),
                )
                .with_hint(format!("known are {}", known.join(", ")))
        })
    }

    fn read_template(&mut self, place: Place<'_>, raw: RawTemplate) -> Result<(), LibraryError> {
        let id = raw.id.get_ref().clone();
        if self.templates.len() >= self.limits.max_templates {
            let message = format!("more than {} templates", self.limits.max_templates);
            return Err(place.fault(LibraryErrorKind::TooLarge, &raw.id, message));
        }
        if !self.ids.insert(id.clone()) {
            let message = format!("the id `{id}` is used twice");
            return Err(place.fault(LibraryErrorKind::Duplicate, &raw.id, message));
        }
        let family = raw.family.get_ref().clone();
        if !is_family(&family) {
            let known: Vec<&str> = families().iter().map(|f| f.id.as_str()).collect();
            let message = format!("unknown reaction family `{family}`");
            return Err(place
                .fault(LibraryErrorKind::UnknownFamily, &raw.family, message)
                .with_hint(format!("known are {}", known.join(", "))));
        }
        let smarts = self.expand(place, &raw.retro)?;
        let refused = |kind, message: String| {
            place.fault(kind, &raw.retro, format!("template `{id}`: {message}"))
        };
        let template = Template::from_smarts(&smarts)
            .map_err(|error| refused(LibraryErrorKind::Template, error.to_string()))?;
        template
            .require_balanced()
            .map_err(|error| refused(LibraryErrorKind::Unbalanced, error.to_string()))?;
        let plausibility = match &raw.plausibility {
            None => 0.5,
            Some(value) if *value.get_ref() > 0.0 && *value.get_ref() <= 1.0 => *value.get_ref(),
            Some(value) => {
                let message = format!(
                    "plausibility {} of template `{id}` is not above 0 and at most 1",
                    value.get_ref()
                );
                return Err(place.fault(LibraryErrorKind::Value, value, message));
            }
        };
        let groups = |names: &[toml::Spanned<String>]| -> Result<Vec<usize>, LibraryError> {
            names.iter().map(|name| self.group(place, name)).collect()
        };
        let (mut forbids, competes) = (groups(&raw.forbids)?, groups(&raw.competes)?);
        let tolerates = groups(&raw.tolerates)?;
        let precursor_forbids = groups(&raw.precursor_forbids)?;
        for &group in &self.default_forbids {
            if !forbids.contains(&group) && !tolerates.contains(&group) {
                forbids.push(group);
            }
        }
        self.templates.push(NamedTemplate {
            template,
            forward: OnceLock::new(),
            precursor_side: OnceLock::new(),
            id,
            name: raw.name,
            family,
            about: raw.about,
            conditions: raw.conditions,
            plausibility,
            use_count: raw.use_count,
            precedents: raw.precedents,
            proposed_for: 0,
            forbids,
            competes,
            precursor_forbids,
        });
        Ok(())
    }
}
