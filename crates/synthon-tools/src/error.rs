//! Why a call was refused or failed, in a form that a person, a program and a model can act on.

use std::fmt;

use serde_json::{Map, Value};

/// Whose fault it is, which decides how a door reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolErrorKind {
    /// The tool or its arguments are wrong; this can be seen from the arguments alone, and the
    /// tool has not run.
    Argument,
    /// The tool ran and failed on its data: a SMILES that does not parse, a molecule over a cap.
    Tool,
    /// A fault of the engine: a panic that was caught.
    Internal,
}

/// A refused or failed call: one short sentence, with place, cause and repair beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    kind: ToolErrorKind,
    code: String,
    sentence: String,
    argument: Option<String>,
    found: Option<String>,
    accepted: Option<String>,
    position: Option<usize>,
    hint: Option<String>,
}

impl ToolError {
    /// An error of this kind. `code` is a stable name such as `argument.range`; `sentence` is
    /// the short message without place and repair.
    pub fn new(kind: ToolErrorKind, code: impl Into<String>, sentence: impl Into<String>) -> Self {
        ToolError(Box::new(Parts {
            kind,
            code: code.into(),
            sentence: sentence.into(),
            argument: None,
            found: None,
            accepted: None,
            position: None,
            hint: None,
        }))
    }

    /// A fault of the arguments.
    pub fn argument(code: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Argument, code, sentence)
    }

    /// A failure of the tool on its data.
    pub fn tool(code: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Tool, code, sentence)
    }

    /// Names the argument concerned.
    pub fn about(mut self, argument: impl Into<String>) -> Self {
        self.0.argument = Some(argument.into());
        self
    }

    /// Adds what was found where something else was wanted.
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.0.found = Some(found.into());
        self
    }

    /// Adds what would be accepted.
    pub fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.0.accepted = Some(accepted.into());
        self
    }

    /// Adds the place: a zero-based byte offset in the text of the argument.
    pub fn at(mut self, position: usize) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Adds a repair to try.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// A SMILES that was refused, given as `argument`.
    pub fn from_molecule(argument: &str, error: &synthon_mol::MolError) -> Self {
        let mut out = Self::tool(error.code(), error.message()).about(argument);
        out.0.position = error.span().map(|span| span.start);
        out.0.hint = error.hint().map(str::to_owned);
        out
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ToolErrorKind {
        self.0.kind
    }

    /// Stable name of the fault, such as `argument.range` or `smiles.unclosed_ring`.
    pub fn code(&self) -> &str {
        &self.0.code
    }

    /// The short message alone.
    pub fn sentence(&self) -> &str {
        &self.0.sentence
    }

    /// The argument concerned.
    pub fn argument_name(&self) -> Option<&str> {
        self.0.argument.as_deref()
    }

    /// What would be accepted.
    pub fn accepted(&self) -> Option<&str> {
        self.0.accepted.as_deref()
    }

    /// Zero-based byte offset in the text of the argument.
    pub fn position(&self) -> Option<usize> {
        self.0.position
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// What a program's exception shows: for a fault of the arguments the sentence alone, else
    /// the sentence with place and repair.
    pub fn short(&self) -> String {
        match self.0.kind {
            ToolErrorKind::Argument => self.0.sentence.clone(),
            _ => self.to_string(),
        }
    }

    /// Code, argument, what is accepted, position and hint, where there are such.
    pub fn details(&self) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("code".into(), self.0.code.as_str().into());
        let texts = [
            ("argument", &self.0.argument),
            ("accepted", &self.0.accepted),
            ("hint", &self.0.hint),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                out.insert(key.into(), text.as_str().into());
            }
        }
        if let Some(position) = self.0.position {
            out.insert("position".into(), position.into());
        }
        out
    }
}

impl fmt::Display for ToolError {
    /// The whole message: sentence, what was found, what is accepted, place, repair.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.sentence)?;
        if let Some(found) = &self.0.found {
            write!(f, ": {found}")?;
        }
        if let Some(accepted) = &self.0.accepted {
            write!(f, " ({accepted})")?;
        }
        if let Some(position) = self.0.position {
            write!(f, " at position {position}")?;
            // Two arguments of one call may hold such a text.
            if let Some(argument) = &self.0.argument {
                write!(f, " of {argument}")?;
            }
        } else if let Some(element) = self.0.argument.as_ref().filter(|name| name.ends_with(']'))
            && !self.0.sentence.contains(element.as_str())
        {
            // One of a list; the sentence names the list at most.
            write!(f, " in {element}")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolError {}
