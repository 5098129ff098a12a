//! What a kind of filter has to say of itself; everything else is written once, for all kinds.
//!
//! A kind is a [`Kind`]: its [`Facts`], its shape, what a header says of it, how a lookup reads its bytes. A kind whose keys are
//! bits is a [`BitKind`] too, with rates, and has the calls [`OfBits`] or, if it folds, [`OfBlocks`]. A kind that is only read is a
//! [`Rule`], and its shape [`ReadOnly`]. Each kind has a module in `src/kinds`; the table there is made from spec/kinds.json.

mod bits;
mod calls;
mod damage;
mod facts;
mod payload;
mod read_only;

use crate::container::Header;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key, KeySource};
use core::fmt::Debug;

pub(crate) use bits::{find_batch, fold_to, set_each};
pub use bits::{BitKind, FoldKind, OfBits, OfBlocks};
pub(crate) use calls::lacks;
#[cfg(feature = "std")]
pub use calls::Rates;
pub use calls::{Call, Calls};
pub(crate) use damage::{DamageMap, CHUNK};
pub(crate) use facts::{another_kind, may_doubt};
pub use facts::{Damage, Facts, HashCount, Parameter};
pub use payload::Payload;
pub(crate) use payload::{Doubtful, Words};
pub use read_only::{OnlyRead, ReadOnly, Rule};

/// The shape of a filter: how its bytes are read, in an array that somebody else keeps.
///
/// A plain filter ([`FilterOf`](crate::FilterOf)), one of atomic words ([`AtomicOf`](crate::AtomicOf)) and a container
/// that is looked at in place ([`ContainerView`](crate::container::ContainerView)) share this.
pub trait Kind: Clone + Debug + PartialEq + Sized {
    /// The rows of the table that a shape of this type can have: one, and for [`AnyKind`](crate::AnyKind) all.
    const KINDS: &'static [&'static Facts];

    /// The calls that its filters have, beside lookups.
    type Calls: Calls<Self>;

    /// The facts of its kind.
    fn facts(&self) -> &'static Facts {
        Self::KINDS[0]
    }

    /// The number of the kind in a container (spec/container.md 3).
    fn number(&self) -> u8 {
        self.facts().number
    }

    /// Its name.
    fn name(&self) -> &'static str {
        self.facts().name
    }

    /// What makes keys.
    fn hasher(&self) -> &Hasher;

    /// The key of a byte string. A kind of one hash need not look which it is.
    #[inline]
    fn key(&self, bytes: &[u8]) -> Key {
        self.hasher().key(bytes)
    }

    /// The same shape for keys of another source.
    fn of(self, source: KeySource) -> Self;

    /// The number of bits of its array, which an empty filter has all clear.
    fn bits(&self) -> u64;

    /// Hashes per key, k, as files state it.
    fn hashes(&self) -> u32;

    /// Bits or blocks, as files state it.
    fn units(&self) -> u64 {
        self.bits()
    }

    /// The number of the profile; 0 for kinds without.
    fn profile(&self) -> u8 {
        0
    }

    /// Its parameters, as bytes 100 to 123 of a header hold them.
    fn parameters(&self) -> [u8; 24] {
        [0; 24]
    }

    /// The shape that a header describes. Hash, seed, profile and k were checked against the facts; the kind checks units and
    /// parameters, in this order. The length of the payload need not be known.
    fn shape_of(header: &Header, hasher: Hasher) -> Result<Self, Error>;

    /// The bytes that a payload of this shape has.
    fn payload_length(&self) -> u64 {
        bytes_of(self.bits())
    }

    /// The shape that a header describes, whose payload has the length that follows from it.
    fn from_header(header: &Header, hasher: Hasher) -> Result<Self, Error> {
        let shape = Self::shape_of(header, hasher)?;
        header.expect_payload(shape.payload_length())?;
        Ok(shape)
    }

    /// Whether these words, none of which is in doubt, are such as a writer makes; only kinds whose bytes can contradict each
    /// other look. A reader of a whole file refuses one that is not intact.
    fn is_sound(&self, _: &[u64]) -> bool {
        true
    }

    /// Whether a key is possibly present. Bytes may be hostile: whatever they say, a lookup stays in the payload and ends.
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool;

    /// The same in words, none of which is in doubt: the fast path.
    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        self.lookup(&Words(words), key)
    }

    /// The same for several keys.
    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        for (key, out) in keys.iter().zip(out) {
            *out = self.find(words, *key);
        }
    }
}

/// Keys looked up together: more misses than this do not fit the line fill buffers of today's processors.
pub(crate) const TOGETHER: usize = 16;

#[inline(always)]
pub(crate) fn is_set(words: &[u64], bit: u64) -> bool {
    words[(bit >> 6) as usize] >> (bit & 63) & 1 != 0
}

pub(crate) fn differ() -> Error {
    Error::new(
        Code::Incompatible,
        "the filters differ in kind, shape, hash or source of keys",
    )
}

/// Bytes that hold so many bits, without overflow.
pub(crate) fn bytes_of(bits: u64) -> u64 {
    bits / 8 + u64::from(bits % 8 != 0)
}
