//! The shipped library.

use crate::library::{Library, LibraryLimits};
use crate::source::Place;

/// Version of the content, in step with the manifest of the data folder.
const VERSION: &str = "1";

impl Library {
    /// Name of the shipped library.
    pub const CURATED_NAME: &'static str = "curated";

    /// The shipped library: named reactions, written from general chemical knowledge. Reading it
    /// takes some milliseconds; keep it.
    pub fn curated() -> Library {
        Library::from_toml(Self::CURATED_NAME, &synthon_data::CURATED, &LibraryLimits::default())
            .expect("a test reads the shipped library")
            .with_version(VERSION)
            .with_use_counts(synthon_data::CURATED_PRECEDENTS)
    }
}

/// What a template says of itself: products that it takes apart, and molecules that it leaves alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateExamples {
    /// The word by which the library calls the template.
    pub id: String,
    /// Products, each with one set of precursors that is proposed.
    pub makes: Vec<(String, String)>,
    /// Molecules for which nothing is proposed.
    pub spares: Vec<String>,
}

/// The examples of all templates of the shipped library.
pub fn curated_examples() -> Vec<TemplateExamples> {
    synthon_data::CURATED
        .iter()
        .flat_map(|&(file, text)| {
            let document = Place { file, text }.document();
            document.expect("a test reads the shipped library").template
        })
        .map(|raw| TemplateExamples {
            id: raw.id.into_inner(),
            makes: raw.makes,
            spares: [raw.spares, raw.spares_stereo].concat(),
        })
        .collect()
}
