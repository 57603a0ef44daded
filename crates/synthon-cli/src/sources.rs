//! Stocks and libraries out of files, which the command line alone may name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use synthon_foreign::Configuration;
use synthon_library::{ExtractedLibrary, Library, LibraryLimits};
use synthon_records::Gunzip;
use synthon_stock::{CsvColumns, LoadOptions, LoadReport, Stock, StockError, TextOf};
use synthon_tools::Catalogue;

use crate::failure::Failure;

/// Longest Bloom filter that is read into memory.
const MAX_FILTER: u64 = 4 << 30;
/// Bad lines of a stock that are shown.
const SHOWN: usize = 5;

/// Reads `given` as a stock file unless it is a configured name; it is then asked for by the same
/// text. What is wrong with single lines is told on standard error.
pub(crate) fn add_stock_file(
    catalogue: &mut Catalogue,
    flag: &str,
    given: &str,
) -> Result<(), Failure> {
    if catalogue.stock_names().contains(&given) {
        return Ok(());
    }
    let path = Path::new(given);
    if !path.is_file() {
        return Err(Failure::input(format!(
            "{flag}: {given:?} is neither a configured stock nor a file; configured: {}",
            catalogue.stock_names().join(", ")
        )));
    }
    let stock = read_told(given, path)
        .map_err(|reason| Failure::input(format!("{flag}: {given}: {reason}")))?;
    catalogue.add_stock(given, move || Ok(stock.clone()));
    Ok(())
}

/// Offers the stock in a file under a name. The file must be there now, and is read when a call
/// first asks for it: a server starts at once.
pub(crate) fn add_named_stock(
    catalogue: &mut Catalogue,
    name: &str,
    file: &Path,
) -> Result<(), Failure> {
    if !file.is_file() {
        return Err(Failure::input(format!("--stock {name}: {} is no file", file.display())));
    }
    let (label, path) = (name.to_owned(), file.to_owned());
    catalogue.add_stock(name, move || read_told(&label, &path));
    Ok(())
}

/// Reads `given` as a library file or folder unless it is a configured name; it is then asked for
/// by the same text.
pub(crate) fn add_library_path(
    catalogue: &mut Catalogue,
    flag: &str,
    given: &str,
) -> Result<(), Failure> {
    if catalogue.library_names().contains(&given) {
        return Ok(());
    }
    let path = Path::new(given);
    if !path.exists() {
        return Err(Failure::input(format!(
            "{flag}: {given:?} is neither a configured library nor a file or folder; configured: {}",
            catalogue.library_names().join(", ")
        )));
    }
    let library =
        read_library(given, path).map_err(|reason| Failure::input(format!("{flag}: {reason}")))?;
    catalogue.add_library(given, move || Ok(library.clone()));
    Ok(())
}

/// Offers the library in a file or folder under a name, read like
/// [a stock](add_named_stock).
pub(crate) fn add_named_library(
    catalogue: &mut Catalogue,
    name: &str,
    path: &Path,
) -> Result<(), Failure> {
    if !path.exists() {
        return Err(Failure::input(format!("--library {name}: there is no {}", path.display())));
    }
    let (label, path) = (name.to_owned(), path.to_owned());
    catalogue.add_library(name, move || read_library(&label, &path));
    Ok(())
}

/// Reads a library: a folder that `synthon library build` made, a file of named templates or a
/// folder of such files, or a configuration of AiZynthFinder.
///
/// # Errors
/// What is wrong with it, in a sentence.
pub fn read_library(name: &str, path: &Path) -> Result<Library, String> {
    if is_configuration(path) {
        let library = Configuration::open(path)
            .and_then(|configuration| configuration.library(name, &LibraryLimits::default()))
            .map_err(|error| error.to_string())?;
        tell_left_out(name, &library);
        return Ok(library);
    }
    if ExtractedLibrary::is_folder_of_one(path) {
        // A built library stands on top of the named templates, as the shipped one does.
        return ExtractedLibrary::open(path, &LibraryLimits::default())
            .map(|extracted| Library::curated().with_extracted(name, Arc::new(extracted)))
            .map_err(|error| error.to_string());
    }
    Library::from_path(name, path, &LibraryLimits::default()).map_err(|error| error.to_string())
}

