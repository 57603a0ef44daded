//! Reading a user's stock: a SMILES or a CSV file, line by line, in bounded memory.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{BufRead, Read};
use std::rc::Rc;

use synthon_mol::{Molecule, ReadOptions, read_smiles};

use crate::error::{StockError, StockErrorKind};
use crate::index::index_of;
use crate::parent::{flat, neutral_parent};
use crate::stock::Stock;

/// What a caller allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Most molecules; default 2,000,000. Each takes about 80 bytes and the length of its text.
    pub max_entries: usize,
    /// Most InChIKeys; default 50,000,000. Each takes 16 bytes, up to 48 while they are read.
    pub max_keys: usize,
    /// Longest line in bytes; default 16,384. Longer ones are reported and skipped.
    pub max_line: usize,
    /// Most bad lines that the report describes; default 100. All are counted.
    pub max_described: usize,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            max_entries: 2_000_000,
            max_keys: 50_000_000,
            max_line: 16_384,
            max_described: 100,
        }
    }
}

/// A line that gave no molecule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Line of the input, counted from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// What became of the lines of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// Lines that hold something, comments and a header not counted.
    pub lines: u64,
    /// Distinct molecules that were taken.
    pub accepted: u64,
    /// Lines that repeat a molecule.
    pub duplicates: u64,
    /// Lines that gave no molecule.
    pub bad: u64,
    /// The first of them.
    pub bad_lines: Vec<BadLine>,
}

impl LoadReport {
    pub(crate) fn add_bad(&mut self, line: u64, reason: String, options: &LoadOptions) {
        self.bad += 1;
        if self.bad_lines.len() < options.max_described {
            self.bad_lines.push(BadLine { line, reason });
        }
    }
}

/// Columns of a CSV file, by the names in its header (case does not matter).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvColumns {
    /// SMILES.
    pub smiles: String,
    /// Name, if any.
    pub name: Option<String>,
    /// Price, if any.
    pub price: Option<String>,
}

impl CsvColumns {
    /// SMILES in this column; name and price in columns called `name` and `price`, should there be
    /// any.
    pub fn smiles(column: &str) -> Self {
        CsvColumns { smiles: column.to_owned(), name: None, price: None }
    }
}

impl Stock {
    /// Reads `SMILES [name]`, one molecule a line. Empty lines and those that start with `#` are
    /// left out; bad ones are reported and never fatal.
    ///
    /// # Errors
    /// A file that cannot be read, one without any molecule, or more molecules than allowed.
    pub fn from_smiles_lines(
        name: &str,
        mut reader: impl BufRead,
        options: &LoadOptions,
    ) -> Result<(Stock, LoadReport), StockError> {
        let mut loader = Loader::new(options);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let limit = options.max_line as u64 + 1;
            let read = reader.by_ref().take(limit).read_until(b'\n', &mut line);
            let length = read.map_err(|e| unreadable(&e, number))?;
            if length == 0 {
                break;
            }
            if line.last() != Some(&b'\n') && length as u64 == limit {
                skip_line(&mut reader).map_err(|e| unreadable(&e, number))?;
                loader.report.lines += 1;
                loader.bad(number, format!("more than {} bytes", options.max_line));
                continue;
            }
            let Ok(text) = std::str::from_utf8(&line) else {
                loader.report.lines += 1;
                loader.bad(number, "not UTF-8".to_owned());
                continue;
            };
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (smiles, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            loader.take(number, smiles, rest.trim(), "")?;
        }
        loader.finish(name)
    }

    /// Reads a CSV file with a header. Bad records are reported and never fatal.
    ///
    /// # Errors
    /// A file that cannot be read, one without the column or without any molecule, or more
    /// molecules than allowed.
    pub fn from_csv(
        name: &str,
        reader: impl Read,
        columns: &CsvColumns,
        options: &LoadOptions,
    ) -> Result<(Stock, LoadReport), StockError> {
        let (reader, since) = Metered::new(reader, options.max_line);
        let mut csv = csv::ReaderBuilder::new().flexible(true).from_reader(reader);
        let header = csv
            .headers()
            .map_err(|e| StockError::new(StockErrorKind::Read, e.to_string()).at_line(1))?
            .clone();
        let find = |wanted: &str| {
            header.iter().position(|h| {
                h.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(wanted.trim())
            })
        };
        let missing = |wanted: &str| {
            let names: Vec<&str> = header.iter().collect();
            StockError::new(StockErrorKind::Column, format!("no column `{wanted}`"))
                .at_line(1)
                .with_hint(format!("the header has: {}", names.join(", ")))
        };
        let smiles = find(&columns.smiles).ok_or_else(|| missing(&columns.smiles))?;
        let optional = |asked: &Option<String>, usual: &str| match asked {
            Some(asked) => find(asked).map(Some).ok_or_else(|| missing(asked)),
            None => Ok(find(usual)),
        };
        let label = optional(&columns.name, "name")?;
        let price = optional(&columns.price, "price")?;
        let mut loader = Loader::new(options);
        let mut record = csv::StringRecord::new();
        loop {
            since.set(0);
            let next = csv.read_record(&mut record);
            let number = record.position().map_or_else(|| csv.position().line(), |p| p.line());
            match next {
                Ok(false) => break,
                Ok(true) => {}
                Err(error) if matches!(error.kind(), csv::ErrorKind::Io(_)) => {
                    return Err(
                        StockError::new(StockErrorKind::Read, error.to_string()).at_line(number)
                    );
                }
                Err(error) => {
                    loader.report.lines += 1;
                    loader.bad(number, error.to_string());
                    continue;
                }
            }
            let field = |column: Option<usize>| {
                column.and_then(|c| record.get(c)).map(str::trim).unwrap_or_default()
            };
            let text = field(Some(smiles));
            if text.len() > options.max_line {
                loader.report.lines += 1;
                loader.bad(number, format!("a SMILES of more than {} bytes", options.max_line));
            } else {
                loader.take(number, text, field(label), field(price))?;
            }
        }
        loader.finish(name)
    }
}

