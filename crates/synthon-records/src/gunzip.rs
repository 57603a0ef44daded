//! What is packed in a gzip file: all of its members, and nothing that is none.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// Unpacks the members of a gzip file one after the other. Zeros after the last one, with which
/// tapes and block devices fill up, are passed over; other bytes are an error that says so.
pub struct Gunzip<R> {
    /// None after the last member, and after an error.
    member: Option<GzDecoder<BufReader<R>>>,
    is_first: bool,
}

impl<R: Read> Gunzip<R> {
    /// Unpacks what `reader` gives.
    pub fn new(reader: R) -> Self {
        Gunzip { member: Some(GzDecoder::new(BufReader::new(reader))), is_first: true }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            match member.read(buffer) {
                Ok(0) => {}
                // A header that is none, behind a whole member.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput && !self.is_first => {
                    return Err(garbage());
                }
                done => return done,
            }
            let Some(mut file) = self.member.take().map(GzDecoder::into_inner) else { break };
            match after_zeros(&mut file)? {
                None => break,
                Some(0x1f) => self.member = Some(GzDecoder::new(file)),
                Some(_) => return Err(garbage()),
            }
            self.is_first = false;
        }
        Ok(0)
    }
}

/// The next byte that is no zero; it stays to be read.
fn after_zeros(file: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let bytes = match file.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let next = bytes.get(zeros).copied();
        file.consume(zeros);
        if next.is_some() {
            return Ok(next);
        }
    }
}

fn garbage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "bytes that are no gzip follow the packed data")
}
