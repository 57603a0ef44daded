//! `synthon.Corpus`: packed corpora on disk.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use synthon_budget::Status;
use synthon_corpus::{
    BuildOptions, Coefficient, Corpus, SimilaritySearch, SubstructureSearch, build, check_target,
};
use synthon_records::{Notation, RawRecord, RecordOptions, RecordReader, RecordReport};

use crate::errors::{Fault, bad_argument};
use crate::fingerprint::{query_of, scheme};
use crate::given::Given;
use crate::pattern::{PyPattern, budget, place};
use crate::pickle::{self, reduced};
use crate::threads::on_all_cores;

/// A corpus on disk: molecules with their fingerprints, packed into one file that is mapped into
/// memory. `len`, indexing and iteration give its molecules.
///
/// Raises `SynthonError` for a file that is no corpus, was changed, or is of another version.
#[pyclass(frozen, sequence, name = "Corpus", module = "synthon")]
pub(crate) struct PyCorpus {
    corpus: Corpus,
    path: PathBuf,
    skipped: u64,
    faults: Vec<String>,
}

#[pymethods]
impl PyCorpus {
    /// Opens a corpus.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        match Corpus::open(&path) {
            Ok(corpus) => Ok(PyCorpus { corpus, path, skipped: 0, faults: Vec::new() }),
            Err(error) => Err(error.raised(py)),
        }
    }

    /// Opens a corpus, as ``Corpus(path)`` does.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py, path)
    }

    /// Builds a corpus of a file of molecules (SMILES, CSV, TSV, SDF, Parquet, compressed or
    /// not), or of a sequence of molecules or of (molecule, name) pairs, and opens it. The
    /// fingerprint is chosen as for `Fingerprint`; `column` and `name_column` name columns of a
    /// table. Records that hold no molecule are left out: see `skipped` and `faults`.
    ///
    /// Raises `SynthonError` when the file cannot be read or written or holds no molecule.
    #[staticmethod]
    #[pyo3(signature = (
        path, source, *, kind="ecfp", size=None, radius=2, path_length=7, substructures=true,
        column=None, name_column=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
    fn build(
        py: Python<'_>,
        path: PathBuf,
        source: &Bound<'_, PyAny>,
        kind: &str,
        size: Option<usize>,
        radius: u32,
        path_length: usize,
        substructures: bool,
        column: Option<String>,
        name_column: Option<String>,
    ) -> PyResult<Self> {
        let mut options = BuildOptions::default();
        (options.scheme, options.size) = scheme(py, kind, radius, path_length, size)?;
        options.substructures = substructures;
        let records: Box<dyn Iterator<Item = RawRecord> + Send> =
            if source.is_instance_of::<PyString>() || source.hasattr("__fspath__")? {
                let mut wanted = RecordOptions::default();
                wanted.column = column;
                wanted.name_column = name_column;
                let file = source.extract::<PathBuf>()?;
                check_target(&file, &path).map_err(|error| error.raised(py))?;
                match RecordReader::open(&file, &wanted) {
                    Ok(reader) => Box::new(reader),
                    Err(error) => return Err(error.raised(py)),
                }
            } else {
                Box::new(records(source)?.into_iter())
            };
        let built = on_all_cores(py, |flag| {
            build(records, &path, &options, |_: &RecordReport| !flag.is_cancelled())
        })?;
        let report = built.map_err(|error| error.raised(py))?.records;
        let opened = Self::new(py, path)?;
        let faults = report.faults.iter().map(ToString::to_string).collect();
        Ok(PyCorpus { skipped: report.bad, faults, ..opened })
    }

    /// The file.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Records that were left out when it was built, if that was done here.
    #[getter]
    fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The first of their faults, in words.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }

    /// Scheme of the fingerprints.
    #[getter]
    fn scheme(&self) -> String {
        let info = self.corpus.info();
        format!("{} {}", info.scheme, info.scheme_version)
    }

    /// Bits of a fingerprint.
    #[getter]
    fn size(&self) -> usize {
        self.corpus.info().size
    }

    /// Compares every part of the file with its checksum; raises `SynthonError` for a part that
    /// was changed.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.corpus.verify()).map_err(|error| error.raised(py))
    }

    /// The molecules most like a molecule or fingerprint: at most `limit` from `offset` on, with
    /// a score of at least `threshold`, by falling score. The answer is exact. `metric` is
    /// ``tanimoto``, ``dice`` or ``cosine``; with `count` all hits are counted; `timeout` is in
    /// seconds.
    ///
    /// Raises `SynthonError` for a query that cannot be read or is of another scheme.
    #[pyo3(signature = (
        query, *, threshold=0.0, limit=10, offset=0, metric="tanimoto", count=false, timeout=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
    fn similar(
        &self,
        py: Python<'_>,
        query: &Bound<'_, PyAny>,
        threshold: f64,
        limit: usize,
        offset: usize,
        metric: &str,
        count: bool,
        timeout: Option<f64>,
    ) -> PyResult<PyHits> {
        let info = self.corpus.info();
        let query = query_of(py, query, info.scheme, info.size)?;
        let coefficient = match metric {
            "tanimoto" => Coefficient::Tanimoto,
            "dice" => Coefficient::Dice,
            "cosine" => Coefficient::Cosine,
            _ => {
                let sentence = format!("metric is not {metric}");
                return Err(bad_argument(py, "metric", sentence, "one of tanimoto, dice, cosine"));
            }
        };
        let search = SimilaritySearch { coefficient, threshold, offset, limit, count };
        let found = on_all_cores(py, |flag| -> PyResult<_> {
            Ok(self.corpus.similar(&query, &search, &mut budget(timeout, flag.clone())?))
        })??;
        let found = found.map_err(|error| error.raised(py))?;
        let hits = found.hits.iter().map(|hit| self.hit(py, hit.index, Some(hit.score)));
        Ok(PyHits {
            hits: hits.collect::<PyResult<_>>()?,
            total: found.total,
            undecided: Vec::new(),
            status: found.status,
        })
    }

    /// The molecules that a pattern matches, in the order of the corpus: at most `limit` from
    /// `offset` on. A text is read as SMARTS. With `count` all hits are counted; `timeout` is in
    /// seconds; molecules that take too long are listed as `undecided`.
    ///
    /// Raises `SynthonError` for a corpus that was built without substructures.
    #[pyo3(signature = (pattern, *, limit=100, offset=0, count=false, timeout=None))]
    fn containing(
        &self,
        py: Python<'_>,
        pattern: &Bound<'_, PyAny>,
        limit: usize,
        offset: u64,
        count: bool,
        timeout: Option<f64>,
    ) -> PyResult<PyHits> {
        let pattern = match pattern.cast::<PyPattern>() {
            Ok(pattern) => pattern.get().pattern.clone(),
            Err(_) => PyPattern::new(py, pattern.extract()?)?.pattern,
        };
        let search = SubstructureSearch { limit, offset, count, ..SubstructureSearch::default() };
        let found = on_all_cores(py, |flag| -> PyResult<_> {
            Ok(self.corpus.containing(&pattern, &search, &mut budget(timeout, flag.clone())?))
        })??;
        let found = found.map_err(|error| error.raised(py))?;
        let hits = found.hits.iter().map(|&index| self.hit(py, index, None));
        Ok(PyHits {
            hits: hits.collect::<PyResult<_>>()?,
            total: found.total,
            undecided: found.undecided,
            status: found.status,
        })
    }

    fn __len__(&self) -> usize {
        self.corpus.len() as usize
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyHit>> {
        self.hit(py, place(index, self.__len__())? as u64, None)
    }

    fn __repr__(&self) -> String {
        format!("<Corpus of {} molecules, {}>", self.corpus.len(), self.path.display())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        Ok((py.get_type::<Self>().into_any(), (self.path.clone(),)))
    }
}

