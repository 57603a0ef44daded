//! Which form a file has, by its name and by how it begins.

use std::path::Path;

/// Forms of molecule files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One molecule a line: SMILES, then blanks or tabs, then a name.
    Smiles,
    /// A table with a header and commas, or semicolons, between the fields.
    Csv,
    /// A table with a header and tabs between the fields.
    Tsv,
    /// Molfiles with data fields, each ended by `$$$$`; a single molfile too.
    Sdf,
    /// Parquet.
    Parquet,
}

impl Format {
    /// The form that a file name promises, `.gz` aside; `None` for endings that are not known.
    ///
    /// ```
    /// use synthon_records::Format;
    ///
    /// assert_eq!(Format::from_name("library.SDF.gz"), Some(Format::Sdf));
    /// assert_eq!(Format::from_name("notes"), None);
    /// ```
    pub fn from_name(name: impl AsRef<Path>) -> Option<Format> {
        let mut path = name.as_ref();
        let ending =
            |path: &Path| path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let mut end = ending(path)?;
        if matches!(end.as_str(), "gz" | "gzip" | "bgz") {
            path = Path::new(path.file_stem()?);
            end = ending(path)?;
        }
        match end.as_str() {
            "smi" | "smiles" | "ism" | "can" | "cxsmiles" => Some(Format::Smiles),
            "csv" => Some(Format::Csv),
            "tsv" | "tab" => Some(Format::Tsv),
            "sdf" | "sd" | "mol" | "mdl" => Some(Format::Sdf),
            "parquet" | "pq" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// The form that the first bytes of a file show. What is no table and no molfile is SMILES.
    pub(crate) fn sniff(head: &[u8]) -> Format {
        if head.starts_with(b"PAR1") {
            return Format::Parquet;
        }
        let mut lines = head.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end);
        let molfile = |line: &[u8]| {
            line.ends_with(b"V2000")
                || line.ends_with(b"V3000")
                || line == b"M  END"
                || line == b"$$$$"
        };
        if lines.clone().take(200).any(molfile) {
            return Format::Sdf;
        }
        let header = lines.next().unwrap_or_default();
        let names = |delimiter: u8| {
            let fields = header.split(|&b| b == delimiter);
            fields.clone().count() > 1
                && fields
                    .filter_map(|f| std::str::from_utf8(f).ok())
                    .any(|f| is_molecule_column(f.trim_matches(|c: char| c == '"' || c == ' ')))
        };
        if names(b'\t') {
            Format::Tsv
        } else if names(b',') || names(b';') {
            Format::Csv
        } else {
            Format::Smiles
        }
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Format::Smiles => "SMILES",
            Format::Csv => "CSV",
            Format::Tsv => "TSV",
            Format::Sdf => "SDF",
            Format::Parquet => "Parquet",
        }
    }
}

/// Column names under which SMILES are published, best first; compared without case, blanks,
/// hyphens and underscores.
const MOLECULE_COLUMNS: [&str; 8] = [
    "smiles",
    "canonicalsmiles",
    "isomericsmiles",
    "smilesstring",
    "smi",
    "structure",
    "molecule",
    "mol",
];

/// The same for names of molecules.
const NAME_COLUMNS: [&str; 14] = [
    "name",
    "id",
    "moleculename",
    "compoundname",
    "moleculeid",
    "compoundid",
    "moleculechemblid",
    "chemblid",
    "zincid",
    "drugbankid",
    "cid",
    "catalogid",
    "molid",
    "title",
];

fn plain(name: &str) -> String {
    let kept = |c: &char| !matches!(c, ' ' | '_' | '-' | '\u{feff}');
    name.chars().filter(kept).flat_map(char::to_lowercase).collect()
}

pub(crate) fn is_molecule_column(name: &str) -> bool {
    MOLECULE_COLUMNS.contains(&plain(name).as_str())
}

/// The best of the columns that is known to hold molecules.
pub(crate) fn molecule_column(header: &[String]) -> Option<usize> {
    known(header, &MOLECULE_COLUMNS)
}

/// The best of the columns that is known to hold names.
pub(crate) fn name_column(header: &[String]) -> Option<usize> {
    known(header, &NAME_COLUMNS)
}

fn known(header: &[String], names: &[&str]) -> Option<usize> {
    let header: Vec<String> = header.iter().map(|h| plain(h)).collect();
    names.iter().find_map(|name| header.iter().position(|h| h == name))
}

/// The column of this name: exactly so, or else without regard to case.
pub(crate) fn named_column(header: &[String], name: &str) -> Option<usize> {
    let name = name.trim();
    header
        .iter()
        .position(|h| h == name)
        .or_else(|| header.iter().position(|h| h.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_beginnings_tell_the_form() {
        assert_eq!(Format::from_name("a/b.smi"), Some(Format::Smiles));
        assert_eq!(Format::from_name("x.tsv.gz"), Some(Format::Tsv));
        assert_eq!(Format::from_name("x.gz"), None);
        for (head, format) in [
            ("", Format::Smiles),
            ("CCO ethanol\n", Format::Smiles),
            ("id,SMILES\n1,CC\n", Format::Csv),
            ("id;canonical_smiles\n1;CC\n", Format::Csv),
            ("smiles\tid\nCC\t1\n", Format::Tsv),
            ("\n  made by hand\n\n  1  0  0  0  0  0            999 V2000\n", Format::Sdf),
            ("PAR1....", Format::Parquet),
        ] {
            assert_eq!(Format::sniff(head.as_bytes()), format, "{head}");
        }
    }

    #[test]
    fn the_best_column_wins_over_the_first() {
        let header: Vec<String> =
            ["Mol", "Canonical SMILES", "id"].iter().map(|h| (*h).to_owned()).collect();
        assert_eq!(molecule_column(&header), Some(1));
        assert_eq!(named_column(&header, "mol"), Some(0));
        assert_eq!(name_column(&header), Some(2));
    }
}
