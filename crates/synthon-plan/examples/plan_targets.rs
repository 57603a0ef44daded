//! How many targets the planner solves, and how soon: `cargo run --release -p synthon-plan
//! --example plan_targets -- FILE [option value ..]`.
//!
//! FILE holds targets as `SMILES name` lines, or mapped reactions (`.tsv.gz`), whose products are
//! the targets. Options: `--sample N` takes N of them, chosen by a hash of the canonical text and
//! `--seed` (1), so that the choice does not depend on the order of the file; `--library` (uspto;
//! curated; extracted, which is uspto without the named templates),
//! `--stock FILE` (the shipped one; SMILES, one a line), `--depth` (6), `--seconds` (5), `--long`
//! seconds for every fifth target (the same), `--nodes` (no limit), `--max-routes` (5),
//! `--threads` targets at a time (1), `--out FILE` (a line for each target), `--routes FILE` (the
//! best route of each target in words).
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use synthon_budget::Budget;
use synthon_library::{ExtractedLibrary, Library, ReactionColumns, ReactionReader};
use synthon_mol::Molecule;
use synthon_plan::{PlanRequest, PlanResult, Route, plan_with_progress};
use synthon_stock::{LoadOptions, Stock};

/// The shipped library without its named templates.
const EXTRACTED: &str = "extracted";
const IMATINIB: &str = "Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("name a file of targets")?;
    let mut options: BTreeMap<String, String> = BTreeMap::new();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        options.insert(name, value);
    }
    let setting = Setting::read(&options)?;
    let mut targets = targets(Path::new(&file))?;
    if let Some(sample) = setting.sample {
        targets.sort_by_key(|target| hash(setting.seed, &target.text));
        targets.truncate(sample);
    }
    let library = match setting.library.as_str() {
        Library::USPTO_NAME => Library::uspto(),
        Library::CURATED_NAME => Library::curated(),
        EXTRACTED => Library::of_extracted(EXTRACTED, ExtractedLibrary::shipped()),
        other => return Err(format!("no library is called {other}").into()),
    };
    let stock = match &setting.stock {
        None => Stock::embedded(),
        Some(path) => read_stock(path)?,
    };
    // Templates are compiled when first met; that is not the work of any one target.
    let warm = Molecule::from_smiles(IMATINIB)?;
    plan_with_progress(
        &PlanRequest::new(warm),
        &library,
        &stock,
        &mut Budget::unlimited().with_time_limit(Duration::from_secs(1)),
        |_| {},
    );
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(target) = targets.get(place) else { return found };
            found.push((place, setting.plan(place, target, &library, &stock)));
        }
    };
    let mut found: Vec<(usize, Found)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..setting.threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    found.sort_by_key(|(place, _)| *place);
    let found: Vec<Found> = found.into_iter().map(|(_, found)| found).collect();
    if let Some(path) = &setting.out {
        let mut text = String::from(
            "name\tsmiles\tatoms\tseconds\tstatus\tcomplete\troutes\ttier\tbest_tier\tfirst_ms\t\
             total_ms\tnodes\tmolecules\tsteps\tdepth\tconfidence\tscore\n",
        );
        for (target, found) in targets.iter().zip(&found) {
            text.push_str(&found.line(target));
        }
        std::fs::write(path, text)?;
    }
    if let Some(path) = &setting.routes {
        let mut text = String::new();
        for (target, found) in targets.iter().zip(&found) {
            writeln!(text, "# {} {}", target.name, target.text)?;
            match found.result.routes.first() {
                None => writeln!(text, "no route ({})", found.result.status.as_str())?,
                Some(route) => describe(route, &mut text)?,
            }
        }
        std::fs::write(path, text)?;
    }
    summary(&targets, &found, &setting);
    Ok(())
}

fn read_stock(path: &str) -> Result<Stock> {
    let text = std::fs::read_to_string(path)?;
    Ok(Stock::from_smiles_lines(path, text.as_bytes(), &LoadOptions::default())?.0)
}

struct Setting {
    library: String,
    stock: Option<String>,
    depth: u8,
    seconds: f64,
    long: f64,
    nodes: Option<u64>,
    max_routes: usize,
    threads: usize,
    sample: Option<usize>,
    seed: u64,
    out: Option<String>,
    routes: Option<String>,
}

