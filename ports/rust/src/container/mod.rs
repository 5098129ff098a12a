//! The native container (spec/container.md): one self-describing file for every kind of filter, under checksums.

mod checked;
pub(crate) mod crc32c;
mod expect;
mod foreign;
mod header;
mod notes;
mod options;
mod packed;
mod packed_static;
mod read;
mod receipts;
mod view;
mod write;

pub use crc32c::crc32c;
pub use header::Header;
#[cfg(feature = "std")]
pub(crate) use header::HEADER;
pub use notes::Note;
pub use options::ReadOptions;
pub use read::{
    inspect, read, read_as, read_as_with, read_with, read_with_secret, Container, Content,
};
pub use view::ContainerView;
pub use write::{sentinels_of, smallest, Extras};
