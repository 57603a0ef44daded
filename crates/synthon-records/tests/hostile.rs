//! Files that are broken, mixed up or enormous: reported with the place, never fatal, in bounded
//! memory.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use synthon_records::{Format, RecordErrorKind, RecordOptions, RecordReader, RecordsErrorKind};

/// What became of each record: line, and SMILES with name or the code of the fault.
fn outcomes(bytes: impl Into<Vec<u8>>, options: &RecordOptions) -> Vec<(u64, String)> {
    let reader = RecordReader::new(io::Cursor::new(bytes.into()), options).unwrap();
    reader
        .map(|raw| raw.read())
        .map(|record| {
            let text = match &record.molecule {
                Ok(molecule) => format!("{} {}", molecule.to_smiles(), record.name),
                Err(error) => {
                    assert!(error.line() >= record.line, "{error}");
                    error.code().to_owned()
                }
            };
            (record.line, text.trim().to_owned())
        })
        .collect()
}

fn smiles(bytes: impl Into<Vec<u8>>) -> Vec<(u64, String)> {
    outcomes(bytes, &RecordOptions::default())
}

fn expected(list: &[(u64, &str)]) -> Vec<(u64, String)> {
    list.iter().map(|&(line, text)| (line, text.to_owned())).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn line_ends_marks_and_blanks() {
    let text = b"\xef\xbb\xbfsmiles name\r\nOCC ethanol\r\n\r\n# note\r\n\tC methane \rCC\n";
    let all = expected(&[(2, "CCO ethanol"), (5, "C methane"), (6, "CC")]);
    assert_eq!(smiles(*text), all);
    assert_eq!(smiles(gzip(text)), all);
    assert_eq!(smiles(""), []);
    assert_eq!(smiles("\n\n \n"), []);
}

#[test]
fn mixed_encodings() {
    let text = b"CCO caf\xe9\nCCN caf\xc3\xa9\nC\0C x\nCC(\nC";
    assert_eq!(
        smiles(*text),
        expected(&[
            (1, "record.encoding"),
            (2, "CCN café"),
            (3, "record.nul"),
            (4, "smiles.unclosed_branch"),
            (5, "C"),
        ])
    );
    let reader = RecordReader::new(&text[..], &RecordOptions::default()).unwrap();
    let faults: Vec<_> = reader.filter_map(|raw| raw.text.err()).collect();
    assert_eq!(
        faults[0].to_string(),
        "line 1: The byte 0xE9 is not UTF-8 at position 7; save the file as UTF-8"
    );
    assert_eq!(faults[1].position(), Some(1));
}

#[test]
fn other_encodings_and_packings_are_refused() {
    let refused = |bytes: &'static [u8]| {
        RecordReader::new(bytes, &RecordOptions::default()).map(|_| ()).unwrap_err()
    };
    let utf16: &[u8] = &[0xff, 0xfe, b'C', 0, b'\n', 0];
    assert_eq!(refused(utf16).kind(), RecordsErrorKind::Encoding);
    assert_eq!(refused(b"PK\x03\x04....").kind(), RecordsErrorKind::Format);
    assert_eq!(refused(b"\x28\xb5\x2f\xfd....").kind(), RecordsErrorKind::Format);
    assert_eq!(refused(b"BZh9....").kind(), RecordsErrorKind::Format);
    assert_eq!(refused(b"\x1f\x8b").kind(), RecordsErrorKind::Read);
    // Without its mark, UTF-16 shows by its zeros.
    let bare: Vec<u8> = "CCO x\nCCN\n".bytes().flat_map(|byte| [byte, 0]).collect();
    let codes: Vec<String> = smiles(bare).into_iter().map(|outcome| outcome.1).collect();
    assert_eq!(codes, ["record.nul"; 3]);
    assert_eq!(
        RecordReader::open(std::path::Path::new("/no/such/file.smi"), &RecordOptions::default())
            .unwrap_err()
            .code(),
        "records.read"
    );
}

/// So many bytes, made while they are read.
struct Endless {
    left: u64,
    then: &'static [u8],
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return self.then.read(buffer);
        }
        let now = (buffer.len() as u64).min(self.left);
        buffer[..now as usize].fill(b'C');
        self.left -= now;
        Ok(now as usize)
    }
}

