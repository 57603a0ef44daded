//! `synthon corpus`: packed corpora for `synthon screen`.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};
use synthon_corpus::{
    BuildOptions, Corpus, CorpusError, CorpusErrorKind, CorpusInfo, build, check_target,
};
use synthon_fp::Scheme;

use crate::args::{CorpusBuildArgs, CorpusCommand, CorpusInfoArgs, FingerprintFlags};
use crate::failure::Failure;
use crate::molecule_file::{on_threads, open, tell_report, title};
use crate::output::Output;
use crate::progress::Progress;
use crate::status;

pub(crate) fn run(command: &CorpusCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        CorpusCommand::Build(args) => build_corpus(args, out),
        CorpusCommand::Info(args) => info(args, out),
    }
}

fn build_corpus(args: &CorpusBuildArgs, out: &mut Output) -> Result<u8, Failure> {
    let mut options = BuildOptions::default();
    (options.scheme, options.size) = fingerprint(&args.fingerprint)?;
    options.substructures = !args.no_substructures;
    options.allow_broken_off = args.allow_broken_off;
    let source = if args.file == "-" { OsStr::new("/dev/stdin") } else { &args.file };
    check_target(Path::new(source), &args.output)
        .map_err(|error| Failure::input(format!("--output: {error}")))?;
    let records = open(&args.file, &args.flags)?;
    let progress = Progress::of_file(&args.file, records.bytes_read());
    let built = on_threads(&args.flags, || {
        build(records, &args.output, &options, |report| {
            progress.show(report);
            true
        })
    })?;
    drop(progress);
    let built = built.map_err(|error| match error.kind() {
        CorpusErrorKind::Records => refused(&args.file, &error),
        // What is wrong is the output or an option, and says so.
        _ => Failure::input(error.to_string()),
    })?;
    tell_report(&args.file, &built.records);
    let (good, bad) = (built.records.good, built.records.bad);
    if args.json {
        out.json(&json!({
            "molecules": good,
            "bad_records": bad,
            "dropped": built.records.dropped,
            "file": args.output.display().to_string(),
            "bytes": built.file_length,
            "fingerprint": { "kind": options.scheme.to_string(), "fp_size": options.size },
            "substructures": options.substructures,
        }))?;
    } else {
        out.line(&format!(
            "{}: {good} molecules, {} bytes",
            args.output.display(),
            built.file_length
        ))?;
    }
    Ok(status::ANSWER)
}

fn info(args: &CorpusInfoArgs, out: &mut Output) -> Result<u8, Failure> {
    let name = args.file.as_os_str();
    let corpus = Corpus::open(&args.file).map_err(|error| refused(name, &error))?;
    if args.verify {
        corpus.verify().map_err(|error| refused(name, &error))?;
    }
    let info = corpus.info();
    if args.json {
        out.json(&as_json(&info, args.verify))?;
    } else {
        out.line(&format!("molecules      {}", info.molecules))?;
        out.line(&format!("fingerprint    {}, {} bits", info.scheme, info.size))?;
        out.line(&format!("bits are of    {}", info.scheme_version))?;
        let substructures = if info.substructures { "yes" } else { "no" };
        out.line(&format!("substructures  {substructures}"))?;
        out.line(&format!("bytes          {}", info.file_length))?;
        if args.verify {
            out.line("verified       every part has its checksum")?;
        }
    }
    Ok(status::ANSWER)
}

fn as_json(info: &CorpusInfo, verified: bool) -> Value {
    json!({
        "molecules": info.molecules,
        "fingerprint": { "kind": info.scheme.to_string(), "fp_size": info.size },
        "scheme_version": info.scheme_version,
        "substructures": info.substructures,
        "bytes": info.file_length,
        "verified": verified,
    })
}

pub(crate) fn refused(file: &OsStr, error: &CorpusError) -> Failure {
    Failure::input(format!("{}: {error}", title(file)))
}

/// Opens a file as a corpus if it begins as one. A pipe is none, and its beginning comes only once.
pub(crate) fn corpus_in(file: &OsStr) -> Result<Option<Corpus>, Failure> {
    use std::io::Read;
    if !Path::new(file).is_file() {
        return Ok(None);
    }
    let mut beginning = Vec::new();
    let read = std::fs::File::open(Path::new(file))
        .and_then(|opened| opened.take(8).read_to_end(&mut beginning));
    if read.is_err() || !Corpus::is_corpus(&beginning) {
        return Ok(None);
    }
    Corpus::open(Path::new(file)).map(Some).map_err(|error| refused(file, &error))
}

/// The scheme that the flags name, and its size.
pub(crate) fn fingerprint(flags: &FingerprintFlags) -> Result<(Scheme, usize), Failure> {
    let kind = flags.kind.as_deref().unwrap_or("ecfp");
    let unused = |flag: &str| {
        Err(Failure::input(format!("--{flag} does not belong to fingerprints of kind {kind}")))
    };
    let scheme = Scheme::from_name(kind).ok_or_else(|| {
        Failure::input(format!("--kind: {kind:?} is none of {}", Scheme::NAMES.join(", ")))
    })?;
    if flags.radius.is_some() && !matches!(scheme, Scheme::Ecfp { .. } | Scheme::Fcfp { .. }) {
        return unused("radius");
    }
    if flags.path_length.is_some() && !matches!(scheme, Scheme::Path { .. } | Scheme::Mcs { .. }) {
        return unused("path-length");
    }
    let scheme = flags.radius.map_or(scheme, |radius| scheme.with_radius(radius));
    let scheme = flags.path_length.map_or(scheme, |longest| scheme.with_max_path(longest));
    let size = flags.fp_size.or(scheme.fixed_size()).unwrap_or(2_048);
    Ok((scheme, size))
}
