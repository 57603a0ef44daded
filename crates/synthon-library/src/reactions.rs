//! Files of reactions, read as a stream.

use std::io::{BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;

use crate::error::{LibraryError, LibraryErrorKind};

/// Longest line in bytes; a longer one is skipped and reported.
const MAX_LINE: usize = 1 << 20;

/// Column names that are looked for, letters and digits only, in order of preference.
const REACTION: [&str; 9] = [
    "reaction",
    "mappedreaction",
    "mappedrxn",
    "reactionsmiles",
    "rxnsmiles",
    "reactantsreagentsproduction",
    "reactantsreagentsproducts",
    "rxn",
    "smiles",
];
const CLASS: [&str; 3] = ["class", "reactionclass", "rxnclass"];
const CONFIDENCE: [&str; 3] = ["mapperconfidence", "confidence", "mappingconfidence"];
const SOURCE: [&str; 5] = ["patent", "patentnumber", "source", "reference", "id"];

/// Which columns of a table to read; `None`: found by the usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReactionColumns {
    /// Reaction SMILES.
    pub reaction: Option<String>,
    /// Class, 1 to 10; a finer code such as `1.2.3` counts by its first number.
    pub class: Option<String>,
    /// Confidence of the atom mapping, 0 to 1.
    pub confidence: Option<String>,
    /// Where the reaction comes from, such as a patent number.
    pub source: Option<String>,
}

/// A reaction as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionRecord {
    /// Line, counted from 1.
    pub line: u64,
    /// Reaction SMILES; not checked.
    pub reaction: String,
    /// Class, where the file states one from 1 to 10.
    pub class: Option<u8>,
    /// Confidence of the atom mapping, where the file states it.
    pub confidence: Option<f64>,
    /// Where the reaction comes from, where the file says so.
    pub source: Option<String>,
}

/// A line that gave no reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Line, counted from 1.
    pub line: u64,
    /// Stable code.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Whether the rest of the file could not be read.
    pub ends_input: bool,
}

/// Reads reactions from lines of reaction SMILES (what follows white space is the source) or from
/// a table with a header, separated by tabs, commas or semicolons; also compressed with gzip. A
/// bad line is part of the stream and does not end it.
pub struct ReactionReader {
    input: Box<dyn BufRead + Send>,
    line: u64,
    form: Form,
    first: Option<String>,
    ended: bool,
}

enum Form {
    Lines,
    Table {
        separator: char,
        reaction: usize,
        class: Option<usize>,
        confidence: Option<usize>,
        source: Option<usize>,
    },
}