/// Fails when a record of a table is longer than [`RECORD`] lines may be: one that never ends,
/// as after a quotation mark that is never closed, would be collected in memory.
struct Metered<R> {
    inner: R,
    /// Bytes since the record began.
    since: Rc<Cell<u64>>,
    limit: u64,
}

/// Longest record of a table, in the longest lines.
const RECORD: u64 = 64;

impl<R> Metered<R> {
    fn new(inner: R, max_line: usize) -> (Self, Rc<Cell<u64>>) {
        let since = Rc::new(Cell::new(0));
        let limit = RECORD.saturating_mul(max_line as u64);
        (Metered { inner, since: Rc::clone(&since), limit }, since)
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.since.get() > self.limit {
            let message = format!("a record of more than {} bytes", self.limit);
            return Err(std::io::Error::other(message));
        }
        let length = self.inner.read(buffer)?;
        self.since.set(self.since.get() + length as u64);
        Ok(length)
    }
}

fn unreadable(error: &std::io::Error, line: u64) -> StockError {
    StockError::new(StockErrorKind::Read, error.to_string()).at_line(line)
}

/// Reads to the end of the line without keeping it.
fn skip_line(reader: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        match buffer.iter().position(|&b| b == b'\n') {
            Some(end) => {
                reader.consume(end + 1);
                return Ok(());
            }
            None => {
                let all = buffer.len();
                reader.consume(all);
            }
        }
    }
}

struct Loader<'o> {
    options: &'o LoadOptions,
    text: String,
    exact: Vec<(u128, u32)>,
    flat: Vec<(u128, u32)>,
    report: LoadReport,
}

impl<'o> Loader<'o> {
    fn new(options: &'o LoadOptions) -> Self {
        Loader {
            options,
            text: String::new(),
            exact: Vec::new(),
            flat: Vec::new(),
            report: LoadReport::default(),
        }
    }

    fn bad(&mut self, line: u64, reason: String) {
        self.report.add_bad(line, reason, self.options);
    }

    fn take(&mut self, line: u64, smiles: &str, name: &str, price: &str) -> Result<(), StockError> {
        self.report.lines += 1;
        let molecule = match read_smiles(smiles, &ReadOptions::default()) {
            Ok(molecule) => molecule,
            Err(error) => {
                self.bad(line, error.to_string());
                return Ok(());
            }
        };
        let price = match price {
            "" => "",
            text => match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value >= 0.0 => text,
                _ => {
                    self.bad(line, format!("`{text}` is no price"));
                    return Ok(());
                }
            },
        };
        let canonical = molecule.to_unmapped_smiles();
        self.add(line, &molecule, &canonical, name, price, "")?;
        // A salt also answers for its parent. The parent comes after it, so that a line with the
        // parent itself, wherever it stands, is found by its own text only if it comes first.
        if molecule.components().0 > 1
            && let Some(parent) = neutral_parent(&molecule)
        {
            let text = parent.to_unmapped_smiles();
            self.add(line, &parent, &text, name, price, &canonical)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        line: u64,
        molecule: &Molecule,
        smiles: &str,
        name: &str,
        price: &str,
        sold_as: &str,
    ) -> Result<(), StockError> {
        if self.exact.len() >= self.options.max_entries {
            return Err(StockError::new(
                StockErrorKind::TooLarge,
                format!("more than {} molecules", self.options.max_entries),
            )
            .at_line(line));
        }
        let at = u32::try_from(self.text.len()).map_err(|_| {
            StockError::new(StockErrorKind::TooLarge, "more than 4 GiB of text").at_line(line)
        })?;
        self.exact.push((molecule.canonical_key(), at));
        self.flat.extend(flat(molecule).map(|m| (m.canonical_key(), at)));
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        self.text.push_str(smiles);
        if !name.is_empty() || !price.is_empty() || !sold_as.is_empty() {
            for field in [&clean(name), "", price, sold_as] {
                self.text.push('\t');
                self.text.push_str(field);
            }
        }
        self.text.push('\n');
        Ok(())
    }

