//! Why a reaction gave no template.

use std::fmt;

/// The kind of a fault; its [`code`](ExtractErrorKind::code) is stable and meant for programs
/// and for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ExtractErrorKind {
    /// The text is no reaction: not two or three parts with `>` between them, or an empty side.
    Arrow,
    /// A molecule cannot be read.
    Molecule,
    /// No atom of the products has a counterpart among the reactants.
    NotMapped,
    /// Two atoms of one side have the same map number.
    RepeatedMap,
    /// Atoms of the product have no counterpart among the reactants.
    UnmappedProduct,
    /// A map number stands on atoms of different elements.
    ElementChanges,
    /// Nothing changes.
    NoChange,
    /// The product is itself among the reactants.
    ProductAmongReactants,
    /// More atoms, or a larger reaction centre, than allowed.
    TooLarge,
    /// The template was made and does not read.
    Template,
    /// The template, applied to the product, does not give back the reactants.
    NotReproduced,
}

impl ExtractErrorKind {
    /// All kinds, in the order in which they are found.
    pub const ALL: [ExtractErrorKind; 11] = [
        ExtractErrorKind::Arrow,
        ExtractErrorKind::Molecule,
        ExtractErrorKind::NotMapped,
        ExtractErrorKind::RepeatedMap,
        ExtractErrorKind::UnmappedProduct,
        ExtractErrorKind::ElementChanges,
        ExtractErrorKind::NoChange,
        ExtractErrorKind::ProductAmongReactants,
        ExtractErrorKind::TooLarge,
        ExtractErrorKind::Template,
        ExtractErrorKind::NotReproduced,
    ];

    /// Stable name, such as `extract.not_mapped`.
    pub fn code(self) -> &'static str {
        match self {
            ExtractErrorKind::Arrow => "extract.arrow",
            ExtractErrorKind::Molecule => "extract.molecule",
            ExtractErrorKind::NotMapped => "extract.not_mapped",
            ExtractErrorKind::RepeatedMap => "extract.repeated_map",
            ExtractErrorKind::UnmappedProduct => "extract.unmapped_product",
            ExtractErrorKind::ElementChanges => "extract.element_changes",
            ExtractErrorKind::NoChange => "extract.no_change",
            ExtractErrorKind::ProductAmongReactants => "extract.product_among_reactants",
            ExtractErrorKind::TooLarge => "extract.too_large",
            ExtractErrorKind::Template => "extract.template",
            ExtractErrorKind::NotReproduced => "extract.not_reproduced",
        }
    }
}

/// A reaction that gave no template: kind, sentence, the part of the text that is to blame, and a
/// repair to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractError {
    kind: ExtractErrorKind,
    message: String,
    part: Option<String>,
    hint: Option<&'static str>,
}

impl ExtractError {
    pub(super) fn new(kind: ExtractErrorKind, message: impl Into<String>) -> Self {
        ExtractError { kind, message: message.into(), part: None, hint: None }
    }

    pub(super) fn in_part(mut self, part: &str) -> Self {
        self.part = Some(part.chars().take(200).collect());
        self
    }

    pub(super) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The kind of the fault.
    pub fn kind(&self) -> ExtractErrorKind {
        self.kind
    }

    /// Stable code of the kind.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The sentence alone.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The molecule or side that is to blame, at most 200 characters of it.
    pub fn part(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// A repair to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint
    }
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(part) = &self.part {
            write!(f, " in {part}")?;
        }
        if let Some(hint) = self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExtractError {}
