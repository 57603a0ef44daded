//! A policy as a file in the safetensors format: a length, a JSON header that names types, shapes
//! and places, and the numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::features::DENSE;
use super::network::{HIDDEN, PRODUCT, Policy, Vocabulary};
use super::rows::Rows;
use crate::error::{LibraryError, LibraryErrorKind};

/// Version of what the tensors mean: features, numbers, network.
const VERSION: &str = "1";
/// Longest header in bytes.
const MAX_HEADER: usize = 1 << 16;

#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "__metadata__")]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Entry>,
}

#[derive(Default)]
struct Writer {
    tensors: BTreeMap<String, Entry>,
    data: Vec<u8>,
}

impl Writer {
    fn put(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: impl Iterator<Item = u8>) {
        let start = self.data.len();
        self.data.extend(bytes);
        let data_offsets = [start, self.data.len()];
        let entry = Entry { dtype: dtype.to_owned(), shape: shape.to_vec(), data_offsets };
        self.tensors.insert(name.to_owned(), entry);
    }

    fn words(&mut self, name: &str, words: &[u32]) {
        self.put(name, "U32", &[words.len()], words.iter().flat_map(|w| w.to_le_bytes()));
    }

    fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        self.put(name, "F32", shape, values.iter().flat_map(|v| v.to_le_bytes()));
    }

    /// The upper halves of the numbers.
    fn halves(&mut self, name: &str, values: &[f32]) {
        let halves = values.iter().flat_map(|v| ((v.to_bits() >> 16) as u16).to_le_bytes());
        self.put(name, "BF16", &[values.len()], halves);
    }

    fn rows(&mut self, name: &str, rows: &Rows) {
        self.halves(&format!("{name}.scale"), &rows.scales);
        let bytes = rows.values.iter().map(|&value| value as u8);
        self.put(&format!("{name}.value"), "I8", &[rows.len(), rows.width], bytes);
    }
}

impl Policy {
    /// The file; `about` says how the policy was trained.
    pub(crate) fn to_bytes(&self, about: &[(&str, String)]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.words("feature", self.features.words());
        writer.halves("feature.single", &self.single);
        writer.rows("feature", &self.vectors);
        writer.words("product_feature", self.product_features.words());
        writer.rows("product_feature", &self.product_vectors);
        writer.rows("template", &self.templates);
        writer.rows("core", &self.cores);
        writer.floats("from_numbers", &[HIDDEN, DENSE], &self.from_numbers);
        writer.floats("from_product", &[HIDDEN, PRODUCT], &self.from_product);
        writer.floats("bias", &[HIDDEN], &self.bias);
        writer.floats("output", &[HIDDEN], &self.output);
        writer.floats("direct", &[DENSE], &self.direct);
        writer.floats("template.right", &[self.right.len()], &self.right);
        writer.floats("template.applicable", &[self.applicable.len()], &self.applicable);
        writer.words("molecule", self.molecules.words());
        writer.halves("molecule.reactions", &self.reactions_of);
        writer.floats("calibration", &[self.calibration.len() / 2, 2], &self.calibration);
        let mut metadata: BTreeMap<String, String> =
            about.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        metadata.insert("version".to_owned(), VERSION.to_owned());
        assemble(metadata, writer)
    }

    /// Reads the file of a policy for so many templates and reaction centres.
    ///
    /// # Errors
    /// A file that is cut short, of another version, or does not fit.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        templates: usize,
        cores: usize,
    ) -> Result<Policy, LibraryError> {
        let reader = Reader::new(bytes).map_err(damaged)?;
        reader.policy(templates, cores).map_err(damaged)
    }
}

fn assemble(metadata: BTreeMap<String, String>, writer: Writer) -> Vec<u8> {
    let header = Header { metadata, tensors: writer.tensors };
    let mut text = serde_json::to_string(&header).expect("names and numbers are JSON");
    // The format aligns the numbers to 8 bytes by spaces.
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(&writer.data);
    bytes
}

fn damaged(message: String) -> LibraryError {
    LibraryError::new(LibraryErrorKind::Damaged, message)
        .at(super::FILE, None)
        .with_hint("train the policy again")
}

struct Reader<'b> {
    header: Header,
    data: &'b [u8],
}

impl<'b> Reader<'b> {
    fn new(bytes: &'b [u8]) -> Result<Self, String> {
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or("cut short")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > MAX_HEADER || length > rest.len() {
            return Err(format!("a header of {length} bytes"));
        }
        let (header, data) = rest.split_at(length);
        let header: Header =
            serde_json::from_slice(header).map_err(|error| format!("header: {error}"))?;
        match header.metadata.get("version").map(String::as_str) {
            Some(VERSION) => Ok(Reader { header, data }),
            version => Err(format!("version {version:?}, this engine reads {VERSION:?}")),
        }
    }

