//! Repairs for molecules that are refused: what to write instead, as texts that do read.

use super::Draft;
use super::kekule::wanted_double_bond;
use crate::smiles_read::reads;
use crate::{Element, MolError, MolErrorKind};

/// Longest text for which repairs are tried, in bytes.
const LONGEST_TEXT: usize = 2_000;
/// Most atoms at which a repair is tried.
const MOST_PLACES: usize = 12;
/// Most texts that are offered.
const MOST_OFFERS: usize = 6;

/// Replaces the text of atoms; the replacements must be in the order of the text.
fn rewritten(draft: &Draft, (text, start): (&str, usize), with: &[(u32, &str)]) -> String {
    let mut result = String::with_capacity(text.len() + 8);
    let mut at = start;
    for &(atom, new) in with {
        let (from, to) = draft.state[atom as usize].span;
        result.push_str(&text[at..from as usize]);
        result.push_str(new);
        at = to as usize;
    }
    result.push_str(&text[at..]);
    result
}

/// `0-4, 7, 9`.
fn ranges(sorted: &[u32]) -> String {
    let runs = sorted.chunk_by(|a, b| a + 1 == *b);
    let text = runs.map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    text.collect::<Vec<_>>().join(", ")
}

fn either(offers: &[String]) -> String {
    offers.join(" or ")
}

/// The error for a ring system without a kekulé form.
#[cold]
pub(super) fn cannot_kekulise(
    draft: &Draft,
    system: &[u32],
    text: Option<(&str, usize)>,
) -> MolError {
    let stuck: Vec<u32> =
        system.iter().copied().filter(|&a| wanted_double_bond(draft, a)).collect();
    let list: Vec<_> = stuck.iter().map(u32::to_string).collect();
    let start = system.iter().map(|&a| draft.state[a as usize].span.0).min().unwrap_or(0);
    let end = system.iter().map(|&a| draft.state[a as usize].span.1).max().unwrap_or(0);
    let mut error = MolError::new(
        MolErrorKind::Kekule,
        format!("Can't kekulize mol.  Unkekulized atoms: {}", list.join(" ")),
    )
    .with_atoms(system.to_vec());
    if end > 0 {
        error = error.at(start as usize..end as usize);
    }
    let ring = format!(
        "double bonds cannot alternate in the aromatic ring {}(atoms {})",
        if draft.atoms[system[0] as usize].smallest_ring as usize == system.len() {
            ""
        } else {
            "system "
        },
        ranges(system)
    );
    let is_bare_nitrogen = |&a: &u32| {
        let atom = &draft.atoms[a as usize];
        atom.element == Element::N
            && atom.aromatic
            && atom.charge == 0
            && draft.degree(a as usize) == 2
            && draft.state[a as usize].explicit_hydrogens == 0
    };
    let mut nitrogens: Vec<u32> = system.iter().copied().filter(is_bare_nitrogen).collect();
    nitrogens.truncate(MOST_PLACES);
    let offers = text.filter(|t| t.0.len() <= LONGEST_TEXT).map_or(Vec::new(), |text| {
        let spans = |a: &u32| draft.state[*a as usize].span;
        nitrogens.sort_by_key(spans);
        hydrogen_offers(draft, text, &nitrogens)
    });
    if !offers.is_empty() {
        let hydrogens = if offers[0].matches("[nH]").count() > 1 + before(text, "[nH]") {
            "two aromatic N need a written H"
        } else {
            "one aromatic N needs a written H"
        };
        return error.with_hint(format!("{ring}; {hydrogens}: try {}", either(&offers)));
    }
    let written = |&a: &u32| {
        draft.atoms[a as usize].element == Element::N
            && draft.state[a as usize].explicit_hydrogens == 1
            && draft.atoms[a as usize].isotope == 0
            && draft.atoms[a as usize].map == 0
    };
    let offers: Vec<String> = text.filter(|t| t.0.len() <= LONGEST_TEXT).map_or(Vec::new(), |t| {
        let places = system.iter().filter(|a| written(a)).take(MOST_PLACES);
        let texts = places.map(|&a| rewritten(draft, t, &[(a, "n")]));
        texts.filter(|t| reads(t)).take(MOST_OFFERS).collect()
    });
    if offers.is_empty() {
        error.with_hint(format!(
            "{ring}; check its size, or write it with capitals and explicit double bonds"
        ))
    } else {
        error.with_hint(format!("{ring}; one H too many is written: try {}", either(&offers)))
    }
}

fn before(text: Option<(&str, usize)>, what: &str) -> usize {
    text.map_or(0, |(text, _)| text.matches(what).count())
}

/// Texts with a hydrogen written at one of the nitrogens, or at two if one is not enough.
fn hydrogen_offers(draft: &Draft, text: (&str, usize), nitrogens: &[u32]) -> Vec<String> {
    let single = nitrogens.iter().map(|&n| rewritten(draft, text, &[(n, "[nH]")]));
    let offers: Vec<String> = single.filter(|t| reads(t)).take(MOST_OFFERS).collect();
    if !offers.is_empty() {
        return offers;
    }
    let pairs = nitrogens
        .iter()
        .enumerate()
        .flat_map(|(i, &a)| nitrogens[i + 1..].iter().map(move |&b| [(a, "[nH]"), (b, "[nH]")]));
    pairs.map(|p| rewritten(draft, text, &p)).filter(|t| reads(t)).take(MOST_OFFERS).collect()
}

/// Adds texts that do read to the error for an atom with too many bonds.
#[cold]
pub(super) fn too_many_bonds(
    draft: &Draft,
    error: MolError,
    text: Option<(&str, usize)>,
) -> MolError {
    let (Some(text), &[atom]) = (text.filter(|t| t.0.len() <= LONGEST_TEXT), error.atoms()) else {
        return error;
    };
    let this = &draft.atoms[atom as usize];
    if this.charge != 0
        || this.isotope != 0
        || this.map != 0
        || draft.state[atom as usize].span.1 == 0
    {
        return error;
    }
    let symbol = if this.aromatic {
        this.element.symbol().to_ascii_lowercase()
    } else {
        this.element.symbol().to_owned()
    };
    let hydrogens = match draft.state[atom as usize].explicit_hydrogens {
        0 => String::new(),
        1 => "H".to_owned(),
        n => format!("H{n}"),
    };
    let mut places = Vec::new();
    if !hydrogens.is_empty() {
        places.push(symbol.clone());
    }
    if matches!(this.element, Element::N | Element::O | Element::S | Element::P) {
        places.push(format!("[{symbol}{hydrogens}+]"));
    }
    let offers: Vec<String> = places
        .iter()
        .map(|new| rewritten(draft, text, &[(atom, new)]))
        .filter(|t| reads(t))
        .collect();
    if offers.is_empty() {
        return error;
    }
    let hint = error.hint().unwrap_or_default().to_owned();
    error.with_hint(format!("{hint}; try {}", either(&offers)))
}
