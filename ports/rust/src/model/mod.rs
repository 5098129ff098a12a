//! The rates that filters report (spec/model.md): before they are filled, from their size; afterwards, from their bits.
//!
//! All of it needs logarithms, which `core` does not have: the module is part of `std` alone.

mod blocks;
mod classic;
mod double_hashing;
mod halves;
mod portable;

pub(crate) use blocks::{
    block_fpr, block_keys, block_realised_fpr, fewest, mean_over_blocks, with_collisions,
};
pub(crate) use classic::{classic_fpr, classic_keys};
pub(crate) use portable::{portable_fpr, portable_keys, portable_realised_fpr};
