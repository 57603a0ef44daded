//! Where results go.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::failure::Failure;

/// Standard output or a file, buffered.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    name: String,
    is_terminal: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output {
            writer: BufWriter::new(Box::new(io::stdout())),
            name: "standard output".into(),
            is_terminal: io::stdout().is_terminal(),
        }
    }

    pub(crate) fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let file = File::create(path).map_err(|error| Failure::file(&name, &error))?;
        let writer: Box<dyn Write + Send> = if path.extension().is_some_and(|e| e == "gz") {
            Box::new(GzEncoder::new(file, Compression::default()))
        } else {
            Box::new(file)
        };
        Ok(Output { writer: BufWriter::new(writer), name, is_terminal: false })
    }

    /// Whether colours may be used: on a terminal that knows them, unless `NO_COLOR` forbids it.
    pub(crate) fn is_coloured(&self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        self.is_terminal && !set("NO_COLOR") && !dumb
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let done = self.writer.write_all(text.as_bytes());
        self.check(done)
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
        self.check(done)
    }

    fn check(&self, done: io::Result<()>) -> Result<(), Failure> {
        done.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::file(&self.name, &error),
        })
    }
}
