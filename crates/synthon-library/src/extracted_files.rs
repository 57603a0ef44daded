//! The folder of a built library.
//!
//! | file | what |
//! | --- | --- |
//! | `library.toml` | name, options, statistics, and size and SHA-256 of the other files |
//! | `templates.tsv.gz` | a line a template, most precedents first: canonical text, count, class, family, named template, number of the core |
//! | `cores.txt.gz` | the reaction centres alone, a line each |
//! | `precedents.tsv.gz` | position of the template, source, reaction |
//! | `index.bin.gz` | the index, as `TemplateIndex::to_bytes` writes it |
//! | `policy.safetensors` | the policy, where there is one |

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use synthon_reaction::TemplateIndex;

use crate::build::{self, BuildOptions, BuildStatistics};
use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted::{Entry, ExtractedLibrary, Precedent};
use crate::extracted_table::{Table, TableFault};
use crate::library::LibraryLimits;
use crate::policy::{self, Policy};

/// Version of the folder.
const FORMAT: u32 = 1;

pub(crate) const MANIFEST: &str = "library.toml";
const TEMPLATES: &str = "templates.tsv.gz";
const CORES: &str = "cores.txt.gz";
const PRECEDENTS: &str = "precedents.tsv.gz";
const INDEX: &str = "index.bin.gz";

/// The content of `library.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub format: u32,
    pub name: String,
    pub templates: u64,
    pub options: ManifestOptions,
    pub statistics: BuildStatistics,
    pub file: Vec<FileEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestOptions {
    pub radius: u8,
    pub whole_groups: bool,
    pub min_precedents: u32,
    pub min_confidence: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileEntry {
    pub name: String,
    /// Size as it lies there, and unpacked.
    pub bytes: u64,
    pub unpacked: u64,
    pub sha256: String,
}

/// The files of a library in memory, packed; those of the shipped one are part of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(BTreeMap<String, Cow<'static, [u8]>>);

impl Files {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> + '_ {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()))
    }
}

/// Writes all files of a library.
pub(crate) fn write(
    name: &str,
    options: &BuildOptions,
    statistics: BuildStatistics,
    entries: &[Entry],
    precedents: &[Vec<Precedent>],
    index: &TemplateIndex,
) -> (Manifest, Files) {
    let mut cores: BTreeMap<&str, usize> = BTreeMap::new();
    let mut core_lines = String::new();
    let mut lines = String::new();
    for entry in entries {
        let next = cores.len();
        let core = *cores.entry(&entry.core).or_insert(next);
        if core == next {
            core_lines.push_str(&entry.core);
            core_lines.push('\n');
        }
        let class = entry.class.map(|class| class.to_string()).unwrap_or_default();
        let (family, named) = (entry.family.as_deref(), entry.named.as_deref());
        writeln!(
            lines,
            "{}\t{}\t{class}\t{}\t{}\t{core}",
            entry.smarts,
            entry.count,
            family.unwrap_or_default(),
            named.unwrap_or_default()
        )
        .expect("a string takes any text");
    }
    let mut precedent_lines = String::new();
    for (position, precedents) in precedents.iter().enumerate() {
        for precedent in precedents {
            let source = precedent.source.as_deref().unwrap_or_default().replace(['\t', '\n'], " ");
            writeln!(precedent_lines, "{position}\t{source}\t{}", precedent.reaction)
                .expect("a string takes any text");
        }
    }
    let mut files = Files::default();
    let mut list = Vec::new();
    for (file, content) in [
        (TEMPLATES, lines.as_bytes()),
        (CORES, core_lines.as_bytes()),
        (PRECEDENTS, precedent_lines.as_bytes()),
        (INDEX, &index.to_bytes()),
    ] {
        let packed = pack(content);
        list.push(FileEntry {
            name: file.to_owned(),
            bytes: packed.len() as u64,
            unpacked: content.len() as u64,
            sha256: sha256(&packed),
        });
        files.0.insert(file.to_owned(), packed.into());
    }
    let manifest = Manifest {
        format: FORMAT,
        name: name.to_owned(),
        templates: entries.len() as u64,
        options: ManifestOptions {
            radius: options.extract.radius,
            whole_groups: options.extract.whole_groups,
            min_precedents: options.min_precedents,
            min_confidence: options.min_confidence,
        },
        statistics,
        file: list,
    };
    files.0.insert(MANIFEST.to_owned(), manifest_text(&manifest).into_bytes().into());
    (manifest, files)
}

