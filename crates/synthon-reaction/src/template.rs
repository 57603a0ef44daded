//! A template: read, checked, and compiled once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};
use synthon_mol::Element;
use synthon_query::{Pattern, SmartsLimits};

use crate::error::{ReactionError, ReactionErrorKind, Side};
use crate::replay::Balance;
use crate::script::{self, Script, Slot};
use crate::{canonical, search, text};

/// Most atoms on a side of a template.
const MAX_ATOMS: usize = 1_024;

/// A retro reaction template, compiled for use on many molecules.
///
/// The text is reaction SMARTS, product side first. What stands on the precursor side is read as
/// a molecule to make: the properties that an atom there states outright (element, aromaticity,
/// charge, hydrogens, isotope, handedness) are set; those that it does not state, or of which it
/// leaves a choice (`[N;H1,H2:1]`), are carried over from the product, hydrogens being counted
/// anew where bonds change. Likewise a bond that allows the present order keeps it. Atoms of the
/// product side without counterpart vanish, with what hangs on them alone; unmapped atoms of the
/// precursor side are new.
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    slots: Vec<Slot>,
    /// Canonical text and identity, worked out when first asked for.
    names: OnceLock<(String, String)>,
    product: Pattern,
    /// The product side without stereo marks, where it has any.
    unmarked: Option<Pattern>,
    precursor: Pattern,
    script: Script,
    balance: Balance,
}

/// How strictly a template is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// As written by somebody.
    Given,
    /// The reverse of one that was accepted: atoms that vanish there are new here, and need to
    /// state an element, but their maps lead nowhere.
    Reversed,
}

impl Template {
    /// Reads a template, `product>>precursors`. Agents between single arrows are left out, as is
    /// what follows white space.
    ///
    /// # Errors
    /// Refused, with reason and place, are: a text without two sides; a side that is empty or not
    /// SMARTS; a map number that occurs twice on one side, or on the precursor side only; sides
    /// that share no map number; a new atom that does not state its element; a mapped atom of
    /// another element on the other side; more than 1,024 atoms a side or 65,536 characters.
    ///
    /// A template whose product side has atoms without source is accepted, since published
    /// templates leave reagents out; [`missing`](Self::missing) lists them, and
    /// [`require_balanced`](Self::require_balanced) refuses it.
    pub fn from_smarts(text: &str) -> Result<Template, ReactionError> {
        Self::read(text, Reading::Given)
    }

    /// Reads a template whose text is canonical, as [`smarts`](Self::smarts) gave it, and takes
    /// that for granted.
    ///
    /// # Errors
    /// Those of [`from_smarts`](Self::from_smarts).
    pub fn from_canonical(text: &str) -> Result<Template, ReactionError> {
        let template = Self::read(text, Reading::Given)?;
        let canonical = template.text.clone();
        let id = identity(&canonical);
        Ok(Template { names: OnceLock::from((canonical, id)), ..template })
    }

    fn read(text: &str, reading: Reading) -> Result<Template, ReactionError> {
        let sides = text::split(text)?;
        let product = pattern(text, sides.product.clone(), Side::Product)?;
        let precursor = pattern(text, sides.precursor.clone(), Side::Precursor)?;
        let places = Places { product: sides.product.start, precursor: sides.precursor.start };
        let by_map = maps(&product, Side::Product, &places)?;
        let wanted = maps(&precursor, Side::Precursor, &places)?;
        let slots = slots(&product, &precursor, &by_map, &wanted, &places, reading)?;
        check_elements(&product, &precursor, &slots, &places)?;
        let unmarked = match search::without_marks(&text[sides.product.clone()], &product) {
            Some(plain) => Some(pattern(&plain, 0..plain.len(), Side::Product)?),
            None => None,
        };
        let script = script::compile(&product, &precursor, &slots);
        let balance = balance(&product, &script);
        Ok(Template {
            text: format!("{}>>{}", &text[sides.product], &text[sides.precursor]),
            slots,
            names: OnceLock::new(),
            product,
            unmarked,
            precursor,
            script,
            balance,
        })
    }

    /// The two sides as given, agents and name left out.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Canonical text: the same however the atoms of the template are ordered and numbered.
    /// Worked out on the first call.
    pub fn smarts(&self) -> &str {
        &self.names().0
    }

    /// Stable identity, `smarts-sha256:` and the hash of [`smarts`](Self::smarts) in hexadecimal.
    pub fn id(&self) -> &str {
        &self.names().1
    }

