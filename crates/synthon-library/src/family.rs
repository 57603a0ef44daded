//! The closed list of reaction families.

use std::sync::LazyLock;

use serde::Deserialize;

/// A reaction family: the word by which constraints speak of a kind of reaction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The word, such as `amide_formation`.
    pub id: String,
    /// Number in the usual ten-class division of patent reactions.
    pub class: u8,
    /// One sentence.
    pub about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: Vec<Family>,
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let file: File =
        toml::from_str(synthon_data::FAMILIES).expect("a test reads the shipped list of families");
    file.family
});

/// All families, in the order of the list.
pub fn families() -> &'static [Family] {
    &FAMILIES
}

/// Whether a word is on the list.
pub fn is_family(word: &str) -> bool {
    families().iter().any(|family| family.id == word)
}
