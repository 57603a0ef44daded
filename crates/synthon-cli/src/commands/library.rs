//! `synthon library`: build a template library from reactions, look at one, train and measure one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use synthon_library::{
    BuildOptions, BuildStatistics, Coverage, ExtractedLibrary, Library, LibraryBuilder,
    LibraryError, LibraryLimits, RANKS, ReactionColumns, ReactionReader, Rejected,
};

use super::library_policy;
use crate::args::{
    LibraryBuildArgs, LibraryCommand, LibraryEvaluateArgs, LibraryInfoArgs, ReactionColumnArgs,
};
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

/// Matches that one product may cost when a library is measured.
pub(crate) const MAX_NODES: u64 = 10_000_000;

pub(crate) fn run(command: &LibraryCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        LibraryCommand::Build(args) => build(args, out),
        LibraryCommand::Info(args) => info(args, out),
        LibraryCommand::Train(args) => library_policy::train(args, out),
        LibraryCommand::Evaluate(args) => evaluate(args, out),
    }
}

pub(crate) fn refused(error: &LibraryError) -> Failure {
    Failure::input(error.to_string())
}

pub(crate) fn reader(
    path: &Path,
    columns: &ReactionColumnArgs,
) -> Result<(String, ReactionReader), Failure> {
    let shown = path.display().to_string();
    let mut wanted = ReactionColumns::default();
    wanted.reaction.clone_from(&columns.reaction_column);
    wanted.class.clone_from(&columns.class_column);
    wanted.confidence.clone_from(&columns.confidence_column);
    wanted.source.clone_from(&columns.source_column);
    let reader = if path == Path::new("-") {
        ReactionReader::new("standard input", io::stdin(), &wanted)
    } else {
        let file = File::open(path).map_err(|error| Failure::file(&shown, &error))?;
        ReactionReader::new(&shown, file, &wanted)
    };
    Ok((shown, reader.map_err(|error| refused(&error))?))
}

/// Runs work on a pool of its own where a number of threads is given.
pub(crate) fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::input(format!("--threads {threads}: {error}")))?;
    Ok(pool.install(work))
}

fn build(args: &LibraryBuildArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut options = BuildOptions::default()
        .min_precedents(args.min_precedents)
        .min_confidence(args.min_confidence);
    options.extract = options.extract.radius(args.radius).whole_groups(args.whole_groups);
    let folder_name = || args.output.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = args.name.clone().or_else(folder_name).unwrap_or_else(|| "library".to_owned());
    // All files are opened before the long work begins.
    let readers: Vec<(String, ReactionReader)> = args
        .inputs
        .iter()
        .map(|path| reader(path, &args.columns))
        .collect::<Result<_, Failure>>()?;
    let mut builder = LibraryBuilder::new(options);
    let (library, rejected) = with_threads(args.threads, || {
        for (shown, reader) in readers {
            builder.add(&shown, reader).map_err(|error| refused(&error))?;
        }
        let rejected = builder.rejected().to_vec();
        let library =
            builder.finish(&name, &Library::curated()).map_err(|error| refused(&error))?;
        Ok::<_, Failure>((library, rejected))
    })??;
    let read: Vec<&Path> = args.inputs.iter().map(|path| path.as_path()).collect();
    let bytes = library_policy::write(&library, &args.output, &read)?;
    tell_rejected(&rejected);
    if args.json {
        out.json(&library_json(&library, bytes))?;
    } else {
        out.line(&format!("{}: {} templates, {bytes} bytes", library.name(), library.len()))?;
        print_statistics(library.statistics(), out)?;
        out.line(&format!("  hash {}", library.hash()))?;
    }
    Ok(status::ANSWER)
}

/// The first rejected lines of each reason; that they cannot be told is nothing to report.
fn tell_rejected(rejected: &[Rejected]) {
    let mut text = String::new();
    let mut sorted: Vec<&Rejected> = rejected.iter().collect();
    sorted.sort_by_key(|r| r.code);
    for r in sorted.iter().filter(|r| r.code != "reactions.duplicate") {
        text.push_str(&format!("{}:{}: {}: {}\n", r.file, r.line, r.code, r.message));
    }
    let _ = io::stderr().write_all(text.as_bytes());
}

fn statistics_json(statistics: &BuildStatistics) -> Value {
    json!({
        "lines": statistics.lines,
        "reactions": statistics.reactions,
        "reactions_kept": statistics.reactions_kept,
        "templates_found": statistics.templates_found,
        "templates_repeated": statistics.templates_repeated,
        "templates_named": statistics.templates_named,
        "templates_with_family": statistics.templates_with_family,
        "rejected": statistics.rejected,
    })
}

