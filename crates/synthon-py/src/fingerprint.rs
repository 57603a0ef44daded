//! `synthon.Fingerprint`, and many of them at once.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;
use synthon_fp::similarity::Overlap;
use synthon_fp::{Fingerprint, Fingerprinter, Scheme, kernel, similarity};

use crate::array::{self, Array};
use crate::errors::{Fault, bad_argument};
use crate::given::{self, OnError};
use crate::interrupt::interruptible;
use crate::pattern::{budget, place};
use crate::pickle::{no_part, reduced};
use crate::threads::on_all_cores;

/// The scheme of a name and its parameters, and its size.
pub(crate) fn scheme(
    py: Python<'_>,
    kind: &str,
    radius: u32,
    path_length: usize,
    size: Option<usize>,
) -> PyResult<(Scheme, usize)> {
    let Some(plain) = Scheme::from_name(kind) else {
        let hint = format!("one of {}, circular", Scheme::NAMES.join(", "));
        return Err(bad_argument(py, "kind", format!("kind is not {kind}"), &hint));
    };
    let scheme = match plain {
        Scheme::Ecfp { .. } => Scheme::Ecfp { radius },
        Scheme::Fcfp { .. } => Scheme::Fcfp { radius },
        Scheme::Path { .. } => Scheme::Path { min_path: 1, max_path: path_length },
        Scheme::Mcs { .. } => Scheme::Mcs { max_path: path_length },
        other => other,
    };
    Ok((scheme, size.or(scheme.fixed_size()).unwrap_or(2_048)))
}

/// A coefficient between fingerprints.
#[derive(Clone, Copy)]
enum Metric {
    Tanimoto,
    Dice,
    Cosine,
}

impl Metric {
    fn from_name(py: Python<'_>, name: &str) -> PyResult<Self> {
        Ok(match name {
            "tanimoto" => Metric::Tanimoto,
            "dice" => Metric::Dice,
            "cosine" => Metric::Cosine,
            _ => {
                let sentence = format!("metric is not {name}");
                return Err(bad_argument(py, "metric", sentence, "one of tanimoto, dice, cosine"));
            }
        })
    }

    fn of(self, overlap: &Overlap) -> f64 {
        match self {
            Metric::Tanimoto => overlap.tanimoto(),
            Metric::Dice => overlap.dice(),
            Metric::Cosine => overlap.cosine(),
        }
    }
}

/// Fingerprint of a molecule as a row of bits.
///
/// `kind` is ``ecfp`` (or ``circular``), ``fcfp``, ``path``, ``torsion``, ``atom_pair``, ``maccs``
/// or ``mcs``; all but ``mcs`` give RDKit's bits. `radius` is that of ``ecfp`` and ``fcfp``,
/// `path_length` the longest path of ``path`` and ``mcs``, in bonds. `size` is 2048 unless given,
/// and always 167 for ``maccs``. `timeout` is in seconds.
///
/// ``numpy.asarray(fingerprint)`` shows the packed bits as 64-bit words without copying them:
/// bit i is bit i % 64 of word i // 64.
///
/// Raises `SynthonError` for a molecule that cannot be read, for a kind or size that is none, and
/// when the time is over.
#[pyclass(frozen, name = "Fingerprint", module = "synthon")]
pub(crate) struct PyFingerprint {
    pub(crate) bits: Fingerprint,
    /// Name, parameters and version.
    scheme: String,
}

/// Name and parameters, and whose bits they are: what must be equal for a comparison.
fn full_name(scheme: Scheme) -> String {
    format!("{scheme} {}", scheme.version())
}

