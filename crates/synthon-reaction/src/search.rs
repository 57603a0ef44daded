//! Finding the product side of a template, stereo marks aside: those are judged afterwards, by
//! rules that need the whole match.

use synthon_budget::Budget;
use synthon_query::{BondPrimitive, Embeddings, MatchOptions, Matcher, Pattern, Target};

use crate::canonical::mark_place;

/// The text of a side without handedness and direction marks; `None` when it has none.
pub(crate) fn without_marks(text: &str, pattern: &Pattern) -> Option<String> {
    let mut cuts: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for atom in pattern.atoms().iter().filter(|a| a.has_chirality_mark()) {
        let span = atom.span();
        let words = &text[span.clone()];
        let inner = words.trim_start_matches('[');
        let mut kept = inner.to_owned();
        // Marks may stand in several alternatives: take all that are not inside recursion.
        while let place = mark_place(&kept)
            && !place.is_empty()
        {
            let question = usize::from(kept[place.end..].starts_with('?'));
            kept.replace_range(place.start..place.end + question, "*");
        }
        cuts.push((span, format!("[{kept}")));
    }
    for bond in pattern.bonds() {
        let directed = pattern
            .bond_expression(bond)
            .iter()
            .any(|l| matches!(l.primitive, BondPrimitive::Direction { .. }));
        if directed {
            let words = &text[bond.span()];
            let plain = words.replace(['/', '\\'], "-").replace('?', "");
            cuts.push((bond.span(), plain));
        }
    }
    if cuts.is_empty() {
        return None;
    }
    cuts.sort_by_key(|(span, _)| span.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (span, replacement) in cuts {
        out.push_str(&text[at..span.start]);
        out.push_str(&replacement);
        at = span.end;
    }
    out.push_str(&text[at..]);
    Some(out)
}

/// All embeddings of a product side.
///
/// Components in one pair of parentheses lie in one component of the molecule, which the matcher
/// sees to; each component that stands alone has a component of the molecule to itself.
pub(crate) fn embeddings(
    pattern: &Pattern,
    target: &Target<'_>,
    limit: usize,
    matcher: &mut Matcher,
    budget: &mut Budget,
) -> Embeddings {
    matcher.all_within(pattern, target, &MatchOptions::default(), limit, budget)
}

/// Whether the components of the pattern that stand alone have components of the molecule to
/// themselves; `component` is that of each atom of the molecule.
pub(crate) fn apart(pattern: &Pattern, atoms: &[u32], component: &[u32]) -> bool {
    let graph = pattern.graph();
    // One entry for each pattern component: the group that it is in, and where it lies.
    let mut seen: Vec<Option<(Option<usize>, u32)>> = vec![None; graph.component_count()];
    for (atom, &image) in pattern.atoms().iter().zip(atoms) {
        seen[atom.component()].get_or_insert((atom.group(), component[image as usize]));
    }
    let places: Vec<(Option<usize>, u32)> = seen.into_iter().flatten().collect();
    places.iter().enumerate().all(|(i, (group, place))| {
        places[..i]
            .iter()
            .all(|(other, elsewhere)| place != elsewhere || (group.is_some() && group == other))
    })
}
