//! How far a long piece of work is, on standard error and only on a terminal.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use synthon_records::RecordReport;

/// A bar over the bytes of a file.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    bytes_read: Arc<AtomicU64>,
}

impl Progress {
    /// For a file of which `bytes_read` tells how much was read. There is no bar for standard
    /// input, whose length nobody knows.
    pub(crate) fn of_file(path: &OsStr, bytes_read: Arc<AtomicU64>) -> Self {
        let length = Path::new(path).metadata().map_or(0, |file| file.len());
        let bar = (length > 0 && io::stderr().is_terminal()).then(|| {
            let style = "{bar:30} {percent:>3} %  {msg}  {eta} left";
            let style = ProgressStyle::with_template(style).expect("a template that is one");
            ProgressBar::new(length).with_style(style)
        });
        Progress { bar, bytes_read }
    }

    /// Tells what was done so far.
    pub(crate) fn show(&self, report: &RecordReport) {
        self.say(|| format!("{} molecules, {} bad", report.good, report.bad));
    }

    /// The same in other words.
    pub(crate) fn say(&self, words: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.bytes_read.load(Ordering::Relaxed));
            bar.set_message(words());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
