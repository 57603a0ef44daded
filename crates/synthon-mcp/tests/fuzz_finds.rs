//! Inputs that fuzzing found, replayed: see `fuzz/README.md`.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_mcp::{Settings, serve};
use synthon_tools::{CallContext, Catalogue, Registry, ToolErrorKind, fixtures};

fn finds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mcp/fuzz").join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder is in the repository")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
        .into_iter()
        .map(|path| {
            let bytes = fs::read(&path).expect("a file");
            (path, bytes)
        })
        .collect()
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics here").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_transport_answers_in_json_alone() {
    for (path, bytes) in finds("transport") {
        let out = Sink::default();
        let settings = Settings {
            registry: fixtures::registry(),
            grace: Duration::from_millis(500),
            ..Settings::default()
        };
        serve(settings, Cursor::new(bytes), out.clone()).expect("the server runs");
        let written = out.0.lock().expect("nobody panics here");
        for line in written.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let answer: Value = serde_json::from_slice(line)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(answer["jsonrpc"], "2.0", "{}", path.display());
        }
    }
}

#[test]
fn the_dispatcher_does_not_panic() {
    let (registry, catalogue) = (Registry::standard(), Catalogue::default());
    for (path, bytes) in finds("dispatcher") {
        let (&choice, rest) = bytes.split_first().expect("a find is not empty");
        let tool = registry.tools()[choice as usize % registry.tools().len()];
        let arguments = serde_json::from_slice(rest).unwrap_or_else(|_| {
            let text = String::from_utf8_lossy(rest);
            let mut parts = text.split('\n').chain(std::iter::repeat("CC(=O)Nc1ccc(O)cc1"));
            let required = tool.arguments.iter().filter(|argument| argument.required);
            let texts: Map<String, Value> = required
                .map(|argument| {
                    let part: Value = parts.next().unwrap_or_default().into();
                    let list = argument.kind.json_type() == "array";
                    (argument.name.to_owned(), if list { vec![part].into() } else { part })
                })
                .collect();
            Value::Object(texts)
        });
        let context = CallContext::limited(&catalogue, Duration::from_secs(5), CancelFlag::new());
        if let Err(error) = registry.call(tool.name, &arguments, &context) {
            assert_ne!(error.kind(), ToolErrorKind::Internal, "{}: {error}", path.display());
        }
    }
}
