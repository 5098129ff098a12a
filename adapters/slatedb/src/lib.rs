//! A filter policy for SlateDB, a storage engine over object stores: block filters of bloomery in place of its Bloom filter. A lookup
//! reads one cache line, two above 18 bits per key; 10 bits per key give 1.05 % false positives.
//!
//! A filter is decoded once, when SlateDB loads it, and every byte is checked then: bytes that no writer makes answer "possibly
//! present". Prefixes and ranges do, too: for them SlateDB has other policies, which may stand beside this one.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod built_in;

use std::sync::Arc;

use bloomery::{engine, BlockBloom};
use slatedb::bytes::BufMut;
use slatedb::{Filter, FilterBuilder, FilterPolicy, FilterQuery, FilterTarget, RowEntry};

pub use built_in::ReadBuiltIn;

/// The policy: so many bits per key. Filters of every number are read by all, so it may change at any time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockPolicy {
    bits_per_key: f64,
    writes: bool,
}

impl BlockPolicy {
    /// Filters of so many bits per key: 1 to 100, what is outside counts as the nearer bound.
    pub fn new(bits_per_key: f64) -> Self {
        BlockPolicy {
            bits_per_key,
            writes: true,
        }
    }

    /// Reads these filters and writes none, beside the policy that a database has next: SlateDB writes a filter of every policy that
    /// it knows. New tables get an empty one of ours, which answers "possibly present".
    pub fn read_only() -> Self {
        BlockPolicy {
            bits_per_key: 0.0,
            writes: false,
        }
    }
}

impl FilterPolicy for BlockPolicy {
    fn name(&self) -> &str {
        engine::NAME
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(Builder(
            self.writes.then(|| engine::Writer::new(self.bits_per_key)),
        ))
    }

    fn decode(&self, data: &[u8]) -> Arc<dyn Filter> {
        Arc::new(TableFilter(engine::decode(data).ok().map(Arc::new)))
    }

    fn estimate_size(&self, keys: usize) -> usize {
        if self.writes {
            engine::size(keys, self.bits_per_key)
        } else {
            0
        }
    }

    fn supports_prefix_queries(&self) -> bool {
        false
    }
}

/// None: a policy that only reads.
struct Builder(Option<engine::Writer>);

impl FilterBuilder for Builder {
    fn add_entry(&mut self, entry: &RowEntry) {
        if let Some(keys) = &mut self.0 {
            keys.add(&entry.key);
        }
    }

    fn build(&mut self) -> Arc<dyn Filter> {
        // Without memory for a filter every key is possibly present.
        let filter = self.0.as_mut().and_then(|keys| keys.finish().ok());
        Arc::new(TableFilter(filter.map(Arc::new)))
    }
}

/// The filter of a table. None: nothing is known, every key is possibly present; its bytes are none.
struct TableFilter(Option<Arc<BlockBloom>>);

impl Filter for TableFilter {
    fn might_match(&self, query: &FilterQuery) -> bool {
        match (&self.0, &query.target) {
            (Some(filter), FilterTarget::Point(key)) => filter.may_contain(key),
            _ => true,
        }
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        let bytes = self.0.as_ref().and_then(|f| engine::encode(f).ok());
        writer.put_slice(&bytes.unwrap_or_default());
    }

    fn size(&self) -> usize {
        self.0.as_ref().map_or(0, |f| f.size_in_bytes() as usize)
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        // Its words are its own, and no more than it has.
        Arc::new(TableFilter(self.0.clone()))
    }
}

/// The example of the README, held to what it says.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