/// Reads a stock by what its name ends in and what it begins with: `.csv` a table, `.bloom` a
/// Bloom filter of molbloom, `.yml` a configuration of AiZynthFinder, whose one stock is read;
/// InChIKeys where the first line holds or announces one, else SMILES; each but the filter also
/// packed by gzip. The report counts the lines that gave no molecule.
///
/// # Errors
/// What is wrong with the file, in a sentence.
pub fn read_stock(name: &str, path: &Path) -> Result<(Stock, LoadReport), String> {
    if is_configuration(path) {
        let configuration = Configuration::open(path).map_err(|error| error.to_string())?;
        return match configuration.stocks.as_slice() {
            [(_, file)] if !is_configuration(file) => {
                read_stock(name, file).map_err(|reason| format!("{}: {reason}", file.display()))
            }
            stocks => Err(format!(
                "the configuration names {} stocks, one is asked for; give its file instead",
                stocks.len()
            )),
        };
    }
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    let options = LoadOptions::default();
    let ends_in = |wanted: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted));
    if ends_in("bloom") {
        let text: TextOf = |molecule| synthon_toolkit::kekule_smiles(molecule).ok();
        let read = Stock::from_bloom(name, file, text, MAX_FILTER);
        return read.map(|stock| (stock, LoadReport::default())).map_err(|e| e.to_string());
    }
    let mut magic = [0; 2];
    let packed = file.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
    file.rewind().map_err(|error| error.to_string())?;
    let mut reader: Box<dyn BufRead> = match packed {
        true => Box::new(BufReader::new(Gunzip::new(file))),
        false => Box::new(BufReader::new(file)),
    };
    let start = reader.fill_buf().map_err(|error| error.to_string())?;
    let keys = is_key_list(start);
    let read = if keys {
        let key: TextOf = |molecule| synthon_toolkit::inchi_key(molecule).ok();
        Stock::from_inchi_keys(name, reader, key, &options)
    } else if ends_in("csv") {
        Stock::from_csv(name, reader, &CsvColumns::smiles("smiles"), &options)
    } else {
        Stock::from_smiles_lines(name, reader, &options)
    };
    read.map_err(|error: StockError| error.to_string())
}

/// Reads a stock, and tells on standard error which lines gave no molecule.
fn read_told(name: &str, path: &Path) -> Result<Stock, String> {
    let (stock, report) = read_stock(name, path)?;
    tell_bad_lines(name, &report);
    Ok(stock)
}

/// Whether a file is a configuration of AiZynthFinder, by what its name ends in.
fn is_configuration(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// Whether a file begins with an InChIKey, or with a header that calls its first column so.
fn is_key_list(start: &[u8]) -> bool {
    let end = start.iter().position(|b| b", \t;\r\n".contains(b)).unwrap_or(start.len());
    let word = String::from_utf8_lossy(&start[..end]).to_ascii_lowercase();
    let dashes: Vec<usize> = word.match_indices('-').map(|(at, _)| at).collect();
    ["inchikey", "inchi_key"].contains(&word.as_str()) || (word.len() == 27 && dashes == [14, 25])
}

/// Templates of others that this engine does not read are left out, and counted.
fn tell_left_out(name: &str, library: &Library) {
    let Some(statistics) = library.extracted().map(ExtractedLibrary::statistics) else { return };
    let left_out: u64 = statistics.rejected.values().sum();
    if left_out > 0 {
        let all = statistics.templates_found;
        // That a warning cannot be printed is nothing to report.
        let _ = writeln!(io::stderr(), "warning: {name}: {left_out} of {all} templates left out");
    }
}

/// Bad lines are counted and the first ones shown; they never stop the work.
fn tell_bad_lines(name: &str, report: &LoadReport) {
    if report.bad == 0 {
        return;
    }
    let mut text =
        format!("warning: {name}: {} of {} lines gave no molecule\n", report.bad, report.lines);
    for bad in report.bad_lines.iter().take(SHOWN) {
        text.push_str(&format!("  line {}: {}\n", bad.line, bad.reason));
    }
    // That a warning cannot be printed is nothing to report.
    let _ = io::stderr().write_all(text.as_bytes());
}
