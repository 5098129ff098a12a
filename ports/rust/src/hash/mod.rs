//! From bytes to 64 bits (spec/hash.md).

mod fnv;
mod siphash;
mod source;
mod xxh3;
mod xxh64;

use core::fmt;

pub use fnv::{fnv1a64, splitmix64};
pub use siphash::siphash13;
pub use source::{KeySource, OtherKeys};
pub use xxh3::xxh3;
pub use xxh64::xxh64;

/// The 64 bits that a filter sees of a key. Two filters share a [`Key`] only if their hashers are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    /// A key from the 64 bits that some hasher made. For hashes of your own see [`Hasher::key_of_hash`], so that a file can say
    /// what its keys are.
    #[inline]
    pub const fn from_raw(bits: u64) -> Self {
        Key(bits)
    }

    /// Its 64 bits.
    #[inline]
    pub const fn raw(self) -> u64 {
        self.0
    }
}

/// A hash function with its seed or secret, and what it hashes: bytes, or with [`of`](Hasher::of) keys of another
/// [`KeySource`].
///
/// A key of another source than the hasher's would be a permanent false negative, so the calls that hash panic on it. Bytes that are
/// read cannot cause that: a reader says which keys it will look up ([`ReadOptions`](crate::container::ReadOptions)).
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hasher {
    /// XXH3 with 64 bits: the default of native filters.
    Xxh3 {
        /// 0 is the unseeded function.
        seed: u64,
    },
    /// FNV-1a, then SplitMix64: the hash of the portable filter.
    FnvSplitMix,
    /// XXH64: the hash of Parquet and others.
    Xxh64 {
        /// 0 is the unseeded function.
        seed: u64,
    },
    /// SipHash-1-3: for keys that an attacker may choose. The secret is never written to a file.
    SipHash13 {
        /// k0 and k1, little-endian.
        secret: [u8; 16],
    },
    /// One of these for keys that are not bytes: [`Hasher::of`] makes it.
    OfOther(OtherKeys),
}

impl Hasher {
    /// XXH3 with seed 0.
    pub const DEFAULT: Hasher = Hasher::Xxh3 { seed: 0 };

    /// The key of a byte string.
    ///
    /// # Panics
    ///
    /// If keys are integers or hashes.
    #[inline]
    pub fn key(&self, bytes: &[u8]) -> Key {
        Key(match self {
            Hasher::Xxh3 { seed } => xxh3(bytes, *seed),
            Hasher::FnvSplitMix => fnv::hash(bytes),
            Hasher::Xxh64 { seed } => xxh64(bytes, *seed),
            Hasher::SipHash13 { secret } => siphash13(bytes, secret),
            Hasher::OfOther(keys) => return keys.key(bytes),
        })
    }

    /// The key of an integer given as such (spec/hash.md 6); a signed one is converted: `-1i64 as u64`.
    ///
    /// # Panics
    ///
    /// If keys are not integers.
    #[inline]
    pub fn key_of_integer(&self, x: u64) -> Key {
        match self {
            Hasher::OfOther(keys) => keys.key_of_integer(x),
            _ => source::must_be_integers(KeySource::Bytes),
        }
    }

    /// The key that a caller has hashed to 64 uniform bits: those bits.
    ///
    /// # Panics
    ///
    /// If keys are not hashes.
    #[inline]
    pub fn key_of_hash(&self, hash: u64) -> Key {
        source::must_be(self.source(), KeySource::Hashes);
        Key(hash)
    }

    /// The keys of some byte strings. FNV, whose every byte waits for the one before, goes over several at once.
    ///
    /// # Panics
    ///
    /// If the slices differ in length, or keys are integers or hashes.
    #[inline]
    pub fn key_batch<T: AsRef<[u8]>>(&self, strings: &[T], out: &mut [Key]) {
        assert_eq!(strings.len(), out.len(), "one key for each string");
        match self {
            Hasher::FnvSplitMix => fnv::hash_batch(strings, out),
            Hasher::OfOther(keys) => keys.key_batch(strings, out),
            _ => {
                for (s, out) in strings.iter().zip(out) {
                    *out = self.key(s.as_ref());
                }
            }
        }
    }

    /// Its number in files.
    pub fn id(&self) -> u8 {
        match self {
            Hasher::Xxh3 { .. } => 1,
            Hasher::FnvSplitMix => 2,
            Hasher::Xxh64 { .. } => 3,
            Hasher::SipHash13 { .. } => 4,
            Hasher::OfOther(keys) => keys.for_bytes().id(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Hasher::Xxh3 { .. } => "xxh3",
            Hasher::FnvSplitMix => "fnv1a-splitmix",
            Hasher::Xxh64 { .. } => "xxh64",
            Hasher::SipHash13 { .. } => "siphash13",
            Hasher::OfOther(keys) => keys.for_bytes().name(),
        }
    }

    /// Its seed; 0 where it takes none.
    pub fn seed(&self) -> u64 {
        match self {
            Hasher::Xxh3 { seed } | Hasher::Xxh64 { seed } => *seed,
            Hasher::OfOther(keys) => keys.for_bytes().seed(),
            _ => 0,
        }
    }

    /// The value that identifies it in files: the hash of "bloomery", whatever its source.
    pub fn check(&self) -> u64 {
        self.of(KeySource::Bytes).key(b"bloomery").raw()
    }

    /// The hasher of these numbers in a file. `secret` is used by the keyed hash alone; it is `None` where the number is
    /// unknown, or a secret is needed and not there.
    pub fn from_id(id: u8, seed: u64, secret: Option<[u8; 16]>) -> Option<Hasher> {
        match id {
            1 => Some(Hasher::Xxh3 { seed }),
            2 => Some(Hasher::FnvSplitMix),
            3 => Some(Hasher::Xxh64 { seed }),
            4 => secret.map(|secret| Hasher::SipHash13 { secret }),
            _ => None,
        }
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Hasher::DEFAULT
    }
}

impl fmt::Debug for Hasher {
    /// Names the function, its seed and its source, never a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hasher::Xxh3 { seed } | Hasher::Xxh64 { seed } => {
                write!(f, "{}(seed {})", self.name(), seed)
            }
            Hasher::OfOther(keys) => {
                write!(f, "{:?} of {}", keys.for_bytes(), keys.source().name())
            }
            _ => f.write_str(self.name()),
        }
    }
}

#[inline]
fn fmix64(x: u64) -> u64 {
    let x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[inline(always)]
fn read64(bytes: &[u8], at: usize) -> u64 {
    let mut w = [0; 8];
    w.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(w)
}

#[inline(always)]
fn read32(bytes: &[u8], at: usize) -> u32 {
    let mut w = [0; 4];
    w.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(w)
}