#[test]
fn a_line_of_two_gigabytes() {
    let file = Endless { left: 2 << 30, then: b"\nCCO ethanol\n" };
    let records: Vec<_> = RecordReader::new(file, &RecordOptions::default()).unwrap().collect();
    assert_eq!(records[0].text.as_ref().unwrap_err().kind(), RecordErrorKind::TooLong);
    assert_eq!((records[1].line, records[1].name.as_str(), records.len()), (2, "ethanol", 2));
    // The other tests may run in the same process; none of them needs the file in memory either.
    if let Some(peak) = peak_memory() {
        assert!(peak < 1 << 29, "{peak} bytes");
    }
}

/// Most memory that this process had, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[test]
fn rows_and_molfiles_without_end() {
    for (head, format, then) in [
        ("smiles,name\n\"", Format::Csv, &b"\",x\nCCO,ethanol\n"[..]),
        ("smiles,name\n", Format::Csv, b"\nCCO,ethanol\n"),
        ("\n\n\n", Format::Sdf, b"\n$$$$\nx\n"),
    ] {
        let file = head.as_bytes().chain(Endless { left: 1 << 26, then });
        let mut options = RecordOptions::default();
        options.format = Some(format);
        let records: Vec<_> = RecordReader::new(file, &options).unwrap().collect();
        assert_eq!(
            records[0].text.as_ref().unwrap_err().kind(),
            RecordErrorKind::TooLong,
            "{head}"
        );
        assert_eq!(records.len(), 2, "{head}");
    }
}

#[test]
fn a_bomb_of_zeros_stays_small() {
    // Half a gigabyte in half a megabyte.
    let bomb = gzip(&vec![b'C'; 1 << 26]);
    let bombs: Vec<u8> = bomb.iter().copied().cycle().take(bomb.len() * 8).collect();
    let records: Vec<_> =
        RecordReader::new(io::Cursor::new(bombs), &RecordOptions::default()).unwrap().collect();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].text.as_ref().unwrap_err().kind(), RecordErrorKind::TooLong);
}

#[test]
fn gzip_cut_short_or_changed() {
    let text: String = (0..20_000).map(|i| format!("{}O mol{i}\n", "C".repeat(i % 30))).collect();
    let whole = gzip(text.as_bytes());
    for cut in [whole.len() / 3, whole.len() - 9, whole.len() - 1] {
        let reader =
            RecordReader::new(io::Cursor::new(whole[..cut].to_vec()), &RecordOptions::default());
        let mut records: Vec<_> = reader.unwrap().collect();
        let last = records.pop().unwrap().text.unwrap_err();
        assert!(last.ends_input() && last.line() as usize == records.len() + 1, "{last}");
        for (i, record) in records.iter().enumerate() {
            assert_eq!(record.text.as_deref(), Ok(&*format!("{}O", "C".repeat(i % 30))));
        }
    }
    let mut ends = 0;
    for at in (20..whole.len()).step_by(997) {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        let reader = RecordReader::new(io::Cursor::new(changed), &RecordOptions::default());
        let reader = match reader {
            Ok(reader) => reader,
            Err(error) => {
                assert_eq!(error.kind(), RecordsErrorKind::Read);
                continue;
            }
        };
        let mut records: Vec<_> = reader.collect();
        let last = records.pop().unwrap();
        // Some changes change nothing: another earlier copy of the same bytes.
        let broken = last.text.as_ref().is_err_and(|error| error.ends_input());
        assert!(
            broken || last.name == "mol19999" && records.len() == 19_999,
            "byte {at}: {last:?}"
        );
        ends += broken as usize;
    }
    assert!(ends > 10, "{ends}");
    // Two members, as block compressors write them, are one file.
    let two = [gzip(b"C\nCC\n"), gzip(b"CCC\n")].concat();
    assert_eq!(smiles(two).len(), 3);
}

#[test]
fn what_follows_after_gzip() {
    let packed = gzip(b"C\nCC\n");
    for zeros in [1, 512, 100_000] {
        let padded = [&packed[..], &vec![0; zeros]].concat();
        assert_eq!(smiles(padded.clone()), expected(&[(1, "C"), (2, "CC")]));
        assert_eq!(smiles([padded, packed.clone()].concat()).len(), 4);
    }
    for garbage in [&b"and more"[..], b"\0\0x", b"\x1fthis is no header"] {
        let bytes = [&packed[..], garbage].concat();
        let reader = RecordReader::new(io::Cursor::new(bytes), &RecordOptions::default()).unwrap();
        let records: Vec<_> = reader.collect();
        assert_eq!(records.len(), 3);
        let error = records[2].text.as_ref().unwrap_err();
        assert!(error.ends_input() && error.message().contains("no gzip follow"), "{error}");
    }
}

