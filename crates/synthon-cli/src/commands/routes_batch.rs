//! `synthon routes --input`: plan every molecule of a file, one result a line.
//!
//! Lines are written as soon as it is their turn, each at once, so that a run that is stopped
//! loses nothing but what was in work. `--resume` reads what is there, cuts off a last line that
//! is not whole, and goes on behind it.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_budget::{Budget, CancelFlag};
use synthon_mol::ReadOptions;
use synthon_records::{Draft, Notation, RawRecord, same_file, takes_drafts};
use synthon_report::{BatchSummary, batch_page};
use synthon_tools::{Catalogue, ToolErrorKind, call_tool};

use super::routes::{call, catalogue, context, with_smiles};
use crate::args::RoutesArgs;
use crate::failure::{Failure, complain};
use crate::molecule_file;
use crate::one_line::one_line;
use crate::ordered;
use crate::output::Output;
use crate::progress::Progress;
use crate::status;

/// Bad lines that are told; all are counted.
const SHOWN: usize = 20;
/// Longest line of an output that is taken up again.
const MAX_LINE: u64 = 16 << 20;
/// Time for the drawings of the summary.
const DRAWING_TIME: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &RoutesArgs, input: &OsStr, out: &mut Output) -> Result<u8, Failure> {
    let shown = shown(input);
    let summary_form = args.batch.summary.as_deref().map(SummaryForm::of).transpose()?;
    let catalogue = catalogue(&args.search)?;
    let (tool, arguments) = call(args);
    try_arguments(tool, &arguments, &catalogue)?;

    let mut records = molecule_file::open(input, &args.file)?;
    let mut summary = BatchSummary::default();
    let mut sink = match &args.output {
        None => Sink::Standard(out),
        Some(path) => {
            if path.exists() && input != "-" && same_file(path, Path::new(input)) {
                return Err(Failure::input(format!(
                    "{}: input and output are the same file",
                    path.display()
                )));
            }
            let done = taken_up(path, args.batch.resume, &mut records, input, args, &mut summary)?;
            Sink::File { name: path.display().to_string(), file: done }
        }
    };
    // The file may have been opened anew, after its beginning had been compared.
    let progress = Progress::of_file(input, records.bytes_read());
    let cancel = CancelFlag::new();
    let jobs = match args.file.jobs {
        Some(jobs) => usize::from(jobs),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut told = 0;
    let mut broken_off = false;
    let work = |raw: RawRecord| {
        Done::of(raw, |smiles| {
            let context = context(&catalogue, cancel.clone());
            let arguments = with_smiles(arguments.clone(), smiles);
            call_tool(tool, &arguments, &context).map_err(|error| error.to_string())
        })
    };
    let take = |done: Done| {
        if let Some(fault) = &done.fault {
            told += 1;
            if told <= SHOWN {
                complain(&one_line(&format!("{shown}, line {}: {fault}", done.line)));
            }
        }
        broken_off |= done.ends_input;
        sink.line(&done.value)?;
        summary.add(&done.value);
        progress.say(|| {
            let BatchSummary { targets, solved, errors, .. } = &summary;
            format!("{targets} targets, {solved} solved, {errors} bad")
        });
        Ok(())
    };
    let failed = ordered::in_order(jobs, records, work, || cancel.cancel(), take);
    drop(progress);
    failed?;
    if told > SHOWN {
        complain(&format!("{} more bad lines", told - SHOWN));
    }
    summary.finish();
    if let (Some(form), Some(path)) = (summary_form, &args.batch.summary) {
        form.write(path, &shown, &summary)?;
    }
    // That it cannot be printed is nothing to report.
    let _ = io::stderr().write_all(summary.text().as_bytes());
    if args.json && args.output.is_some() {
        out.json(&serde_json::to_value(&summary).expect("a summary serialises"))?;
    }
    let nothing = summary.targets == 0 && summary.errors > 0;
    Ok(if nothing || broken_off {
        status::BAD_INPUT
    } else if args.exit_status && summary.solved == 0 {
        status::EMPTY
    } else {
        status::ANSWER
    })
}

/// Arguments that are wrong whatever the target are refused before the work begins.
fn try_arguments(
    tool: &str,
    arguments: &Map<String, Value>,
    catalogue: &Catalogue,
) -> Result<(), Failure> {
    let mut small = arguments.clone();
    if small.get("node_limit").is_none_or(|limit| limit.as_i64() > Some(1)) {
        small.insert("node_limit".into(), 1.into());
    }
    let context = context(catalogue, CancelFlag::new());
    match call_tool(tool, &with_smiles(small, "C"), &context) {
        // A bond that methane does not have may be one of the targets'.
        Err(error) if error.kind() == ToolErrorKind::Tool && error.code() == "bond.unknown" => {
            Ok(())
        }
        Err(error) => Err(Failure::tool(&error, None)),
        Ok(_) => Ok(()),
    }
}

/// The name of the input.
fn shown(input: &OsStr) -> String {
    if input == "-" { "standard input".to_owned() } else { input.to_string_lossy().into_owned() }
}

/// A line of the output.
struct Done {
    line: u64,
    value: Value,
    /// Why it is a bad line.
    fault: Option<String>,
    ends_input: bool,
}

impl Done {
    fn of(
        raw: RawRecord,
        plan: impl FnOnce(&str) -> Result<synthon_tools::ToolReply, String>,
    ) -> Done {
        let (line, name) = (raw.line, raw.name.clone());
        let ends_input = matches!(&raw.text, Err(error) if error.ends_input());
        let refused = |smiles: String, fault: String| Done {
            line,
            value: json!({"smiles": smiles, "error": fault}),
            fault: Some(fault),
            ends_input,
        };
        let smiles = match text_of(raw) {
            Ok(smiles) => smiles,
            Err((text, fault)) => return refused(text, fault),
        };
        match plan(&smiles) {
            Err(fault) => refused(smiles, fault),
            Ok(reply) => {
                let mut value = Map::new();
                value.insert("smiles".into(), smiles.into());
                if !name.is_empty() {
                    value.insert("name".into(), name.into());
                }
                value.extend(reply.structured);
                Done { line, value: Value::Object(value), fault: None, ends_input }
            }
        }
    }
}

/// The SMILES of a record as it stands there, or that of its molfile; else the text and what is
/// wrong with it.
fn text_of(raw: RawRecord) -> Result<String, (String, String)> {
    match (raw.notation, &raw.text) {
        (Notation::Smiles, Ok(text)) => Ok(text.trim().to_owned()),
        _ => {
            let record = raw.read_with(&ReadOptions::default());
            match record.molecule {
                Ok(molecule) => Ok(molecule.to_smiles()),
                Err(error) => Err((record.name, error.reason())),
            }
        }
    }
}

/// Where lines go.
enum Sink<'o> {
    Standard(&'o mut Output),
    File { name: String, file: File },
}

impl Sink<'_> {
    /// A line, whole or not at all as far as the system allows.
    fn line(&mut self, value: &Value) -> Result<(), Failure> {
        let mut text = value.to_string();
        text.push('\n');
        match self {
            Sink::Standard(out) => {
                out.text(&text)?;
                out.flush()
            }
            Sink::File { name, file } => {
                file.write_all(text.as_bytes()).map_err(|error| Failure::file(name, &error))
            }
        }
    }
}

