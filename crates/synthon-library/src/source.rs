//! The TOML form of a library.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::error::{LibraryError, LibraryErrorKind};

/// One file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    #[serde(default)]
    pub macros: BTreeMap<String, Spanned<String>>,
    /// Groups that no template leaves untouched unless it tolerates them.
    #[serde(default)]
    pub default_forbids: Vec<Spanned<String>>,
    /// Groups that no precursor may have unless the product has one.
    #[serde(default)]
    pub unstable: Vec<Spanned<String>>,
    #[serde(default)]
    pub group: Vec<RawGroup>,
    #[serde(default)]
    pub template: Vec<RawTemplate>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGroup {
    pub id: Spanned<String>,
    pub smarts: Spanned<String>,
    pub about: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTemplate {
    pub id: Spanned<String>,
    pub name: String,
    pub family: Spanned<String>,
    pub retro: Spanned<String>,
    #[serde(default)]
    pub conditions: Option<String>,
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub plausibility: Option<Spanned<f64>>,
    #[serde(default)]
    pub forbids: Vec<Spanned<String>>,
    #[serde(default)]
    pub competes: Vec<Spanned<String>>,
    #[serde(default)]
    pub tolerates: Vec<Spanned<String>>,
    /// Groups that no precursor may have.
    #[serde(default)]
    pub precursor_forbids: Vec<Spanned<String>>,
    #[serde(default)]
    pub use_count: u32,
    #[serde(default)]
    pub precedents: Vec<String>,
    /// Tests: products with precursors that must be among those proposed.
    #[serde(default)]
    pub makes: Vec<(String, String)>,
    /// Tests: molecules that must be left alone.
    #[serde(default)]
    pub spares: Vec<String>,
    /// The same, told apart from those that are not by stereo alone.
    #[serde(default)]
    pub spares_stereo: Vec<String>,
}

/// A file with its text, for the line of a fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'t> {
    pub file: &'t str,
    pub text: &'t str,
}

impl Place<'_> {
    /// Line of a byte, counted from 1.
    pub fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|&b| b == b'\n').count()
    }

    /// A fault at a value.
    pub fn fault<T>(
        &self,
        kind: LibraryErrorKind,
        value: &Spanned<T>,
        message: impl Into<String>,
    ) -> LibraryError {
        LibraryError::new(kind, message).at(self.file, Some(self.line(value.span().start)))
    }

    /// Reads the file.
    pub fn document(&self) -> Result<Document, LibraryError> {
        toml::from_str(self.text).map_err(|error| {
            let line = error.span().map(|span| self.line(span.start));
            let message = error.message().trim_end().replace('\n', ", ");
            LibraryError::new(LibraryErrorKind::Syntax, message).at(self.file, line)
        })
    }
}