impl Setting {
    fn read(options: &BTreeMap<String, String>) -> Result<Setting> {
        const KNOWN: [&str; 12] = [
            "--library",
            "--stock",
            "--depth",
            "--seconds",
            "--long",
            "--nodes",
            "--max-routes",
            "--threads",
            "--sample",
            "--seed",
            "--out",
            "--routes",
        ];
        if let Some(unknown) = options.keys().find(|name| !KNOWN.contains(&name.as_str())) {
            return Err(format!("unknown option {unknown}; known: {}", KNOWN.join(", ")).into());
        }
        let number = |name: &str| -> Result<Option<f64>> {
            Ok(options.get(name).map(|text| text.parse()).transpose()?)
        };
        let whole = |name: &str| -> Result<Option<u64>> {
            Ok(options.get(name).map(|text| text.parse()).transpose()?)
        };
        let seconds = number("--seconds")?.unwrap_or(5.0);
        Ok(Setting {
            library: options.get("--library").cloned().unwrap_or(Library::USPTO_NAME.into()),
            stock: options.get("--stock").cloned(),
            depth: whole("--depth")?.unwrap_or(6).try_into()?,
            seconds,
            long: number("--long")?.unwrap_or(seconds),
            nodes: whole("--nodes")?,
            max_routes: whole("--max-routes")?.unwrap_or(5).try_into()?,
            threads: whole("--threads")?.unwrap_or(1).try_into()?,
            sample: whole("--sample")?.map(usize::try_from).transpose()?,
            seed: whole("--seed")?.unwrap_or(1),
            out: options.get("--out").cloned(),
            routes: options.get("--routes").cloned(),
        })
    }

    fn plan(&self, place: usize, target: &Target, library: &Library, stock: &Stock) -> Found {
        let seconds = if place % 5 == 4 { self.long } else { self.seconds };
        let request =
            PlanRequest::new(target.molecule.clone()).depth(self.depth).max_routes(self.max_routes);
        let mut budget = Budget::unlimited().with_time_limit(Duration::from_secs_f64(seconds));
        if let Some(nodes) = self.nodes {
            budget = budget.with_node_limit(nodes);
        }
        let started = Instant::now();
        let mut first = None;
        let result = plan_with_progress(&request, library, stock, &mut budget, |progress| {
            if progress.routes_found > 0 && first.is_none() {
                first = Some(started.elapsed());
            }
        });
        Found { result, first, total: started.elapsed(), seconds }
    }
}

struct Target {
    name: String,
    text: String,
    molecule: Molecule,
}

struct Found {
    result: PlanResult,
    first: Option<Duration>,
    total: Duration,
    /// What it was given.
    seconds: f64,
}

impl Found {
    fn best_tier(&self) -> Option<u8> {
        self.result.routes.iter().map(|route| route.tier).max()
    }