fn library_json(library: &ExtractedLibrary, bytes: usize) -> Value {
    json!({
        "name": library.name(),
        "hash": library.hash(),
        "templates": library.len(),
        "bytes": bytes,
        "statistics": statistics_json(library.statistics()),
    })
}

fn print_statistics(statistics: &BuildStatistics, out: &mut Output) -> Result<(), Failure> {
    out.line(&format!(
        "  {} lines, {} distinct reactions with a template ({} of them in the library)",
        statistics.lines, statistics.reactions, statistics.reactions_kept
    ))?;
    out.line(&format!(
        "  {} templates found; in the library {} with two precedents or more, {} named, {} with a family",
        statistics.templates_found,
        statistics.templates_repeated,
        statistics.templates_named,
        statistics.templates_with_family
    ))?;
    for (reason, count) in &statistics.rejected {
        out.line(&format!("  {count:>8} {reason}"))?;
    }
    Ok(())
}

/// The library in a folder, or the shipped one where that is its name and no folder.
pub(crate) fn open(folder: &Path) -> Result<ExtractedLibrary, Failure> {
    if folder == Path::new(ExtractedLibrary::SHIPPED_NAME) && !folder.exists() {
        return Ok(ExtractedLibrary::shipped());
    }
    ExtractedLibrary::open(folder, &LibraryLimits::default()).map_err(|error| refused(&error))
}

fn info(args: &LibraryInfoArgs, out: &mut Output) -> Result<u8, Failure> {
    if args.folder == Path::new(Library::CURATED_NAME) && !args.folder.exists() {
        return named_info(args, out);
    }
    let library = open(&args.folder)?;
    let bytes = library.files().map(|(_, content)| content.len()).sum();
    let shown = library.iter().take(args.templates);
    if args.json {
        let mut value = library_json(&library, bytes);
        if args.templates > 0 {
            value["first"] = shown
                .map(|t| {
                    json!({
                        "template_id": t.template().map(|template| template.id()),
                        "smarts": t.smarts(),
                        "count": t.count(),
                        "class": t.class(),
                        "reaction_family": t.family(),
                        "named": t.named(),
                        "precedents": t.precedents().iter().map(|p| {
                            json!({"reaction": p.reaction, "source": p.source})
                        }).collect::<Vec<_>>(),
                    })
                })
                .collect();
        }
        out.json(&value)?;
        return Ok(status::ANSWER);
    }
    out.line(&format!("{}: {} templates, {bytes} bytes", library.name(), library.len()))?;
    print_statistics(library.statistics(), out)?;
    out.line(&format!("  hash {}", library.hash()))?;
    for t in shown {
        out.line(&format!(
            "{:>6} {:<28} {}",
            t.count(),
            t.named().or(t.family()).unwrap_or("-"),
            t.smarts()
        ))?;
    }
    Ok(status::ANSWER)
}

/// What is in the shipped library of named templates.
fn named_info(args: &LibraryInfoArgs, out: &mut Output) -> Result<u8, Failure> {
    let library = Library::curated();
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for named in library.templates() {
        *families.entry(named.family()).or_default() += 1;
    }
    let mut shown: Vec<_> = library.templates().iter().collect();
    shown.sort_by_key(|named| std::cmp::Reverse(named.use_count()));
    shown.truncate(args.templates);
    if args.json {
        let mut value = json!({
            "name": library.name(),
            "hash": library.hash(),
            "templates": library.len(),
            "families": families,
        });
        if args.templates > 0 {
            value["first"] = shown
                .iter()
                .map(|named| {
                    json!({
                        "template_id": named.template().id(),
                        "smarts": named.template().smarts(),
                        "count": named.use_count(),
                        "reaction_family": named.family(),
                        "named": named.id(),
                    })
                })
                .collect();
        }
        out.json(&value)?;
        return Ok(status::ANSWER);
    }
    out.line(&format!("{}: {} named templates", library.name(), library.len()))?;
    for (family, count) in families {
        out.line(&format!("{count:>6} {family}"))?;
    }
    out.line(&format!("  hash {}", library.hash()))?;
    for named in shown {
        let smarts = named.template().smarts();
        out.line(&format!("{:>6} {:<28} {smarts}", named.use_count(), named.id()))?;
    }
    Ok(status::ANSWER)
}

