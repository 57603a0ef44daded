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
    take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    process_in_order_with(records, chunking, || (), |(), record| work(record), take)
}

/// The same, with working memory that `scratch` makes for each thread, more than once if need
/// be; what is left in it must not change what `work` makes of a record.
pub fn process_in_order_with<T: Send, S, B>(
    records: impl Iterator<Item = RawRecord>,
    chunking: Chunking,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, RawRecord) -> T + Sync,
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
        // Scratch memory is made anew with each piece of work that a thread takes over.
        let results: Vec<T> =
            chunk.par_drain(..).with_min_len(32).map_init(&scratch, &work).collect();
        for result in results {
            if let ControlFlow::Break(value) = take(result) {
                return Some(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecordOptions, RecordReader};

    #[test]
    fn the_order_is_that_of_the_file_for_any_number_of_threads() {
        let text: String = (0..5_000).map(|i| format!("C{} m{i}\n", "C".repeat(i % 9))).collect();
        for threads in [1, 3, 8] {
            for records in [1, 7, 4_096] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let mut names = Vec::new();
                pool.expect("a pool").install(|| {
                    let file = std::io::Cursor::new(text.clone().into_bytes());
                    let reader = RecordReader::new(file, &RecordOptions::default());
                    let chunking = Chunking { records, ..Chunking::default() };
                    let work = |raw: RawRecord| raw.read();
                    let stopped =
                        process_in_order(reader.expect("text"), chunking, work, |record| {
                            names.push(record.name);
                            if names.len() == 4_000 {
                                ControlFlow::Break(())
                            } else {
                                ControlFlow::Continue(())
                            }
                        });
                    assert_eq!(stopped, Some(()));
                });
                assert!(names.iter().enumerate().all(|(i, name)| *name == format!("m{i}")));
            }
        }
    }
}
