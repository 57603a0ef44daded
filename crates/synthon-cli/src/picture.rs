//! Atoms marked under a SMILES or SMARTS text, and coloured in it on a terminal.

use std::fmt::Write as _;
use std::ops::Range;

use synthon_mol::Molecule;
use synthon_query::Pattern;

/// Columns of a line; longer texts go over several.
const WIDTH: usize = 80;
/// Columns of the labels before the texts.
pub(crate) const LABEL: usize = 8;

const COLOUR_ON: &str = "\x1b[1;32m";
const COLOUR_OFF: &str = "\x1b[0m";

/// A text and the places of its atoms.
pub(crate) struct AtomText<'t> {
    text: &'t str,
    /// By atom; empty where the places are not known.
    places: Vec<Range<usize>>,
}

/// A line of marks under a text.
pub(crate) struct Marks {
    pub(crate) label: String,
    pub(crate) atoms: Vec<usize>,
}

impl<'t> AtomText<'t> {
    pub(crate) fn smiles(text: &'t str) -> Self {
        // What follows after a blank is a name.
        let text = text.split_whitespace().next().unwrap_or_default();
        let atoms = Molecule::from_smiles(text).map_or(0, |molecule| molecule.atom_count());
        let mut places = smiles_places(text);
        if places.len() != atoms {
            // Plain hydrogens beside other atoms are no atoms of the graph.
            places.retain(|place| &text[place.clone()] != "[H]");
        }
        if places.len() != atoms {
            places.clear();
        }
        AtomText { text, places }
    }

    pub(crate) fn smarts(text: &'t str) -> Self {
        let text = text.trim();
        let pattern = Pattern::from_smarts(text).ok();
        let atoms = pattern.iter().flat_map(|pattern| pattern.atoms());
        AtomText { text, places: atoms.map(|atom| atom.span()).collect() }
    }

    /// The text with its label, and below it a line for each of the marks. A text that does not
    /// fit is cut between atoms.
    pub(crate) fn draw(&self, label: &str, marks: &[Marks], coloured: bool) -> String {
        let marked = self.letters(marks.iter().flat_map(|mark| &mark.atoms));
        let pieces = self.pieces();
        let mut out = String::new();
        for (number, piece) in pieces.iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            let _ = write!(out, "{label:<LABEL$}");
            if coloured {
                push_coloured(&mut out, &self.text[piece.clone()], &marked[piece.clone()]);
            } else {
                out.push_str(&self.text[piece.clone()]);
            }
            out.push('\n');
            for mark in marks.iter().filter(|_| !self.places.is_empty()) {
                let letters = &self.letters(mark.atoms.iter())[piece.clone()];
                if pieces.len() > 1 && !letters.contains(&true) {
                    continue;
                }
                let line: String = letters.iter().map(|&on| if on { '^' } else { ' ' }).collect();
                let line = format!("{:<LABEL$}{line}", mark.label);
                out.push_str(line.trim_end());
                out.push('\n');
            }
        }
        out
    }

    /// The text with these atoms coloured.
    pub(crate) fn coloured(&self, atoms: &[usize]) -> String {
        let mut out = String::new();
        push_coloured(&mut out, self.text, &self.letters(atoms.iter()));
        out
    }

    /// For each byte of the text, whether it belongs to one of the atoms.
    fn letters<'a>(&self, atoms: impl Iterator<Item = &'a usize>) -> Vec<bool> {
        let mut letters = vec![false; self.text.len()];
        for place in atoms.filter_map(|&atom| self.places.get(atom)) {
            letters[place.clone()].fill(true);
        }
        letters
    }

    /// Parts of the text that fit into a line.
    fn pieces(&self) -> Vec<Range<usize>> {
        let width = WIDTH - LABEL;
        let mut pieces = Vec::new();
        let mut start = 0;
        while start < self.text.len() {
            let mut end = (start + width).min(self.text.len());
            if end < self.text.len()
                && let Some(split) = self.places.iter().find(|p| p.start < end && end < p.end)
                && split.start > start
            {
                end = split.start;
            }
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            pieces.push(start..end);
            start = end;
        }
        pieces
    }
}

