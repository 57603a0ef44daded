//! Why a corpus was not built, opened or searched.

use std::fmt;

/// The kind of a fault; its [`code`](CorpusErrorKind::code) is stable and meant for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CorpusErrorKind {
    /// A file could not be read, written or mapped.
    File,
    /// The file is no corpus.
    NotACorpus,
    /// A corpus of another version of the format or of the fingerprints.
    Version,
    /// A corpus that was cut short or changed.
    Damaged,
    /// The records broke off, or there was no molecule among them.
    Records,
    /// A threshold or weight that is none, or a fingerprint of another scheme or size.
    Query,
    /// The corpus was built without what the search needs.
    NotBuiltFor,
}

impl CorpusErrorKind {
    /// Stable name, such as `corpus.damaged`.
    pub fn code(self) -> &'static str {
        match self {
            CorpusErrorKind::File => "corpus.file",
            CorpusErrorKind::NotACorpus => "corpus.not_a_corpus",
            CorpusErrorKind::Version => "corpus.version",
            CorpusErrorKind::Damaged => "corpus.damaged",
            CorpusErrorKind::Records => "corpus.records",
            CorpusErrorKind::Query => "corpus.query",
            CorpusErrorKind::NotBuiltFor => "corpus.not_built_for",
        }
    }
}

/// A corpus or a search that was refused: kind, sentence and a repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusError {
    kind: CorpusErrorKind,
    message: String,
    hint: Option<String>,
}

impl CorpusError {
    pub(crate) fn new(kind: CorpusErrorKind, message: impl Into<String>) -> Self {
        CorpusError { kind, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn file(what: &str, error: &std::io::Error) -> Self {
        Self::new(CorpusErrorKind::File, format!("{what}: {error}"))
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::new(CorpusErrorKind::Damaged, what).with_hint("build the corpus again")
    }

    /// The kind of the fault.
    pub fn kind(&self) -> CorpusErrorKind {
        self.kind
    }

    /// Stable name of the kind.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// What was found, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would be accepted.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CorpusError {}
