//! Bloom filters: a filter answers whether a key is possibly present or definitely not present in a set. It never has a false
//! negative, reports the false-positive rate that it really has, and makes the same bytes in every language.
//!
//! ```
//! use bloomery::PortableBloom;
//!
//! # fn main() -> Result<(), bloomery::Error> {
//! let mut f = PortableBloom::make(1000, 0.01)?; // 1000 keys, 1 % false positives
//! f.insert_batch(&["alice", "bob"]);
//! assert!(f.may_contain("alice")); // true: possibly present
//! assert!(f.insert("carol")); // true: definitely new
//! let file = f.encode()?;                    // the same bytes from Go, C++ and Python
//! let again = PortableBloom::decode(&file)?; // hostile bytes are refused, with the byte offset
//! assert_eq!(again, f);
//! println!("{:.4} % false positives, from its bits", 100.0 * f.realised_fpr());
//! # Ok(())
//! # }
//! ```
//!
//! | you have | use |
//! |---|---|
//! | other languages on the other side | [`PortableBloom`] |
//! | keys arriving one by one, speed | [`BlockBloom`] |
//! | Apache Parquet on the other side | [`SplitBlockBloom`] |
//! | rates below 1e-5, or no memory to spare | [`Bloom`] |
//! | a rate known exactly, the fill of each slice | [`PartitionedBloom`] |
//! | a file of a program that erases keys | [`CuckooFilter`], [`CountingFilter`] |
//! | a file of a program that builds from all keys at once | [`RibbonFilter`], [`FuseFilter`], [`XorFilter`] |
//! | a file of a filter that grew with its keys | [`ScalableFilter`] |
//! | a file of fingerprints that are counted and listed | [`QuotientFilter`] |
//! | a file of a filter that *forgets*, and keeps recent keys only | [`StableFilter`], [`WindowFilter`] |
//! | several threads that write | [`AtomicOf`] any of these |
//! | a file under checksums | [`container`] |
//! | files of nori, atomicbloom or Parquet | [`dialect`] |
//!
//! Stable and window filters forget old keys by design (`forgets` in [`kind::Facts`]); every other kind never has a false negative.
//!
//! Keys are bytes, unless a filter is made for integers or another [`KeySource`]. Its file records the source, and keys of another
//! source are refused.
//!
//! Without the feature `std` (on by default) the crate is `no_std` with `alloc`, and lacks what takes a logarithm or a file:
//! sizing by rate, the rates that filters report, readers, writers and [`save`].

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;
// Files that unit tests share with the tests of the outside name the crate.
#[cfg(test)]
extern crate self as bloomery;

mod any;
mod atomic;
mod block;
mod bloom;
mod build;
mod chain;
pub mod container;
mod counting;
mod cuckoo;
pub mod dialect;
mod error;
#[cfg(feature = "std")]
mod file;
mod filter;
mod filter_of;
mod fuse;
pub mod hash;
pub mod kind;
#[cfg(feature = "std")]
mod model;
mod partitioned;
mod portable;
mod quotient;
mod residue;
mod ribbon;
mod scalable;
mod slots;
mod split_block;
mod stable;
#[cfg(test)]
mod testing;
mod walk;
mod window;
mod words;
mod xor;

pub use any::{facts_of, AnyFilter, AnyKind, KINDS};
pub use atomic::AtomicOf;
pub use block::{Block, BlockBloom, Profile};
pub use bloom::{Bloom, Classic};
pub use build::{build, build_of_keys, Built};
pub use counting::{Counting, CountingFilter, Layout};
pub use cuckoo::{Cuckoo, CuckooFilter};
pub use error::{Code, Error};
#[cfg(feature = "std")]
pub use file::{load, load_container, read_all, save};
pub use filter::Filter;
pub use filter_of::FilterOf;
pub use fuse::{Fuse, FuseFilter};
pub use hash::{Hasher, Key, KeySource};
pub use kind::{BitKind, Kind};
pub use partitioned::{Partitioned, PartitionedBloom};
pub use portable::{Portable, PortableBloom};
#[cfg(feature = "std")]
pub use portable::{Promise, Verdict};
pub use quotient::{Quotient, QuotientFilter, QuotientShape};
pub use ribbon::{Equation, Ribbon, RibbonFilter, RibbonShape};
pub use scalable::{Policy, Scalable, ScalableFilter, ScalableShape};
pub use slots::{SlotShape, Slots};
pub use split_block::{SplitBlock, SplitBlockBloom};
pub use stable::{Stable, StableFilter, StableShape};
pub use window::{Window, WindowFilter, WindowShape};
pub use xor::{Xor, XorFilter};

/// The examples of the README, held to what they say.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
