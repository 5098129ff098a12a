//! The portable dialect (spec/dialects.md 1): k, m and the bits, and nothing else.

use super::{Portable, PortableBloom};
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::KeySource;
use crate::kind::{bytes_of, Kind};
use crate::words;
use alloc::vec::Vec;

const HEADER: usize = 12;

/// What the first bytes say; refused as section 1.1 says.
fn header(bytes: &[u8]) -> Result<Portable, Error> {
    if bytes.len() < HEADER {
        return Err(Error::corrupt(
            bytes.len() as u64,
            "shorter than the header of a portable filter",
        ));
    }
    let mut k = [0; 4];
    k.copy_from_slice(&bytes[..4]);
    let mut m = [0; 8];
    m.copy_from_slice(&bytes[4..HEADER]);
    let (k, m) = (u32::from_le_bytes(k), u64::from_le_bytes(m));
    if k == 0 {
        return Err(Error::corrupt(0, "a filter of no hashes"));
    }
    if m == 0 {
        return Err(Error::corrupt(4, "a filter of no bits"));
    }
    Ok(Portable::of_file(m, k))
}

fn too_short(length: u64) -> Error {
    Error::corrupt(length, "fewer bytes than the header promises")
}

fn too_long(kind: &Portable) -> Error {
    let end = (HEADER as u64).saturating_add(bytes_of(kind.bits()));
    Error::corrupt(end, "more bytes than the header promises")
}

impl PortableBloom {
    /// The whole file. Refused for a filter with damaged chunks, which would pass for a whole one, and as unsupported for one
    /// whose keys are not bytes, which the file could not say.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        self.must_be_tellable()?;
        let size = self.size_in_bytes() as usize;
        let mut out = words::reserve(HEADER + size)?;
        out.extend_from_slice(&self.file_header());
        words::to_bytes(self.words(), size, &mut out);
        Ok(out)
    }

    /// Readers of the bytes assume that they are whole, and that keys are bytes.
    fn must_be_tellable(&self) -> Result<(), Error> {
        self.must_be_whole()?;
        match self.hasher().source() {
            KeySource::Bytes => Ok(()),
            source => Err(Error::new(
                Code::Unsupported,
                alloc::format!(
                    "portable bytes cannot say that keys are {}: write a container",
                    source.name()
                ),
            )),
        }
    }

    fn file_header(&self) -> [u8; HEADER] {
        let mut h = [0; HEADER];
        h[..4].copy_from_slice(&self.hashes().to_le_bytes());
        h[4..].copy_from_slice(&self.bits().to_le_bytes());
        h
    }

    /// A whole file. Any k and m are accepted once the bytes they promise are there; bits after the last are kept. Its keys are
    /// taken for bytes: [`of`](FilterOf::of) says otherwise.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let kind = header(bytes)?;
        let body = &bytes[HEADER..];
        let size = bytes_of(kind.bits());
        if (body.len() as u64) < size {
            return Err(too_short(bytes.len() as u64));
        }
        if body.len() as u64 > size {
            return Err(too_long(&kind));
        }
        Ok(FilterOf::from_parts(kind, words::from_bytes(body)?))
    }

    /// Whether the bits after the last, at the end of the last byte, are zero as every writer leaves them. If not, the
    /// file is damaged or of another dialect.
    pub fn padding_is_clear(&self) -> bool {
        words::clear_from(self.words(), self.bits())
    }

    /// Writes the file; refused as by [`encode`](PortableBloom::encode).
    #[cfg(feature = "std")]
    pub fn write_to(&self, to: &mut impl std::io::Write) -> Result<(), Error> {
        self.must_be_tellable()?;
        to.write_all(&self.file_header())?;
        let mut left = self.size_in_bytes() as usize;
        let mut buffer = Vec::with_capacity(BUFFER);
        for part in self.words().chunks(BUFFER / 8) {
            buffer.clear();
            words::to_bytes(part, left.min(8 * part.len()), &mut buffer);
            to.write_all(&buffer)?;
            left -= buffer.len();
        }
        Ok(())
    }

    /// Reads a file to its end. Memory grows with the bytes that arrive, not with what the header promises.
    #[cfg(feature = "std")]
    pub fn read_from(from: &mut impl std::io::Read) -> Result<Self, Error> {
        let mut buffer = alloc::vec![0; BUFFER];
        let got = fill(from, &mut buffer[..HEADER])?;
        let kind = header(&buffer[..got])?;
        let size = bytes_of(kind.bits());
        let mut words = Vec::new();
        let mut have = 0u64;
        while have < size {
            let want = (size - have).min(BUFFER as u64) as usize;
            let got = fill(from, &mut buffer[..want])?;
            have += got as u64;
            if got < want {
                return Err(too_short(HEADER as u64 + have));
            }
            words
                .try_reserve(got / 8 + 1)
                .map_err(|_| Error::new(Code::OutOfMemory, "no memory for the bits"))?;
            words::extend(&mut words, &buffer[..got]);
        }
        if fill(from, &mut buffer[..1])? != 0 {
            return Err(too_long(&kind));
        }
        Ok(FilterOf::from_parts(kind, words))
    }
}

/// Bytes moved at a time; a multiple of a word.
#[cfg(feature = "std")]
const BUFFER: usize = 65536;

/// Reads until the buffer is full or the input ends.
#[cfg(feature = "std")]
fn fill(from: &mut impl std::io::Read, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut have = 0;
    while have < buffer.len() {
        match from.read(&mut buffer[have..]) {
            Ok(0) => break,
            Ok(n) => have += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(have)
}
