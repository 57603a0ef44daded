//! Which molecules are most like this one.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;
use synthon_budget::{Budget, Status};
use synthon_fp::Fingerprint;
use synthon_fp::similarity::Overlap;

use crate::corpus::Corpus;
use crate::error::{CorpusError, CorpusErrorKind};
use crate::kernel::{Shared, Variant, scan};
use crate::layout::{Segment, row_words};
use crate::mapped::{half_words, words};
use crate::top::Top;

/// How alike two sets of bits are, from 0 to 1; two empty ones are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Coefficient {
    /// Bits in common over all bits.
    #[default]
    Tanimoto,
    /// Twice the bits in common over the sum of both.
    Dice,
    /// Bits in common over the root of the product of both.
    Cosine,
    /// Bits in common over these plus weighted ones of one side; weights of 0 or more.
    Tversky {
        /// Weight of what only the query has.
        query: f64,
        /// Weight of what only the molecule of the corpus has.
        molecule: f64,
    },
}

impl Coefficient {
    /// The coefficient of a query with `query` bits and a molecule with `molecule` bits, of which
    /// `common` are in both.
    pub fn of(self, common: u32, query: u32, molecule: u32) -> f64 {
        let overlap = Overlap::of_bits(common, query, molecule);
        match self {
            Coefficient::Tanimoto => overlap.tanimoto(),
            Coefficient::Dice => overlap.dice(),
            Coefficient::Cosine => overlap.cosine(),
            Coefficient::Tversky { query, molecule } => overlap.tversky(query, molecule),
        }
    }

    /// The fewest bits in common that give at least `score`, or `None` when no number does.
    fn least_common(self, score: f64, query: u32, molecule: u32) -> Option<u32> {
        let most = query.min(molecule);
        // No coefficient falls when there is more in common.
        let (mut low, mut high) = (0, most + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.of(middle, query, molecule) >= score {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        (low <= most).then_some(low)
    }
}

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimilaritySearch {
    /// How similarity is measured; default Tanimoto.
    pub coefficient: Coefficient,
    /// Lowest score of a hit, from 0 to 1; default 0.
    pub threshold: f64,
    /// Hits to leave out from the beginning of the list; default 0.
    pub offset: usize,
    /// Most hits to give; default 10.
    pub limit: usize,
    /// Whether to count all hits, which means looking at every molecule that could be one;
    /// default false.
    pub count: bool,
}

impl Default for SimilaritySearch {
    fn default() -> Self {
        SimilaritySearch {
            coefficient: Coefficient::Tanimoto,
            threshold: 0.0,
            offset: 0,
            limit: 10,
            count: false,
        }
    }
}

/// A molecule that is like the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Number of the molecule in the corpus.
    pub index: u64,
    /// How alike it is.
    pub score: f64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarityHits {
    /// Hits by falling score, and by number where scores are equal.
    pub hits: Vec<Hit>,
    /// How many molecules reach the threshold, if they were to be counted and were.
    pub total: Option<u64>,
    /// Whether the search ended by itself. If not, the hits are real, but better ones may be
    /// missing.
    pub status: Status,
}

/// Rows that are looked at in one go.
const BATCH: u32 = 2_048;

/// Rows of one segment with the same number of bits.
struct Batch<'c> {
    /// The best score that any of them can have.
    best: f64,
    bits: u32,
    /// Number of the first molecule of the segment.
    first: u64,
    segment: &'c Segment,
    rows: Range<u32>,
}

impl Corpus {
    /// The molecules most like `query`, on the threads of the current rayon pool. The answer is
    /// exact and does not depend on their number. Deadline and flag of the budget stop the
    /// search; a node is a molecule that was looked at.
    ///
    /// # Errors
    /// A threshold that is no number from 0 to 1, weights that are none, a fingerprint of another
    /// size than the corpus has, a part of the file that was changed.
    pub fn similar(
        &self,
        query: &Fingerprint,
        search: &SimilaritySearch,
        budget: &mut Budget,
    ) -> Result<SimilarityHits, CorpusError> {
        self.similar_by(Variant::best(), query, search, budget)
    }

    pub(crate) fn similar_by(
        &self,
        variant: Variant,
        query: &Fingerprint,
        search: &SimilaritySearch,
        budget: &mut Budget,
    ) -> Result<SimilarityHits, CorpusError> {
        self.check_search(query, search)?;
        let most = search.offset.saturating_add(search.limit);
        let bits = query.popcount();
        let mut padded = query.words().to_vec();
        padded.resize(row_words(self.header().size), 0);
        let batches = self.batches(bits, search);
        let scanner = Scanner {
            corpus: self,
            search,
            query: &padded,
            bits,
            batches: &batches,
            next: AtomicUsize::new(0),
            floor: AtomicU64::new(search.threshold.abs().to_bits()),
            variant,
            most,
        };
        let workers = rayon::current_num_threads().min(batches.len());
        let parts: Vec<Result<Part, CorpusError>> = (0..workers)
            .into_par_iter()
            .with_max_len(1)
            .map(|_| scanner.work(budget.child()))
            .collect();
        let mut all =
            Part { top: Top::new(most), count: 0, looked_at: 0, status: Status::Completed };
        for part in parts {
            all.add(part?);
        }
        let _ = budget.spend(all.looked_at);
        let hits = all.top.into_sorted().into_iter().skip(search.offset).collect();
        let total = (search.count && all.status == Status::Completed).then_some(all.count);
        Ok(SimilarityHits { hits, total, status: all.status })
    }