    fn names(&self) -> &(String, String) {
        self.names.get_or_init(|| {
            let arrow = self.text.find(">>").expect("the text was put together with an arrow");
            let canonical = canonical::text(
                (&self.text[..arrow], &self.product),
                (&self.text[arrow + 2..], &self.precursor),
                &self.slots,
            );
            let id = identity(&canonical);
            (canonical, id)
        })
    }

    /// What is searched in a molecule.
    pub fn product_pattern(&self) -> &Pattern {
        &self.product
    }

    /// What a match is rewritten to.
    pub fn precursor_pattern(&self) -> &Pattern {
        &self.precursor
    }

    /// Elements of which the product side has more atoms than the precursor side accounts for:
    /// the forward reaction takes them from a reagent that is not written. Atoms that do not
    /// state an element are counted with atomic number 0.
    pub fn missing(&self) -> &[(u8, u32)] {
        &self.balance.missing
    }

    /// Refuses a template with [`missing`](Self::missing) atoms.
    ///
    /// # Errors
    /// [`ReactionErrorKind::Unbalanced`], naming the elements.
    pub fn require_balanced(&self) -> Result<(), ReactionError> {
        if self.balance.is_balanced() {
            return Ok(());
        }
        let list: Vec<String> = self
            .balance
            .missing
            .iter()
            .map(|&(number, count)| {
                let symbol = Element::new(number).map_or("?", Element::symbol);
                format!("{count} {symbol}")
            })
            .collect();
        Err(ReactionError::new(
            ReactionErrorKind::Unbalanced,
            format!("the precursor side does not account for {} of the product", list.join(", ")),
        )
        .on(Side::Precursor)
        .with_hint("write the reagent that brings them on the precursor side"))
    }

    /// The forward template: precursors first.
    ///
    /// # Errors
    /// A product side that is too general to be made: an atom without counterpart that does not
    /// state its element.
    pub fn reversed(&self) -> Result<Template, ReactionError> {
        let sides = text::split(&self.text)?;
        let reversed = format!("{}>>{}", &self.text[sides.precursor], &self.text[sides.product]);
        Self::read(&reversed, Reading::Reversed)
    }

    /// The pattern that is searched: the product side without stereo marks.
    pub(crate) fn searched(&self) -> &Pattern {
        self.unmarked.as_ref().unwrap_or(&self.product)
    }

    pub(crate) fn script(&self) -> &Script {
        &self.script
    }
}

/// Where the sides begin in the text.
struct Places {
    product: usize,
    precursor: usize,
}

impl Places {
    fn span(&self, side: Side, pattern: &Pattern, atom: usize) -> Range<usize> {
        let offset = match side {
            Side::Product => self.product,
            Side::Precursor => self.precursor,
        };
        let span = pattern.atoms()[atom].span();
        span.start + offset..span.end + offset
    }
}

fn identity(canonical: &str) -> String {
    use std::fmt::Write;
    let mut id = String::with_capacity(14 + 64);
    id.push_str("smarts-sha256:");
    for byte in Sha256::digest(canonical.as_bytes()) {
        write!(id, "{byte:02x}").expect("a string takes any text");
    }
    id
}

fn pattern(text: &str, range: Range<usize>, side: Side) -> Result<Pattern, ReactionError> {
    let part = &text[range.clone()];
    if part.is_empty() {
        return Err(ReactionError::new(
            ReactionErrorKind::EmptySide,
            format!("the {side} side has no atoms"),
        )
        .at(range)
        .on(side)
        .with_hint("write product>>precursors"));
    }
    let limits = SmartsLimits { max_atoms: MAX_ATOMS, ..SmartsLimits::default() };
    Pattern::from_smarts_within(part, &limits).map_err(|fault| {
        let kind = match fault.kind() {
            synthon_query::QueryErrorKind::TooLarge => ReactionErrorKind::TooLarge,
            _ => ReactionErrorKind::Pattern,
        };
        let span = fault.span();
        let mut error = ReactionError::new(kind, format!("{side} side: {}", fault.message()))
            .at(span.start + range.start..span.end + range.start)
            .on(side);
        if let Some(hint) = fault.hint() {
            error = error.with_hint(hint);
        }
        error
    })
}

