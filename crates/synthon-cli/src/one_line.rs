//! Names that stay within their line and do nothing to a terminal.

use std::borrow::Cow;

/// The text with blanks in place of what ends lines, steers terminals or turns the direction of
/// writing. Tabs stay: a name is the last thing in its line.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let shown = |c: char| if is_disturbing(c) { ' ' } else { c };
    match text.contains(is_disturbing) {
        true => Cow::Owned(text.chars().map(shown).collect()),
        false => Cow::Borrowed(text),
    }
}

fn is_disturbing(c: char) -> bool {
    c != '\t' && c.is_control()
        || matches!(
            c,
            // Line and paragraph separator; marks, embeddings, overrides and isolates.
            '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
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