/// Opens the output, reads what an earlier run left in it, and moves the input on behind that.
///
/// Without `resume` the output begins anew, unless it holds the beginning of this very batch and
/// not all of it: that would be lost by mistake.
fn taken_up(
    path: &Path,
    resume: bool,
    records: &mut synthon_records::RecordReader,
    input: &OsStr,
    args: &RoutesArgs,
    summary: &mut BatchSummary,
) -> Result<File, Failure> {
    let name = path.display().to_string();
    let unreadable = |error: &io::Error| Failure::file(&name, error);
    if !takes_drafts(path) {
        // A device or pipe keeps nothing.
        if resume {
            return Err(Failure::input(format!("{name} is no file that a run can go on with")));
        }
        return OpenOptions::new().append(true).open(path).map_err(|error| unreadable(&error));
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
        return Err(Failure::input(format!(
            "{name}: results are written line by line, which gzip cannot be resumed behind; \
             name a plain file and pack it afterwards"
        )));
    }
    let earlier = match File::open(path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unreadable(&error)),
    };
    let open = || {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        options.open(path).map_err(|error| unreadable(&error))
    };
    let Some(earlier) = earlier else { return open() };
    let shown = shown(input);
    if !resume {
        if input != "-" && is_unfinished(earlier, input, args)? {
            return Err(Failure::input(format!(
                "{name} holds the first results of these targets and not all of them; --resume \
                 goes on behind them, or remove the file to begin anew"
            )));
        }
        let file = open()?;
        file.set_len(0).map_err(|error| unreadable(&error))?;
        return Ok(file);
    }
    let mut lines = ResultLines::new(earlier);
    while let Some(line) = lines.next(&name)? {
        let Some(raw) = records.next() else {
            return Err(Failure::input(format!(
                "{name} holds more results than {shown} has targets; it belongs to another input"
            )));
        };
        let number = lines.number;
        let wanted = text_of(raw).unwrap_or_else(|(text, _)| text);
        if line["smiles"] != wanted.as_str() {
            return Err(Failure::input(format!(
                "{name}, line {number}: a result for {}, where {shown} has {wanted}; it belongs \
                 to another input",
                line["smiles"]
            )));
        }
        summary.add(&line);
    }
    let file = open()?;
    file.set_len(lines.whole).map_err(|error| unreadable(&error))?;
    Ok(file)
}