/// Atoms by map number.
fn maps(
    pattern: &Pattern,
    side: Side,
    places: &Places,
) -> Result<BTreeMap<u32, usize>, ReactionError> {
    let mut by_map = BTreeMap::new();
    let (mut repeated, mut place) = (Vec::new(), None);
    for (index, atom) in pattern.atoms().iter().enumerate().filter(|(_, a)| a.map() != 0) {
        if by_map.insert(atom.map(), index).is_some() {
            repeated.push(atom.map());
            place = place.or_else(|| Some(places.span(side, pattern, index)));
        }
    }
    let Some(place) = place else { return Ok(by_map) };
    repeated.sort_unstable();
    repeated.dedup();
    let list = join(&repeated);
    let message = if repeated.len() == 1 {
        format!("map number {list} occurs more than once on the {side} side")
    } else {
        format!("map numbers {list} occur more than once on the {side} side")
    };
    Err(ReactionError::new(ReactionErrorKind::RepeatedMap, message)
        .at(place)
        .on(side)
        .with_maps(repeated)
        .with_hint("give each atom of a side its own number"))
}

fn join(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// The slot of each precursor-side atom.
fn slots(
    product: &Pattern,
    precursor: &Pattern,
    by_map: &BTreeMap<u32, usize>,
    wanted: &BTreeMap<u32, usize>,
    places: &Places,
    reading: Reading,
) -> Result<Vec<Slot>, ReactionError> {
    if !wanted.keys().any(|map| by_map.contains_key(map)) {
        return Err(ReactionError::new(
            ReactionErrorKind::NotMapped,
            "no atom of the product side has the map number of one on the precursor side",
        )
        .with_hint("number the atoms that stay, as in [C:1]>>[C:1]"));
    }
    let unknown: Vec<u32> =
        wanted.keys().copied().filter(|map| !by_map.contains_key(map)).collect();
    if reading == Reading::Given
        && let Some(first) = unknown.first()
    {
        let place = places.span(Side::Precursor, precursor, wanted[first]);
        return Err(ReactionError::new(
            ReactionErrorKind::UnknownMap,
            format!(
                "map number{} {} of the precursor side {} absent from the product side",
                if unknown.len() == 1 { "" } else { "s" },
                join(&unknown),
                if unknown.len() == 1 { "is" } else { "are" },
            ),
        )
        .at(place)
        .on(Side::Precursor)
        .with_maps(unknown)
        .with_hint("leave the map away from atoms that the product does not have"));
    }
    let mut next = product.atoms().len() as Slot;
    let mut slots = Vec::with_capacity(precursor.atoms().len());
    for (index, atom) in precursor.atoms().iter().enumerate() {
        if let Some(&p) = by_map.get(&atom.map()).filter(|_| atom.map() != 0) {
            slots.push(p as Slot);
            continue;
        }
        if precursor.stated(index).element.is_none() {
            return Err(ReactionError::new(
                ReactionErrorKind::NoElement,
                "a new atom of the precursor side does not say which element it is",
            )
            .at(places.span(Side::Precursor, precursor, index))
            .on(Side::Precursor)
            .with_hint("write one element, or map the atom to one of the product side"));
        }
        slots.push(next);
        next += 1;
    }
    Ok(slots)
}

fn check_elements(
    product: &Pattern,
    precursor: &Pattern,
    slots: &[Slot],
    places: &Places,
) -> Result<(), ReactionError> {
    for (q, &slot) in slots.iter().enumerate() {
        if slot as usize >= product.atoms().len() {
            continue;
        }
        let (before, after) = (product.stated(slot as usize).element, precursor.stated(q).element);
        if let (Some(before), Some(after)) = (before, after)
            && before != after
            && !before.is_wildcard()
            && !after.is_wildcard()
        {
            let map = precursor.atoms()[q].map();
            return Err(ReactionError::new(
                ReactionErrorKind::ElementChanges,
                format!("the atom with map number {map} is {before} on the product side and {after} on the precursor side"),
            )
            .at(places.span(Side::Precursor, precursor, q))
            .on(Side::Precursor)
            .with_maps(vec![map])
            .with_hint("give different atoms different numbers"));
        }
    }
    Ok(())
}

/// Elements on both sides that are not carried over.
fn balance(product: &Pattern, script: &Script) -> Balance {
    let mut counts: BTreeMap<u8, i64> = BTreeMap::new();
    for (p, _) in script.atoms.iter().enumerate().filter(|(_, edit)| edit.deleted) {
        let number = product.stated(p).element.map_or(0, Element::atomic_number);
        *counts.entry(number).or_default() += 1;
    }
    for atom in &script.new_atoms {
        *counts.entry(atom.element.atomic_number()).or_default() -= 1;
    }
    counts.remove(&1);
    // Atoms that leave the element open may be any of those left over.
    let mut open = counts.remove(&0).unwrap_or(0);
    for count in counts.values_mut().filter(|c| **c < 0) {
        let used = open.min(-*count).max(0);
        *count += used;
        open -= used;
    }
    if open > 0 {
        counts.insert(0, open);
    }
    Balance::from_counts(counts)
}