#[test]
fn tables() {
    let text = "id;Canonical_SMILES;price\r\n1;OCC;3\r\n\r\n2;;4\r\n3\r\n\"4\";\"C1CC\";x\r\n5;\"C\nC\";1\r\n";
    assert_eq!(
        smiles(text),
        expected(&[
            (2, "CCO 1"),
            (4, "record.empty"),
            (5, "record.missing_field"),
            (6, "smiles.unclosed_ring"),
            (7, "smiles.syntax"),
        ])
    );
    let mut options = RecordOptions::default();
    options.column = Some("MOL".into());
    options.name_column = Some("code".into());
    options.also = vec!["Price".into(), "none".into()];
    let text = "code\tmol\tprice\nA 1\tCC\t2.5\nB\tC\n";
    let records: Vec<_> = RecordReader::new(text.as_bytes(), &options).unwrap().collect();
    assert_eq!((records[0].name.as_str(), records[0].text.as_deref()), ("A 1", Ok("CC")));
    assert_eq!(records[0].also, ["2.5", ""]);
    assert_eq!(records[1].also, ["", ""]);
    options.column = Some("structure".into());
    let error = RecordReader::new(text.as_bytes(), &options).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), "records.column");
    assert!(error.hint().unwrap().contains("code"), "{error}");
}

#[test]
fn latin_1_in_a_column_that_is_not_used() {
    let text = b"smiles,remark,name\nCC,caf\xe9,x\nC,y,caf\xe9\n";
    assert_eq!(smiles(*text), expected(&[(2, "CC x"), (3, "record.encoding")]));
}

const WATER: &str = "water\n\n\n  1  0  0  0  0  0            999 V2000\n    0.0000    0.0000    \
                     0.0000 O   0  0\nM  END\n";

#[test]
fn sd_files() {
    let whole = format!("{WATER}> <ID>\nw-1\n\n$$$$\n{WATER}$$$$\n");
    assert_eq!(smiles(whole.as_str()), expected(&[(1, "O water"), (11, "O water")]));
    assert_eq!(smiles(gzip(whole.replace('\n', "\r\n").as_bytes())).len(), 2);
    let mut options = RecordOptions::default();
    options.name_column = Some("id".into());
    assert_eq!(outcomes(whole.as_str(), &options), expected(&[(1, "O w-1"), (11, "O")]));
    // A single molfile has no end mark; one that is cut does not reach its `M  END`.
    assert_eq!(smiles(WATER), expected(&[(1, "O water")]));
    for cut in 1..WATER.len() - 1 {
        let text = format!("{WATER}$$$$\n{}", &WATER[..cut]);
        let outcomes = smiles(text);
        assert_eq!(outcomes[0], (1, "O water".to_owned()));
        let end = WATER.len() - "\n".len();
        if cut < end && !WATER[..cut].ends_with("M  END") {
            assert_eq!(outcomes[1].1, "record.truncated", "{cut}");
        }
    }
    // A bad record does not take its neighbours along.
    let broken = format!("{WATER}$$$$\nx\n\n\nno counts\nM  END\n$$$$\n{WATER}$$$$\n");
    let outcomes = smiles(broken);
    assert_eq!((outcomes.len(), outcomes[2].1.as_str()), (3, "O water"));
    assert!(outcomes[1].1.starts_with("molfile."), "{}", outcomes[1].1);
}

#[test]
fn random_bytes_are_never_fatal() {
    let mut state = 7u64;
    let mut byte = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pool = b"CNOc1()=[]#+-.$\n\r\t,;\"|smileM END>< \0\xe9\xff@/\\2";
        pool[(state >> 33) as usize % pool.len()]
    };
    for round in 0..3_000 {
        let length = round % 400;
        let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
        for format in [Format::Smiles, Format::Csv, Format::Tsv, Format::Sdf] {
            let mut options = RecordOptions::default();
            options.format = Some(format);
            options.max_record = 100;
            let mut file = bytes.clone();
            if matches!(format, Format::Csv | Format::Tsv) {
                file.splice(0..0, *b"smiles\n");
            }
            let Ok(reader) = RecordReader::new(io::Cursor::new(file), &options) else { continue };
            let mut line = 0;
            for record in reader.map(|raw| raw.read()) {
                assert!(record.line > line && record.text.len() <= 100);
                line = record.line;
            }
        }
    }
}
