//! Where results go.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use synthon_records::{Draft, takes_drafts};

use crate::failure::{Failure, complain};
use crate::status;

/// Standard output or a file, buffered.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Sink>>,
    name: String,
    is_terminal: bool,
}

/// What takes bytes and knows when all of them were given.
trait Sink: Write + Send {
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Sink for io::Stdout {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

impl Sink for File {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

impl Sink for Draft {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Draft::finish(*self)
    }
}

impl Sink for GzEncoder<Box<dyn Sink>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        GzEncoder::finish(*self)?.finish()
    }
}

/// Has a command write its answer to the file that it names, or to `out`.
///
/// The file gets its name when the command has its answer: a command that fails, is stopped or
/// whose input breaks off leaves what stood there, and may read what it replaces. Devices and
/// pipes are written straight.
pub(crate) fn written(
    path: Option<&Path>,
    out: &mut Output,
    write: impl FnOnce(&mut Output) -> Result<u8, Failure>,
) -> Result<u8, Failure> {
    let Some(path) = path else {
        let status = write(out);
        out.flush()?;
        return status;
    };
    let mut file = Output::file(path)?;
    let is_draft = takes_drafts(path);
    let status = write(&mut file)?;
    if status == status::BAD_INPUT && is_draft {
        let state = if path.exists() { "left as it was" } else { "not written" };
        complain(&format!("{} was {state}, since the input is at fault", path.display()));
    } else {
        file.finish()?;
    }
    Ok(status)
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output {
            writer: BufWriter::new(Box::new(io::stdout())),
            name: "standard output".into(),
            is_terminal: io::stdout().is_terminal(),
        }
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let opened: io::Result<Box<dyn Sink>> = if takes_drafts(path) {
            Draft::new(path).map(|draft| Box::new(draft) as _)
        } else {
            // A descriptor may be that of a file which others write, too.
            OpenOptions::new().append(true).open(path).map(|file| Box::new(file) as _)
        };
        let mut sink = opened.map_err(|error| Failure::file(&name, &error))?;
        if path.extension().is_some_and(|e| e == "gz") {
            sink = Box::new(GzEncoder::new(sink, Compression::default()));
        }
        Ok(Output { writer: BufWriter::new(sink), name, is_terminal: false })
    }

    /// All was written.
    fn finish(self) -> Result<(), Failure> {
        let done = self.writer.into_inner().map_err(io::IntoInnerError::into_error);
        check(&self.name, done.and_then(Sink::finish))
    }

    /// Whether colours may be used: on a terminal that knows them, unless `NO_COLOR` forbids it.
    pub(crate) fn is_coloured(&self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        self.is_terminal && !set("NO_COLOR") && !dumb
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let done = self.writer.write_all(bytes);
        check(&self.name, done)
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.text(line)?;
        self.text("\n")
    }

    /// Writes JSON: one line for programs, indented on a terminal.
    pub(crate) fn json(&mut self, value: &Value) -> Result<(), Failure> {
        if self.is_terminal {
            let text = serde_json::to_string_pretty(value).expect("JSON serialises");
            self.line(&text)
        } else {
            self.line(&value.to_string())
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let done = self.writer.flush();
        check(&self.name, done)
    }
}

fn check(name: &str, done: io::Result<()>) -> Result<(), Failure> {
    done.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::file(name, &error),
    })
}
