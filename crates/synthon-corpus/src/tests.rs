//! Corpora of random fingerprints against a naive scan, and corpora that were damaged.

use std::io::Cursor;

use synthon_budget::{Budget, CancelFlag, Status};
use synthon_fp::{Fingerprint, Scheme};
use synthon_testkit::Random;

use crate::kernel::Variant;
use crate::layout::Header;
use crate::scheme::scheme_to_parts;
use crate::write::{Page, Sections};
use crate::{Coefficient, Corpus, CorpusErrorKind, Hit, SimilaritySearch};

/// A file with these fingerprints, in segments of at most `most`.
fn file(rows: &[Fingerprint], size: usize, most: usize) -> Vec<u8> {
    let mut sections = Sections::new(Cursor::new(Vec::new())).expect("memory");
    let mut page = Page::new(size as u32, 0);
    for (number, row) in rows.iter().enumerate() {
        // Line, length of the SMILES, SMILES, name.
        let text = [&[1, 1, b'C'], format!("m{number}").as_bytes()].concat();
        page.push(row.words(), &[], &text);
        if page.len() == most || number + 1 == rows.len() {
            sections.segment(&page).expect("memory");
            page.clear();
        }
    }
    let (name, parameters) = scheme_to_parts(Scheme::ECFP4);
    let header = Header {
        molecules: rows.len() as u64,
        size: size as u32,
        parameters,
        names: [name.to_owned(), Scheme::ECFP4.version().to_owned(), String::new()],
        ..Header::default()
    };
    sections.finish(header, |_| Ok(())).expect("memory").1.into_inner()
}

fn fingerprint(size: usize, density: usize, random: &mut Random) -> Fingerprint {
    Fingerprint::from_on_bits(size, (0..size).filter(|_| random.chance(density)))
}

/// Fingerprints with relatives and twins, empty and full ones.
fn family(count: usize, size: usize, random: &mut Random) -> Vec<Fingerprint> {
    let mut all: Vec<Fingerprint> = Vec::new();
    for _ in 0..count {
        let made = match random.below(10) {
            0 => Fingerprint::new(size),
            1 => fingerprint(size, 100, random),
            2..6 if !all.is_empty() => {
                let mut relative = random.pick(&all).clone();
                for _ in 0..random.below(4) {
                    relative.set(random.below(size));
                }
                relative
            }
            _ => {
                let density = *random.pick(&[1, 5, 20, 60]);
                fingerprint(size, density, random)
            }
        };
        all.push(made);
    }
    all
}

fn naive(rows: &[Fingerprint], query: &Fingerprint, search: &SimilaritySearch) -> Vec<Hit> {
    let mut hits: Vec<Hit> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let common = query.on_bits().filter(|&bit| row.get(bit)).count() as u32;
            let score = search.coefficient.of(
                common,
                query.on_bits().count() as u32,
                row.on_bits().count() as u32,
            );
            Hit { index: index as u64, score }
        })
        .filter(|hit| hit.score >= search.threshold)
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    hits
}

#[test]
fn random_corpora_answer_as_a_naive_scan() {
    let mut random = Random::new(20_261);
    let pools: Vec<rayon::ThreadPool> = [1, 3]
        .map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a pool"))
        .into();
    let variants = Variant::available();
    for round in 0..2_500 {
        let size = *random.pick(&[1, 7, 64, 65, 166, 512, 1_024, 2_048]);
        let count = random.between(1, 60);
        let rows = family(count, size, &mut random);
        let most = random.between(1, 40);
        let corpus = Corpus::from_bytes(&file(&rows, size, most)).expect("a corpus");
        let query = if random.chance(50) {
            random.pick(&rows).clone()
        } else {
            fingerprint(size, 20, &mut random)
        };
        let weight = |random: &mut Random| *random.pick(&[0.0, 0.1, 0.5, 1.0, 7.0]);
        let coefficient = match random.below(4) {
            0 => Coefficient::Dice,
            1 => Coefficient::Cosine,
            2 => Coefficient::Tversky { query: weight(&mut random), molecule: weight(&mut random) },
            _ => Coefficient::Tanimoto,
        };
        let first = coefficient.of(1, 2, 3);
        let search = SimilaritySearch {
            coefficient,
            threshold: *random.pick(&[0.0, -0.0, 0.2, 1.0 / 3.0, 0.5, 0.7, 1.0, first]),
            offset: random.below(count + 3),
            limit: *random.pick(&[0, 1, 3, 10, usize::MAX]),
            count: random.chance(50),
        };
        let all = naive(&rows, &query, &search);
        let page: Vec<Hit> = all.iter().copied().skip(search.offset).take(search.limit).collect();
        let pool = &pools[round % pools.len()];
        let variant = variants[round % variants.len()];
        let found = pool
            .install(|| corpus.similar_by(variant, &query, &search, &mut Budget::unlimited()))
            .expect("an answer");
        assert_eq!(found.hits, page, "{search:?}, {size} bits, {count} molecules, {variant:?}");
        assert_eq!(found.status, Status::Completed);
        assert_eq!(found.total, search.count.then_some(all.len() as u64), "{search:?}");
        let name = format!("m{}", count - 1);
        let last = corpus.entry(count as u64 - 1).expect("whole").expect("the last molecule");
        assert_eq!((last.smiles, last.name, last.line), ("C", &*name, 1));
        assert_eq!(corpus.entry(count as u64), Ok(None));
    }
}