    fn line(&self, target: &Target) -> String {
        let tier = |tier: Option<u8>| tier.map_or("-".to_owned(), |tier| tier.to_string());
        let best = self.result.routes.first();
        let figures = best.map_or("-\t-\t-\t-".to_owned(), |route| {
            format!(
                "{}\t{}\t{:.3}\t{:.3}",
                route.steps.len(),
                route.depth,
                route.confidence,
                route.score
            )
        });
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.1}\t{}\t{}\t{figures}\n",
            target.name,
            target.text,
            target.molecule.atom_count(),
            self.seconds,
            self.result.status.as_str(),
            self.result.complete,
            self.result.routes_found,
            tier(best.map(|route| route.tier)),
            tier(self.best_tier()),
            self.first.map_or("-".to_owned(), |at| format!("{:.1}", milliseconds(at))),
            milliseconds(self.total),
            self.result.search.nodes_expanded,
            self.result.search.molecules_seen,
        )
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn targets(path: &Path) -> Result<Vec<Target>> {
    let mut texts: Vec<(String, String)> = Vec::new();
    if path.to_string_lossy().ends_with(".tsv.gz") {
        let file = std::fs::File::open(path)?;
        let name = path.display().to_string();
        for record in ReactionReader::new(&name, file, &ReactionColumns::default())? {
            let Ok(record) = record else { continue };
            let product = record.reaction.rsplit('>').next().unwrap_or_default().to_owned();
            texts.push((product, format!("line_{}", record.line)));
        }
    } else {
        for line in std::fs::read_to_string(path)?.lines() {
            let (smiles, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            texts.push((smiles.to_owned(), name.trim().to_owned()));
        }
    }
    let mut known: BTreeMap<String, ()> = BTreeMap::new();
    let mut targets = Vec::new();
    for (smiles, name) in texts {
        let text = Molecule::from_smiles(&smiles)
            .map_err(|error| format!("{name}: {smiles}: {error}"))?
            .to_unmapped_smiles();
        if known.insert(text.clone(), ()).is_none() {
            targets.push(Target { name, molecule: Molecule::from_smiles(&text)?, text });
        }
    }
    Ok(targets)
}

/// FNV-1a, then a mixing round, so that neighbouring seeds choose independently.
fn hash(seed: u64, text: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash ^= hash >> 31;
    hash.wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ (hash >> 27)
}

fn describe(route: &Route, text: &mut String) -> Result<()> {
    writeln!(
        text,
        "tier {} depth {} confidence {:.3} score {:.2}",
        route.tier, route.depth, route.confidence, route.score
    )?;
    for step in &route.steps {
        writeln!(
            text,
            "  {} >> {}\n      {} [{}] {:.3} x{}{}",
            step.precursors.join(" . "),
            step.target,
            step.rule,
            step.reaction_family,
            step.step_confidence,
            step.precedents.as_ref().map_or(0, |known| known.count),
            step.alarms.iter().fold(String::new(), |all, alarm| format!("{all}\n      ! {alarm}")),
        )?;
    }
    Ok(())
}

fn summary(targets: &[Target], found: &[Found], setting: &Setting) {
    let share = |count: usize| 100.0 * count as f64 / found.len().max(1) as f64;
    println!(
        "{} targets, library {}, depth {}, {} s each ({} s every fifth), {} at a time",
        found.len(),
        setting.library,
        setting.depth,
        setting.seconds,
        setting.long,
        setting.threads,
    );
    for tier in 1..=3 {
        let count = found.iter().filter(|f| f.best_tier().is_some_and(|best| best >= tier));
        let first =
            found.iter().filter(|f| f.result.routes.first().is_some_and(|r| r.tier >= tier));
        let (count, first) = (count.count(), first.count());
        println!(
            "with a route of tier {tier}: {count} ({:.1} %); the first of them: {first} ({:.1} %)",
            share(count),
            share(first)
        );
    }
    let mut first: Vec<f64> = found.iter().filter_map(|f| f.first.map(milliseconds)).collect();
    first.sort_by(f64::total_cmp);
    // Of all targets: one without a route counts as later than any.
    let of_all = |share: f64| first.get((found.len() as f64 * share) as usize).copied();
    let of_solved = |share: f64| first.get((first.len() as f64 * share) as usize).copied();
    let shown = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.1}"));
    println!(
        "first route, ms: median {} and p95 {} of the solved; {} and {} of all",
        shown(of_solved(0.5)),
        shown(of_solved(0.95)),
        shown(of_all(0.5)),
        shown(of_all(0.95)),
    );
    let nodes: u64 = found.iter().map(|f| f.result.search.nodes_expanded).sum();
    let seconds: f64 = found.iter().map(|f| f.total.as_secs_f64()).sum();
    let over = found.iter().map(|f| f.total.as_secs_f64() - f.seconds).fold(f64::MIN, f64::max);
    println!(
        "{nodes} molecules expanded in {seconds:.1} s ({:.2} ms each); latest end {:+.1} ms after \
         its deadline",
        1_000.0 * seconds / nodes.max(1) as f64,
        1_000.0 * over
    );
    let unsolved: Vec<&str> = targets
        .iter()
        .zip(found)
        .filter(|(_, found)| found.result.routes.is_empty())
        .map(|(target, _)| target.name.as_str())
        .collect();
    println!("unsolved: {}", unsolved.join(" "));
}
