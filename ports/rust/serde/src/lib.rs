//! Filters of the crate `bloomery` through serde: the bytes of a container (spec/container.md), so that what one language
//! serialised another reads, and every check of a reader on the way back.
//!
//! ```ignore
//! #[derive(Serialize, Deserialize)]
//! struct Shard {
//!     name: String,
//!     #[serde(with = "bloomery_serde")]
//!     users: BlockBloom,
//! }
//! ```
//!
//! [`Stored`] is a filter that has the traits itself, for `Vec<Stored<K>>`, maps and so on.
//!
//! Formats for people (JSON, TOML) get a string of hexadecimal digits, others bytes. Readers take either, and sequences of
//! numbers. A filter of integers comes back as one, because the container says so. A filter whose keys are under a secret cannot be
//! deserialised: the secret is not in the bytes. Damaged chunks answer "possibly present", as in every reader, and such a filter is not
//! serialised again.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

mod bytes;

use bloomery::container::{self, ReadOptions};
use bloomery::{AnyKind, FilterOf, Kind};
use core::fmt;
use core::ops::{Deref, DerefMut};
use serde::{de, ser, Deserialize, Deserializer, Serialize, Serializer};

/// Serialises a filter: for `#[serde(with = "bloomery_serde")]`.
pub fn serialize<K: Kind, S: Serializer>(filter: &FilterOf<K>, to: S) -> Result<S::Ok, S::Error> {
    let bytes = filter
        .to_container(&filter.extras())
        .map_err(ser::Error::custom)?;
    bytes::serialize(&bytes, to)
}

/// Deserialises a filter of one kind; others, and bytes that are wrong, are refused with the reason and the byte offset.
pub fn deserialize<'de, K, D>(from: D) -> Result<FilterOf<K>, D::Error>
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
    D: Deserializer<'de>,
{
    let bytes = bytes::deserialize(from)?;
    container::read_as_with(&bytes, &ReadOptions::new().any_source()).map_err(de::Error::custom)
}

/// A filter with serde's traits.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use bloomery::{Block, BlockBloom};
/// use bloomery_serde::Stored;
/// let levels: Vec<Stored<Block>> = vec![BlockBloom::from_keys(["alice"], 0.01)?.into()];
/// let sent = bincode::serialize(&levels)?;
/// let got: Vec<Stored<Block>> = bincode::deserialize(&sent)?;
/// assert!(got[0].may_contain("alice"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Stored<K: Kind>(pub FilterOf<K>);

impl<K: Kind> fmt::Debug for Stored<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stored").field(&self.0).finish()
    }
}

impl<K: Kind> From<FilterOf<K>> for Stored<K> {
    fn from(filter: FilterOf<K>) -> Self {
        Stored(filter)
    }
}

impl<K: Kind> Deref for Stored<K> {
    type Target = FilterOf<K>;
    fn deref(&self) -> &FilterOf<K> {
        &self.0
    }
}

impl<K: Kind> DerefMut for Stored<K> {
    fn deref_mut(&mut self) -> &mut FilterOf<K> {
        &mut self.0
    }
}

impl<K: Kind> Serialize for Stored<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, to)
    }
}

impl<'de, K> Deserialize<'de> for Stored<K>
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize(from).map(Stored)
    }
}

/// The example of the README, held to what it says.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
