//! Lines out of a byte stream, in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

/// Longest line accepted, in bytes, without its end (`\n` or `\r\n`) and a byte-order mark.
pub(crate) const MAX_LINE_BYTES: usize = 1_048_576;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The bytes without line end and byte-order mark.
    Bytes(Vec<u8>),
    /// A line over the limit; its bytes were dropped while it was read.
    TooLong,
}

/// Reads lines; the last one need not end in a newline.
pub(crate) struct LineReader<R> {
    input: BufReader<R>,
}

impl<R: Read> LineReader<R> {
    pub(crate) fn new(input: R) -> Self {
        LineReader { input: BufReader::with_capacity(64 * 1024, input) }
    }

    /// The next line; `None` at the end of input.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        // A mark and a carriage return may come on top of the limit.
        const KEPT: usize = MAX_LINE_BYTES + MARK.len() + 1;
        let mut line = Vec::new();
        let mut length = 0usize;
        let mut ended = false;
        while !ended {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                if length == 0 {
                    return Ok(None);
                }
                break;
            }
            let newline = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..newline.unwrap_or(chunk.len())];
            let room = KEPT.saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            length = length.saturating_add(part.len());
            ended = newline.is_some();
            // An empty line is a line too: `length` alone would read as the end of input.
            let used = part.len() + usize::from(ended);
            self.input.consume(used);
        }
        if line.last() == Some(&b'\r') && line.len() == length {
            line.pop();
            length -= 1;
        }
        if line.starts_with(MARK) {
            line.drain(..MARK.len());
            length -= MARK.len();
        }
        if length > MAX_LINE_BYTES { Ok(Some(Line::TooLong)) } else { Ok(Some(Line::Bytes(line))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut reader = LineReader::new(input);
        std::iter::from_fn(|| reader.next_line().expect("reading memory")).collect()
    }

    fn bytes(text: &str) -> Line {
        Line::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn ends_and_marks_are_taken_off() {
        let input = b"one\r\n\n\xef\xbb\xbftwo\nlast";
        assert_eq!(lines(input), [bytes("one"), bytes(""), bytes("two"), bytes("last")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn the_limit_counts_the_line_alone() {
        let mut input = MARK.to_vec();
        input.extend(vec![b'x'; MAX_LINE_BYTES]);
        input.extend(b"\r\nnext\n");
        let read = lines(&input);
        assert!(matches!(&read[0], Line::Bytes(line) if line.len() == MAX_LINE_BYTES));
        assert_eq!(read[1], bytes("next"));
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_one_works() {
        let mut input = vec![b'x'; MAX_LINE_BYTES + 1];
        input.extend(b"\nnext\n");
        assert_eq!(lines(&input), [Line::TooLong, bytes("next")]);
    }
}