impl PyCorpus {
    fn hit(&self, py: Python<'_>, index: u64, score: Option<f64>) -> PyResult<Py<PyHit>> {
        match self.corpus.entry(index) {
            Ok(Some(entry)) => Py::new(
                py,
                PyHit {
                    index,
                    score,
                    smiles: entry.smiles.to_owned(),
                    name: entry.name.to_owned(),
                    line: entry.line,
                },
            ),
            Ok(None) => Err(PyOSError::new_err(format!("molecule {index} is not in the corpus"))),
            Err(error) => Err(error.raised(py)),
        }
    }
}

/// Records of a sequence of molecules, or of pairs of molecule and name.
fn records(source: &Bound<'_, PyAny>) -> PyResult<Vec<RawRecord>> {
    let mut records = Vec::new();
    for item in source.try_iter()? {
        let item = item?;
        let (molecule, name) = match item.cast::<PyTuple>() {
            Ok(pair) => pair.extract::<(Bound<'_, PyAny>, String)>()?,
            Err(_) => (item, String::new()),
        };
        let text = match Given::new(&molecule)? {
            Given::Text(text) => text,
            Given::Read(molecule) => molecule.to_smiles(),
            Given::Missing => return Err(PyValueError::new_err("a molecule is missing")),
        };
        let number = records.len() as u64 + 1;
        let notation = Notation::Smiles;
        records.push(RawRecord {
            number,
            line: number,
            name,
            also: Vec::new(),
            notation,
            text: Ok(text),
        });
    }
    Ok(records)
}

/// A molecule of a corpus.
#[pyclass(frozen, get_all, name = "Hit", module = "synthon")]
pub(crate) struct PyHit {
    /// Its number in the corpus, from 0.
    index: u64,
    /// How alike it is to the query, from 0 to 1; ``None`` where that was not asked.
    score: Option<f64>,
    /// SMILES, as given when the corpus was built.
    smiles: String,
    /// Its name, or nothing.
    name: String,
    /// Line of the file that the corpus was built from, from 1.
    line: u64,
}

#[pymethods]
impl PyHit {
    fn __repr__(&self) -> String {
        let score = self.score.map(|score| format!(" {score:.3}")).unwrap_or_default();
        format!("<Hit {}{score} {} {}>", self.index, self.smiles, self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, "Hit", (self.index, self.score, &self.smiles, &self.name, self.line))
    }
}

impl PyHit {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (index, score, smiles, name, line) = parts.extract()?;
        Ok(PyHit { index, score, smiles, name, line })
    }
}