impl ReactionReader {
    /// Begins to read; `name` is used in messages only.
    ///
    /// # Errors
    /// An input that cannot be read or is empty, and a table without the column of reactions or
    /// without a column that was asked for.
    pub fn new(
        name: &str,
        input: impl Read + Send + 'static,
        columns: &ReactionColumns,
    ) -> Result<ReactionReader, LibraryError> {
        let fault = |kind, message: String| LibraryError::new(kind, message).at(name, Some(1));
        let unreadable = |e: std::io::Error| fault(LibraryErrorKind::Read, e.to_string());
        let mut plain = BufReader::new(input);
        let gzip = plain.fill_buf().map_err(unreadable)?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead + Send> = if gzip {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(plain)))
        } else {
            Box::new(plain)
        };
        let mut reader =
            ReactionReader { input, line: 0, form: Form::Lines, first: None, ended: false };
        let first = loop {
            match reader.next_line() {
                None => return Err(fault(LibraryErrorKind::Empty, "no reaction".into())),
                Some(Err(bad)) => return Err(fault(LibraryErrorKind::Read, bad.message)),
                Some(Ok(line)) if line.trim().is_empty() => {}
                Some(Ok(line)) => break line,
            }
        };
        let is_reaction = first
            .split(char::is_whitespace)
            .next()
            .is_some_and(|word| word.matches('>').count() == 2 && word.contains([':', '[']));
        if is_reaction && *columns == ReactionColumns::default() {
            reader.first = Some(first);
            return Ok(reader);
        }
        let separator = ['\t', ';', ','].into_iter().find(|&s| first.contains(s)).unwrap_or('\t');
        let header: Vec<String> = fields(&first, separator).map(|f| plain_name(&f)).collect();
        let find = |given: &Option<String>, usual: &[&str]| match given {
            Some(name) => match header.iter().position(|h| *h == plain_name(name)) {
                Some(at) => Ok(Some(at)),
                None => Err(fault(LibraryErrorKind::Column, format!("no column `{name}`"))
                    .with_hint(format!("the columns are {}", header.join(", ")))),
            },
            None => Ok(usual.iter().find_map(|u| header.iter().position(|h| h == u))),
        };
        let reaction = find(&columns.reaction, &REACTION)?.ok_or_else(|| {
            fault(LibraryErrorKind::Column, "no column of reaction SMILES".into())
                .with_hint(format!("the columns are {}", header.join(", ")))
        })?;
        reader.form = Form::Table {
            separator,
            reaction,
            class: find(&columns.class, &CLASS)?,
            confidence: find(&columns.confidence, &CONFIDENCE)?,
            source: find(&columns.source, &SOURCE)?,
        };
        Ok(reader)
    }

    /// The next line without its end.
    fn next_line(&mut self) -> Option<Result<String, BadLine>> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        if self.ended {
            return None;
        }
        self.line += 1;
        let bad = |line, code, message: String| BadLine { line, code, message, ends_input: false };
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(MAX_LINE as u64).read_until(b'\n', &mut bytes);
        if let Err(error) = read {
            self.ended = true;
            let bad = bad(self.line, "reactions.read", error.to_string());
            return Some(Err(BadLine { ends_input: true, ..bad }));
        }
        if bytes.is_empty() {
            self.ended = true;
            return None;
        }
        if bytes.len() == MAX_LINE && bytes.last() != Some(&b'\n') {
            self.skip_line();
            let message = format!("more than {MAX_LINE} bytes");
            return Some(Err(bad(self.line, "reactions.too_long", message)));
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        Some(String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            bad(self.line, "reactions.utf8", format!("not UTF-8 at byte {place}"))
        }))
    }

    fn skip_line(&mut self) {
        loop {
            let Ok(buffer) = self.input.fill_buf() else { return };
            if buffer.is_empty() {
                return;
            }
            let end = buffer.iter().position(|&b| b == b'\n');
            let length = end.map_or(buffer.len(), |at| at + 1);
            self.input.consume(length);
            if end.is_some() {
                return;
            }
        }
    }

    fn record(&self, line: &str) -> Result<ReactionRecord, BadLine> {
        let missing = || BadLine {
            line: self.line,
            code: "reactions.no_reaction",
            message: "no reaction".into(),
            ends_input: false,
        };
        let Form::Table { separator, reaction, class, confidence, source } = self.form else {
            let mut words = line.split_whitespace();
            let reaction = words.next().ok_or_else(missing)?.to_owned();
            let source = words.next().map(str::to_owned);
            return Ok(ReactionRecord {
                line: self.line,
                reaction,
                class: None,
                confidence: None,
                source,
            });
        };
        let fields: Vec<String> = fields(line, separator).collect();
        let field = |at: Option<usize>| {
            at.and_then(|at| fields.get(at)).map(|f| f.trim()).filter(|f| !f.is_empty())
        };
        Ok(ReactionRecord {
            line: self.line,
            reaction: field(Some(reaction)).ok_or_else(missing)?.to_owned(),
            class: field(class).and_then(class_number),
            confidence: field(confidence).and_then(|f| f.parse().ok()),
            source: field(source).map(str::to_owned),
        })
    }
}

impl Iterator for ReactionReader {
    type Item = Result<ReactionRecord, BadLine>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line()? {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Some(self.record(&line)),
                Err(bad) => return Some(Err(bad)),
            }
        }
    }
}

fn plain_name(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// The first number of a class, from 1 to 10: `3`, `<RX_3>`, `3.1.4`.
fn class_number(text: &str) -> Option<u8> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok().filter(|class| (1..=10).contains(class))
}

