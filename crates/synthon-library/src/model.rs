//! Templates and models of other planners: a model says which templates to try on a molecule, and
//! how promising each is, where a policy of ours ranks what templates give.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{Target, TargetProfile};
use synthon_reaction::Template;

use crate::build::{BuildOptions, BuildStatistics};
use crate::error::{LibraryError, LibraryErrorKind};
use crate::extracted::{Entry, ExtractedLibrary, ExtractedTemplate};
use crate::library::{Library, LibraryLimits};
use crate::policy::{ExtractedExpansion, ExtractedProposal, Memory, ProposeOptions};

/// Says which templates of a library to try on a molecule.
pub trait TemplateModel: fmt::Debug + Send + Sync {
    /// The templates to try, by position, each once and with its share, 0 to 1.
    fn choose(&self, molecule: &Molecule) -> Vec<(u32, f32)>;

    /// Whether these precursors may give the product.
    fn allows(&self, product: &Molecule, precursors: &[Molecule]) -> bool;
}

/// A template that somebody else extracted.
#[derive(Clone, Debug)]
pub struct GivenTemplate {
    /// The template.
    pub template: Template,
    /// Reactions that it was extracted from.
    pub count: u32,
    /// Class of these reactions, 1 to 10, where it is told.
    pub class: Option<u8>,
}

impl ExtractedLibrary {
    /// A library of templates in the order given, and a model that knows them by their positions.
    /// `left_out` is the number of those that are no templates for this engine; it stands among the
    /// rejects of the [`statistics`](Self::statistics).
    ///
    /// # Errors
    /// No template, or more than are allowed.
    pub fn with_model(
        name: &str,
        templates: &[GivenTemplate],
        left_out: u64,
        model: Arc<dyn TemplateModel>,
        limits: &LibraryLimits,
    ) -> Result<Self, LibraryError> {
        if templates.is_empty() {
            return Err(LibraryError::new(LibraryErrorKind::Empty, "no template"));
        }
        if templates.len() > limits.max_templates {
            let message = format!("more than {} templates", limits.max_templates);
            return Err(LibraryError::new(LibraryErrorKind::TooLarge, message));
        }
        let entries = templates.iter().map(|given| Entry {
            smarts: given.template.smarts().to_owned(),
            count: given.count,
            class: given.class.filter(|class| (1..=10).contains(class)),
            family: None,
            named: None,
            core: String::new(),
        });
        let mut statistics = BuildStatistics {
            templates_found: templates.len() as u64 + left_out,
            ..Default::default()
        };
        if left_out > 0 {
            let code = LibraryErrorKind::Template.code();
            statistics.rejected.insert(code.to_owned(), left_out);
        }
        let library = ExtractedLibrary::assemble(
            name,
            &BuildOptions::default(),
            statistics,
            entries.collect(),
            Vec::new(),
        )?;
        Ok(library.with_read_model(model))
    }

    /// What the templates give that the model chooses, ranked by their shares.
    pub(crate) fn modelled(
        &self,
        model: &dyn TemplateModel,
        molecule: &Molecule,
        options: &ProposeOptions,
        allowed: impl Fn(ExtractedTemplate<'_>) -> bool,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> ExtractedExpansion {
        let shares: BTreeMap<u32, f32> = model.choose(molecule).into_iter().collect();
        let share = |template: u32| shares.get(&template).copied().unwrap_or(0.0);
        let profile = TargetProfile::new(molecule);
        let target = Target::with_profile(molecule, &profile);
        let chosen = |template: ExtractedTemplate<'_>| {
            shares.contains_key(&(template.position() as u32)) && allowed(template)
        };
        let given = self.candidate_sets(&target, share, chosen, usize::MAX, memory, budget);
        let mut expansion = ExtractedExpansion {
            tried: given.tried,
            applicable: given.applicable.len(),
            invalid: given.invalid,
            found: given.sets.len(),
            // All templates that the model does not choose are left untried.
            cut: true,
            truncated: given.truncated,
            proposals: Vec::new(),
        };
        for set in given.sets {
            if !model.allows(molecule, &set.outcome.precursors) {
                continue;
            }
            // Templates come with the largest share first.
            let mut by = set.by.iter().map(|&(template, _)| template);
            let Some(template) = by.next() else { continue };
            let score = f64::from(share(template));
            expansion.proposals.push(ExtractedProposal {
                template: template as usize,
                also: by.map(|template| template as usize).collect(),
                outcome: set.outcome,
                keys: set.keys,
                score,
                confidence: score,
            });
        }
        expansion.rank(options.max_proposals);
        expansion
    }
}

impl Library {
    /// Extracted templates alone, without the named ones.
    pub fn of_extracted(name: &str, extracted: ExtractedLibrary) -> Library {
        Library::curated().without_named().with_extracted(name, Arc::new(extracted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::Scratch;

    /// Knows three templates, and refuses precursors with chlorine.
    #[derive(Debug)]
    struct Fixed;

    impl TemplateModel for Fixed {
        fn choose(&self, _: &Molecule) -> Vec<(u32, f32)> {
            vec![(0, 0.25), (1, 0.01), (2, 0.5)]
        }

        fn allows(&self, _: &Molecule, precursors: &[Molecule]) -> bool {
            !precursors.iter().any(|p| p.atoms().iter().any(|atom| atom.atomic_number() == 17))
        }
    }

    #[test]
    fn a_model_chooses_ranks_and_refuses() {
        let templates: Vec<GivenTemplate> = [
            "[C:1](=[O:2])[NH:3]>>[C:1](=[O:2])O.[NH2:3]",
            "[C:1](=[O:2])[NH:3][c:4]>>[C:1](=[O:2])[NH2:3].Br[c:4]",
            "[C:1](=[O:2])[NH:3]>>[C:1](=[O:2])Cl.[NH2:3]",
            "[C:1](=[O:2])[NH:3]>>[C:1](=[O:2])Br.[NH2:3]",
        ]
        .iter()
        .map(|smarts| GivenTemplate {
            template: Template::from_smarts(smarts).expect(smarts),
            count: 1,
            class: Some(2),
        })
        .collect();
        let limits = LibraryLimits::default();
        let extracted =
            ExtractedLibrary::with_model("theirs", &templates, 0, Arc::new(Fixed), &limits)
                .expect("four templates");
        let molecule = Molecule::from_smiles("CC(=O)Nc1ccccc1").expect("acetanilide");
        let options = ProposeOptions::default();
        let library = Library::of_extracted("theirs", extracted);
        assert!(library.is_empty());
        let expansion = library.propose(
            &molecule,
            |_| true,
            &options,
            &mut Scratch::new(),
            &mut Budget::unlimited(),
        );
        let found: Vec<(usize, f64)> =
            expansion.proposals.iter().map(|p| (p.template, p.confidence)).collect();
        let shares = [0.25f32, 0.01].map(f64::from);
        assert_eq!(found, [(0, shares[0]), (1, shares[1])]);
        assert!(expansion.cut);
        let few = LibraryLimits { max_templates: 3, ..limits };
        let error = ExtractedLibrary::with_model("theirs", &templates, 0, Arc::new(Fixed), &few);
        assert_eq!(error.expect_err("four are too many").code(), "library.too_large");
    }
}