/// The files with a policy in place of the one that was there.
pub(crate) fn with_policy(
    manifest: &Manifest,
    files: &Files,
    policy: Vec<u8>,
) -> (Manifest, Files) {
    let unpacked = policy.len() as u64;
    with_file(manifest, files, policy::FILE, policy, unpacked)
}

/// The files with an index in place of the one that was there.
pub(crate) fn with_index(
    manifest: &Manifest,
    files: &Files,
    index: &TemplateIndex,
) -> (Manifest, Files) {
    let bytes = index.to_bytes();
    with_file(manifest, files, INDEX, pack(&bytes), bytes.len() as u64)
}

fn with_file(
    manifest: &Manifest,
    files: &Files,
    name: &str,
    content: Vec<u8>,
    unpacked: u64,
) -> (Manifest, Files) {
    let mut manifest = manifest.clone();
    let entry = FileEntry {
        name: name.to_owned(),
        bytes: content.len() as u64,
        unpacked,
        sha256: sha256(&content),
    };
    match manifest.file.iter_mut().find(|entry| entry.name == name) {
        Some(known) => *known = entry,
        None => manifest.file.push(entry),
    }
    let mut files = files.clone();
    files.0.insert(name.to_owned(), content.into());
    files.0.insert(MANIFEST.to_owned(), manifest_text(&manifest).into_bytes().into());
    (manifest, files)
}

/// The file of the policy.
pub(crate) fn policy(files: &Files) -> Option<&[u8]> {
    files.0.get(policy::FILE).map(AsRef::as_ref)
}

fn manifest_text(manifest: &Manifest) -> String {
    toml::to_string(manifest).expect("the manifest is TOML")
}

