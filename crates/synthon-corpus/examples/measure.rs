//! How fast corpora are built and searched. `measure build MOLECULES.smi` builds one beside
//! the file, `measure search MOLECULES.smi` searches it; both print figures, one JSON object
//! a line. `cargo xtask bench-corpus` runs them with peers beside them.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for developers")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use synthon_budget::Budget;
use synthon_corpus::{BuildOptions, Corpus, SimilaritySearch, SubstructureSearch, build};
use synthon_fp::{Fingerprint, Fingerprinter};
use synthon_mol::Molecule;
use synthon_query::Pattern;
use synthon_records::{RecordOptions, RecordReader};

/// Queries of each figure.
const QUERIES: usize = 101;
/// Molecules of the small corpus that the peers have too.
const SMALL: usize = 50_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (work, file) = (arguments.next().unwrap(), arguments.next().unwrap());
    match work.as_str() {
        "build" => build_both(Path::new(&file)),
        "search" => search_both(Path::new(&file)),
        other => panic!("no work `{other}`"),
    }
}

/// The corpus of all molecules, and that of the small set.
fn files(molecules: &Path) -> [PathBuf; 2] {
    [molecules.with_extension("corpus"), molecules.with_extension("small.corpus")]
}

fn build_both(molecules: &Path) {
    let [large, small] = files(molecules);
    let options = BuildOptions::default();
    let reader = || RecordReader::open(molecules, &RecordOptions::default()).unwrap();
    let start = Instant::now();
    let report = build(reader(), &large, &options, |_| true).unwrap();
    figure("build_seconds", start.elapsed().as_secs_f64());
    figure("build_threads", rayon::current_num_threads() as f64);
    figure("build_molecules", report.records.good as f64);
    figure("build_bytes", report.file_length as f64);
    if let Some(bytes) = peak_memory() {
        figure("build_peak_bytes", bytes);
    }
    build(reader().take(SMALL), &small, &options, |_| true).unwrap();
}

/// Most memory that the process had, where the system tells it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok()? * 1024.0)
}

fn search_both(molecules: &Path) {
    let [large, small] = files(molecules);
    let one = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let start = Instant::now();
    let corpus = Corpus::open(&large).unwrap();
    figure("open_ms", start.elapsed().as_secs_f64() * 1e3);
    let queries = queries(&corpus);
    let top = SimilaritySearch { limit: 10, ..SimilaritySearch::default() };
    let first = Instant::now();
    corpus.similar(&queries[0], &top, &mut Budget::unlimited()).unwrap();
    figure("top10_first_ms", first.elapsed().as_secs_f64() * 1e3);
    corpus.verify().unwrap();
    figure("top10_ms", median_ms(&queries, |query| search(&corpus, query, &top)));
    figure(
        "top10_one_thread_ms",
        one.install(|| median_ms(&queries, |query| search(&corpus, query, &top))),
    );
    // No bound helps at threshold 0, so that every row is read.
    let all = SimilaritySearch { limit: 10, count: true, ..SimilaritySearch::default() };
    // Scans and plain reads of as many bytes take turns; of both the least disturbed one counts.
    let words: Vec<u64> = (0..corpus.len() * 32).collect();
    let (mut scan, mut read) = (f64::MAX, f64::MAX);
    for query in &queries[..21] {
        scan = scan.min(one.install(|| seconds(|| search(&corpus, query, &all))));
        read = read.min(seconds(|| {
            black_box(black_box(&words).iter().fold(0u64, |sum, word| sum.wrapping_add(*word)));
        }));
    }
    drop(words);
    figure("scan_one_thread_per_second", corpus.len() as f64 / scan);
    figure("read_one_thread_bytes_per_second", corpus.len() as f64 * 256.0 / read);
    let scan = median_ms(&queries[..21], |query| search(&corpus, query, &all));
    figure("scan_per_second", corpus.len() as f64 / scan * 1e3);
    for smarts in
        ["c1ccc2[nH]ccc2c1", "C(F)(F)F", "[OX2H]c", "C(=O)N", "[#6]1~[#7]~[#6]~[#7]~[#6]1"]
    {
        let pattern = Pattern::from_smarts(smarts).unwrap();
        let search = SubstructureSearch { count: true, ..SubstructureSearch::default() };
        let start = Instant::now();
        let found = corpus.containing(&pattern, &search, &mut Budget::unlimited()).unwrap();
        figure(&format!("substructure_ms {smarts}"), start.elapsed().as_secs_f64() * 1e3);
        figure(&format!("substructure_hits {smarts}"), found.total.unwrap() as f64);
        figure(&format!("substructure_matched {smarts}"), found.matched as f64);
    }

    let corpus = Corpus::open(&small).unwrap();
    corpus.verify().unwrap();
    let queries = self::queries(&corpus);
    // The first looks at every row and keeps the best; the others give all that they find.
    for (threshold, limit) in [(0.0, 10), (0.4, usize::MAX), (0.7, usize::MAX)] {
        let search_for =
            SimilaritySearch { threshold, limit, count: true, ..SimilaritySearch::default() };
        let time = one.install(|| median_ms(&queries, |query| search(&corpus, query, &search_for)));
        figure(&format!("small_{threshold}_per_second"), SMALL as f64 / time * 1e3);
    }
}

fn figure(name: &str, value: f64) {
    println!("{{\"name\": \"{name}\", \"value\": {value}}}");
}

/// Molecules spread evenly over the corpus.
fn queries(corpus: &Corpus) -> Vec<Fingerprint> {
    let info = corpus.info();
    let mut printer = Fingerprinter::new(info.scheme, info.size).unwrap();
    (0..QUERIES as u64)
        .map(|number| {
            let index = number * corpus.len() / QUERIES as u64;
            let smiles = corpus.entry(index).unwrap().unwrap().smiles;
            printer.bits(&Molecule::from_smiles(smiles).unwrap()).unwrap()
        })
        .collect()
}

fn search(corpus: &Corpus, query: &Fingerprint, search: &SimilaritySearch) {
    black_box(corpus.similar(query, search, &mut Budget::unlimited()).unwrap());
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median_ms(queries: &[Fingerprint], mut work: impl FnMut(&Fingerprint)) -> f64 {
    let mut times: Vec<f64> = queries.iter().map(|query| seconds(|| work(query)) * 1e3).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
