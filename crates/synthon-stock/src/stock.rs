//! A stock and the question it answers.

use std::borrow::Cow;

use synthon_mol::Molecule;

use crate::error::StockError;
use crate::index::{Index, index_of};
use crate::keyed::{Bloom, InchiKeys};
use crate::parent::{flat, neutral_parent};

/// How stereo counts when a molecule is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StereoMatch {
    /// The same stereoisomer, and unspecified only for unspecified.
    #[default]
    Exact,
    /// Any stereoisomer of the same constitution.
    Ignore,
}

/// By what likeness an entry was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// The same molecule.
    Same,
    /// The neutral parent of the molecule, or the molecule as the neutral parent of an entry that
    /// is sold as a salt.
    Parent,
    /// A stereoisomer, under [`StereoMatch::Ignore`].
    Stereoisomer,
}

/// An entry of a stock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// SMILES as the stock has it: what is sold. Empty where the stock has keys alone.
    pub smiles: &'a str,
    /// Name, where the stock gives one.
    pub name: Option<&'a str>,
    /// Where the entry comes from: a label of the stock, such as `uspto` or `reagents`.
    pub source: &'a str,
    /// Price per unit of the stock's own choosing; higher is dearer.
    pub price: Option<f64>,
    /// By what likeness it was found.
    pub found: Found,
}

impl<'a> Entry<'a> {
    /// What is sold, where that is not the molecule that was asked for.
    pub fn sold_as(&self) -> Option<&'a str> {
        (self.found != Found::Same && !self.smiles.is_empty()).then_some(self.smiles)
    }
}

/// Whether a molecule is in stock.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Membership<'a> {
    /// It is.
    Yes(Entry<'a>),
    /// It passes a filter that lets this share of other molecules pass as well.
    Probable {
        /// From 0 to 1.
        false_positives: f64,
    },
    /// It is not.
    No,
}

impl<'a> Membership<'a> {
    /// Whether the answer is yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, Membership::Yes(_))
    }

    /// Whether the answer is yes or probable.
    pub fn may_be(&self) -> bool {
        !matches!(self, Membership::No)
    }

    /// The entry, if the answer is yes.
    pub fn entry(&self) -> Option<Entry<'a>> {
        match self {
            Membership::Yes(entry) => Some(*entry),
            Membership::Probable { .. } | Membership::No => None,
        }
    }
}

/// A named set of molecules.
#[derive(Clone, Debug)]
pub struct Stock {
    name: String,
    version: String,
    label: String,
    content: Content,
    stereo: StereoMatch,
}

/// What a stock is made of.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Lines, and canonical keys that lead to them.
    Lines(Cow<'static, str>, Index),
    /// InChIKeys alone.
    Keys(InchiKeys),
    /// A Bloom filter.
    Filter(Bloom),
}

impl Stock {
    pub(crate) fn from_content(name: &str, content: Content) -> Stock {
        Stock {
            name: name.to_owned(),
            version: String::new(),
            label: name.to_owned(),
            content,
            stereo: StereoMatch::Exact,
        }
    }

    pub(crate) fn from_parts(
        name: &str,
        version: &str,
        label: &str,
        text: Cow<'static, str>,
        index: Index,
    ) -> Stock {
        Stock {
            name: name.to_owned(),
            version: version.to_owned(),
            label: label.to_owned(),
            content: Content::Lines(text, index),
            stereo: StereoMatch::Exact,
        }
    }

