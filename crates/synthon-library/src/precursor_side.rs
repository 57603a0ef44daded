//! What a template asks of its precursors.
//!
//! The precursor side of a template is a molecule to make and a pattern at once: an atom there may
//! say more than can be made (`[N;!$(N-C=O):1]`, "and it is no amide"). That is a condition on the
//! precursors, and an outcome that breaks it is no way to the product.

use synthon_mol::Molecule;
use synthon_query::{Matcher, Pattern, Target};
use synthon_reaction::Template;

/// The components of a precursor side, as patterns without stereo marks.
#[derive(Clone, Debug)]
pub(crate) struct PrecursorSide {
    parts: Vec<Pattern>,
}

impl PrecursorSide {
    /// The conditions of a template. Its precursor side was read as one pattern; should a part of
    /// it be none by itself, that part asks for nothing.
    pub fn of(template: &Template) -> PrecursorSide {
        let side = template.text().split_once(">>").map_or("", |(_, side)| side);
        let parts = components(side).map(|part| Pattern::from_smarts(&without_marks(part)));
        PrecursorSide { parts: parts.filter_map(Result::ok).collect() }
    }

    #[cfg(test)]
    fn from_smarts(side: &str) -> Result<PrecursorSide, synthon_query::QueryError> {
        let parts = components(side).map(|part| Pattern::from_smarts(&without_marks(part)));
        Ok(PrecursorSide { parts: parts.collect::<Result<_, _>>()? })
    }

    /// Whether each component is found in some precursor.
    pub fn fits(&self, precursors: &[Molecule], matcher: &mut Matcher) -> bool {
        let targets: Vec<Target<'_>> = precursors.iter().map(Target::new).collect();
        self.parts.iter().all(|part| targets.iter().any(|target| matcher.matches(part, target)))
    }
}

/// The pieces between the dots that stand outside brackets.
fn components(side: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    side.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == '.' && depth == 0
    })
}

/// The text with single bonds for directed ones and without the handedness of its atoms. Recursive
/// parts keep theirs, in which `@` may also be a ring bond.
fn without_marks(part: &str) -> String {
    let (mut brackets, mut recursion) = (0, 0);
    let mut out = String::with_capacity(part.len());
    for c in part.chars() {
        match c {
            '[' => brackets += 1,
            ']' => brackets -= 1,
            '(' if brackets > 0 => recursion += 1,
            ')' if brackets > 0 => recursion -= 1,
            '@' if brackets == 1 && recursion == 0 => continue,
            '/' | '\\' if brackets == 0 => {
                out.push('-');
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(side: &str, precursors: &[&str]) -> bool {
        let side = PrecursorSide::from_smarts(side).expect(side);
        let molecules: Vec<Molecule> =
            precursors.iter().map(|s| Molecule::from_smiles(s).expect(s)).collect();
        side.fits(&molecules, &mut Matcher::new())
    }

    #[test]
    fn every_component_must_be_found() {
        let side = "[C:1](=[O:2])-[OH].[N;!$(N-C=O);$([NH,NH2]):3]";
        assert!(fits(side, &["CC(=O)O", "CNC"]));
        assert!(!fits(side, &["CC(=O)O", "CC(N)=O"]));
        assert!(!fits(side, &["CC(=O)OC", "CNC"]));
    }

    #[test]
    fn marks_are_no_conditions() {
        assert_eq!(without_marks("[C@@;H1:1]-;!@[N@H:2]/C"), "[C;H1:1]-;!@[NH:2]-C");
        assert_eq!(without_marks("[C;$([C@H](N)-;@C):1]"), "[C;$([C@H](N)-;@C):1]");
        assert!(fits("[OH]-[C@@;H1:3](-[#6:4])-[#6:5]", &["CC(O)CC"]));
    }
}
