//! Abbreviations in patterns: `{name}` stands for part of a bracket atom.

use std::collections::BTreeMap;

/// How deep abbreviations may use one another.
const MAX_DEPTH: usize = 8;
/// Longest text that an expansion may reach, in bytes.
const MAX_TEXT: usize = 65_536;

/// Replaces every `{name}`. Braces around anything but a lower-case word (SMARTS ranges such as
/// `D{2-3}`) stay.
///
/// # Errors
/// An unknown name, or one that leads back to itself, in a sentence.
pub(crate) fn expand(text: &str, macros: &BTreeMap<String, String>) -> Result<String, String> {
    let mut current = text.to_owned();
    for _ in 0..MAX_DEPTH {
        let Some(next) = expand_once(&current, macros)? else { return Ok(current) };
        if next.len() > MAX_TEXT {
            return Err(format!("abbreviations make the text longer than {MAX_TEXT} characters"));
        }
        current = next;
    }
    match expand_once(&current, macros)? {
        None => Ok(current),
        Some(_) => Err(format!("abbreviations use one another more than {MAX_DEPTH} deep")),
    }
}

/// One round; `None` when there is nothing to replace.
fn expand_once(text: &str, macros: &BTreeMap<String, String>) -> Result<Option<String>, String> {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut replaced) = (text, false);
    while let Some(open) = rest.find('{') {
        let after = &rest[open + 1..];
        let word = after.find('}').map(|close| &after[..close]).filter(|word| is_name(word));
        let Some(word) = word else {
            out.push_str(&rest[..=open]);
            rest = after;
            continue;
        };
        let Some(meaning) = macros.get(word) else {
            return Err(format!("unknown abbreviation {{{word}}}"));
        };
        out.push_str(&rest[..open]);
        out.push_str(meaning);
        replaced = true;
        rest = &after[word.len() + 1..];
    }
    out.push_str(rest);
    Ok(replaced.then_some(out))
}

/// Whether a word can be the name of an abbreviation.
pub(crate) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros() -> BTreeMap<String, String> {
        [("amine", "N;{h}"), ("h", "H1"), ("loop", "{loop}")]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into()
    }

    #[test]
    fn names_are_replaced_and_ranges_stay() {
        assert_eq!(expand("[{amine}:1][D{2-3}]", &macros()).as_deref(), Ok("[N;H1:1][D{2-3}]"));
        assert_eq!(expand("[C:1]{", &macros()).as_deref(), Ok("[C:1]{"));
    }

    #[test]
    fn unknown_and_circular_names_are_refused() {
        assert!(expand("[{nothing}]", &macros()).expect_err("unknown").contains("{nothing}"));
        assert!(expand("[{loop}]", &macros()).is_err());
    }
}