    /// A stock of the molecules given, for tests and programs.
    ///
    /// # Errors
    /// More than 4 GiB of text.
    pub fn from_molecules<'m>(
        name: &str,
        molecules: impl IntoIterator<Item = &'m Molecule>,
    ) -> Result<Stock, StockError> {
        let (mut text, mut exact, mut without) = (String::new(), Vec::new(), Vec::new());
        for molecule in molecules {
            let at = u32::try_from(text.len()).map_err(|_| {
                StockError::new(crate::StockErrorKind::TooLarge, "a text of more than 4 GiB")
            })?;
            exact.push((molecule.canonical_key(), at));
            without.extend(flat(molecule).map(|m| (m.canonical_key(), at)));
            text.push_str(&molecule.to_unmapped_smiles());
            text.push('\n');
        }
        let index = index_of(exact, without, &text)?;
        Ok(Stock::from_parts(name, "", name, Cow::Owned(text), index))
    }

    /// Name by which the stock is asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of its content; empty for a user's list.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Number of distinct molecules, parents of salts included; 0 for a Bloom filter, which does
    /// not know it.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Lines(_, index) => index.len(),
            Content::Keys(keys) => keys.len(),
            Content::Filter(_) => 0,
        }
    }

    /// Whether it is known to hold none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && !matches!(self.content, Content::Filter(_))
    }

    /// How stereo counts in [`contains`](Self::contains).
    pub fn stereo(&self) -> StereoMatch {
        self.stereo
    }

    /// The same stock with stereo counting as given.
    pub fn with_stereo(mut self, stereo: StereoMatch) -> Self {
        self.stereo = stereo;
        self
    }

    /// Whether a molecule, or its neutral parent, is in stock.
    pub fn contains(&self, molecule: &Molecule) -> Membership<'_> {
        let found = self.find(molecule, Found::Same);
        if found.may_be() {
            return found;
        }
        match neutral_parent(molecule) {
            Some(parent) => self.find(&parent, Found::Parent),
            None => Membership::No,
        }
    }

    /// The same with any stereoisomer counting, whatever the stock's own rule; to say that stereo
    /// alone stands between a molecule and what can be bought.
    pub fn contains_any_stereo(&self, molecule: &Molecule) -> Membership<'_> {
        self.find_by(molecule, Found::Same, true)
    }

    fn find(&self, molecule: &Molecule, likeness: Found) -> Membership<'_> {
        self.find_by(molecule, likeness, self.stereo == StereoMatch::Ignore)
    }

    fn find_by(&self, molecule: &Molecule, likeness: Found, any_stereo: bool) -> Membership<'_> {
        let entry = match &self.content {
            Content::Lines(_, index) => {
                let exact = index.exact(molecule.canonical_key());
                exact.and_then(|at| self.entry(at, likeness)).or_else(|| {
                    let key = any_stereo.then(|| flat(molecule)).flatten()?.canonical_key();
                    self.entry(index.flat(key)?, Found::Stereoisomer)
                })
            }
            Content::Keys(keys) => keys.find(molecule, any_stereo).map(|same_stereo| Entry {
                smiles: "",
                name: None,
                source: &self.label,
                price: None,
                found: if same_stereo { likeness } else { Found::Stereoisomer },
            }),
            Content::Filter(bloom) => {
                return match bloom.may_hold(molecule) {
                    true => Membership::Probable { false_positives: bloom.false_positives() },
                    false => Membership::No,
                };
            }
        };
        entry.map_or(Membership::No, Membership::Yes)
    }

    /// Whether a molecule with this canonical key is in stock, as it is: no parent, no other
    /// stereoisomer. For a quick answer where the key is known; no stock but one of molecules
    /// has them.
    pub fn contains_key(&self, key: u128) -> bool {
        matches!(&self.content, Content::Lines(_, index) if index.exact(key).is_some())
    }

    /// The text of the lines; empty where there are none.
    fn text(&self) -> &str {
        match &self.content {
            Content::Lines(text, _) => text,
            Content::Keys(_) | Content::Filter(_) => "",
        }
    }

    /// All entries in the order of the text; none where the stock has keys alone.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> + '_ {
        let mut at = 0;
        self.text().split_inclusive('\n').filter_map(move |line| {
            let start = at;
            at += line.len();
            let comment = line.starts_with('#') || line.trim().is_empty();
            if comment { None } else { self.entry(start, Found::Same) }
        })
    }

    /// The entry whose line starts at `at`: SMILES, name, source, price, what it is sold as, with
    /// tabs between; all but the first may be absent.
    fn entry(&self, at: usize, found: Found) -> Option<Entry<'_>> {
        let line = self.text().get(at..)?.lines().next()?;
        let mut fields = line.split('\t');
        let smiles = fields.next()?;
        let mut text = || fields.next().filter(|field| !field.is_empty());
        let (name, source, price) = (text(), text(), text());
        let sold = text();
        Some(Entry {
            smiles: sold.unwrap_or(smiles),
            name,
            source: source.unwrap_or(&self.label),
            price: price.and_then(|p| p.parse().ok()),
            found: if sold.is_some() && found == Found::Same { Found::Parent } else { found },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(smiles: &str) -> Molecule {
        Molecule::from_smiles(smiles).expect(smiles)
    }

    fn stock() -> Stock {
        let molecules = ["CCO", "CC(=O)O", "C[C@H](N)C(=O)O", "[N-]=[N+]=[N-]"].map(read);
        Stock::from_molecules("test", &molecules).expect("small")
    }

    #[test]
    fn spelling_does_not_matter() {
        let stock = stock();
        for smiles in ["OCC", "[CH3][CH2][OH]", "C(C)O"] {
            assert!(stock.contains(&read(smiles)).is_yes(), "{smiles}");
        }
        assert!(!stock.contains(&read("CCCO")).is_yes());
        assert_eq!(stock.len(), 4);
        assert_eq!(stock.entries().count(), 4);
    }

    #[test]
    fn salts_are_found_by_their_parent_and_say_so() {
        let stock = stock();
        let acetate = read("CC(=O)[O-].[Na+]");
        let entry = stock.contains(&acetate).entry().expect("in stock");
        assert_eq!((entry.found, entry.sold_as()), (Found::Parent, Some("CC(=O)O")));
        let acid = read("CC(=O)O");
        assert_eq!(stock.contains(&acid).entry().expect("in stock").sold_as(), None);
        assert!(stock.contains(&read("[Na+].[N-]=[N+]=[N-]")).is_yes());
    }

    #[test]
    fn stereo_counts_unless_told_otherwise() {
        let stock = stock();
        let (other, none) = (read("C[C@@H](N)C(=O)O"), read("CC(N)C(=O)O"));
        assert!(!stock.contains(&other).is_yes());
        assert!(!stock.contains(&none).is_yes());
        let stock = stock.with_stereo(StereoMatch::Ignore);
        for molecule in [&other, &none] {
            assert!(self::stock().contains_any_stereo(molecule).is_yes());
            let entry = stock.contains(molecule).entry().expect("a stereoisomer is in stock");
            assert_eq!(entry.sold_as(), Some("C[C@H](N)C(=O)O"));
        }
        assert!(
            stock.contains(&read("C[C@H](N)C(=O)O")).entry().expect("itself").sold_as().is_none()
        );
    }
}
