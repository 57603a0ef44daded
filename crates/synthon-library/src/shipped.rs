//! The extracted library that ships with the engine.

use std::sync::Arc;

use crate::extracted::ExtractedLibrary;
use crate::library::{Library, LibraryLimits};

impl ExtractedLibrary {
    /// Name of the shipped library.
    pub const SHIPPED_NAME: &'static str = "uspto";

    /// The shipped library: templates of patent reactions with two precedents or more, or that
    /// named templates account for, and the policy that ranks what they give.
    pub fn shipped() -> ExtractedLibrary {
        ExtractedLibrary::from_static(&synthon_data::USPTO, &LibraryLimits::default())
            .expect("a test opens the shipped library")
    }
}

impl Library {
    /// Name of the shipped library of named and extracted templates.
    pub const USPTO_NAME: &'static str = ExtractedLibrary::SHIPPED_NAME;

    /// The named templates of [`curated`](Library::curated), and beside them the extracted ones of
    /// [`ExtractedLibrary::shipped`]. Reading it takes some tens of milliseconds; keep it.
    pub fn uspto() -> Library {
        Library::curated().with_extracted(Self::USPTO_NAME, Arc::new(ExtractedLibrary::shipped()))
    }
}

#[cfg(test)]
mod tests {
    use synthon_budget::Budget;
    use synthon_mol::Molecule;
    use synthon_reaction::TemplateIndex;

    use super::*;
    use crate::expand::Scratch;
    use crate::policy::ProposeOptions;

    #[test]
    fn it_opens_with_its_policy_and_an_index_of_this_engine() {
        let library = ExtractedLibrary::from_bytes(&synthon_data::USPTO, &LibraryLimits::default());
        let library = library.expect("sizes and hashes are those of the manifest");
        assert_eq!(library.hash(), ExtractedLibrary::shipped().hash());
        assert!(library.has_policy() && library.policy().is_some());
        let templates: Vec<_> = library.iter().map(|t| t.template().expect("a template")).collect();
        let index = TemplateIndex::new(templates.iter().copied());
        assert_eq!(library.index_bytes(), index.to_bytes(), "run `cargo xtask data uspto-index`");
    }

    #[test]
    fn named_and_extracted_templates_propose_together() {
        let library = Library::uspto();
        let molecule = Molecule::from_smiles("CC(=O)Nc1ccc(O)cc1").expect("paracetamol");
        let mut scratch = Scratch::new();
        let found = library.propose(
            &molecule,
            |_| true,
            &ProposeOptions::default(),
            &mut scratch,
            &mut Budget::unlimited(),
        );
        let texts = |place: usize| -> Vec<String> {
            found.proposals[place].outcome.precursors.iter().map(Molecule::to_smiles).collect()
        };
        let amine = (0..5).any(|place| texts(place).iter().any(|text| text == "Nc1ccc(O)cc1"));
        assert!(amine, "{:?}", (0..5).map(texts).collect::<Vec<_>>());
        assert!(found.proposals.is_sorted_by(|a, b| a.confidence >= b.confidence));
        let both = found
            .proposals
            .iter()
            .filter(|p| p.template < library.len() && p.also.iter().any(|&t| t >= library.len()));
        assert!(both.count() > 0, "acylation is named, and extracted as well");
        for proposal in &found.proposals {
            let rule = library.rule(proposal.template);
            assert!((0.0..=1.0).contains(&proposal.confidence), "{}", rule.name());
            assert!(rule.template().is_some() && !rule.family().is_empty());
        }
        let without = library.propose(
            &molecule,
            |rule| rule.family() != "amide_formation",
            &ProposeOptions::default(),
            &mut scratch,
            &mut Budget::unlimited(),
        );
        let amides = |found: &crate::expand::Expansion| {
            let families = found.proposals.iter().map(|p| library.rule(p.template).family());
            families.filter(|family| *family == "amide_formation").count()
        };
        assert!(amides(&found) > 0);
        assert_eq!(amides(&without), 0);
    }
}
