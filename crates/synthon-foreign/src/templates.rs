//! Tables of templates: tab-separated, one a row, packed by gzip or not.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use synthon_library::{GivenTemplate, LibraryLimits};
use synthon_reaction::Template;

use crate::error::{ForeignError, ForeignErrorKind};

/// Templates of a table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Those that the engine reads, each once, in the order of the table.
    pub templates: Vec<GivenTemplate>,
    /// For each row, its template.
    pub rows: Vec<Option<u32>>,
}

/// The content of a file that may have so many bytes.
pub(crate) fn bytes(path: &Path, shown: &str, most: u64) -> Result<Vec<u8>, ForeignError> {
    let fault = |message: String| ForeignError::new(ForeignErrorKind::Read, shown, message);
    // The size that a file announces is no bound: a device announces none.
    let file = File::open(path).map_err(|error| fault(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| fault(error.to_string()))?;
    match bytes.len() as u64 > most {
        true => Err(fault(format!("more than the {most} bytes that are allowed"))),
        false => Ok(bytes),
    }
}

/// Reads a table with a header. Of its columns that of the texts is needed; `library_occurence`
/// and `classification` tell counts and classes.
pub(crate) fn read(
    path: &Path,
    column: &str,
    limits: &LibraryLimits,
) -> Result<Table, ForeignError> {
    let shown = path.display().to_string();
    let named = |wanted: &[&str]| wanted.iter().any(|end| shown.ends_with(end));
    if !named(&[".csv", ".csv.gz"]) {
        let message = "templates that are no .csv or .csv.gz";
        return Err(ForeignError::new(ForeignErrorKind::Unsupported, &shown, message).with_hint(
            "convert them: pandas.read_hdf(FILE, \"table\").to_csv(\"t.csv.gz\", sep=\"\\t\")",
        ));
    }
    let packed = bytes(path, &shown, limits.max_file)?;
    let rows = match named(&[".gz"]) {
        true => rows(MultiGzDecoder::new(packed.as_slice()), column, &shown, limits)?,
        false => rows(packed.as_slice(), column, &shown, limits)?,
    };
    let read: Vec<Option<Template>> =
        rows.par_iter().map(|row| Template::from_smarts(&row.smarts).ok()).collect();
    let mut table = Table { templates: Vec::new(), rows: Vec::with_capacity(rows.len()) };
    let mut known: HashMap<String, u32> = HashMap::new();
    for (row, template) in rows.iter().zip(read) {
        let place = template.map(|template| {
            let next = table.templates.len() as u32;
            let place = *known.entry(template.smarts().to_owned()).or_insert(next);
            if place == next {
                let (count, class) = (row.count, row.class);
                table.templates.push(GivenTemplate { template, count, class });
            }
            place
        });
        table.rows.push(place);
    }
    if table.templates.is_empty() {
        let message = format!("none of {} rows has a template", rows.len());
        return Err(ForeignError::new(ForeignErrorKind::Templates, &shown, message));
    }
    Ok(table)
}

struct Row {
    smarts: String,
    count: u32,
    class: Option<u8>,
}

fn rows(
    reader: impl Read,
    column: &str,
    shown: &str,
    limits: &LibraryLimits,
) -> Result<Vec<Row>, ForeignError> {
    let fault = |message: String| ForeignError::new(ForeignErrorKind::Templates, shown, message);
    // What is unpacked is bounded as what is packed.
    let reader = BufReader::new(reader).take(limits.max_file + 1);
    let mut csv = csv::ReaderBuilder::new().delimiter(b'\t').flexible(true).from_reader(reader);
    let header = csv.headers().map_err(|error| fault(error.to_string()))?.clone();
    let find = |wanted: &str| header.iter().position(|name| name == wanted);
    let Some(text) = find(column) else {
        let names: Vec<&str> = header.iter().take(20).collect();
        let message = format!("no column {column:?}; the header has: {}", names.join(", "));
        return Err(fault(message).at_line(1));
    };
    let (count, class) = (find("library_occurence"), find("classification"));
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while csv.read_record(&mut record).map_err(|error| fault(error.to_string()))? {
        let line = record.position().map_or(0, csv::Position::line);
        if rows.len() == limits.max_templates {
            let message = format!("more than {} templates", limits.max_templates);
            return Err(fault(message).at_line(line));
        }
        let Some(smarts) = record.get(text) else {
            return Err(fault("a row that ends before the template".to_owned()).at_line(line));
        };
        let field = |column: Option<usize>| column.and_then(|c| record.get(c)).unwrap_or_default();
        rows.push(Row {
            smarts: smarts.to_owned(),
            count: field(count).parse::<f64>().map_or(0, |count| count as u32),
            class: field(class).split(['.', ' ']).next().and_then(|class| class.parse().ok()),
        });
    }
    if csv.position().byte() > limits.max_file {
        return Err(fault(format!("unpacks to more than {} bytes", limits.max_file)));
    }
    Ok(rows)
}
