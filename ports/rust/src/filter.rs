//! Filters of several kinds side by side.

use crate::error::Error;
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key};
#[cfg(feature = "std")]
use crate::kind::BitKind;
use crate::kind::Kind;
use alloc::vec::Vec;

/// What every filter does, whatever its kind: for code that keeps several kinds side by side.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{BlockBloom, Filter, PortableBloom};
/// let mut both: Vec<Box<dyn Filter>> = vec![
///     Box::new(PortableBloom::make(100, 0.05)?),
///     Box::new(BlockBloom::make(100, 0.05)?),
/// ];
/// for f in &mut both {
///     f.insert_bytes(b"alice")?;
///     assert!(f.may_contain_bytes(b"alice"));
/// }
/// # Ok(())
/// # }
/// ```
pub trait Filter {
    /// The name of its kind.
    fn kind_name(&self) -> &'static str;
    /// What makes keys, and of what.
    fn hasher(&self) -> &Hasher;
    /// Inserts a byte string; refused where the kind is only read.
    fn insert_bytes(&mut self, key: &[u8]) -> Result<(), Error>;
    /// Inserts a key that this filter's hasher made; the same.
    fn insert_key(&mut self, key: Key) -> Result<(), Error>;
    /// Whether a byte string is possibly present.
    fn may_contain_bytes(&self, key: &[u8]) -> bool;
    /// Whether a key that this filter's hasher made is possibly present.
    fn may_contain_key(&self, key: Key) -> bool;
    /// The number of bits.
    fn bits(&self) -> u64;
    /// How many bits are set.
    fn ones(&self) -> u64;
    /// The bytes of its array.
    fn size_in_bytes(&self) -> u64;
    /// The bytes of its array, as files hold them.
    fn payload(&self) -> Vec<u8>;
}

impl<K: Kind> Filter for FilterOf<K> {
    fn kind_name(&self) -> &'static str {
        self.kind().name()
    }
    fn hasher(&self) -> &Hasher {
        FilterOf::hasher(self)
    }
    fn insert_bytes(&mut self, key: &[u8]) -> Result<(), Error> {
        self.try_insert(key)
    }
    fn insert_key(&mut self, key: Key) -> Result<(), Error> {
        self.try_insert_key(key)
    }
    fn may_contain_bytes(&self, key: &[u8]) -> bool {
        self.may_contain(key)
    }
    fn may_contain_key(&self, key: Key) -> bool {
        FilterOf::may_contain_key(self, key)
    }
    fn bits(&self) -> u64 {
        FilterOf::bits(self)
    }
    fn ones(&self) -> u64 {
        FilterOf::ones(self)
    }
    fn size_in_bytes(&self) -> u64 {
        FilterOf::size_in_bytes(self)
    }
    fn payload(&self) -> Vec<u8> {
        FilterOf::payload(self)
    }
}

/// The rates of a filter that this crate fills, beside [`Filter`].
#[cfg(feature = "std")]
pub trait Rated: Filter {
    /// How many keys are in it, by its fill.
    fn estimated_keys(&self) -> f64;
    /// The rate that such a filter can be expected to have with so many keys.
    fn expected_fpr(&self, keys: u64) -> f64;
    /// The rate that this filter has, from its bits.
    fn realised_fpr(&self) -> f64;
}

#[cfg(feature = "std")]
impl<K: BitKind> Rated for FilterOf<K> {
    fn estimated_keys(&self) -> f64 {
        FilterOf::estimated_keys(self)
    }
    fn expected_fpr(&self, keys: u64) -> f64 {
        FilterOf::expected_fpr(self, keys)
    }
    fn realised_fpr(&self) -> f64 {
        FilterOf::realised_fpr(self)
    }
}
