//! A filter of keys that are all at hand.

use crate::container::{smallest, Extras};
use crate::error::Error;
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key};
use crate::kind::Kind;
use alloc::vec::Vec;

/// A filter sized for the keys it holds, and what only its builder knows of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Built<K: Kind> {
    /// The filter.
    pub filter: FilterOf<K>,
    /// How many different keys there were, up to collisions of their 64 bits, and the smallest of them: for a container. Kinds
    /// whose keys can be erased carry neither.
    pub extras: Extras,
}

/// Makes a filter of all keys: `make` gets the number of different ones.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{build, Hasher, PortableBloom};
/// let keys = ["alice", "bob", "alice"];
/// let built = build(keys, Hasher::FnvSplitMix, |n| PortableBloom::make(n, 0.01))?;
/// assert_eq!(built.extras.keys, 2);
/// let file = built.filter.to_container(&built.extras)?;
/// # Ok(())
/// # }
/// ```
pub fn build<K: Kind>(
    keys: impl IntoIterator<Item = impl AsRef<[u8]>>,
    hasher: Hasher,
    make: impl FnOnce(u64) -> Result<FilterOf<K>, Error>,
) -> Result<Built<K>, Error> {
    build_of_keys(
        keys.into_iter().map(|k| hasher.key(k.as_ref())),
        hasher,
        make,
    )
}

/// The same of keys that the hasher made: of integers, say.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{build_of_keys, BlockBloom, Hasher, KeySource, Profile};
/// let ids = Hasher::DEFAULT.of(KeySource::Integers);
/// let keys = [42u64, 7, 42].map(|x| ids.key_of_integer(x));
/// let built = build_of_keys(keys, ids, |n| BlockBloom::make_with(n, 0.01, Profile::Line, ids))?;
/// assert_eq!(built.extras.keys, 2);
/// # Ok(())
/// # }
/// ```
pub fn build_of_keys<K: Kind>(
    keys: impl IntoIterator<Item = Key>,
    hasher: Hasher,
    make: impl FnOnce(u64) -> Result<FilterOf<K>, Error>,
) -> Result<Built<K>, Error> {
    let mut hashed: Vec<Key> = keys.into_iter().collect();
    hashed.sort_unstable();
    hashed.dedup();
    let mut filter = make(hashed.len() as u64)?;
    if filter.hasher() != &hasher {
        return Err(Error::invalid("the filter has another hasher"));
    }
    filter.fill_with(&hashed)?;
    let mut extras = filter.extras();
    let facts = filter.kind().facts();
    if facts.keys {
        extras.keys = hashed.len() as u64;
    }
    if facts.sentinels {
        extras.sentinels = smallest(hashed.iter().copied().take(8));
    }
    Ok(Built { filter, extras })
}

/// `from_keys` for the filters that are sized by a rate.
#[cfg(feature = "std")]
macro_rules! from_keys {
    ($($filter:ident with $hasher:expr;)*) => {$(
        impl crate::$filter {
            /// A filter of all keys of an iterator, sized at a rate for the number of different ones. It keeps 8 bytes per key
            /// while it counts. For what only a builder knows of the keys, and for other hashers, see [`build`].
            ///
            /// ```
            /// # fn main() -> Result<(), bloomery::Error> {
            #[doc = concat!("use bloomery::", stringify!($filter), ";")]
            #[doc = concat!("let f = ", stringify!($filter), "::from_keys([\"alice\", \"bob\", \"alice\"], 0.01)?;")]
            /// assert!(f.may_contain("alice"));
            /// assert_eq!(f.capacity(), 2);
            /// # Ok(())
            /// # }
            /// ```
            pub fn from_keys(
                keys: impl IntoIterator<Item = impl AsRef<[u8]>>,
                fpr: f64,
            ) -> Result<Self, Error> {
                // A filter of no keys is as large as one of a single key: it denies everything.
                let built = build(keys, $hasher, |n| Self::make(n.max(1), fpr))?;
                Ok(built.filter)
            }
        }
    )*};
}

#[cfg(feature = "std")]
from_keys! {
    PortableBloom with Hasher::FnvSplitMix;
    BlockBloom with Hasher::DEFAULT;
    SplitBlockBloom with Hasher::Xxh64 { seed: 0 };
    Bloom with Hasher::DEFAULT;
    PartitionedBloom with Hasher::DEFAULT;
}
