//! Stocks and libraries out of files, which the command line alone may name.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use synthon_library::{Library, LibraryLimits};
use synthon_stock::{CsvColumns, LoadOptions, LoadReport, Stock, StockError};
use synthon_tools::Catalogue;

use crate::failure::Failure;

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
    let stock = read_stock(given, path)
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
    catalogue.add_stock(name, move || read_stock(&label, &path));
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

fn read_library(name: &str, path: &Path) -> Result<Library, String> {
    Library::from_path(name, path, &LibraryLimits::default()).map_err(|error| error.to_string())
}

fn read_stock(name: &str, path: &Path) -> Result<Stock, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let options = LoadOptions::default();
    let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let read = if is_csv {
        Stock::from_csv(name, file, &CsvColumns::smiles("smiles"), &options)
    } else {
        Stock::from_smiles_lines(name, BufReader::new(file), &options)
    };
    let (stock, report) = read.map_err(|error: StockError| error.to_string())?;
    tell_bad_lines(name, &report);
    Ok(stock)
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