fn push_coloured(out: &mut String, text: &str, on: &[bool]) {
    let mut was_on = false;
    for (at, letter) in text.char_indices() {
        if on[at] != was_on {
            out.push_str(if on[at] { COLOUR_ON } else { COLOUR_OFF });
            was_on = on[at];
        }
        out.push(letter);
    }
    if was_on {
        out.push_str(COLOUR_OFF);
    }
}

/// Words after a label, over as many lines as they need.
pub(crate) fn wrapped(label: &str, words: impl IntoIterator<Item = String>) -> String {
    let mut out = String::new();
    let mut line = format!("{label:<LABEL$}");
    let mut is_first = true;
    for word in words {
        if !is_first && line.len() + 1 + word.len() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(LABEL);
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line.push_str(&word);
        is_first = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// Places of the atoms of a SMILES, bracket atoms whole, plain hydrogens among them.
fn smiles_places(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'[' => {
                at = text[start..].find(']').map_or(bytes.len(), |close| start + close + 1);
                places.push(start..at);
            }
            b'%' if bytes.get(at) == Some(&b'(') => {
                at = text[at..].find(')').map_or(bytes.len(), |close| at + close + 1);
            }
            b'%' => at += 2,
            // A CXSMILES extension or the like.
            b'|' => break,
            letter if letter.is_ascii_alphabetic() || letter == b'*' => {
                let two =
                    matches!((letter, bytes.get(at)), (b'C', Some(b'l')) | (b'B', Some(b'r')));
                at += usize::from(two);
                places.push(start..at);
            }
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(label: &str, atoms: &[usize]) -> Vec<Marks> {
        vec![Marks { label: label.to_owned(), atoms: atoms.to_vec() }]
    }

    #[test]
    fn atoms_are_marked_under_the_text() {
        let shown = AtomText::smiles("CC(=O)NCl").draw("target", &marks("", &[1, 2, 4]), false);
        assert_eq!(shown, "target  CC(=O)NCl\n         ^  ^  ^^\n");
        let shown =
            AtomText::smiles("[H]O[C@H]1CC%10C1.C%10 name").draw("q", &marks("1", &[0, 1]), false);
        assert_eq!(shown, "q       [H]O[C@H]1CC%10C1.C%10\n1          ^^^^^^\n");
        let shown = AtomText::smiles("[H][H]").draw("q", &marks("", &[1]), false);
        assert_eq!(shown, "q       [H][H]\n           ^^^\n");
        let shown = AtomText::smarts("[$([OH]c)]C").draw("q", &marks("", &[0]), false);
        assert_eq!(shown, "q       [$([OH]c)]C\n        ^^^^^^^^^^\n");
    }

    #[test]
    fn a_long_text_goes_over_several_lines_between_atoms() {
        let text = format!("{}[13CH3]", "C".repeat(70));
        let shown = AtomText::smiles(&text).draw("target", &marks("", &[0, 70]), false);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 4, "{shown}");
        assert_eq!((lines[1], lines[2]), ("        ^", "        [13CH3]"));
        assert_eq!(lines[3], "        ^^^^^^^");
    }

    #[test]
    fn matched_atoms_are_coloured() {
        let text = AtomText::smiles("CCO");
        assert_eq!(text.coloured(&[1, 2]), "C\x1b[1;32mCO\x1b[0m");
        assert_eq!(text.coloured(&[]), "CCO");
    }

    #[test]
    fn words_are_wrapped_under_each_other() {
        let text = wrapped("atoms", (0..30).map(|i| format!("{i}-{i}")));
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH));
        assert!(text.starts_with("atoms   0-0 1-1 ") && text.contains("\n        "));
    }
}
