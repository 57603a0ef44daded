//! What went wrong, told so that it can be mended: argument, place, repair.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use synthon_tools::{ToolError, ToolErrorKind};

use crate::status;

/// Why a command did not give its answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of our output has gone; there is nothing to report.
    NobodyReads,
    /// A message for the user and the exit status that goes with it.
    Told { message: String, status: u8 },
}

impl Failure {
    /// Bad usage or input.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Failure::Told { message: message.into(), status: status::BAD_INPUT }
    }

    pub(crate) fn file(name: &str, error: &io::Error) -> Self {
        Self::input(format!("{name}: {error}"))
    }

    /// A refused or failed call. `text` is the argument that the position refers to.
    pub(crate) fn tool(error: &ToolError, text: Option<&str>) -> Self {
        let status = match error.kind() {
            ToolErrorKind::Internal => status::FAULT,
            _ if error.code() == "stopped" => status::STOPPED,
            _ => status::BAD_INPUT,
        };
        Failure::Told { message: explain(error, text), status }
    }

    /// Prints the message and gives the exit status.
    pub(crate) fn report(&self) -> u8 {
        match self {
            Failure::NobodyReads => status::ANSWER,
            Failure::Told { message, status } => {
                complain(message);
                *status
            }
        }
    }
}

/// Prints `error: message` to standard error. That it cannot be printed is nothing to report.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "error: {message}");
}

/// The message with the place shown under the text, where there is one.
pub(crate) fn explain(error: &ToolError, text: Option<&str>) -> String {
    let place = error.position().zip(text).and_then(|(position, text)| picture(text, position));
    let Some(place) = place else { return error.to_string() };
    let mut message = error.sentence().to_owned();
    if let Some(argument) = error.argument_name() {
        let _ = write!(message, " (in {argument})");
    }
    message.push_str(&place);
    if let Some(hint) = error.hint() {
        let _ = write!(message, "\n  {hint}");
    }
    message
}

/// A piece of the text with a caret under the place, given as a byte offset.
fn picture(text: &str, position: usize) -> Option<String> {
    const BEFORE: usize = 40;
    const AFTER: usize = 30;
    if position > text.len() || !text.is_char_boundary(position) {
        return None;
    }
    let (left, right) = text.split_at(position);
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let left_chars: Vec<char> = left.chars().map(shown).collect();
    let cut = left_chars.len().saturating_sub(BEFORE);
    let mut line: String = if cut > 0 { "...".into() } else { String::new() };
    line.extend(&left_chars[cut..]);
    let caret = line.chars().count();
    line.extend(right.chars().map(shown).take(AFTER));
    if right.chars().count() > AFTER {
        line.push_str("...");
    }
    Some(format!("\n  {line}\n  {}^ position {position}", " ".repeat(caret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_shown_under_the_text() {
        let error = ToolError::tool("smiles.unclosed_ring", "Unclosed ring(s): 1")
            .about("smiles")
            .at(1)
            .with_hint("close ring 1");
        assert_eq!(
            explain(&error, Some("C1CC")),
            "Unclosed ring(s): 1 (in smiles)\n  C1CC\n   ^ position 1\n  close ring 1"
        );
    }

    #[test]
    fn long_texts_are_cut_around_the_place() {
        let text = "C".repeat(100);
        let shown = picture(&text, 60).expect("a place in the text");
        assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
        assert_eq!(picture("CC", 7), None);
        assert_eq!(picture("é", 1), None);
        assert!(picture("CC", 2).is_some());
    }
}