fn evaluate(args: &LibraryEvaluateArgs, out: &mut Output) -> Result<u8, Failure> {
    let library = open(&args.folder)?;
    let (_, reader) = reader(&args.reactions, &args.columns)?;
    if library.has_policy() && !args.coverage {
        let accuracy = with_threads(args.threads, || {
            library.accuracy(reader, args.every as usize, MAX_NODES)
        })?;
        if accuracy.all.reactions == 0 {
            return Err(nothing(args));
        }
        if args.json {
            let mut value = library_policy::accuracy_json(&accuracy);
            value["library"] = json!(library.name());
            value["templates"] = json!(library.len());
            out.json(&value)?;
        } else {
            library_policy::print_accuracy(&accuracy, out)?;
        }
        return Ok(status::ANSWER);
    }
    let start = Instant::now();
    let coverage =
        with_threads(args.threads, || library.coverage(reader, args.every as usize, MAX_NODES))?;
    let seconds = start.elapsed().as_secs_f64();
    if coverage.reactions == 0 {
        return Err(nothing(args));
    }
    if args.json {
        out.json(&coverage_json(&library, &coverage, seconds))?;
    } else {
        print_coverage(&coverage, seconds, out)?;
    }
    Ok(status::ANSWER)
}

fn nothing(args: &LibraryEvaluateArgs) -> Failure {
    Failure::input(format!("{}: no reaction could be read", args.reactions.display()))
}

fn coverage_json(library: &ExtractedLibrary, coverage: &Coverage, seconds: f64) -> Value {
    let n = coverage.reactions as f64;
    let share = |count: u64| count as f64 / n;
    let by_precedents: serde_json::Map<String, Value> = RANKS
        .iter()
        .zip(coverage.by_precedents)
        .map(|(rank, count)| (format!("top_{rank}"), json!(share(count))))
        .collect();
    let by_class: serde_json::Map<String, Value> = coverage
        .by_class
        .iter()
        .map(|(class, (all, covered))| {
            (class.to_string(), json!({"reactions": all, "covered": covered}))
        })
        .collect();
    json!({
        "library": library.name(),
        "templates": library.len(),
        "reactions": coverage.reactions,
        "unreadable": coverage.unreadable,
        "coverage": share(coverage.covered),
        "coverage_interval": interval(coverage.covered, coverage.reactions),
        "coverage_repeated": share(coverage.covered_repeated),
        "ranked_by_precedents": by_precedents,
        "templates_tried": share(coverage.tried),
        "templates_applicable": share(coverage.applicable),
        "templates_applicable_repeated": share(coverage.applicable_repeated),
        "precursor_sets": share(coverage.outcomes),
        "invalid": coverage.invalid as f64 / (coverage.outcomes + coverage.invalid).max(1) as f64,
        "by_class": by_class,
        "elapsed_ms": seconds * 1e3,
    })
}

/// The 95 % interval of a share (E. B. Wilson, *J. Am. Stat. Assoc.* 1927, 22, 209).
pub(crate) fn interval(count: u64, all: u64) -> [f64; 2] {
    let (n, z) = (all as f64, 1.96);
    let p = count as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    [middle - half, middle + half].map(|x| x / (1.0 + z * z / n))
}

fn print_coverage(coverage: &Coverage, seconds: f64, out: &mut Output) -> Result<(), Failure> {
    let n = coverage.reactions as f64;
    let percent = |count: u64| 100.0 * count as f64 / n;
    let [low, high] = interval(coverage.covered, coverage.reactions).map(|x| 100.0 * x);
    out.line(&format!("{} reactions, {} unreadable", coverage.reactions, coverage.unreadable))?;
    out.line(&format!(
        "  {:.2} % can be proposed ({low:.2} to {high:.2}); {:.2} % by templates with two precedents or more",
        percent(coverage.covered),
        percent(coverage.covered_repeated)
    ))?;
    let ranks: Vec<String> = RANKS
        .iter()
        .zip(coverage.by_precedents)
        .map(|(rank, count)| format!("top-{rank} {:.1} %", percent(count)))
        .collect();
    out.line(&format!("  ranked by precedents alone: {}", ranks.join(", ")))?;
    out.line(&format!(
        "  a product: {:.0} templates tried, {:.1} applicable ({:.1} with two precedents or more), {:.1} sets of precursors",
        coverage.tried as f64 / n,
        coverage.applicable as f64 / n,
        coverage.applicable_repeated as f64 / n,
        coverage.outcomes as f64 / n
    ))?;
    for (class, (all, covered)) in coverage.by_class.iter().filter(|(class, _)| **class != 0) {
        let share = 100.0 * *covered as f64 / *all as f64;
        out.line(&format!("  class {class:>2}: {share:6.2} % of {all}"))?;
    }
    out.line(&format!("  {:.2} ms a product", seconds / n * 1e3))?;
    Ok(())
}