/// The fields of a line; with commas and semicolons they may stand in quotes.
fn fields(line: &str, separator: char) -> impl Iterator<Item = String> + '_ {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        if separator != '\t' && text.starts_with('"') {
            let (mut field, mut at) = (String::new(), 1);
            loop {
                let Some(quote) = text[at..].find('"') else {
                    field.push_str(&text[at..]);
                    rest = None;
                    return Some(field);
                };
                field.push_str(&text[at..at + quote]);
                at += quote + 1;
                if text[at..].starts_with('"') {
                    field.push('"');
                    at += 1;
                    continue;
                }
                let end = text[at..].find(separator);
                rest = end.map(|end| &text[at + end + separator.len_utf8()..]);
                return Some(field);
            }
        }
        match text.split_once(separator) {
            Some((field, after)) => {
                rest = Some(after);
                Some(field.to_owned())
            }
            None => {
                rest = None;
                Some(text.to_owned())
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<ReactionRecord, BadLine>> {
        let columns = ReactionColumns::default();
        ReactionReader::new("test", std::io::Cursor::new(text.as_bytes().to_vec()), &columns)
            .expect(text)
            .collect()
    }

    #[test]
    fn lines_and_tables_give_the_same() {
        let lines = read("[CH4:1]>>[CH3:1]Br US1\n\n[CH4:2]>>[CH3:2]Cl\n");
        let table =
            read("id\tClass\tmapper_confidence\treaction\nUS1\t9\t0.5\t[CH4:1]>>[CH3:1]Br\n");
        let csv =
            read("id,class,reactants>reagents>production\n\"US1\",<RX_9>,\"[CH4:1]>>[CH3:1]Br\"\n");
        let first = lines[0].as_ref().expect("a reaction");
        assert_eq!(
            (first.reaction.as_str(), first.source.as_deref()),
            ("[CH4:1]>>[CH3:1]Br", Some("US1"))
        );
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].as_ref().map(|r| r.source.clone()), Ok(None));
        for (records, confidence) in [(table, Some(0.5)), (csv, None)] {
            let record = records[0].as_ref().expect("a reaction");
            assert_eq!(record.reaction, first.reaction);
            assert_eq!(record.source, first.source);
            assert_eq!((record.class, record.confidence), (Some(9), confidence));
        }
    }

    #[test]
    fn bad_lines_do_not_end_the_file() {
        let long = "C".repeat(MAX_LINE + 10);
        let text = format!("class\treaction\n1\n{long}\n2\t[CH4:1]>>[CH3:1]Br\n");
        let records = read(&text);
        let codes: Vec<_> =
            records.iter().map(|r| r.as_ref().map_or_else(|bad| bad.code, |_| "good")).collect();
        assert_eq!(codes, ["reactions.no_reaction", "reactions.too_long", "good"]);
        assert_eq!(records[2].as_ref().map(|r| r.line), Ok(4));
    }

    #[test]
    fn a_table_without_reactions_is_refused() {
        let fault = |text: &'static str, columns: &ReactionColumns| {
            ReactionReader::new("t.csv", text.as_bytes(), columns).err().expect(text)
        };
        let error = fault("a,b\n1,2\n", &ReactionColumns::default());
        assert_eq!(error.code(), "library.column");
        assert!(error.to_string().contains("a, b"), "{error}");
        let asked = ReactionColumns { class: Some("kind".into()), ..Default::default() };
        assert_eq!(fault("reaction,class\n", &asked).code(), "library.column");
        assert_eq!(fault("", &ReactionColumns::default()).code(), "library.empty");
    }

    #[test]
    fn classes_are_numbers_from_1_to_10() {
        for (text, class) in [
            ("3", Some(3)),
            ("<RX_10>", Some(10)),
            ("1.2.3", Some(1)),
            ("0", None),
            ("11.1", None),
            ("?", None),
        ] {
            assert_eq!(class_number(text), class, "{text}");
        }
    }
}
