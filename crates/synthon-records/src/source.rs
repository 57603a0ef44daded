//! The bytes of a file: unpacked if it is compressed, without a byte order mark, with its
//! beginning looked at.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use crate::error::{RecordsError, RecordsErrorKind};
use crate::gunzip::Gunzip;

/// Bytes that tell the form of a file.
const HEAD: u64 = 8_192;
const BUFFER: usize = 128 * 1024;

pub(crate) type Source = Box<dyn BufRead + Send>;

/// Unpacks and looks ahead. The bytes at the beginning come a second time from the source.
pub(crate) fn open(reader: impl Read + Send + 'static) -> Result<(Vec<u8>, Source), RecordsError> {
    let (head, reader) = look_ahead(Box::new(reader), 8)?;
    let unpacked: Box<dyn Read + Send> = match head.as_slice() {
        [0x1f, 0x8b, ..] => Box::new(Gunzip::new(reader)),
        [b'P', b'K', 3, 4, ..] => return Err(packed("a zip archive or a spreadsheet")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(packed("compressed with zstd")),
        [b'B', b'Z', b'h', ..] => return Err(packed("compressed with bzip2")),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => return Err(packed("compressed with xz")),
        // A corpus of `synthon-corpus`, which has no records to read.
        b"SYNTHCOR" => {
            return Err(RecordsError::new(RecordsErrorKind::Format, "this is a packed corpus")
                .with_hint("it is searched as a file, by its name; molecules are read from the file that it was built from"));
        }
        _ => reader,
    };
    let (mut head, reader) = look_ahead(unpacked, HEAD)?;
    let mut source = BufReader::with_capacity(BUFFER, reader);
    match head.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] => {
            return Err(RecordsError::new(
                RecordsErrorKind::Encoding,
                "the file is in UTF-16 or UTF-32",
            )
            .with_hint("save it as UTF-8"));
        }
        [0xef, 0xbb, 0xbf, ..] => {
            head.drain(..3);
            let mut mark = [0; 3];
            source.read_exact(&mut mark).map_err(|error| RecordsError::read(&error))?;
        }
        _ => {}
    }
    Ok((head, Box::new(source)))
}

fn packed(how: &str) -> RecordsError {
    RecordsError::new(RecordsErrorKind::Format, format!("the file is {how}"))
        .with_hint("unpack it; gzip is read as it is")
}

type AnyRead = Box<dyn Read + Send>;

/// The first bytes, and a reader that gives them again before the rest. An error among them is
/// given again too, after the bytes that precede it.
fn look_ahead(mut reader: AnyRead, most: u64) -> Result<(Vec<u8>, AnyRead), RecordsError> {
    let mut head = Vec::new();
    let error = reader.by_ref().take(most).read_to_end(&mut head).err();
    if head.is_empty()
        && let Some(error) = error
    {
        return Err(match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                RecordsError::new(RecordsErrorKind::Read, "the compressed file ends at once")
            }
            _ => RecordsError::read(&error),
        });
    }
    let again = Cursor::new(head.clone());
    let reader: AnyRead = match error {
        Some(error) => Box::new(again.chain(Broken(Some(error)))),
        None => Box::new(again.chain(reader)),
    };
    Ok((head, reader))
}

/// Gives an error once, then nothing.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
