//! Stocks out of files, as a user names them.

mod support;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use support::synthon;

/// A folder of one test, removed when it is done.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("synthon-stock-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("memory");
    encoder.finish().expect("memory")
}

/// Exit code, output and errors of planning for ethyl acetate from this stock.
fn routes(stock: &str) -> (Option<i32>, String, String) {
    let output = synthon(&["routes", "CCOC(C)=O", "--depth", "1", "--stock", stock], "");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const SMILES: &str = "CC(=O)O acetic acid\nCCO ethanol\nC1CC\n";
const KEYS: &str = "QTBSBXVTEAMEQO-UHFFFAOYSA-N\nLFQSCWFLJHTTHZ-UHFFFAOYSA-N\n";

#[test]
fn every_form_of_stock_is_planned_with() {
    let folder = Folder::new("forms");
    for (name, content) in [
        ("a.smi", SMILES.as_bytes().to_vec()),
        ("a.smi.gz", gzip(SMILES.as_bytes())),
        ("a.csv", b"name,price,smiles\nacid,2,CC(=O)O\nethanol,1,CCO\n".to_vec()),
        ("keys.txt", KEYS.as_bytes().to_vec()),
        ("keys.txt.gz", gzip(format!("inchi_key,price\n{KEYS}").as_bytes())),
    ] {
        let (code, output, errors) = routes(&folder.file(name, content));
        assert_eq!(code, Some(0), "{name}: {errors}");
        assert!(output.contains("CC(=O)O") && output.contains("CCO"), "{name}: {output}");
        assert_eq!(errors.contains("line 3"), name.starts_with("a.smi"), "{name}: {errors}");
    }
}

#[test]
fn hostile_files_are_refused_with_place_and_reason() {
    let folder = Folder::new("hostile");
    let cut = &gzip(SMILES.repeat(1_000).as_bytes())[..100];
    let mut bloom = b"BLOOM\x02\x04\0\0\0".to_vec();
    bloom.extend(u64::MAX.to_le_bytes());
    let quote = format!("smiles\n\"{}", "x\n".repeat(2_000_000));
    for (name, content, words) in [
        ("empty.smi", Vec::new(), "no line holds a molecule"),
        ("binary.smi", vec![0xff; 4_096], "line 1"),
        ("cut.smi.gz", cut.to_vec(), "line"),
        ("bomb.smi.gz", gzip(&vec![b'C'; 50 << 20]), "more than 16384 bytes"),
        ("bomb.csv.gz", gzip(quote.as_bytes()), "no line holds a molecule"),
        ("quote.csv", quote.as_bytes().to_vec(), "a record of more than 1048576 bytes"),
        ("other.csv", b"a,b\n1,2\n".to_vec(), "the header has: a, b"),
        ("lying.bloom", bloom, "are allowed"),
        ("cut.bloom", b"BLOOM".to_vec(), "no Bloom filter"),
        ("keys.txt", format!("{KEYS}{}\n", "A".repeat(1 << 20)).into_bytes(), "line 3"),
    ] {
        let path = folder.file(name, content);
        let (code, output, errors) = routes(&path);
        assert_eq!((code, output.as_str()), (Some(2), ""), "{name}: {errors}");
        assert!(errors.contains(&path) && errors.contains(words), "{name}: {errors}");
    }
    let (code, _, errors) = routes("no-such-stock");
    assert!(code == Some(2) && errors.contains("uspto-blocks"), "{errors}");
}
