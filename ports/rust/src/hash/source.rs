//! Sources: what keys are before they are hashed (spec/hash.md 6).

use super::{fmix64, splitmix64, Hasher, Key};

/// What keys are before they are hashed. A hasher has a source and a file records it, because a number that is looked up as another
/// sort of key than it was inserted as is another key, and would be denied without a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeySource {
    /// Byte strings; text is its UTF-8. The default.
    #[default]
    Bytes,
    /// Values modulo 2^64, signed ones in two's complement: [`Hasher::key_of_integer`].
    Integers,
    /// 64 uniform bits that the caller hashed: [`Hasher::key_of_hash`].
    Hashes,
    /// 32-bit integers that the caller makes 4 bytes of, little-endian.
    Int32,
    /// The same, big-endian.
    Int32Be,
    /// 64-bit integers that the caller makes 8 bytes of, big-endian.
    Int64Be,
    /// IEEE 754 numbers that the caller makes 4 bytes of, little-endian.
    Float32,
    /// The same, 8 bytes.
    Float64,
    /// Text that the caller makes UTF-16 of, little-endian, without a mark at its front.
    Utf16,
}

impl KeySource {
    /// All of them.
    pub const ALL: [KeySource; 9] = [
        KeySource::Bytes,
        KeySource::Integers,
        KeySource::Hashes,
        KeySource::Int32,
        KeySource::Int32Be,
        KeySource::Int64Be,
        KeySource::Float32,
        KeySource::Float64,
        KeySource::Utf16,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            KeySource::Bytes => "bytes",
            KeySource::Integers => "integers",
            KeySource::Hashes => "hashes",
            KeySource::Int32 => "int32",
            KeySource::Int32Be => "int32be",
            KeySource::Int64Be => "int64be",
            KeySource::Float32 => "float32",
            KeySource::Float64 => "float64",
            KeySource::Utf16 => "utf16",
        }
    }

    /// The source of a name.
    pub fn from_name(name: &str) -> Option<KeySource> {
        KeySource::ALL.into_iter().find(|s| s.name() == name)
    }

    /// What a hasher is given: bytes, integers or hashes.
    fn sort(self) -> KeySource {
        match self {
            KeySource::Integers | KeySource::Hashes => self,
            _ => KeySource::Bytes,
        }
    }
}

/// A hash function for keys that are not bytes; [`Hasher::of`] makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OtherKeys {
    id: u8,
    seed: u64,
    secret: [u8; 16],
    source: KeySource,
    /// What the seed adds to each integer under XXH3; none of other keys and hashes. One test, and nothing is computed per key.
    flip: Option<u64>,
}

impl OtherKeys {
    /// The same function for bytes.
    #[inline]
    pub(super) fn for_bytes(&self) -> Hasher {
        Hasher::from_id(self.id, self.seed, Some(self.secret)).unwrap_or_default()
    }

    pub(super) fn source(&self) -> KeySource {
        self.source
    }

    #[inline]
    pub(super) fn key_of_integer(&self, x: u64) -> Key {
        match self.flip {
            Some(flip) => Key::from_raw(fmix64(x ^ flip)),
            None => self.key_of_integer_otherwise(x),
        }
    }

    #[inline(never)]
    fn key_of_integer_otherwise(&self, x: u64) -> Key {
        must_be(self.source, KeySource::Integers);
        self.for_bytes().key(&x.to_le_bytes())
    }

    /// Out of line: hashers of bytes come past here, and are not to pay for it.
    #[inline(never)]
    pub(crate) fn key(&self, bytes: &[u8]) -> Key {
        must_be(self.source, KeySource::Bytes);
        self.for_bytes().key(bytes)
    }

    pub(super) fn key_batch<T: AsRef<[u8]>>(&self, strings: &[T], out: &mut [Key]) {
        must_be(self.source, KeySource::Bytes);
        self.for_bytes().key_batch(strings, out);
    }
}

impl Hasher {
    /// The same hash of other keys.
    ///
    /// ```
    /// use bloomery::{Hasher, KeySource};
    /// let ids = Hasher::DEFAULT.of(KeySource::Integers);
    /// assert_ne!(ids, Hasher::DEFAULT); // their filters share no keys
    /// assert_eq!(ids.key_of_integer(42).raw(), 0x0d0581bef7ab7a03);
    /// ```
    pub fn of(self, source: KeySource) -> Hasher {
        let (hash, secret) = match self {
            Hasher::OfOther(keys) => (keys.for_bytes(), keys.secret),
            Hasher::SipHash13 { secret } => (self, secret),
            _ => (self, [0; 16]),
        };
        if source == KeySource::Bytes {
            return hash;
        }
        let flip = match hash {
            Hasher::Xxh3 { seed } if source == KeySource::Integers => Some(splitmix64(seed)),
            _ => None,
        };
        Hasher::OfOther(OtherKeys {
            id: hash.id(),
            seed: hash.seed(),
            secret,
            source,
            flip,
        })
    }

    /// What its keys are.
    pub fn source(&self) -> KeySource {
        match self {
            Hasher::OfOther(keys) => keys.source(),
            _ => KeySource::Bytes,
        }
    }
}

/// Ends a call that would hash a key of another sort than the hasher is for: such a key could only be denied.
#[inline]
pub(super) fn must_be(source: KeySource, sort: KeySource) {
    if source.sort() != sort {
        refuse(source, sort);
    }
}

/// Ends a call with an integer, of a hasher of something else.
#[cold]
#[inline(never)]
pub(super) fn must_be_integers(source: KeySource) -> ! {
    refuse(source, KeySource::Integers)
}

#[cold]
#[inline(never)]
fn refuse(source: KeySource, sort: KeySource) -> ! {
    let how = match sort {
        KeySource::Integers => "make the filter, or the key, with Hasher::of(KeySource::Integers)",
        KeySource::Hashes => "make the filter with Hasher::of(KeySource::Hashes)",
        _ => "make the filter with a hasher of bytes",
    };
    panic!(
        "the keys of this hasher are {}, not {}: {}",
        source.name(),
        sort.name(),
        how
    );
}