pub(crate) fn hash(manifest: &Manifest) -> String {
    sha256(manifest_text(manifest).as_bytes())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Gzip without name and time, so that equal content gives equal bytes.
fn pack(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory takes any bytes");
    encoder.finish().expect("memory takes any bytes")
}

fn damaged(file: &str, message: impl Into<String>) -> LibraryError {
    LibraryError::new(LibraryErrorKind::Damaged, message)
        .at(file, None)
        .with_hint("build the library again")
}

impl ExtractedLibrary {
    /// Whether a folder holds a built library.
    pub fn is_folder_of_one(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
    }

    /// Opens the library in a folder. Sizes and hashes are checked; templates are compiled when
    /// they are first used.
    ///
    /// # Errors
    /// A file that is missing, larger than the limits, of another version, cut short, or not the
    /// one that the manifest names.
    pub fn open(folder: &Path, limits: &LibraryLimits) -> Result<Self, LibraryError> {
        let read = |name: &str| {
            let path = folder.join(name);
            let shown = path.display().to_string();
            let fault = |error: &dyn std::fmt::Display| {
                LibraryError::new(LibraryErrorKind::Read, error.to_string()).at(&shown, None)
            };
            // A pipe would be waited for.
            if path.exists() && !path.is_file() {
                return Err(fault(&"no plain file"));
            }
            let mut bytes = Vec::new();
            let file = File::open(&path).map_err(|e| fault(&e))?;
            let read = file.take(limits.max_file + 1).read_to_end(&mut bytes);
            read.map_err(|e| fault(&e))?;
            if bytes.len() as u64 > limits.max_file {
                return Err(too_large(&shown, limits.max_file));
            }
            Ok((shown, bytes))
        };
        let (shown, text) = read(MANIFEST)?;
        let text = String::from_utf8(text).map_err(|_| damaged(&shown, "not UTF-8"))?;
        let manifest = read_manifest(&shown, &text)?;
        let mut files = Files::default();
        for entry in &manifest.file {
            if ![TEMPLATES, CORES, PRECEDENTS, INDEX, policy::FILE].contains(&entry.name.as_str()) {
                return Err(damaged(&shown, format!("unknown file {:?}", entry.name)));
            }
            let (shown, bytes) = read(&entry.name)?;
            check(&shown, entry, &bytes)?;
            files.0.insert(entry.name.clone(), bytes.into());
        }
        files.0.insert(MANIFEST.to_owned(), text.into_bytes().into());
        from_files(manifest, files, limits)
    }

    /// Opens a library from its files in memory, by name, such as those of
    /// [`files`](Self::files).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(
        given: &[(&str, &[u8])],
        limits: &LibraryLimits,
    ) -> Result<Self, LibraryError> {
        let find = |name: &str| {
            given.iter().find(|(n, _)| *n == name).map(|(_, bytes)| *bytes).ok_or_else(|| {
                LibraryError::new(LibraryErrorKind::Read, "no such file").at(name, None)
            })
        };
        let text =
            std::str::from_utf8(find(MANIFEST)?).map_err(|_| damaged(MANIFEST, "not UTF-8"))?;
        let manifest = read_manifest(MANIFEST, text)?;
        let mut files = Files::default();
        for entry in &manifest.file {
            let bytes = find(&entry.name)?;
            check(&entry.name, entry, bytes)?;
            files.0.insert(entry.name.clone(), bytes.to_vec().into());
        }
        files.0.insert(MANIFEST.to_owned(), text.as_bytes().to_vec().into());
        from_files(manifest, files, limits)
    }

    /// Opens a library that is part of the program: nothing is copied, and hashes are left to a
    /// test.
    pub(crate) fn from_static(
        given: &[(&str, &'static [u8])],
        limits: &LibraryLimits,
    ) -> Result<Self, LibraryError> {
        let files = given.iter().map(|&(name, bytes)| (name.to_owned(), Cow::Borrowed(bytes)));
        let files = Files(files.collect());
        let text = files.0.get(MANIFEST).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let manifest = read_manifest(MANIFEST, text.unwrap_or_default())?;
        from_files(manifest, files, limits)
    }
}

/// Reads a library from files whose hashes were checked.
pub(crate) fn from_files(
    manifest: Manifest,
    files: Files,
    limits: &LibraryLimits,
) -> Result<ExtractedLibrary, LibraryError> {
    if manifest.templates > limits.max_templates as u64 {
        let message =
            format!("{} templates, {} are allowed", manifest.templates, limits.max_templates);
        return Err(LibraryError::new(LibraryErrorKind::TooLarge, message).at(MANIFEST, None));
    }
    let cores = unpacked_text(&manifest, &files, CORES, limits)?;
    let lines = unpacked_text(&manifest, &files, TEMPLATES, limits)?;
    let announced = usize::try_from(manifest.templates).unwrap_or(usize::MAX);
    let table = Table::read(lines, cores, announced).map_err(|fault| match fault {
        TableFault::Line(line) => {
            LibraryError::new(LibraryErrorKind::Damaged, "not a line of templates")
                .at(TEMPLATES, Some(line))
        }
        TableFault::Templates => {
            damaged(TEMPLATES, format!("other than the {announced} templates that are announced"))
        }
        TableFault::Cores => damaged(CORES, "more reaction centres than templates"),
    })?;
    let bytes = unpack(&manifest, &files, INDEX, limits)?;
    let index = match TemplateIndex::from_bytes(&bytes) {
        Ok(index) if index.len() == table.rows.len() => index,
        // Of another version of the engine, most likely: what it says follows from the
        // templates.
        _ => {
            let texts: Vec<&str> = (0..table.rows.len()).map(|i| table.smarts(i)).collect();
            build::index(&texts)?
        }
    };
    let hash = hash(&manifest);
    let library = ExtractedLibrary::from_parts(manifest, hash, files, table, index);
    match policy(&library.files) {
        Some(bytes) => {
            let policy = Policy::from_bytes(bytes, library.len(), library.core_count())?;
            Ok(library.with_read_policy(policy))
        }
        None => Ok(library),
    }
}

fn too_large(file: &str, limit: u64) -> LibraryError {
    let message = format!("more than the {limit} bytes that are allowed");
    LibraryError::new(LibraryErrorKind::TooLarge, message).at(file, None)
}

fn read_manifest(shown: &str, text: &str) -> Result<Manifest, LibraryError> {
    let fault = |message: String| damaged(shown, message);
    let value: toml::Table = toml::from_str(text).map_err(|e| fault(e.message().to_owned()))?;
    match value.get("format").and_then(toml::Value::as_integer) {
        Some(format) if format == i64::from(FORMAT) => {}
        Some(format) => return Err(fault(format!("format {format}, this version reads {FORMAT}"))),
        None => return Err(fault("no format number: not a built library".into())),
    }
    toml::from_str(text).map_err(|e| fault(e.message().trim_end().replace('\n', ", ")))
}

fn check(shown: &str, entry: &FileEntry, bytes: &[u8]) -> Result<(), LibraryError> {
    if bytes.len() as u64 != entry.bytes {
        let message = format!("{} bytes, {} are announced", bytes.len(), entry.bytes);
        return Err(damaged(shown, message));
    }
    if sha256(bytes) != entry.sha256 {
        return Err(damaged(shown, "the hash is not the one that is announced"));
    }
    Ok(())
}

fn unpack(
    manifest: &Manifest,
    files: &Files,
    name: &str,
    limits: &LibraryLimits,
) -> Result<Vec<u8>, LibraryError> {
    let entry = manifest.file.iter().find(|entry| entry.name == name);
    let (Some(entry), Some(packed)) = (entry, files.0.get(name)) else {
        return Err(damaged(MANIFEST, format!("{name} is not announced")));
    };
    if entry.unpacked > limits.max_file {
        return Err(too_large(name, limits.max_file));
    }
    // Deflate cannot expand more than this: a larger announcement would only claim memory.
    let capacity = entry.unpacked.min(packed.len() as u64 * 1_032) as usize;
    let mut bytes = Vec::with_capacity(capacity);
    let read = GzDecoder::new(packed.as_ref())
        .take(entry.unpacked.saturating_add(1))
        .read_to_end(&mut bytes);
    match read {
        Err(error) => Err(damaged(name, error.to_string())),
        Ok(length) if length as u64 != entry.unpacked => {
            Err(damaged(name, format!("unpacks to other than {} bytes", entry.unpacked)))
        }
        Ok(_) => Ok(bytes),
    }
}

fn unpacked_text(
    manifest: &Manifest,
    files: &Files,
    name: &str,
    limits: &LibraryLimits,
) -> Result<String, LibraryError> {
    let bytes = unpack(manifest, files, name, limits)?;
    String::from_utf8(bytes).map_err(|_| damaged(name, "not UTF-8"))
}

/// The precedents of each template; `None` where the file is damaged.
pub(crate) fn read_precedents(files: &Files, templates: usize) -> Option<Vec<Vec<Precedent>>> {
    // Hash and announced size were checked when the library was opened; the list is bounded by
    // what it unpacks to.
    let packed = files.0.get(PRECEDENTS)?;
    let limit = LibraryLimits::default().max_file;
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_ref()).take(limit).read_to_end(&mut bytes).ok()?;
    let mut all = vec![Vec::new(); templates];
    for line in std::str::from_utf8(&bytes).ok()?.lines() {
        let mut fields = line.split('\t');
        let position: usize = fields.next()?.parse().ok()?;
        let source = fields.next()?;
        let reaction = fields.next()?.to_owned();
        let source = (!source.is_empty()).then(|| source.to_owned());
        let own = all.get_mut(position).filter(|own| own.len() < build::PRECEDENTS)?;
        own.push(Precedent { reaction, source });
    }
    Some(all)
}