/// The hits of a search, in order.
#[pyclass(frozen, sequence, name = "Hits", module = "synthon")]
pub(crate) struct PyHits {
    hits: Vec<Py<PyHit>>,
    total: Option<u64>,
    undecided: Vec<u64>,
    status: Status,
}

#[pymethods]
impl PyHits {
    /// How many molecules there are to find; ``None`` unless they were counted.
    #[getter]
    fn total(&self) -> Option<u64> {
        self.total
    }

    /// Numbers of molecules that took too long to decide.
    #[getter]
    fn undecided(&self) -> Vec<u64> {
        self.undecided.clone()
    }

    /// ``COMPLETED``, or what stopped the search: ``TIMED_OUT``, ``LIMIT_REACHED``.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.as_str()
    }

    /// Whether the search ended by itself.
    #[getter]
    fn complete(&self) -> bool {
        self.status == Status::Completed
    }

    fn __len__(&self) -> usize {
        self.hits.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyHit>> {
        Ok(self.hits[place(index, self.hits.len())?].clone_ref(py))
    }

    fn __repr__(&self) -> String {
        format!("<{} hits, {}>", self.hits.len(), self.status.as_str())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hits: Vec<_> = self.hits.iter().map(|hit| hit.clone_ref(py)).collect();
        reduced(py, "Hits", (hits, self.total, self.undecided.clone(), self.status()))
    }
}

impl PyHits {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (hits, total, undecided, status): (_, _, _, String) = parts.extract()?;
        Ok(PyHits { hits, total, undecided, status: pickle::status(&status)? })
    }
}
