//! What the conditions of a template say of a reagent.
//!
//! Conditions are written for chemists: `A or B, base, solvent, 0 °C; or another set`. They are
//! taken apart at `; or` and `, or` into sets, a set at commas and `then` into places, and a place
//! at `or` into what may stand there, also in brackets. A step can do without a reagent when some
//! set has something else at each place that names it.

use synthon_mol::Element;

use crate::combined::Rule;
use crate::library::{Library, NamedTemplate};

/// Common names of what conditions write as a formula or a symbol.
const NAMES: [(&str, &str); 34] = [
    ("aluminium chloride", "AlCl3"),
    ("aluminum chloride", "AlCl3"),
    ("boc anhydride", "Boc2O"),
    ("boron tribromide", "BBr3"),
    ("borane", "BH3"),
    ("bromine", "Br2"),
    ("butyllithium", "n-BuLi"),
    ("buli", "n-BuLi"),
    ("carbon monoxide", "CO"),
    ("chromium", "Cr"),
    ("copper", "Cu"),
    ("dcm", "CH2Cl2"),
    ("dibal", "DIBAL-H"),
    ("dichloromethane", "CH2Cl2"),
    ("dmp", "Dess-Martin periodinane"),
    ("hydrogen", "H2"),
    ("iodine", "I2"),
    ("iron", "Fe"),
    ("lah", "LiAlH4"),
    ("lithium aluminium hydride", "LiAlH4"),
    ("lithium aluminum hydride", "LiAlH4"),
    ("manganese", "Mn"),
    ("nickel", "Ni"),
    ("osmium", "Os"),
    ("osmium tetroxide", "OsO4"),
    ("ozone", "O3"),
    ("palladium", "Pd"),
    ("phosphorus oxychloride", "POCl3"),
    ("phosphoryl chloride", "POCl3"),
    ("sodium azide", "NaN3"),
    ("sodium hydride", "NaH"),
    ("thionyl chloride", "SOCl2"),
    ("tin", "Sn"),
    ("zinc", "Zn"),
];

/// A reagent, as conditions name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reagent {
    given: String,
    looked_for: String,
    /// Whether any formula with this element names it.
    is_element: bool,
}

impl Reagent {
    /// Reads a reagent: a symbol of two letters stands for everything with that element (`Pd`,
    /// `Sn`), and some common names for the formula (`thionyl chloride`, `LAH`).
    pub fn new(text: &str) -> Reagent {
        let given = text.trim();
        let lower = given.to_lowercase();
        let common = NAMES.iter().find(|(name, _)| *name == lower);
        let looked_for = common.map_or(given, |&(_, formula)| formula).to_owned();
        // One letter stands in too many abbreviations.
        let is_element = looked_for.len() == 2 && Element::from_symbol(&looked_for).is_some();
        Reagent { given: given.to_owned(), looked_for, is_element }
    }

    /// As it was given.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// Whether a text names it. Words of five letters and more may be written in any case, shorter
    /// ones not: `CO` is no cobalt.
    pub fn is_named_in(&self, text: &str) -> bool {
        let sought = &self.looked_for;
        if !sought.contains(char::is_alphabetic) {
            return false;
        }
        let any_case = sought.len() > 4 && sought.chars().all(|c| c.is_alphabetic() || c == ' ');
        let (text, sought) = match any_case {
            true => (text.to_lowercase(), sought.to_lowercase()),
            false => (text.to_owned(), sought.clone()),
        };
        text.match_indices(&sought).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            match self.is_element {
                true => !after.is_some_and(char::is_lowercase),
                false => !before.is_some_and(joins) && !after.is_some_and(joins),
            }
        })
    }
}

/// Whether a character goes on with a name, or with a unit.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '*' | '°')
}

/// Whether a step under these conditions can do without all of the reagents.
pub(crate) fn can_do_without(conditions: &str, reagents: &[Reagent]) -> bool {
    let lacks = |text: &str| !reagents.iter().any(|reagent| reagent.is_named_in(text));
    let sets = split(conditions, &["; or ", ", or "]);
    sets.into_iter().any(|set| {
        split(set, &["; ", ", then ", " then ", ", "])
            .into_iter()
            .all(|place| choices(place).into_iter().any(lacks))
    })
}

/// What may stand at a place: `A or B`, `A (or B)`.
fn choices(place: &str) -> Vec<&str> {
    if let Some((first, rest)) = place.split_once(" (or ") {
        return std::iter::once(first).chain(split(rest, &[" or "])).collect();
    }
    split(place, &[" or "])
}

/// The parts of a text between any of the separators, outside of brackets. Of two separators that
/// begin at one place the first counts.
fn split<'t>(text: &'t str, separators: &[&str]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut skip) = (0, 0u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 || at < skip {
            continue;
        }
        if let Some(separator) = separators.iter().find(|s| text[at..].starts_with(**s)) {
            parts.push(&text[start..at]);
            start = at + separator.len();
            skip = start;
        }
    }
    parts.push(&text[start..]);
    parts
}

impl NamedTemplate {
    /// Whether its conditions, as far as they are known, can do without all of the reagents.
    pub fn can_do_without(&self, reagents: &[Reagent]) -> bool {
        self.conditions().is_none_or(|conditions| can_do_without(conditions, reagents))
    }
}

impl Library {
    /// Whether the conditions of any template name the reagent.
    pub fn names_reagent(&self, reagent: &Reagent) -> bool {
        self.templates()
            .iter()
            .filter_map(NamedTemplate::conditions)
            .any(|conditions| reagent.is_named_in(conditions))
    }

