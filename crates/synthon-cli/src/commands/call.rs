//! `synthon call`: one tool call, or a stream of them.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_tools::{CallContext, Catalogue, Registry, ToolError};

use crate::args::CallArgs;
use crate::commands::read_stdin;
use crate::failure::Failure;
use crate::output::Output;
use crate::status;

/// Longest line of `--jsonl` input, in bytes.
const MAX_LINE_BYTES: u64 = 4 * 1024 * 1024;

pub(crate) fn run(args: &CallArgs, out: &mut Output) -> Result<u8, Failure> {
    let registry = Registry::standard();
    if registry.find(&args.tool).is_none() {
        let known: Vec<_> = registry.tools().iter().map(|tool| tool.name).collect();
        let error = registry.unknown_tool(&args.tool);
        return Err(Failure::input(format!("{error} (there are: {})", known.join(", "))));
    }
    let catalogue = Catalogue::shipped();
    if args.jsonl { stream(args, &catalogue, out) } else { once(args, &catalogue, out) }
}

fn once(args: &CallArgs, catalogue: &Catalogue, out: &mut Output) -> Result<u8, Failure> {
    let text = match args.arguments.as_deref() {
        None => "{}".to_owned(),
        Some("-") => read_stdin()?,
        Some(text) => text.to_owned(),
    };
    let arguments: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("the arguments are not JSON: {error}")))?;
    let reply = Registry::standard()
        .call(&args.tool, &arguments, &context(args, catalogue))
        .map_err(|error| Failure::tool(&error, argument_text(&error, &arguments)))?;
    let stopped = stopped_without_answer(&reply.structured);
    out.json(&Value::Object(reply.structured))?;
    Ok(if stopped { status::STOPPED } else { status::ANSWER })
}

fn context<'a>(args: &CallArgs, catalogue: &'a Catalogue) -> CallContext<'a> {
    let timeout = Duration::from_secs(args.call_timeout.into());
    CallContext::limited(catalogue, timeout, CancelFlag::new())
}

/// The text that an error's position refers to.
fn argument_text<'a>(error: &ToolError, arguments: &'a Value) -> Option<&'a str> {
    let name = error.argument_name()?;
    let value = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((list, index)) => arguments.get(list)?.get(index.parse::<usize>().ok()?)?,
        None => arguments.get(name)?,
    };
    value.as_str()
}

/// Whether a limit or deadline ended the work before there was anything to show.
pub(crate) fn stopped_without_answer(result: &Map<String, Value>) -> bool {
    let stopped = result.get("status").and_then(Value::as_str).is_some_and(|s| s != "COMPLETED");
    let lists = ["routes", "matches", "hits"].iter().find_map(|key| result.get(*key)?.as_array());
    stopped && lists.is_some_and(Vec::is_empty)
}

/// One result a line, in the order of the input, from `--jobs` calls at a time.
fn stream(args: &CallArgs, catalogue: &Catalogue, out: &mut Output) -> Result<u8, Failure> {
    let jobs = usize::from(args.jobs);
    let window = Window::new(jobs * 16);
    let (line_sender, lines) = mpsc::sync_channel::<(usize, InputLine)>(jobs);
    let lines = Mutex::new(lines);
    let (result_sender, results) = mpsc::channel::<(usize, String)>();
    thread::scope(|scope| {
        let read = scope.spawn(|| read_lines(line_sender, &window));
        for _ in 0..jobs {
            let result_sender = result_sender.clone();
            let lines = &lines;
            scope.spawn(move || {
                loop {
                    let next = lines.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((index, line)) = next else { return };
                    if result_sender.send((index, answer(args, catalogue, line))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(result_sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                if let Err(failure) = out.line(&result).and_then(|()| out.flush()) {
                    // The input may never end, so its reader cannot be waited for.
                    std::process::exit(failure.report().into());
                }
                next += 1;
                window.advance(next);
            }
        }
        read.join().expect("the reader does not panic")
    })?;
    Ok(status::ANSWER)
}

/// A line of input, or the refusal of one.
type InputLine = Result<Vec<u8>, ToolError>;

fn answer(args: &CallArgs, catalogue: &Catalogue, line: InputLine) -> String {
    let called = line
        .and_then(|line| {
            serde_json::from_slice::<Value>(&line)
                .map_err(|error| ToolError::argument("json.syntax", format!("Not JSON: {error}")))
        })
        .and_then(|arguments| {
            Registry::standard().call(&args.tool, &arguments, &context(args, catalogue))
        });
    let object = match called {
        Ok(reply) => reply.structured,
        Err(error) => {
            let mut object = Map::new();
            object.insert("error".into(), error.short().into());
            object.append(&mut error.details());
            object
        }
    };
    Value::Object(object).to_string()
}

fn read_lines(lines: mpsc::SyncSender<(usize, InputLine)>, window: &Window) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut index = 0;
    let mut number = 0u64;
    loop {
        let mut line = Vec::new();
        number += 1;
        let read = input
            .by_ref()
            .take(MAX_LINE_BYTES + 1)
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::file("standard input", &error))?;
        if read == 0 {
            return Ok(());
        }
        let line = if line.len() as u64 > MAX_LINE_BYTES {
            if !line.ends_with(b"\n") {
                input.skip_until(b'\n').map_err(|error| Failure::file("standard input", &error))?;
            }
            let sentence = format!("Line {number} is longer than {MAX_LINE_BYTES} bytes");
            Err(ToolError::argument("json.too_long", sentence))
        } else if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        } else {
            Ok(line)
        };
        window.wait_for(index);
        if lines.send((index, line)).is_err() {
            return Ok(());
        }
        index += 1;
    }
}

/// Keeps the reader from running too far ahead of the writer, however slow one call is.
struct Window {
    size: usize,
    written: Mutex<usize>,
    moved: Condvar,
}

impl Window {
    fn new(size: usize) -> Self {
        Window { size, written: Mutex::new(0), moved: Condvar::new() }
    }

    fn advance(&self, written: usize) {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = written;
        self.moved.notify_all();
    }

    fn wait_for(&self, index: usize) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        while index >= *written + self.size {
            written = self.moved.wait(written).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
