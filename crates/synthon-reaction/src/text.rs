//! Where a template's text is split: the product side, agents, the precursor side.

use std::ops::Range;

use crate::error::{ReactionError, ReactionErrorKind};

/// Longest text of a template, in bytes.
pub(crate) const MAX_TEXT: usize = 65_536;

/// Byte ranges of the two sides; what stands between two single arrows (agents) takes no part
/// and is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub product: Range<usize>,
    pub precursor: Range<usize>,
    pub agents: Range<usize>,
}

/// Splits `product>>precursor` or `product>agents>precursor`. An arrow inside brackets or
/// recursion is none, and neither is a dative bond `->`.
pub(crate) fn split(text: &str) -> Result<Sides, ReactionError> {
    if text.len() > MAX_TEXT {
        return Err(ReactionError::new(
            ReactionErrorKind::TooLarge,
            format!("the template has {} characters, {MAX_TEXT} are allowed", text.len()),
        ));
    }
    let start = text.len() - text.trim_start().len();
    // What follows white space is a name.
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |at| start + at);
    let bytes = text.as_bytes();
    let (mut arrows, mut brackets, mut parentheses) = (Vec::new(), 0u32, 0u32);
    for at in start..end {
        match bytes[at] {
            b'[' => brackets += 1,
            b']' => brackets = brackets.saturating_sub(1),
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b'>' if brackets == 0 && parentheses == 0 => {
                let dative =
                    at > start && bytes[at - 1] == b'-' && bytes.get(at + 1) != Some(&b'>');
                if !dative {
                    arrows.push(at);
                }
            }
            _ => {}
        }
    }
    let &[first, second] = arrows.as_slice() else {
        let mut error = ReactionError::new(
            ReactionErrorKind::Arrow,
            match arrows.len() {
                0 => "no `>>` between a product and a precursor side".to_owned(),
                1 => "one `>` where `>>` is wanted".to_owned(),
                n => format!("{n} arrows where two are wanted"),
            },
        )
        .with_hint("write product>>precursors, the product side first");
        if let Some(&at) = arrows.get(2).or(arrows.first()) {
            error = error.at(at..at + 1);
        }
        return Err(error);
    };
    Ok(Sides { product: start..first, agents: first + 1..second, precursor: second + 1..end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, String, String) {
        let sides = split(text).expect("splits");
        let part = |range: Range<usize>| text[range].to_owned();
        (part(sides.product), part(sides.agents), part(sides.precursor))
    }

    #[test]
    fn sides_and_agents_are_told_apart() {
        assert_eq!(parts("C>>O"), ("C".into(), String::new(), "O".into()));
        assert_eq!(parts(" C>[Pd]>O name"), ("C".into(), "[Pd]".into(), "O".into()));
        assert_eq!(parts("N->[Cu]>>N.[Cu]").0, "N->[Cu]");
        assert_eq!(parts("C-,=>>O").0, "C-,=");
    }

    #[test]
    fn other_numbers_of_arrows_are_refused_with_the_place() {
        for (text, place) in [("CO", None), ("C>O", Some(1)), ("C>>O>>N", Some(4)), ("", None)] {
            let error = split(text).expect_err(text);
            assert_eq!(error.code(), "reaction.arrow");
            assert_eq!(error.span().map(|s| s.start), place, "{text}");
        }
    }
}