#[pymethods]
impl PyFingerprint {
    #[new]
    #[pyo3(signature = (
        molecule, kind="ecfp", *, size=None, radius=2, path_length=7, timeout=None
    ))]
    fn new(
        molecule: &Bound<'_, PyAny>,
        kind: &str,
        size: Option<usize>,
        radius: u32,
        path_length: usize,
        timeout: Option<f64>,
    ) -> PyResult<Self> {
        let py = molecule.py();
        let (scheme, size) = scheme(py, kind, radius, path_length, size)?;
        let molecule = given::molecule(molecule)?;
        let mut printer = Fingerprinter::new(scheme, size).map_err(|error| error.raised(py))?;
        let bits = interruptible(py, |flag| -> PyResult<_> {
            Ok(printer.bits_within(&molecule, &mut budget(timeout, flag)?))
        })??;
        match bits {
            Ok(bits) => Ok(PyFingerprint { bits, scheme: full_name(scheme) }),
            Err(error) => Err(error.raised(py)),
        }
    }

    /// How often each position occurs in a molecule, as position and count; with `size` 0 the
    /// positions are whole hashes. ``maccs`` and ``mcs`` have no counts.
    #[staticmethod]
    #[pyo3(signature = (
        molecule, kind="ecfp", *, size=2048, radius=2, path_length=7, timeout=None
    ))]
    fn counts<'py>(
        molecule: &Bound<'py, PyAny>,
        kind: &str,
        size: usize,
        radius: u32,
        path_length: usize,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = molecule.py();
        let folded = (size > 0).then_some(size);
        let (scheme, size) = scheme(py, kind, radius, path_length, folded)?;
        let molecule = given::molecule(molecule)?;
        let mut printer = Fingerprinter::new(scheme, size).map_err(|error| error.raised(py))?;
        let counts = interruptible(py, |flag| -> PyResult<_> {
            let mut budget = budget(timeout, flag)?;
            Ok(match folded {
                Some(_) => printer.counts_within(&molecule, &mut budget),
                None => printer.sparse_counts_within(&molecule, &mut budget),
            })
        })??;
        let counts = counts.map_err(|error| error.raised(py))?;
        let dict = PyDict::new(py);
        for (position, count) in counts.entries() {
            dict.set_item(position, count)?;
        }
        Ok(dict)
    }

    /// A fingerprint out of `to_bytes`, or of another program's packed bits (bit i is bit i % 8
    /// of byte i // 8).
    #[staticmethod]
    #[pyo3(signature = (data, *, size, scheme=String::new()))]
    fn from_bytes(data: &[u8], size: usize, scheme: String) -> PyResult<Self> {
        let mut words = vec![0u64; Fingerprint::words_for(size)];
        let wanted = size.div_ceil(8);
        if data.len() != wanted {
            let message = format!("{size} bits take {wanted} bytes, not {}", data.len());
            return Err(PyValueError::new_err(message));
        }
        for (index, &byte) in data.iter().enumerate() {
            words[index / 8] |= u64::from(byte) << (index % 8 * 8);
        }
        match Fingerprint::from_words(size, words.into()) {
            Some(bits) => Ok(PyFingerprint { bits, scheme }),
            None => Err(PyValueError::new_err(format!("bits past the size, {size}, are set"))),
        }
    }

    /// The packed bits: bit i is bit i % 8 of byte i // 8.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.bits.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        PyBytes::new(py, &bytes[..self.bits.size().div_ceil(8)])
    }

    /// Name, parameters and version of the scheme; fingerprints can be compared when this and
    /// the size are equal.
    #[getter]
    fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Number of bits, set or not.
    #[getter]
    fn size(&self) -> usize {
        self.bits.size()
    }

    /// Positions of the set bits, ascending.
    #[getter]
    fn on_bits(&self) -> Vec<usize> {
        self.bits.on_bits().collect()
    }

    /// Number of set bits.
    #[getter]
    fn popcount(&self) -> u32 {
        self.bits.popcount()
    }

    /// How alike two fingerprints are, from 0 to 1: ``tanimoto``, ``dice`` or ``cosine``.
    ///
    /// Raises `SynthonError` for fingerprints of another kind or size.
    #[pyo3(signature = (other, metric="tanimoto"))]
    fn similarity(&self, py: Python<'_>, other: &Self, metric: &str) -> PyResult<f64> {
        self.check(py, &other.scheme, other.bits.size())?;
        let metric = Metric::from_name(py, metric)?;
        Ok(metric.of(&similarity::Comparable::overlap(&self.bits, &other.bits)))
    }

    /// Tversky index: `alpha` weighs what only this one has, `beta` what only the other has.
    fn tversky(&self, py: Python<'_>, other: &Self, alpha: f64, beta: f64) -> PyResult<f64> {
        self.check(py, &other.scheme, other.bits.size())?;
        Ok(similarity::tversky(&self.bits, &other.bits, alpha, beta))
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        array::interface(py, self.bits.words(), &[self.bits.words().len()])
    }

    fn __contains__(&self, bit: usize) -> bool {
        self.bits.get(bit)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.bits == other.bits && self.scheme == other.scheme
    }

    fn __hash__(&self) -> u64 {
        self.bits.words().iter().fold(0u64, |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    fn __repr__(&self) -> String {
        format!("<Fingerprint {}, {} of {} bits>", self.scheme, self.popcount(), self.size())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let read = py.import("synthon._native")?.getattr("fingerprint_from_bytes")?;
        (read, (self.to_bytes(py), self.size(), &self.scheme)).into_bound_py_any(py)
    }
}

impl PyFingerprint {
    fn check(&self, py: Python<'_>, scheme: &str, size: usize) -> PyResult<()> {
        if self.bits.size() == size && self.scheme == scheme {
            return Ok(());
        }
        let sentence = format!(
            "Fingerprints of {} ({} bits) and {scheme} ({size} bits) cannot be compared",
            self.scheme,
            self.bits.size()
        );
        Err(bad_argument(py, "other", sentence, "make both with the same kind and size"))
    }
}

/// What a pickled fingerprint is made of.
#[pyfunction]
pub(crate) fn fingerprint_from_bytes(
    data: &[u8],
    size: usize,
    scheme: String,
) -> PyResult<PyFingerprint> {
    PyFingerprint::from_bytes(data, size, scheme)
}

/// Fingerprints of many molecules, made on all cores; the arguments are those of `Fingerprint`.
/// With ``on_error="null"`` the row of a molecule that cannot be read is empty, and `valid` says
/// so.
///
/// Raises `SynthonError` for the first molecule that cannot be read, with its place in the
/// sequence as `argument`, such as ``molecules[3]``.
#[pyfunction]
#[pyo3(signature = (
    molecules, kind="ecfp", *, size=None, radius=2, path_length=7, on_error="raise"
))]
pub(crate) fn fingerprints(
    py: Python<'_>,
    molecules: &Bound<'_, PyAny>,
    kind: &str,
    size: Option<usize>,
    radius: u32,
    path_length: usize,
    on_error: &str,
) -> PyResult<PyMatrix> {
    let (scheme, size) = scheme(py, kind, radius, path_length, size)?;
    let printer = Fingerprinter::new(scheme, size).map_err(|error| error.raised(py))?;
    let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
    let rows = given::map(
        py,
        &given,
        on_error,
        || printer.clone(),
        |printer, molecule| printer.bits(molecule).map_err(|error| error.told()),
    )?;
    let width = Fingerprint::words_for(size);
    let mut words = reserved(rows.len(), width)?;
    let valid = rows.iter().map(Option::is_some).collect();
    for row in rows {
        match row {
            Some(bits) => words.extend_from_slice(bits.words()),
            None => words.resize(words.len() + width, 0),
        }
    }
    Ok(PyMatrix { words, size, valid, scheme: full_name(scheme) })
}

