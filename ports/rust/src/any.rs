//! The table of kinds, and a filter of a kind that is known only when a file was opened.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
#[cfg(feature = "std")]
use crate::kind::Rates;
use crate::kind::{another_kind, differ, lacks, Call, Calls, Facts, Kind, Payload};
use crate::kinds::{FILTERS, KINDS};
use alloc::vec::Vec;

/// A filter of any kind; [`downcast`](AnyFilter::downcast) gives it as one of its own kind.
pub type AnyFilter = FilterOf<AnyKind>;

/// Writes the enumeration of kinds, its conversions, and the step from an enumerated kind to its type: `on!`, `pair!`. (`$d` is a
/// dollar sign: a macro that a macro writes has no other way to have one.)
macro_rules! kinds {
    ($d:tt $($name:ident($kind:ty),)*) => {
        /// The shape of a filter of any kind.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum AnyKind {
            $(#[allow(missing_docs)] $name($kind),)*
        }

        /// `on!(any, kind: Calls => expression)`: with the shape that it holds, and the calls of that kind.
        macro_rules! on {
            ($d any:expr, $d k:ident $d(: $d calls:ident)? => $d with:expr) => {
                match $d any {
                    $(AnyKind::$name($d k) => {
                        $d(type $d calls = <$kind as Kind>::Calls;)?
                        $d with
                    })*
                }
            };
        }

        /// The same with two shapes, which must be of one kind.
        macro_rules! pair {
            ($d one:expr, $d other:expr, $d a:ident, $d b:ident: $d calls:ident => $d with:expr) => {
                match ($d one, $d other) {
                    $((AnyKind::$name($d a), AnyKind::$name($d b)) => {
                        type $d calls = <$kind as Kind>::Calls;
                        $d with
                    })*
                    _ => Err(differ()),
                }
            };
        }

        /// The shape that a header describes, of the kind that it names.
        fn shape_of(header: &Header, hasher: Hasher) -> Result<AnyKind, Error> {
            $(
                let facts = <$kind as Kind>::KINDS[0];
                if header.kind == facts.number {
                    header.expect_facts(facts)?;
                    return <$kind as Kind>::shape_of(header, hasher).map(AnyKind::$name);
                }
            )*
            Err(Error::unsupported(10, "an unknown kind of filter"))
        }

        $(
            impl From<$kind> for AnyKind {
                fn from(kind: $kind) -> Self {
                    AnyKind::$name(kind)
                }
            }

            impl TryFrom<AnyKind> for $kind {
                type Error = AnyKind;
                fn try_from(kind: AnyKind) -> Result<Self, AnyKind> {
                    match kind {
                        AnyKind::$name(kind) => Ok(kind),
                        other => Err(other),
                    }
                }
            }

            impl From<FilterOf<$kind>> for AnyFilter {
                fn from(filter: FilterOf<$kind>) -> Self {
                    filter.map(AnyKind::$name)
                }
            }
        )*
    };
}

// The kinds of filters, by the names of their variants: made from spec/kinds.json.
include!("kinds/list.rs");

/// The facts of the kind of a number.
pub fn facts_of(number: u8) -> Option<&'static Facts> {
    KINDS.iter().copied().find(|f| f.number == number)
}

impl Kind for AnyKind {
    const KINDS: &'static [&'static Facts] = FILTERS;

    type Calls = OfAny;

    fn facts(&self) -> &'static Facts {
        on!(self, k => k.facts())
    }
    fn hasher(&self) -> &Hasher {
        on!(self, k => k.hasher())
    }
    #[inline]
    fn key(&self, bytes: &[u8]) -> Key {
        on!(self, k => k.key(bytes))
    }
    fn of(self, source: KeySource) -> Self {
        on!(self, k => k.of(source).into())
    }
    fn bits(&self) -> u64 {
        on!(self, k => k.bits())
    }
    fn hashes(&self) -> u32 {
        on!(self, k => k.hashes())
    }
    fn units(&self) -> u64 {
        on!(self, k => k.units())
    }
    fn profile(&self) -> u8 {
        on!(self, k => k.profile())
    }
    fn parameters(&self) -> [u8; 24] {
        on!(self, k => k.parameters())
    }
    fn shape_of(header: &Header, hasher: Hasher) -> Result<Self, Error> {
        shape_of(header, hasher)
    }
    fn is_sound(&self, words: &[u64]) -> bool {
        on!(self, k => k.is_sound(words))
    }
    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        on!(self, k => k.lookup(payload, key))
    }
    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        on!(self, k => k.find(words, key))
    }
    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        on!(self, k => k.find_batch(words, keys, out))
    }
}

