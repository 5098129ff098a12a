//! The table of kinds, and a filter of a kind that is known only when a file was opened.

use crate::block::Block;
use crate::bloom::Classic;
use crate::container::{Header, FOREIGN, PACKED, PACKED_STATIC};
use crate::counting::Counting;
use crate::cuckoo::Cuckoo;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::fuse::Fuse;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{differ, Calls, Cells, Facts, Kind, Payload};
use crate::partitioned::Partitioned;
use crate::portable::Portable;
use crate::quotient::Quotient;
use crate::ribbon::Ribbon;
use crate::scalable::Scalable;
use crate::split_block::SplitBlock;
use crate::stable::Stable;
use crate::window::Window;
use crate::xor::Xor;
use alloc::vec::Vec;

/// A filter of any kind; [`downcast`](AnyFilter::downcast) gives it as one of its own kind.
pub type AnyFilter = FilterOf<AnyKind>;

/// Writes the enumeration of kinds, its conversions, and the step from an enumerated kind to its type: `on!`, `pair!`. (`$d` is a
/// dollar sign: a macro that a macro writes has no other way to have one.)
macro_rules! kinds {
    ($d:tt $($(#[$when:meta])* $name:ident($kind:ty),)*) => {
        /// The shape of a filter of any kind.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum AnyKind {
            $($(#[$when])* #[allow(missing_docs)] $name($kind),)*
        }

        /// The facts of every kind of container, those that hold no single filter of ours last.
        pub const KINDS: &[&Facts] = &[$($(#[$when])* &<$kind>::FACTS,)* &FOREIGN, &PACKED, &PACKED_STATIC];

        /// The same of filters.
        const FILTERS: &[&Facts] = &[$($(#[$when])* &<$kind>::FACTS,)*];

        /// `on!(any, kind: Calls => expression)`: with the shape that it holds, and the calls of that kind.
        macro_rules! on {
            ($d any:expr, $d k:ident $d(: $d calls:ident)? => $d with:expr) => {
                match $d any {
                    $($(#[$when])* AnyKind::$name($d k) => {
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
                    $($(#[$when])* (AnyKind::$name($d a), AnyKind::$name($d b)) => {
                        type $d calls = <$kind as Kind>::Calls;
                        $d with
                    })*
                    _ => Err(differ()),
                }
            };
        }

        /// The shape that a header describes, of the kind that it names.
        fn from_header(header: &Header, hasher: Hasher) -> Result<AnyKind, Error> {
            $(
                $(#[$when])*
                if header.kind == <$kind>::FACTS.number {
                    header.expect_facts(&<$kind>::FACTS)?;
                    return <$kind>::from_header(header, hasher).map(AnyKind::$name);
                }
            )*
            Err(Error::unsupported(10, "an unknown kind of filter"))
        }

        $(
            $(#[$when])*
            impl From<$kind> for AnyKind {
                fn from(kind: $kind) -> Self {
                    AnyKind::$name(kind)
                }
            }

            $(#[$when])*
            impl TryFrom<AnyKind> for $kind {
                type Error = AnyKind;
                fn try_from(kind: AnyKind) -> Result<Self, AnyKind> {
                    match kind {
                        AnyKind::$name(kind) => Ok(kind),
                        other => Err(other),
                    }
                }
            }

            $(#[$when])*
            impl From<FilterOf<$kind>> for AnyFilter {
                fn from(filter: FilterOf<$kind>) -> Self {
                    filter.map(AnyKind::$name)
                }
            }
        )*
    };
}

// The table of kinds: their names here, and the shapes that know the rest.
kinds! { $
    Portable(Portable),
    Block(Block),
    SplitBlock(SplitBlock),
    Bloom(Classic),
    Partitioned(Partitioned),
    Cuckoo(Cuckoo),
    Counting(Counting),
    Ribbon(Ribbon),
    Fuse(Fuse),
    Xor(Xor),
    Scalable(Scalable),
    Stable(Stable),
    Window(Window),
    Quotient(Quotient),
    #[cfg(test)]
    Fingerprints(crate::testing::Fingerprints),
    #[cfg(test)]
    Sorted(crate::testing::Sorted),
}

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
    fn from_header(header: &Header, hasher: Hasher) -> Result<Self, Error> {
        from_header(header, hasher)
    }
    fn emptied(self) -> Self {
        on!(self, k => k.emptied().into())
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
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        on!(self, k => k.expected_fpr(keys))
    }
    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        on!(self, k => k.realised_fpr(words, ones))
    }
    #[cfg(feature = "std")]
    fn damaged_fpr(&self, payload: &impl Payload, words: &[u64], ones: u64, share: f64) -> f64 {
        on!(self, k => k.damaged_fpr(payload, words, ones, share))
    }
    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], ones: u64) -> f64 {
        on!(self, k => k.keys_of(words, ones))
    }
    #[cfg(feature = "std")]
    fn damaged_keys(&self, payload: &impl Payload, words: &[u64], ones: u64) -> f64 {
        on!(self, k => k.damaged_keys(payload, words, ones))
    }
    fn fill_of(&self, payload: &impl Payload, ones: u64) -> f64 {
        on!(self, k => k.fill_of(payload, ones))
    }
}

/// The calls of the kind that it turns out to be.
#[derive(Debug)]
pub struct OfAny;

impl Calls<AnyKind> for OfAny {
    #[inline]
    fn try_insert(kind: &AnyKind, cells: &mut Cells<'_>, key: Key) -> Result<(), Error> {
        on!(kind, k: Of => Of::try_insert(k, cells, key))
    }
    fn insert_if_absent(kind: &AnyKind, cells: &mut Cells<'_>, key: Key) -> Result<bool, Error> {
        on!(kind, k: Of => Of::insert_if_absent(k, cells, key))
    }
    fn erase(kind: &AnyKind, cells: &mut Cells<'_>, key: Key) -> Result<(), Error> {
        on!(kind, k: Of => Of::erase(k, cells, key))
    }
    fn count(kind: &AnyKind, payload: &impl Payload, key: Key) -> Result<u64, Error> {
        on!(kind, k: Of => Of::count(k, payload, key))
    }
    fn merge(
        kind: &AnyKind,
        cells: &mut Cells<'_>,
        other: &AnyKind,
        from: &[u64],
    ) -> Result<(), Error> {
        pair!(kind, other, a, b: Of => Of::merge(a, cells, b, from))
    }
    fn intersect(
        kind: &AnyKind,
        cells: &mut Cells<'_>,
        other: &AnyKind,
        from: &[u64],
    ) -> Result<(), Error> {
        pair!(kind, other, a, b: Of => Of::intersect(a, cells, b, from))
    }
    fn fold(kind: &AnyKind, words: &[u64], factor: u64) -> Result<(AnyKind, Vec<u64>), Error> {
        on!(kind, k: Of => {
            let (folded, words) = Of::fold(k, words, factor)?;
            Ok((folded.into(), words))
        })
    }
    fn iterate(kind: &AnyKind, words: &[u64], visit: &mut dyn FnMut(u64)) -> Result<(), Error> {
        on!(kind, k: Of => Of::iterate(k, words, visit))
    }
    fn build(kind: &mut AnyKind, words: &mut Vec<u64>, keys: &[Key]) -> Result<(), Error> {
        on!(kind, k: Of => Of::build(k, words, keys))
    }
    fn positions(kind: &AnyKind, key: Key) -> Result<Vec<u64>, Error> {
        on!(kind, k: Of => Of::positions(k, key))
    }
}

impl AnyKind {
    /// The bits of a key, for kinds of bits; the cells of a counting filter, each once; of a cuckoo filter, the tag and its two
    /// buckets; of a quotient filter, quotient and remainder. Unsupported for others.
    pub fn positions(&self, key: Key) -> Result<Vec<u64>, Error> {
        OfAny::positions(self, key)
    }
}

impl AnyFilter {
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
        self.try_map(K::try_from)
            .map_err(|_| Error::new(Code::Incompatible, "a filter of another kind"))
    }
}