/// Whether a file holds the results of the first targets of an input, and not of all.
fn is_unfinished(file: File, input: &OsStr, args: &RoutesArgs) -> Result<bool, Failure> {
    let mut records = molecule_file::open(input, &args.file)?;
    let mut lines = ResultLines::new(file);
    let mut any = false;
    // What is no file of results is replaced, as by any command.
    while let Ok(Some(line)) = lines.next("") {
        let same = records.next().is_some_and(|raw| {
            line["smiles"] == text_of(raw).unwrap_or_else(|(text, _)| text).as_str()
        });
        if !same {
            return Ok(false);
        }
        any = true;
    }
    Ok(any && records.next().is_some())
}

/// The whole lines of an output.
struct ResultLines {
    reader: BufReader<File>,
    number: u64,
    /// Bytes up to the end of the last whole line.
    whole: u64,
}

impl ResultLines {
    fn new(file: File) -> Self {
        ResultLines { reader: BufReader::new(file), number: 0, whole: 0 }
    }

    /// The next result; none where the file ends, or in a line that was not written whole.
    fn next(&mut self, name: &str) -> Result<Option<Value>, Failure> {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut self.reader, MAX_LINE);
        let read = limited.read_until(b'\n', &mut line);
        let read = read.map_err(|error| Failure::file(name, &error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let value = serde_json::from_slice::<Value>(&line).ok();
        let value = value.filter(|value| value["smiles"].is_string());
        let is_whole = line.ends_with(b"\n");
        match value {
            Some(value) if is_whole => {
                self.whole += read as u64;
                Ok(Some(value))
            }
            // Torn by the end of the run that wrote it.
            _ if !is_whole || self.is_at_end(name)? => Ok(None),
            _ => Err(Failure::input(format!(
                "{name}, line {}: no result of a batch; it is not taken up",
                self.number
            ))),
        }
    }

    fn is_at_end(&mut self, name: &str) -> Result<bool, Failure> {
        let rest = self.reader.fill_buf().map_err(|error| Failure::file(name, &error))?;
        Ok(rest.is_empty())
    }
}

/// What a summary is written in.
#[derive(Clone, Copy)]
enum SummaryForm {
    Html,
    Json,
}

impl SummaryForm {
    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("html" | "htm") => Ok(SummaryForm::Html),
            Some("json") => Ok(SummaryForm::Json),
            _ => Err(Failure::input(format!(
                "--summary: {} ends neither in .html nor in .json",
                path.display()
            ))),
        }
    }

    fn write(self, path: &Path, input: &str, summary: &BatchSummary) -> Result<(), Failure> {
        let text = match self {
            SummaryForm::Html => {
                let title = match input {
                    "standard input" => "Routes to many targets".to_owned(),
                    input => format!("Routes to the targets of {input}"),
                };
                let mut budget = Budget::unlimited().with_time_limit(DRAWING_TIME);
                batch_page(&title, summary, &mut budget)
            }
            SummaryForm::Json => {
                let text = serde_json::to_string_pretty(summary).expect("a summary serialises");
                text + "\n"
            }
        };
        let write = || {
            let mut draft = Draft::new(path)?;
            draft.write_all(text.as_bytes())?;
            draft.finish()
        };
        write().map_err(|error| Failure::file(&path.display().to_string(), &error))
    }
}