    fn finish(mut self, name: &str) -> Result<(Stock, LoadReport), StockError> {
        if self.exact.is_empty() {
            let error = StockError::new(StockErrorKind::Empty, "no line holds a molecule");
            return Err(match self.report.bad_lines.first() {
                Some(bad) => error
                    .at_line(bad.line)
                    .with_hint(format!("the first bad line says: {}", bad.reason)),
                None => {
                    error.with_hint("a SMILES file has a SMILES and, if you like, a name a line")
                }
            });
        }
        let taken = self.exact.len() as u64;
        let index = index_of(self.exact, self.flat, &self.text)?;
        self.report.accepted = index.len() as u64;
        self.report.duplicates = taken - self.report.accepted;
        self.text.shrink_to_fit();
        let stock = Stock::from_parts(name, "", name, Cow::Owned(self.text), index);
        Ok((stock, self.report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> (Stock, LoadReport) {
        Stock::from_smiles_lines("mine", text.as_bytes(), &LoadOptions::default()).expect(text)
    }

    fn read(smiles: &str) -> Molecule {
        Molecule::from_smiles(smiles).expect(smiles)
    }

    #[test]
    fn bad_lines_are_reported_and_never_fatal() {
        let (stock, report) =
            load("# mine\nCCO ethanol\n\nC1CC\nOCC\nCC(=O)O\tacetic acid\nc1cccn1\n");
        assert_eq!((report.lines, report.accepted), (5, 2));
        assert_eq!((report.duplicates, report.bad), (1, 2));
        assert_eq!(report.bad_lines.iter().map(|b| b.line).collect::<Vec<_>>(), [4, 7]);
        assert!(report.bad_lines[0].reason.contains("ring"), "{:?}", report.bad_lines[0]);
        let entry = stock.contains(&read("CC(O)=O")).entry().expect("in stock");
        assert_eq!((entry.name, entry.source), (Some("acetic acid"), "mine"));
    }

    #[test]
    fn a_salt_answers_for_its_parent() {
        let (stock, report) = load("Cl.NCCc1ccccc1 phenethylamine hydrochloride\n");
        assert_eq!(report.accepted, 2);
        let entry = stock.contains(&read("NCCc1ccccc1")).entry().expect("sold as a salt");
        assert_eq!(entry.sold_as(), Some("Cl.NCCc1ccccc1"));
        assert_eq!(entry.name, Some("phenethylamine hydrochloride"));
    }

    #[test]
    fn csv_columns_are_found_by_name() {
        let text = "id,Smiles,price,name\n1,CCO,3.5,\"ethanol, dry\"\n2,nonsense,1,x\n3,CC,dear,ethane\n4,CO\n";
        let columns = CsvColumns::smiles("SMILES");
        let (stock, report) =
            Stock::from_csv("mine", text.as_bytes(), &columns, &LoadOptions::default())
                .expect("reads");
        assert_eq!((report.lines, report.accepted, report.bad), (4, 2, 2));
        assert_eq!(report.bad_lines.iter().map(|b| b.line).collect::<Vec<_>>(), [3, 4]);
        let entry = stock.contains(&read("CCO")).entry().expect("in stock");
        assert_eq!((entry.name, entry.price), (Some("ethanol, dry"), Some(3.5)));
        let error = Stock::from_csv(
            "mine",
            text.as_bytes(),
            &CsvColumns::smiles("mol"),
            &LoadOptions::default(),
        )
        .expect_err("no such column");
        assert_eq!(error.code(), "stock.column");
        assert!(error.hint().expect("lists columns").contains("Smiles"));
    }

    #[test]
    fn limits_hold() {
        let options = LoadOptions { max_entries: 2, ..LoadOptions::default() };
        let error = Stock::from_smiles_lines("mine", "C\nCC\nCCC\n".as_bytes(), &options)
            .expect_err("three are too many");
        assert_eq!((error.code(), error.line()), ("stock.too_large", Some(3)));
        let long = format!("{}\nCCO\n", "C".repeat(50_000));
        let (_, report) = load(&long);
        assert_eq!((report.bad, report.accepted), (1, 1));
        for text in ["smiles,name\nCCO,\"never closed\n", "smiles"] {
            let endless = text.as_bytes().chain(std::io::repeat(b'x'));
            let columns = CsvColumns::smiles("smiles");
            let error = Stock::from_csv("mine", endless, &columns, &LoadOptions::default())
                .expect_err("a record without end");
            assert_eq!(error.code(), "stock.read");
            assert!(error.message().contains("1048576 bytes"), "{error}");
        }
        let error = Stock::from_smiles_lines("mine", "\n#\n".as_bytes(), &LoadOptions::default())
            .expect_err("nothing in it");
        assert_eq!(error.code(), "stock.empty");
    }
}
