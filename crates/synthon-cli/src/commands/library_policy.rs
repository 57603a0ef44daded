//! `synthon library train` and the figures of `synthon library evaluate`: the policy of a library.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use synthon_library::{Accuracy, ExtractedLibrary, Hits, PolicyTrainer, RANKS, TrainOptions};
use synthon_records::{Draft, same_file};

use super::library::{MAX_NODES, interval, open, reader, refused, with_threads};
use crate::args::LibraryTrainArgs;
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

pub(crate) fn train(args: &LibraryTrainArgs, out: &mut Output) -> Result<u8, Failure> {
    let library = open(&args.folder)?;
    let options = TrainOptions::default().seed(args.seed).epochs(args.epochs);
    let learned = args.reactions.iter().map(|path| reader(path, &args.columns));
    let learned: Vec<_> = learned.collect::<Result<_, Failure>>()?;
    let counted = args.background.iter().map(|path| reader(path, &args.columns));
    let counted: Vec<_> = counted.collect::<Result<_, Failure>>()?;
    let held = args.calibrate.as_deref().map(|path| reader(path, &args.columns)).transpose()?;
    let (library, report, calibration) = with_threads(args.threads, || {
        let mut trainer = PolicyTrainer::new(&library, options);
        for (learn, (_, reader)) in
            learned.into_iter().map(|r| (true, r)).chain(counted.into_iter().map(|r| (false, r)))
        {
            trainer.add(reader, learn).map_err(|error| refused(&error))?;
        }
        let (mut library, report) = trainer.finish().map_err(|error| refused(&error))?;
        let mut calibration = None;
        if let Some((_, reader)) = held {
            let accuracy = library.accuracy(reader, 1, MAX_NODES);
            let (calibrated, error) =
                library.calibrated(&accuracy).map_err(|error| refused(&error))?;
            library = calibrated;
            calibration = Some(error);
        }
        Ok::<_, Failure>((library, report, calibration))
    })??;
    let read = args.reactions.iter().chain(&args.background).chain(&args.calibrate);
    let read: Vec<&Path> = read.map(|path| path.as_path()).collect();
    write(&library, &args.folder, &read)?;
    if args.json {
        out.json(&json!({
            "library": library.name(),
            "hash": library.hash(),
            "reactions": report.reactions,
            "unreadable": report.unreadable,
            "examples": report.examples,
            "features": report.features,
            "losses": report.losses,
            "calibration_error": calibration,
        }))?;
        return Ok(status::ANSWER);
    }
    out.line(&format!(
        "{}: {} reactions counted ({} lines unreadable), {} learned from, {} features",
        library.name(),
        report.reactions,
        report.unreadable,
        report.examples,
        report.features
    ))?;
    let losses: Vec<String> = report.losses.iter().map(|loss| format!("{loss:.4}")).collect();
    out.line(&format!("  loss {}", losses.join(", ")))?;
    if let Some(error) = calibration {
        out.line(&format!("  calibration error across halves {error:.4}"))?;
    }
    out.line(&format!("  hash {}", library.hash()))?;
    Ok(status::ANSWER)
}

/// Writes the files of a library into a folder, over none of those it was made from.
pub(crate) fn write(
    library: &ExtractedLibrary,
    folder: &Path,
    inputs: &[&Path],
) -> Result<usize, Failure> {
    let fault = |path: &Path, error| Failure::file(&path.display().to_string(), &error);
    fs::create_dir_all(folder).map_err(|error| fault(folder, error))?;
    let (mut bytes, mut drafts) = (0, Vec::new());
    for (file, content) in library.files() {
        let path = folder.join(file);
        if let Some(input) = inputs.iter().find(|input| same_file(input, &path)) {
            return Err(Failure::input(format!(
                "{} is read, and a file of the library would take its place; name another folder",
                input.display()
            )));
        }
        let mut draft = Draft::new(&path).map_err(|error| fault(&path, error))?;
        draft.write_all(content).map_err(|error| fault(&path, error))?;
        bytes += content.len();
        drafts.push((path, draft));
    }
    // All are written before the first takes the place of an old one.
    for (path, draft) in drafts {
        draft.finish().map_err(|error| fault(&path, error))?;
    }
    Ok(bytes)
}

fn hits_json(hits: &Hits) -> Value {
    let ranks = |counts: &[u64; RANKS.len()]| -> Value {
        let entries = RANKS.iter().zip(counts).map(|(rank, &count)| {
            let share = count as f64 / hits.reactions.max(1) as f64;
            let value = json!({"share": share, "interval": interval(count, hits.reactions)});
            (format!("top_{rank}"), value)
        });
        Value::Object(entries.collect())
    };
    json!({
        "reactions": hits.reactions,
        "stereo": ranks(&hits.top),
        "without_stereo": ranks(&hits.top_without_stereo),
    })
}

pub(crate) fn accuracy_json(accuracy: &Accuracy) -> Value {
    let n = accuracy.all.reactions.max(1) as f64;
    let ms = |percent| accuracy.time_at(percent).as_secs_f64() * 1e3;
    let by_class: serde_json::Map<String, Value> = accuracy
        .by_class
        .iter()
        .map(|(class, hits)| (class.to_string(), hits_json(hits)))
        .collect();
    json!({
        "all": hits_json(&accuracy.all),
        "by_class": by_class,
        "unreadable": accuracy.unreadable,
        "precursor_sets": accuracy.found as f64 / n,
        "templates_tried": accuracy.tried as f64 / n,
        "templates_applicable": accuracy.applicable as f64 / n,
        "invalid": accuracy.invalid as f64 / (accuracy.found + accuracy.invalid).max(1) as f64,
        "calibration_error": accuracy.calibration_error,
        "median_ms": ms(50),
        "ninety_percent_ms": ms(90),
    })
}

pub(crate) fn print_accuracy(accuracy: &Accuracy, out: &mut Output) -> Result<(), Failure> {
    let all = &accuracy.all;
    let percent = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
    out.line(&format!("ranked by the policy ({} reactions):", all.reactions))?;
    out.line("  top-      stereo   (95 % interval)   without stereo")?;
    for (place, rank) in RANKS.iter().enumerate() {
        let [low, high] = interval(all.top[place], all.reactions).map(|x| 100.0 * x);
        out.line(&format!(
            "  {rank:>4} {:>9.2} %   {low:.2} to {high:.2}   {:>9.2} %",
            percent(all.top[place], all.reactions),
            percent(all.top_without_stereo[place], all.reactions)
        ))?;
    }
    for (class, hits) in accuracy.by_class.iter().filter(|(class, _)| **class != 0) {
        let shares: Vec<String> = RANKS
            .iter()
            .zip(hits.top)
            .map(|(rank, count)| format!("top-{rank} {:.1}", percent(count, hits.reactions)))
            .collect();
        out.line(&format!("  class {class:>2} ({:>5}): {}", hits.reactions, shares.join(", ")))?;
    }
    let n = all.reactions.max(1) as f64;
    out.line(&format!(
        "  a product: {:.1} templates tried, {:.1} applicable, {:.1} sets of precursors, {:.2} % of rewritings invalid",
        accuracy.tried as f64 / n,
        accuracy.applicable as f64 / n,
        accuracy.found as f64 / n,
        percent(accuracy.invalid, accuracy.found + accuracy.invalid)
    ))?;
    out.line(&format!(
        "  {:.2} ms at the median, {:.2} ms for nine of ten; calibration error {:.4}",
        accuracy.time_at(50).as_secs_f64() * 1e3,
        accuracy.time_at(90).as_secs_f64() * 1e3,
        accuracy.calibration_error
    ))
}
