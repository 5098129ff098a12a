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
//! | a file of any other kind: cuckoo, counting, ribbon, fuse, xor, scalable, stable, window, quotient | [`AnyFilter`], for lookups |
//! | several threads that write | [`AtomicOf`] any of these |
//! | a file under checksums | [`container`] |
//! | filters of Apache Parquet, in its own bytes | [`dialect`] |
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

mod any;
mod atomic;
mod build;
mod chain;
pub mod container;
pub mod dialect;
pub mod engine;
mod error;
#[cfg(feature = "std")]
mod file;
mod filter;
mod filter_of;
pub mod hash;
pub mod kind;
mod kinds;
mod lines;
#[cfg(feature = "std")]
mod model;
mod residue;
mod slots;
mod walk;
mod words;

pub use any::{facts_of, AnyFilter, AnyKind};
pub use atomic::AtomicOf;
pub use build::{build, build_of_keys, Built};
pub use error::{Code, Error};
#[cfg(feature = "std")]
pub use file::{load, load_container, read_all, save};
pub use filter::Filter;
#[cfg(feature = "std")]
pub use filter::Rated;
pub use filter_of::FilterOf;
pub use hash::{Hasher, Key, KeySource};
pub use kind::{BitKind, Kind};
pub use kinds::block::{Block, BlockBloom, Profile};
pub use kinds::bloom::{Bloom, Classic};
pub use kinds::partitioned::{Partitioned, PartitionedBloom};
pub use kinds::portable::{Portable, PortableBloom};
#[cfg(feature = "std")]
pub use kinds::portable::{Promise, Verdict};
pub use kinds::ribbon::{Equation, Ribbon};
pub use kinds::split_block::{SplitBlock, SplitBlockBloom};
pub use kinds::KINDS;
// Modules of kinds by their own names.
use kinds::*;

/// The examples of the README, held to what they say.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
