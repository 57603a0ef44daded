//! Names that stay within their line and do nothing to a terminal.

use std::borrow::Cow;

use synthon_mol::is_steering;

/// The text with blanks in place of what ends lines, steers terminals or turns the direction of
/// writing. Tabs stay: a name is the last thing in its line.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let is_disturbing = |c: char| c != '\t' && is_steering(c);
    let shown = |c: char| if is_disturbing(c) { ' ' } else { c };
    match text.contains(is_disturbing) {
        true => Cow::Owned(text.chars().map(shown).collect()),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_line() {
        assert_eq!(one_line("a\tb é"), "a\tb é");
        let text = "a\r\nb\u{1b}[31mc\u{85}d\u{2028}e\u{202e}f\u{2069}g\0h\x7fi";
        assert_eq!(one_line(text), "a  b [31mc d e f g h i");
    }
}