#[test]
fn searches_that_make_no_sense_are_refused() {
    let rows = [fingerprint(64, 20, &mut Random::new(1))];
    let corpus = Corpus::from_bytes(&file(&rows, 64, 10)).expect("a corpus");
    let ask = |query: &Fingerprint, threshold: f64, coefficient: Coefficient| {
        let search = SimilaritySearch { threshold, coefficient, ..Default::default() };
        corpus.similar(query, &search, &mut Budget::unlimited()).map(|found| found.hits.len())
    };
    for threshold in [f64::NAN, f64::INFINITY, -0.1, 1.0 + f64::EPSILON] {
        let error = ask(&rows[0], threshold, Coefficient::Tanimoto).expect_err("no threshold");
        assert_eq!(error.kind(), CorpusErrorKind::Query);
    }
    for weight in [f64::NAN, -1.0, f64::INFINITY] {
        let coefficient = Coefficient::Tversky { query: weight, molecule: 1.0 };
        assert!(ask(&rows[0], 0.5, coefficient).is_err());
    }
    assert!(ask(&Fingerprint::new(65), 0.5, Coefficient::Tanimoto).is_err());
    assert_eq!(ask(&rows[0], 1.0, Coefficient::Tanimoto), Ok(1));
}

#[test]
fn a_stopped_search_says_so() {
    let mut random = Random::new(3);
    let rows = family(5_000, 64, &mut random);
    let corpus = Corpus::from_bytes(&file(&rows, 64, 1_000)).expect("a corpus");
    let flag = CancelFlag::new();
    flag.cancel();
    let mut budget = Budget::unlimited().with_cancel_flag(flag);
    let search = SimilaritySearch { count: true, ..Default::default() };
    let found = corpus.similar(&rows[9], &search, &mut budget).expect("an answer");
    assert_eq!((found.status, found.total), (Status::Cancelled, None));
}

/// What a corpus answers, all of it.
fn everything(corpus: &Corpus, query: &Fingerprint) -> Result<String, crate::CorpusError> {
    let search = SimilaritySearch { limit: usize::MAX, count: true, ..Default::default() };
    let found = corpus.similar(query, &search, &mut Budget::unlimited())?;
    let mut text = format!("{:?} {:?}", found, corpus.info());
    for index in 0..corpus.len() {
        text.push_str(&format!("{:?}", corpus.entry(index)?));
    }
    Ok(text)
}

#[test]
fn damage_is_found_before_it_shows() {
    let mut random = Random::new(11);
    let rows = family(700, 512, &mut random);
    let whole = file(&rows, 512, 300);
    let query = &rows[5];
    let right = everything(&Corpus::from_bytes(&whole).expect("whole"), query).expect("whole");
    for length in (0..whole.len()).step_by(61) {
        let error = Corpus::from_bytes(&whole[..length]).expect_err("cut short");
        assert!(
            matches!(error.kind(), CorpusErrorKind::NotACorpus | CorpusErrorKind::Damaged),
            "{length}: {error}"
        );
    }
    let mut changed = whole.clone();
    for _ in 0..3_000 {
        let at = random.below(whole.len());
        changed[at] ^= 1 << random.below(8);
        let answer = Corpus::from_bytes(&changed).and_then(|corpus| everything(&corpus, query));
        match answer {
            // Padding between sections belongs to no answer.
            Ok(text) => assert_eq!(text, right, "byte {at}"),
            Err(error) => assert_ne!(error.kind(), CorpusErrorKind::Query, "byte {at}: {error}"),
        }
        let verified = Corpus::from_bytes(&changed).and_then(|corpus| corpus.verify());
        assert!(verified.is_err(), "byte {at}");
        changed[at] = whole[at];
    }
    for garbage in [&b""[..], b"SYNTHCOR", b"CCO ethanol\n", &[0; 5_000]] {
        assert!(Corpus::from_bytes(garbage).is_err());
    }
}

/// Someone who knows the format, checksums included, gets errors or nonsense, never more.
#[test]
fn forged_directories_are_harmless() {
    let mut random = Random::new(12);
    let rows = family(90, 128, &mut random);
    let whole = file(&rows, 128, 40);
    let header = Header::from_bytes(&whole).expect("whole");
    let start = header.directory_start as usize;
    let mut opened = 0;
    for _ in 0..4_000 {
        let mut forged = whole.clone();
        for _ in 0..random.between(1, 3) {
            let at = start + 4 * random.below((whole.len() - start) / 4);
            let value = match random.below(4) {
                0 => u32::MAX,
                1 => random.below(200) as u32,
                2 => (random.below(whole.len()) / 64 * 64) as u32,
                _ => 1 << random.below(32),
            };
            forged[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        let header = Header { directory_crc: crc32fast::hash(&forged[start..]), ..header.clone() };
        let bytes = header.to_bytes();
        forged[..bytes.len()].copy_from_slice(&bytes);
        if let Ok(corpus) = Corpus::from_bytes(&forged) {
            opened += 1;
            let _ = everything(&corpus, &rows[0]);
            let _ = corpus.verify();
        }
    }
    assert!(opened > 100, "{opened}");
}
