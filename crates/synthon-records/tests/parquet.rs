//! Parquet files, whole and broken.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use synthon_records::{Format, RecordOptions, RecordReader};

/// A SMILES, which may be missing, and a number.
type Row<'a> = (Option<&'a [u8]>, i64);

/// A file of rows in groups.
fn write(groups: &[Vec<Row<'_>>], compression: Compression) -> Vec<u8> {
    let schema = "message table {
        OPTIONAL BYTE_ARRAY note (UTF8);
        OPTIONAL BYTE_ARRAY Smiles (UTF8);
        REQUIRED INT64 id;
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        for column in 0..3 {
            let mut out = group.next_column().unwrap().unwrap();
            if column == 2 {
                let ids: Vec<i64> = rows.iter().map(|row| row.1).collect();
                out.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
            } else {
                let values: Vec<ByteArray> =
                    rows.iter().filter_map(|row| row.0).map(|v| v.to_vec().into()).collect();
                let levels: Vec<i16> = rows.iter().map(|row| row.0.is_some() as i16).collect();
                out.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
            }
            out.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("synthon-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        TempFile(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn rows_of_all_groups() {
    let many: Vec<(Option<&[u8]>, i64)> = (0..5_000).map(|i| (Some(&b"CCN"[..]), i)).collect();
    let first: Vec<(Option<&[u8]>, i64)> =
        vec![(Some(b"CCO"), 7), (None, 8), (Some(b"caf\xe9"), 9), (Some(b"C1CC"), 10)];
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
        let file = TempFile::new("rows", &write(&[first.clone(), many.clone()], compression));
        // The name says nothing; the beginning does.
        let mut options = RecordOptions::default();
        options.also = vec!["id".into(), "none".into()];
        let reader = RecordReader::open(&file.0, &options).unwrap();
        assert_eq!(reader.format(), Format::Parquet);
        let records: Vec<_> = reader.map(|raw| raw.read()).collect();
        assert_eq!(records.len(), 5_004);
        assert_eq!((records[0].name.as_str(), records[0].line), ("7", 1));
        assert_eq!(records[0].also, ["7", ""]);
        let codes: Vec<&str> = records
            .iter()
            .filter_map(|record| record.molecule.as_ref().err().map(|error| error.code()))
            .collect();
        assert_eq!(codes, ["record.empty", "record.encoding", "smiles.unclosed_ring"]);
        assert_eq!((records[5_003].name.as_str(), records[5_003].line), ("4999", 5_004));
    }
}

#[test]
fn broken_files_end_with_a_fault() {
    let rows: Vec<(Option<&[u8]>, i64)> = (0..300).map(|i| (Some(&b"CCN"[..]), i)).collect();
    let whole = write(&[rows], Compression::SNAPPY);
    let mut refused = 0;
    for at in (0..whole.len()).step_by(3) {
        let mut changed = whole.clone();
        changed[at] ^= 0x41;
        let file = TempFile::new("broken", &changed);
        let mut options = RecordOptions::default();
        options.format = Some(Format::Parquet);
        match RecordReader::open(&file.0, &options) {
            Ok(reader) => assert!(reader.take(10_000).count() <= 10_000),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 10, "{refused}");
    let cut = TempFile::new("cut", &whole[..whole.len() / 2]);
    assert!(RecordReader::open(&cut.0, &RecordOptions::default()).is_err());
}

/// Not a bad record at the place where the first page is unpacked, but a file that is not read.
#[test]
fn a_codec_without_a_decoder_refuses_the_file() {
    let mut bytes = write(&[vec![(Some(b"CCO"), 7)]], Compression::SNAPPY);
    // In the footer the codec follows the name of the column: 1, zigzag, for Snappy; 6 is zstd.
    let path = b"\x19\x18\x06Smiles\x15\x02";
    let at = bytes.windows(path.len()).position(|window| window == path).unwrap();
    bytes[at + path.len() - 1] = 12;
    let file = TempFile::new("zstd", &bytes);
    let error = RecordReader::open(&file.0, &RecordOptions::default()).unwrap_err();
    assert_eq!(error.code(), "records.format");
    assert!(
        error.message().contains("zstd") && error.hint().unwrap().contains("snappy"),
        "{error}"
    );
}