    fn check_search(
        &self,
        query: &Fingerprint,
        search: &SimilaritySearch,
    ) -> Result<(), CorpusError> {
        let refuse = |message: String| Err(CorpusError::new(CorpusErrorKind::Query, message));
        if !(0.0..=1.0).contains(&search.threshold) {
            return refuse(format!("The threshold {} is no number from 0 to 1", search.threshold));
        }
        if let Coefficient::Tversky { query, molecule } = search.coefficient
            && ![query, molecule].iter().all(|weight| weight.is_finite() && *weight >= 0.0)
        {
            return refuse(format!("The weights {query} and {molecule} are no numbers from 0"));
        }
        let size = self.header().size as usize;
        if query.size() != size {
            return refuse(format!(
                "The query has {} bits, the fingerprints of the corpus {size}",
                query.size()
            ));
        }
        Ok(())
    }

    /// What may hold hits, the most promising first.
    fn batches(&self, bits: u32, search: &SimilaritySearch) -> Vec<Batch<'_>> {
        let mut batches = Vec::new();
        for (first, segment) in self.segments() {
            for (place, &(molecule_bits, start)) in segment.buckets.iter().enumerate() {
                let end = segment.buckets.get(place + 1).map_or(segment.molecules, |next| next.1);
                let best = search.coefficient.of(bits.min(molecule_bits), bits, molecule_bits);
                if best < search.threshold {
                    continue;
                }
                for row in (start..end).step_by(BATCH as usize) {
                    let rows = row..end.min(row + BATCH);
                    batches.push(Batch { best, bits: molecule_bits, first, segment, rows });
                }
            }
        }
        if !search.count {
            // The sort is stable: equal ones stay in the order of the file.
            batches.sort_by(|a, b| b.best.total_cmp(&a.best));
        }
        batches
    }
}

/// What one thread found.
struct Part {
    top: Top,
    count: u64,
    looked_at: u64,
    status: Status,
}

impl Part {
    fn add(&mut self, other: Part) {
        self.top.merge(other.top);
        self.count += other.count;
        self.looked_at += other.looked_at;
        self.status = self.status.max(other.status);
    }
}

/// What the threads of a search share.
struct Scanner<'s> {
    corpus: &'s Corpus,
    search: &'s SimilaritySearch,
    query: &'s [u64],
    bits: u32,
    batches: &'s [Batch<'s>],
    next: AtomicUsize,
    /// A score, as bits, that so many hits reach that lower ones cannot matter. Numbers from 0 to
    /// 1 are in the order of their bits.
    floor: AtomicU64,
    variant: Variant,
    most: usize,
}

impl Scanner<'_> {
    fn work(&self, mut budget: Budget) -> Result<Part, CorpusError> {
        let mut part =
            Part { top: Top::new(self.most), count: 0, looked_at: 0, status: Status::Completed };
        if self.most == 0 && !self.search.count {
            return Ok(part);
        }
        let mut shared = Vec::new();
        while let Some(batch) = self.batches.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if budget.check().is_err() {
                break;
            }
            let floor = f64::from_bits(self.floor.load(Ordering::Relaxed));
            if batch.best < floor {
                if self.search.count {
                    continue;
                }
                // They come in falling order.
                break;
            }
            self.look_at(batch, floor, &mut shared, &mut part)?;
            part.looked_at += u64::from(batch.rows.end - batch.rows.start);
            if !self.search.count
                && let Some(own) = part.top.floor()
            {
                self.floor.fetch_max(own.to_bits(), Ordering::Relaxed);
            }
        }
        part.status = budget.status();
        Ok(part)
    }

    fn look_at(
        &self,
        batch: &Batch<'_>,
        floor: f64,
        shared: &mut Vec<Shared>,
        part: &mut Part,
    ) -> Result<(), CorpusError> {
        let coefficient = self.search.coefficient;
        let Some(least) = coefficient.least_common(floor, self.bits, batch.bits) else {
            return Ok(());
        };
        let part_of = |range: Range<u64>, width: u64| {
            let start = range.start + u64::from(batch.rows.start) * width;
            start..range.start + u64::from(batch.rows.end) * width
        };
        let size = self.corpus.header().size;
        let width = row_words(size) as u64 * 8;
        let rows = self.corpus.slice(part_of(batch.segment.rows_range(size), width))?;
        shared.clear();
        scan(self.variant, self.query, words(rows)?, least, shared);
        if shared.is_empty() {
            return Ok(());
        }
        part.count += shared.len() as u64;
        let order = self.corpus.slice(part_of(batch.segment.order_range(), 4))?;
        let order = half_words(order)?;
        for found in &*shared {
            let score = coefficient.of(found.common, self.bits, batch.bits);
            let index = batch.first + u64::from(order[found.row as usize]);
            part.top.push(Hit { index, score });
        }
        Ok(())
    }
}
