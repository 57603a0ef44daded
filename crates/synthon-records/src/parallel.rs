//! Work on records on all threads, with the results in the order of the file.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::record::RawRecord;

/// How many records are in work at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunking {
    /// Most records; default 4,096.
    pub records: usize,
    /// Most bytes of text, one record aside; default 8 MiB.
    pub bytes: usize,
}

impl Default for Chunking {
    fn default() -> Self {
        Chunking { records: 4_096, bytes: 8 << 20 }
    }
}

/// Calls `work` for each record, on the threads of the current rayon pool, and hands what it
/// makes of them to `take`, in the order of the file, until `take` breaks off.
///
/// What `take` sees does not depend on the number of threads. Memory is bounded by `chunking`.
pub fn process_in_order<T: Send, B>(
    records: impl Iterator<Item = RawRecord>,
    chunking: Chunking,
    work: impl Fn(RawRecord) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    let mut records = records.fuse();
    let mut chunk: Vec<RawRecord> = Vec::new();
    loop {
        let mut bytes = 0;
        while chunk.len() < chunking.records.max(1) && bytes < chunking.bytes {
            let Some(record) = records.next() else { break };
            bytes += record.text.as_ref().map_or(0, String::len) + record.name.len();
            chunk.push(record);
        }
        if chunk.is_empty() {
            return None;
        }
        let results: Vec<T> = chunk.par_drain(..).map(&work).collect();
        for result in results {
            if let ControlFlow::Break(value) = take(result) {
                return Some(value);
            }
        }
    }
}
