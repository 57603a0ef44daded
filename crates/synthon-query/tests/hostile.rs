//! Hostile patterns and targets: every search ends at its deadline with an honest status.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::{Duration, Instant};

use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target, explain};
use synthon_testkit::{hostile_pairs, hostile_patterns};

fn molecule(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What a hostile input may cost beyond its deadline, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_millis(500);

const LIMIT: Duration = Duration::from_millis(40);

fn budget() -> Budget {
    Budget::unlimited().with_time_limit(LIMIT)
}

/// Runs one search and holds it to its deadline.
fn in_time<T>(label: &str, search: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = search();
    let over = begun.elapsed().saturating_sub(LIMIT);
    assert!(over < PATIENCE, "{over:?} over: {label}");
    result
}

/// First match, all matches, explanation; a stop says why.
fn search_every_way(name: &str, pattern: &Pattern, target: &Molecule) {
    let mut matcher = Matcher::new();
    for options in [
        MatchOptions::default(),
        MatchOptions { induced: true, ..MatchOptions::default() },
        MatchOptions { complete_rings_only: true, ..MatchOptions::default() },
    ] {
        let label = |what: &str| format!("{what} of {name} with {options:?}");
        let target = in_time(&label("target"), || Target::new(target));
        let first = in_time(&label("first match"), || {
            matcher.first_within(pattern, &target, &options, &mut budget())
        });
        let all = in_time(&label("all matches"), || {
            matcher.all_within(pattern, &target, &options, 32, &mut budget())
        });
        let told =
            in_time(&label("explanation"), || explain(pattern, &target, &options, &mut budget()));
        match &first {
            Ok(first) => {
                // Known either way, so that no other search may say the contrary.
                assert!(!all.is_complete() || all.is_empty() == first.is_none(), "{name}");
                assert!(all.is_empty() || first.is_some(), "{name}");
                assert!(told.iter().all(|told| told.matches == first.is_some()), "{name}");
            }
            Err(stop) => assert_eq!(*stop, Stop::Deadline, "{name}"),
        }
        assert!(told.is_ok() || told == Err(Stop::Deadline), "{name}");
        if !all.is_complete() {
            let ended = matches!(all.status(), Status::TimedOut | Status::LimitReached);
            assert!(ended && (all.is_truncated() || all.status() == Status::TimedOut), "{name}");
        }
    }
}

#[test]
fn patterns_end_at_their_deadline() {
    for (name, pattern, target) in hostile_patterns() {
        let pattern = Pattern::from_smarts(&pattern).unwrap_or_else(|e| panic!("{name}: {e}"));
        search_every_way(name, &pattern, &molecule(&target));
    }
}

#[test]
fn molecule_queries_end_at_their_deadline() {
    let stereo = ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() };
    for (name, query, target) in hostile_pairs() {
        let (query, target) = (molecule(&query), molecule(&target));
        for chemistry in [ChemistryOptions::default(), stereo] {
            let pattern = Pattern::from_molecule(&query, &chemistry);
            search_every_way(name, &pattern, &target);
        }
    }
}

#[test]
fn hostile_texts_are_read_or_refused_at_once() {
    let many = 50_000;
    let rings: String = (0..9_000).map(|k| format!("C%({k})")).collect();
    let texts = [
        "(".repeat(many),
        "C(".repeat(many),
        ")".repeat(many),
        "[".repeat(many),
        "[$(".repeat(many),
        format!("[{}]", "!".repeat(many) + "C"),
        format!("[{}]", vec!["C"; many].join(",")),
        format!("[{}]", vec!["$(CN)"; 4_000].join(";")),
        format!("C{}C", "~".repeat(many)),
        format!("C{}", "1".repeat(many)),
        "C.".repeat(many),
        ".".repeat(many),
        format!("{rings}{}", rings.replace("C%", "N%")),
        format!("C{}=C{}", "(/C)".repeat(2_000), "(/C)".repeat(2_000)),
        format!("C{}", "(C)".repeat(9_000)),
        "[C:999999999999]".to_string(),
        "[D99999999999999999999]".to_string(),
    ];
    for text in &texts {
        let begun = Instant::now();
        if let Ok(pattern) = Pattern::from_smarts(text) {
            pattern.prepare();
            pattern.matches(&molecule("CCO"));
        }
        assert!(begun.elapsed() < PATIENCE, "{:?} for {text:.40}", begun.elapsed());
    }
}