/// Room for rows of numbers, or `MemoryError`.
fn reserved<T>(rows: usize, width: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    rows.checked_mul(width)
        .and_then(|cells| room.try_reserve_exact(cells).ok())
        .ok_or_else(|| PyMemoryError::new_err(format!("no room for {rows} rows of {width}")))?;
    Ok(room)
}

/// Fingerprints in rows. ``numpy.asarray(matrix)`` shows the packed bits as 64-bit words, a row
/// for each molecule, without copying them.
#[pyclass(frozen, name = "FingerprintMatrix", module = "synthon")]
pub(crate) struct PyMatrix {
    words: Vec<u64>,
    size: usize,
    valid: Vec<bool>,
    scheme: String,
}

impl PyMatrix {
    fn width(&self) -> usize {
        Fingerprint::words_for(self.size)
    }

    fn row(&self, index: usize) -> &[u64] {
        &self.words[index * self.width()..(index + 1) * self.width()]
    }

    fn popcounts(&self) -> Vec<u32> {
        (0..self.valid.len()).map(|row| kernel::popcount(self.row(row))).collect()
    }
}

#[pymethods]
impl PyMatrix {
    /// Name, parameters and version of the scheme.
    #[getter]
    fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Number of bits of a row.
    #[getter]
    fn size(&self) -> usize {
        self.size
    }