/// The calls of the kind that it turns out to be.
#[derive(Debug)]
pub struct OfAny;

impl Calls<AnyKind> for OfAny {
    #[inline]
    fn try_insert(kind: &AnyKind, words: &mut [u64], key: Key) -> Result<(), Error> {
        on!(kind, k: Of => Of::try_insert(k, words, key))
    }
    fn insert_if_absent(kind: &AnyKind, words: &mut [u64], key: Key) -> Result<bool, Error> {
        on!(kind, k: Of => Of::insert_if_absent(k, words, key))
    }
    fn merge(
        kind: &AnyKind,
        words: &mut [u64],
        other: &AnyKind,
        from: &[u64],
    ) -> Result<(), Error> {
        pair!(kind, other, a, b: Of => Of::merge(a, words, b, from))
    }
    fn intersect(
        kind: &AnyKind,
        words: &mut [u64],
        other: &AnyKind,
        from: &[u64],
    ) -> Result<(), Error> {
        pair!(kind, other, a, b: Of => Of::intersect(a, words, b, from))
    }
    fn fold(kind: &AnyKind, words: &[u64], factor: u64) -> Result<(AnyKind, Vec<u64>), Error> {
        on!(kind, k: Of => {
            let (folded, words) = Of::fold(k, words, factor)?;
            Ok((folded.into(), words))
        })
    }
    #[cfg(feature = "std")]
    fn rates(kind: &AnyKind, words: &[u64]) -> Result<Rates, Error> {
        on!(kind, k: Of => Of::rates(k, words))
    }
    fn positions(kind: &AnyKind, key: Key) -> Result<Vec<u64>, Error> {
        on!(kind, k: Of => Of::positions(k, key))
    }
}

impl AnyKind {
    /// The shape of a kind by its number, and by what a header says of it: profile, k, units and parameters. It is for tests, and for
    /// writing another implementation.
    pub fn from_numbers(
        number: u8,
        profile: u8,
        hashes: u32,
        units: u64,
        parameters: [u8; 24],
        hasher: Hasher,
    ) -> Result<Self, Error> {
        let header = Header {
            kind: number,
            profile,
            hashes,
            units,
            parameters,
            hash: hasher.id(),
            seed: hasher.seed(),
            ..Header::default()
        };
        shape_of(&header, hasher)
    }

    /// The bits of a key, for kinds of bits; the cells of a counting filter, each once; of a cuckoo filter, the tag and its two
    /// buckets; of a quotient filter, fingerprint, quotient and remainder. Unsupported for others.
    pub fn positions(&self, key: Key) -> Result<Vec<u64>, Error> {
        OfAny::positions(self, key)
    }
}

impl AnyFilter {
    /// Its rates, from its bits. A kind that is only read refuses (unsupported).
    #[cfg(feature = "std")]
    pub fn rates(&self) -> Result<Rates, Error> {
        OfAny::rates(self.kind(), self.words())
    }

    /// Removes all keys. A kind that is only read refuses (unsupported).
    pub fn clear(&mut self) -> Result<(), Error> {
        if !self.kind().facts().can(Call::Insert) {
            return Err(lacks(self.kind().facts(), Call::Insert));
        }
        self.clear_words();
        Ok(())
    }

    /// The filter as one of kind `K`; refused as incompatible where it is of another.
    ///
    /// ```
    /// # fn main() -> Result<(), bloomery::Error> {
    /// use bloomery::{container, AnyFilter, Bloom};
    /// let file = Bloom::make(10, 0.01)?.to_container(&Default::default())?;
    /// let any: AnyFilter = container::read(&file)?.into_filter()?;
    /// let bloom: Bloom = any.downcast()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn downcast<K>(self) -> Result<FilterOf<K>, Error>
    where
        K: Kind + TryFrom<AnyKind, Error = AnyKind>,
    {
        let own = self.kind().name();
        self.try_map(K::try_from)
            .map_err(|_| Error::new(Code::Incompatible, another_kind(own, K::KINDS)))
    }
}
