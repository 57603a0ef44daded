//! Lines of any length out of bounded memory.

use std::io::{self, BufRead};

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It stands in the buffer, without its end.
    Kept,
    /// It has more bytes than allowed; the buffer holds its beginning.
    TooLong,
    /// There is none.
    End,
}

/// Splits at `\n`, `\r\n` and `\r`, and counts.
pub(crate) struct Lines<R> {
    reader: R,
    number: u64,
    after_return: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Lines { reader, number: 0, after_return: false }
    }

    /// Number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line into `line`, of which no more than `most` bytes are kept. A line that
    /// is cut off by an error is not given out.
    pub(crate) fn next(&mut self, line: &mut Vec<u8>, most: usize) -> io::Result<Line> {
        line.clear();
        let (mut found, mut too_long) = (false, false);
        self.number += 1;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(match (found, too_long) {
                    (false, _) => Line::End,
                    (true, true) => Line::TooLong,
                    (true, false) => Line::Kept,
                });
            }
            if std::mem::take(&mut self.after_return) && buffer[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            found = true;
            let end = memchr::memchr2(b'\n', b'\r', buffer);
            let piece = &buffer[..end.unwrap_or(buffer.len())];
            let room = most - line.len();
            too_long |= piece.len() > room;
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            match end {
                Some(end) => {
                    self.after_return = buffer[end] == b'\r';
                    self.reader.consume(end + 1);
                    return Ok(if too_long { Line::TooLong } else { Line::Kept });
                }
                None => {
                    let all = buffer.len();
                    self.reader.consume(all);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn split(text: &str, most: usize, buffer: usize) -> Vec<(Line, String)> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, text.as_bytes()));
        let mut line = Vec::new();
        let mut all = Vec::new();
        loop {
            let kind = lines.next(&mut line, most).expect("memory can be read");
            if kind == Line::End {
                return all;
            }
            all.push((kind, String::from_utf8(line.clone()).expect("UTF-8")));
            assert_eq!(lines.number(), all.len() as u64);
        }
    }

    #[test]
    fn all_line_ends_whatever_the_buffer() {
        let kept = |texts: &[&str]| -> Vec<(Line, String)> {
            texts.iter().map(|t| (Line::Kept, (*t).to_owned())).collect()
        };
        for buffer in 1..12 {
            assert_eq!(split("a\nb\r\n\r\nc\rd", 9, buffer), kept(&["a", "b", "", "c", "d"]));
            assert_eq!(split("a\n\n", 9, buffer), kept(&["a", ""]));
            assert_eq!(split("\r", 9, buffer), kept(&[""]));
            assert_eq!(split("", 9, buffer), []);
            let long = split("abcd\nabc\nabcde", 3, buffer);
            assert_eq!(
                long.iter().map(|l| l.0).collect::<Vec<_>>(),
                [Line::TooLong, Line::Kept, Line::TooLong]
            );
            assert!(long.iter().all(|l| l.1 == "abc"));
        }
    }
}
