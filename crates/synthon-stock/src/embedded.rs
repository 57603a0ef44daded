//! The stock that ships with the engine.

use std::borrow::Cow;

use crate::index::Index;
use crate::stock::Stock;

use synthon_data::{USPTO_BLOCKS as TEXT, USPTO_BLOCKS_INDEX as INDEX};
/// Version of the content, in step with the manifest of the data folder.
const VERSION: &str = "2";

impl Stock {
    /// Name of the shipped stock.
    pub const EMBEDDED_NAME: &'static str = "uspto-blocks";

    /// The shipped stock: what the chemists of USPTO patents started from, and common reagents.
    /// Nothing is parsed.
    pub fn embedded() -> Stock {
        let index = Index::read(Cow::Borrowed(INDEX), TEXT)
            .expect("a test keeps the shipped index in step with its text");
        Stock::from_parts(Self::EMBEDDED_NAME, VERSION, "uspto", Cow::Borrowed(TEXT), index)
    }
}
