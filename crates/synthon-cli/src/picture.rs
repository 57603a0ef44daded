//! Atoms marked under a SMILES or SMARTS text.

use std::fmt::Write as _;

/// The text with a line below it that marks these atoms (numbered in the order of the text), or
/// the text alone where it is too long for a line.
pub(crate) fn marked(label: &str, text: &str, atoms: &[usize]) -> String {
    const WIDTH: usize = 120;
    let text = text.trim();
    let mut out = format!("{label}  {text}\n");
    if text.len() > WIDTH || !text.is_ascii() {
        return out;
    }
    let spans = atom_spans(text);
    let mut marks = vec![' '; text.len()];
    for &atom in atoms {
        let Some(&(start, end)) = spans.get(atom) else { return out };
        marks[start..end].fill('^');
    }
    let line: String = marks.into_iter().collect();
    let _ = writeln!(out, "{}  {}", " ".repeat(label.len()), line.trim_end());
    out
}

/// Places of the atoms of a text, bracket atoms whole. A plain `[H]` beside another atom is no
/// atom of the graph and is passed over.
fn atom_spans(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'[' => {
                // Recursive parts of SMARTS hold brackets of their own.
                let mut depth = 0;
                while at < bytes.len() {
                    match bytes[at] {
                        b'[' => depth += 1,
                        b']' => depth -= 1,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                if &text[start..at] != "[H]" {
                    spans.push((start, at));
                }
            }
            b'%' => {
                at += 1;
                if bytes.get(at) == Some(&b'(') {
                    while at < bytes.len() && bytes[at] != b')' {
                        at += 1;
                    }
                    at += 1;
                } else {
                    at += 2;
                }
            }
            b'C' if bytes.get(at + 1) == Some(&b'l') => {
                at += 2;
                spans.push((start, at));
            }
            b'B' if bytes.get(at + 1) == Some(&b'r') => {
                at += 2;
                spans.push((start, at));
            }
            b' ' | b'\t' => break,
            c if c.is_ascii_alphabetic() || c == b'*' => {
                at += 1;
                spans.push((start, at));
            }
            _ => at += 1,
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_marked_under_the_text() {
        assert_eq!(
            marked("target", "CC(=O)NCl", &[1, 2, 4]),
            "target  CC(=O)NCl\n         ^  ^  ^^\n"
        );
        assert_eq!(
            marked("q", "[H]O[C@H]1CC%10C1.C%10", &[0, 1]),
            "q  [H]O[C@H]1CC%10C1.C%10\n      ^^^^^^\n"
        );
        assert_eq!(marked("q", "[$([OH]c)]C", &[0]), "q  [$([OH]c)]C\n   ^^^^^^^^^^\n");
    }

    #[test]
    fn a_text_that_does_not_fit_is_shown_alone() {
        assert_eq!(marked("q", "C", &[3]), "q  C\n");
        assert_eq!(marked("q", &"C".repeat(200), &[0]).lines().count(), 1);
    }
}