    fn tensor(&self, name: &str, dtype: &str, size: usize) -> Result<(&[usize], &'b [u8]), String> {
        let entry = self.header.tensors.get(name).ok_or_else(|| format!("no tensor {name}"))?;
        let [start, end] = entry.data_offsets;
        let bytes = self.data.get(start..end).ok_or_else(|| format!("{name} is cut short"))?;
        let numbers = entry.shape.iter().try_fold(size, |n, &axis| n.checked_mul(axis));
        if entry.dtype != dtype || numbers != Some(bytes.len()) {
            return Err(format!("{name}: {} {:?}, {dtype} is asked for", entry.dtype, entry.shape));
        }
        Ok((&entry.shape, bytes))
    }

    fn words(&self, name: &str) -> Result<Vocabulary, String> {
        let (_, bytes) = self.tensor(name, "U32", 4)?;
        let words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        if !words.is_sorted_by(|a, b| a < b) {
            return Err(format!("{name} is not in order"));
        }
        Ok(Vocabulary::new(words))
    }

    fn floats(&self, name: &str, length: usize) -> Result<Vec<f32>, String> {
        let (_, bytes) = self.tensor(name, "F32", 4)?;
        let values = bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        fitting(name, values, length)
    }

    fn halves(&self, name: &str, length: usize) -> Result<Vec<f32>, String> {
        let (_, bytes) = self.tensor(name, "BF16", 2)?;
        let value = |b: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*b)) << 16);
        fitting(name, bytes.as_chunks::<2>().0.iter().map(value).collect(), length)
    }

    fn rows(&self, name: &str, length: usize, width: usize) -> Result<Rows, String> {
        let scales = self.halves(&format!("{name}.scale"), length)?;
        let (shape, bytes) = self.tensor(&format!("{name}.value"), "I8", 1)?;
        if *shape != [length, width] {
            return Err(format!("{name}: shape {shape:?}, {:?} is asked for", [length, width]));
        }
        Ok(Rows { width, scales, values: bytes.iter().map(|&byte| byte as i8).collect() })
    }

    fn policy(&self, templates: usize, cores: usize) -> Result<Policy, String> {
        let features = self.words("feature")?;
        let product_features = self.words("product_feature")?;
        let molecules = self.words("molecule")?;
        let (known, of_product) = (features.words().len(), product_features.words().len());
        let points = self.tensor("calibration", "F32", 4)?.0.first().copied().unwrap_or(0);
        let calibration = self.floats("calibration", points.saturating_mul(2))?;
        if !calibration.chunks(2).is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1]) {
            return Err("calibration is not in order".to_owned());
        }
        Ok(Policy {
            single: self.halves("feature.single", known)?,
            vectors: self.rows("feature", known, HIDDEN)?,
            features,
            product_vectors: self.rows("product_feature", of_product, PRODUCT)?,
            product_features,
            templates: self.rows("template", templates, PRODUCT)?,
            cores: self.rows("core", cores, PRODUCT)?,
            from_numbers: self.floats("from_numbers", HIDDEN * DENSE)?,
            from_product: self.floats("from_product", HIDDEN * PRODUCT)?,
            bias: self.floats("bias", HIDDEN)?,
            output: self.floats("output", HIDDEN)?,
            direct: self.floats("direct", DENSE)?,
            right: self.floats("template.right", templates)?,
            applicable: self.floats("template.applicable", templates)?,
            reactions_of: self.halves("molecule.reactions", molecules.words().len())?,
            molecules,
            calibration,
        })
    }
}

fn fitting(name: &str, values: Vec<f32>, length: usize) -> Result<Vec<f32>, String> {
    if values.len() != length {
        return Err(format!("{name} has {} numbers, {length} are asked for", values.len()));
    }
    match values.iter().all(|value| value.is_finite()) {
        true => Ok(values),
        false => Err(format!("{name} holds something that is no number")),
    }
}

/// The file with another calibration.
pub(crate) fn with_calibration(bytes: &[u8], points: Vec<f32>) -> Option<Vec<u8>> {
    let reader = Reader::new(bytes).ok()?;
    let mut writer = Writer::default();
    for (name, entry) in &reader.header.tensors {
        let data = reader.data.get(entry.data_offsets[0]..entry.data_offsets[1])?;
        if name == "calibration" {
            writer.floats(name, &[points.len() / 2, 2], &points);
        } else {
            writer.put(name, &entry.dtype, &entry.shape, data.iter().copied());
        }
    }
    Some(assemble(reader.header.metadata, writer))
}
