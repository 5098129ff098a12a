//! A filter of a kind that is known only when a file was opened.

use crate::block::Block;
use crate::bloom::Classic;
use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key};
use crate::kind::{differ, Kind};
use crate::portable::Portable;
use crate::split_block::SplitBlock;

/// A filter of any kind; [`downcast`](AnyFilter::downcast) gives it as one of its own kind.
pub type AnyFilter = FilterOf<AnyKind>;

/// Writes the enumeration of kinds, and hands every call on to the kind that it holds.
macro_rules! kinds {
    ($($name:ident($kind:ty)),* $(,)?) => {
        /// The shape of a filter of any kind.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum AnyKind {
            $(#[allow(missing_docs)] $name($kind),)*
        }

        /// Whether a container of this kind holds a filter.
        pub(crate) fn is_filter(number: u8) -> bool {
            name_of(number).is_some()
        }

        /// The name of a kind of filter.
        pub(crate) fn name_of(number: u8) -> Option<&'static str> {
            match number {
                $(<$kind>::NUMBER => Some(<$kind>::NAME),)*
                _ => None,
            }
        }

        impl Kind for AnyKind {
            fn from_header(header: &Header, hasher: Hasher) -> Result<Self, Error> {
                match header.kind {
                    $(<$kind>::NUMBER => <$kind>::from_header(header, hasher).map(AnyKind::$name),)*
                    _ => Err(Error::unsupported(10, "an unknown kind of filter")),
                }
            }
            fn fold_of(&self, other: &Self) -> Result<u64, Error> {
                match (self, other) {
                    $((AnyKind::$name(a), AnyKind::$name(b)) => a.fold_of(b),)*
                    _ => Err(differ()),
                }
            }
            fn folded(&self, factor: u64) -> Result<Self, Error> {
                match self { $(AnyKind::$name(k) => k.folded(factor).map(AnyKind::$name),)* }
            }
            fn number(&self) -> u8 {
                match self { $(AnyKind::$name(k) => k.number(),)* }
            }
            fn name(&self) -> &'static str {
                match self { $(AnyKind::$name(k) => k.name(),)* }
            }
            fn hasher(&self) -> &Hasher {
                match self { $(AnyKind::$name(k) => k.hasher(),)* }
            }
            fn bits(&self) -> u64 {
                match self { $(AnyKind::$name(k) => k.bits(),)* }
            }
            fn hashes(&self) -> u32 {
                match self { $(AnyKind::$name(k) => k.hashes(),)* }
            }
            fn units(&self) -> u64 {
                match self { $(AnyKind::$name(k) => k.units(),)* }
            }
            fn profile(&self) -> u8 {
                match self { $(AnyKind::$name(k) => k.profile(),)* }
            }
            fn block_words(&self) -> usize {
                match self { $(AnyKind::$name(k) => k.block_words(),)* }
            }
            #[inline]
            fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool {
                match self { $(AnyKind::$name(k) => k.probe(key, visit),)* }
            }
            #[inline]
            fn find(&self, words: &[u64], key: Key) -> bool {
                match self { $(AnyKind::$name(k) => k.find(words, key),)* }
            }
            fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
                match self { $(AnyKind::$name(k) => k.find_batch(words, keys, out),)* }
            }
            #[cfg(feature = "std")]
            fn expected_fpr(&self, keys: u64) -> f64 {
                match self { $(AnyKind::$name(k) => k.expected_fpr(keys),)* }
            }
            #[cfg(feature = "std")]
            fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
                match self { $(AnyKind::$name(k) => k.realised_fpr(words, ones),)* }
            }
            #[cfg(feature = "std")]
            fn keys_of(&self, ones: u64) -> f64 {
                match self { $(AnyKind::$name(k) => k.keys_of(ones),)* }
            }
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

// The table of kinds: their names here, and the shapes that know the rest.
kinds! {
    Portable(Portable),
    Block(Block),
    SplitBlock(SplitBlock),
    Bloom(Classic),
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