    /// Whether each row is that of a molecule; an array of truths.
    #[getter]
    fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Array::bools(self.valid.clone()).into_numpy(py)
    }

    /// How alike each row is to one fingerprint: ``tanimoto``, ``dice`` or ``cosine``; an array
    /// of floats from 0 to 1.
    ///
    /// Raises `SynthonError` for a fingerprint of another kind or size.
    #[pyo3(signature = (query, metric="tanimoto"))]
    fn similarity<'py>(
        &self,
        py: Python<'py>,
        query: &PyFingerprint,
        metric: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        query.check(py, &self.scheme, self.size)?;
        let metric = Metric::from_name(py, metric)?;
        let scores = py.detach(|| self.scores(query.bits.words(), metric, &self.popcounts()));
        let shape = vec![scores.len()];
        Array::floats(scores, shape).into_numpy(py)
    }

    /// How alike each row is to each row of another matrix, or of this one; an array with a row
    /// for each row of this matrix. Raises `MemoryError` when there is no room for it.
    #[pyo3(signature = (other=None, metric="tanimoto"))]
    fn similarities<'py>(
        &self,
        py: Python<'py>,
        other: Option<&Bound<'py, Self>>,
        metric: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let other = other.map_or(self, |other| other.get());
        if (other.size, &other.scheme) != (self.size, &self.scheme) {
            let sentence = format!("{} and {} cannot be compared", self.scheme, other.scheme);
            let hint = "make both with the same kind and size";
            return Err(bad_argument(py, "other", sentence, hint));
        }
        let metric = Metric::from_name(py, metric)?;
        let shape = vec![self.valid.len(), other.valid.len()];
        let mut scores: Vec<f64> = reserved(shape[0], shape[1])?;
        scores.resize(shape[0] * shape[1], 0.0);
        on_all_cores(py, |flag| {
            let counts = other.popcounts();
            scores.par_chunks_mut(shape[1].max(1)).enumerate().for_each(|(row, out)| {
                if !flag.is_cancelled() {
                    out.copy_from_slice(&other.scores(self.row(row), metric, &counts));
                }
            });
        })?;
        Array::floats(scores, shape).into_numpy(py)
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        array::interface(py, &self.words, &[self.valid.len(), self.width()])
    }

    /// The rows as an Arrow array of fixed-size binary values, without copying them; null where
    /// a row is that of no molecule. Raises `ImportError` without ``pyarrow``.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("synthon._arrow")?.call_method1("rows", (slf,))
    }

    fn __len__(&self) -> usize {
        self.valid.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyFingerprint> {
        let row = self.row(place(index, self.valid.len())?);
        let bits = Fingerprint::from_words(self.size, row.into()).expect("rows have this size");
        Ok(PyFingerprint { bits, scheme: self.scheme.clone() })
    }

    fn __repr__(&self) -> String {
        format!(
            "<FingerprintMatrix of {} rows, {}, {} bits>",
            self.__len__(),
            self.scheme,
            self.size
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let parts = (PyBytes::new(py, &bytes), self.size, self.valid.clone(), &self.scheme);
        reduced(py, "FingerprintMatrix", parts)
    }
}

impl PyMatrix {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (bytes, size, valid, scheme): (Bound<'_, PyBytes>, usize, Vec<bool>, String) =
            parts.extract()?;
        let chunks = bytes.as_bytes().chunks_exact(8);
        let words: Vec<u64> = chunks
            .map(|chunk| u64::from_le_bytes(chunk.try_into().expect("chunks of eight")))
            .collect();
        let width = Fingerprint::words_for(size);
        let holds = valid.len().checked_mul(width) == Some(words.len())
            && (width == 0 || words.chunks_exact(width).all(|row| fits(row, size)));
        if !holds {
            return Err(no_part("rows", "of bits"));
        }
        Ok(PyMatrix { words, size, valid, scheme })
    }
}

/// Whether no bit of a row is set past its size.
fn fits(row: &[u64], size: usize) -> bool {
    size.is_multiple_of(64) || row.last().is_none_or(|last| last >> (size % 64) == 0)
}

impl PyMatrix {
    /// Scores of all rows beside one query.
    fn scores(&self, query: &[u64], metric: Metric, counts: &[u32]) -> Vec<f64> {
        let mut common = vec![0; self.valid.len()];
        kernel::and_popcounts(query, &self.words, &mut common);
        let own = kernel::popcount(query);
        common
            .iter()
            .zip(counts)
            .map(|(&common, &count)| metric.of(&Overlap::of_bits(common, own, count)))
            .collect()
    }
}

/// A fingerprint of a molecule in the scheme of a corpus.
pub(crate) fn query_of(
    py: Python<'_>,
    query: &Bound<'_, PyAny>,
    scheme: Scheme,
    size: usize,
) -> PyResult<Arc<Fingerprint>> {
    if let Ok(made) = query.cast::<PyFingerprint>() {
        let made = made.get();
        made.check(py, &full_name(scheme), size)?;
        return Ok(Arc::new(made.bits.clone()));
    }
    let molecule = given::molecule(query)?;
    Fingerprinter::new(scheme, size)
        .and_then(|mut printer| printer.bits(&molecule))
        .map(Arc::new)
        .map_err(|error| error.raised(py))
}
