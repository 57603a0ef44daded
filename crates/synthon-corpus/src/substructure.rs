//! Which molecules does a pattern match.

use rayon::prelude::*;
use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;
use synthon_query::{Features, MatchOptions, Matcher, Pattern, Target};

use crate::corpus::Corpus;
use crate::error::{CorpusError, CorpusErrorKind};
use crate::layout::{Segment, screen_line};
use crate::mapped::words;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubstructureSearch {
    /// How the pattern lies on a molecule.
    pub options: MatchOptions,
    /// Hits to leave out from the beginning of the list; default 0.
    pub offset: u64,
    /// Most hits to give; default 100.
    pub limit: usize,
    /// Whether to count all hits, which means matching every molecule that passes the screen;
    /// default false.
    pub count: bool,
    /// Nodes that matching one molecule may take; default 1,000,000.
    pub nodes_per_molecule: u64,
}

impl Default for SubstructureSearch {
    fn default() -> Self {
        SubstructureSearch {
            options: MatchOptions::default(),
            offset: 0,
            limit: 100,
            count: false,
            nodes_per_molecule: 1_000_000,
        }
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubstructureHits {
    /// Numbers of the molecules that the pattern matches, ascending.
    pub hits: Vec<u64>,
    /// How many the pattern matches, if they were to be counted and were.
    pub total: Option<u64>,
    /// Molecules that passed the screen and were matched.
    pub matched: u64,
    /// Molecules that were not decided within the nodes for one.
    pub undecided: Vec<u64>,
    /// Molecules from the first on that were dealt with.
    pub searched: u64,
    /// [`Status::Completed`] if everything was decided that the answer rests on. A search that
    /// found its hits before the end of the corpus is complete; one with undecided molecules has
    /// reached a limit.
    pub status: Status,
}

/// Molecules that are matched between two looks at whether there are enough hits.
const ROUND: usize = 1_024;

/// What became of a molecule that passed the screen.
enum Verdict {
    Match,
    NoMatch,
    Undecided,
    Stopped(Stop),
}

impl Corpus {
    /// The molecules that `pattern` matches, in the order of the corpus, on the threads of the
    /// current rayon pool. The answer does not depend on their number.
    ///
    /// # Errors
    /// A corpus that was built without substructures, a part of the file that was changed.
    pub fn containing(
        &self,
        pattern: &Pattern,
        search: &SubstructureSearch,
        budget: &mut Budget,
    ) -> Result<SubstructureHits, CorpusError> {
        if self.header().screen_bits == 0 {
            return Err(CorpusError::new(
                CorpusErrorKind::NotBuiltFor,
                "The corpus was built without substructures",
            )
            .with_hint("build it again with them"));
        }
        pattern.prepare();
        let asked = Features::of_pattern(pattern);
        let mut answer = SubstructureHits {
            hits: Vec::new(),
            total: None,
            matched: 0,
            undecided: Vec::new(),
            searched: 0,
            status: Status::Completed,
        };
        let mut found = 0;
        let enough = search.offset.saturating_add(search.limit as u64);
        'segments: for (first, segment) in self.segments() {
            let candidates = self.candidates(segment, &asked)?;
            for round in candidates.chunks(ROUND) {
                if !search.count && found >= enough {
                    break 'segments;
                }
                let verdicts = self.match_all(first, round, pattern, search, budget)?;
                for (&molecule, verdict) in round.iter().zip(verdicts) {
                    let index = first + u64::from(molecule);
                    match verdict {
                        Verdict::NoMatch => {}
                        Verdict::Match => {
                            if found >= search.offset && answer.hits.len() < search.limit {
                                answer.hits.push(index);
                            }
                            found += 1;
                        }
                        Verdict::Undecided => answer.undecided.push(index),
                        Verdict::Stopped(stop) => {
                            answer.searched = index;
                            answer.status = stop.into();
                            break 'segments;
                        }
                    }
                    answer.matched += 1;
                    answer.searched = index + 1;
                    if !search.count && found >= enough {
                        break 'segments;
                    }
                }
            }
            answer.searched = first + u64::from(segment.molecules);
        }
        if answer.status == Status::Completed && !answer.undecided.is_empty() {
            answer.status = Status::LimitReached;
        }
        if search.count && answer.status == Status::Completed {
            answer.total = Some(found);
        }
        Ok(answer)
    }

    /// Places in a segment of the molecules that have all features, ascending.
    fn candidates(&self, segment: &Segment, asked: &Features) -> Result<Vec<u32>, CorpusError> {
        let length = screen_line(segment.molecules) as usize / 8;
        let mut left = vec![u64::MAX; length];
        for bit in (0..self.header().screen_bits)
            .filter(|&bit| asked.words()[bit as usize / 64] >> (bit % 64) & 1 == 1)
        {
            let line = words(self.slice(segment.screen_range(bit))?)?;
            let mut any = 0;
            for (left, line) in left.iter_mut().zip(line) {
                *left &= line;
                any |= *left;
            }
            if any == 0 {
                return Ok(Vec::new());
            }
        }
        let mut candidates = Vec::new();
        for (place, &word) in left.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let molecule = place as u32 * 64 + word.trailing_zeros();
                if molecule < segment.molecules {
                    candidates.push(molecule);
                }
                word &= word - 1;
            }
        }
        Ok(candidates)
    }

    fn match_all(
        &self,
        first: u64,
        molecules: &[u32],
        pattern: &Pattern,
        search: &SubstructureSearch,
        budget: &mut Budget,
    ) -> Result<Vec<Verdict>, CorpusError> {
        if let Err(stop) = budget.check() {
            return Ok(vec![Verdict::Stopped(stop)]);
        }
        let results: Result<Vec<(Verdict, u64)>, CorpusError> = molecules
            .par_iter()
            .with_min_len(16)
            .map_init(Matcher::new, |matcher, &molecule| {
                let mut own = budget.child().with_node_limit(search.nodes_per_molecule);
                let index = first + u64::from(molecule);
                let entry = self.entry(index)?.expect("a segment has its molecules");
                // It was read when the corpus was built.
                let Ok(molecule) = Molecule::from_smiles(entry.smiles) else {
                    return Err(CorpusError::damaged(format!(
                        "Molecule {index} of the corpus is none"
                    )));
                };
                let target = Target::new(&molecule);
                let verdict =
                    match matcher.matches_within(pattern, &target, &search.options, &mut own) {
                        Ok(true) => Verdict::Match,
                        Ok(false) => Verdict::NoMatch,
                        Err(Stop::Nodes) => Verdict::Undecided,
                        Err(stop) => Verdict::Stopped(stop),
                    };
                Ok((verdict, own.nodes()))
            })
            .collect();
        let results = results?;
        let _ = budget.spend(results.iter().map(|result| result.1).sum());
        Ok(results.into_iter().map(|result| result.0).collect())
    }
}