    /// Which templates cannot do without the reagents.
    pub fn needing(&self, reagents: &[Reagent]) -> Needing {
        let mut needing = Needing::default();
        // As a rule there are none, and every search begins here.
        if reagents.is_empty() {
            return needing;
        }
        let known = self.templates().iter().filter(|t| t.conditions().is_some());
        for template in known.clone().filter(|t| !t.can_do_without(reagents)) {
            needing.templates.push(template.id().to_owned());
        }
        needing.templates.sort_unstable();
        for family in self.families() {
            let all: Vec<bool> = known
                .clone()
                .filter(|t| t.family() == family)
                .map(|t| needing.has(t.id()))
                .collect();
            if 2 * all.iter().filter(|&&needs| needs).count() > all.len() {
                needing.families.push(family);
            }
        }
        needing
    }
}

/// Templates that cannot do without some reagents; see [`Library::needing`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needing {
    /// Words by which the library calls them, ascending.
    templates: Vec<String>,
    /// Families of which most templates with conditions are such.
    families: Vec<&'static str>,
}

impl Needing {
    /// Whether a template of the library is one. An extracted template, whose own conditions are
    /// not known, has those of the named one that does the same, or else needs what most of its
    /// family need.
    pub fn contains(&self, rule: &Rule<'_>) -> bool {
        match rule.named() {
            Some(id) => self.has(id),
            None => self.families.contains(&rule.family()),
        }
    }

    fn has(&self, id: &str) -> bool {
        self.templates.binary_search_by(|known| known.as_str().cmp(id)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(conditions: &str, reagents: &[&str]) -> bool {
        let reagents: Vec<Reagent> = reagents.iter().map(|text| Reagent::new(text)).collect();
        can_do_without(conditions, &reagents)
    }

    #[test]
    fn a_formula_is_a_word_and_a_symbol_any_formula() {
        let named = |reagent: &str, text: &str| Reagent::new(reagent).is_named_in(text);
        for (reagent, text) in [
            ("Pd", "Pd(PPh3)4 or Pd(dppf)Cl2, K2CO3"),
            ("palladium", "PdCl2(PPh3)2, CuI"),
            ("Pd", "Pd2(dba)3"),
            ("Sn", "Bu3SnCl"),
            ("NaH", "NaH or LiCl/DBU, THF"),
            ("CO", "CO or Mo(CO)6"),
            ("Co", "industrially Co/Mn, air"),
            ("LAH", "LiAlH4, THF"),
            ("thionyl chloride", "SOCl2 (catalytic DMF)"),
            ("PYRIDINE", "Ac2O, pyridine"),
            ("BH3", "BH3·THF"),
        ] {
            assert!(named(reagent, text), "{reagent} in {text}");
        }
        for (reagent, text) in [
            ("NaH", "NaHCO3, CH2Cl2"),
            ("CO", "CO2 (dry ice)"),
            ("Co", "CO, Pd(dppf)Cl2"),
            ("DMF", "DMF-DMA, neat"),
            ("Pd", "POCl3"),
            ("I", "DIPEA"),
            ("C", "THF, 25 °C"),
            ("25", "THF, 25 °C"),
            (";", "neat; or toluene"),
            ("", "anything"),
        ] {
            assert!(!named(reagent, text), "{reagent} in {text}");
        }
    }

    #[test]
    fn what_may_stand_in_its_place_lets_a_step_pass() {
        let amide = "HATU or EDC/HOBt, DIPEA, DMF or CH2Cl2, 25 °C";
        assert!(without(amide, &["DMF"]) && without(amide, &["HATU"]));
        assert!(!without(amide, &["DMF", "DCM"]) && !without(amide, &["DIPEA"]));
        let suzuki = "Pd(PPh3)4 or Pd(dppf)Cl2, K2CO3 or Na2CO3, dioxane/H2O, 80 to 100 °C";
        assert!(!without(suzuki, &["Pd"]) && without(suzuki, &["K2CO3"]));
        let nitro = "H2, Pd/C, MeOH; or Fe, NH4Cl, EtOH/H2O, 80 °C; or SnCl2";
        assert!(without(nitro, &["Pd"]) && without(nitro, &["Pd", "Sn"]));
        assert!(!without(nitro, &["Pd", "Sn", "Fe"]));
        let carbonyl = "CDI (or triphosgene, Et3N), CH2Cl2, 0 to 25 °C";
        assert!(without(carbonyl, &["triphosgene"]) && without(carbonyl, &["CDI"]));
        assert!(!without(carbonyl, &["CDI", "triphosgene"]));
        let azide = "TFA, CH2Cl2, or HCl, dioxane, 0 to 25 °C";
        assert!(without(azide, &["TFA"]) && !without(azide, &["TFA", "HCl"]));
        assert!(!without("RMgBr, THF or Et2O, -78 to 0 °C, then aq. NH4Cl", &["NH4Cl"]));
    }

    #[test]
    fn a_family_that_cannot_do_without_takes_its_extracted_templates_along() {
        let library = Library::curated();
        let needing = library.needing(&[Reagent::new("Pd")]);
        for family in ["suzuki_coupling", "heck_reaction", "buchwald_hartwig", "negishi_coupling"] {
            assert!(needing.families.contains(&family), "{family}");
        }
        for family in ["reduction", "amide_formation", "cyanation"] {
            assert!(!needing.families.contains(&family), "{family}");
        }
        assert_eq!(library.needing(&[]), Needing::default());
        assert!(library.names_reagent(&Reagent::new("LiAlH4")));
        assert!(!library.names_reagent(&Reagent::new("HMPA")));
    }
}
