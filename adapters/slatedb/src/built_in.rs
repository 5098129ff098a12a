//! SlateDB's own Bloom filter, read but not written: for a database that changes its policy.

use std::sync::Arc;

use slatedb::bytes::BufMut;
use slatedb::{BloomFilterPolicy, Filter, FilterBuilder, FilterPolicy, FilterQuery, RowEntry};

/// Reads the filters of `BloomFilterPolicy` in tables that have them, and writes none. SlateDB writes a filter of every policy that
/// it knows, so beside [`BlockPolicy`](crate::BlockPolicy) the built-in itself would cost its bits again. New tables get three bytes,
/// which are "possibly present" to `BloomFilterPolicy` as well.
#[derive(Debug)]
pub struct ReadBuiltIn(BloomFilterPolicy);

impl ReadBuiltIn {
    /// For databases whose filters `BloomFilterPolicy::new` made, of any bits per key.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        ReadBuiltIn(BloomFilterPolicy::new(10))
    }
}

/// No probes, and bits that are not none: without bits the built-in denies every key.
const ANYTHING: [u8; 3] = [0, 0, 0xff];

impl FilterPolicy for ReadBuiltIn {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(Nothing)
    }

    fn decode(&self, data: &[u8]) -> Arc<dyn Filter> {
        // The built-in panics where there is no number of probes, and denies every key where there are no bits.
        self.0.decode(if data.len() < 3 { &ANYTHING } else { data })
    }

    fn estimate_size(&self, _: usize) -> usize {
        ANYTHING.len()
    }

    fn supports_prefix_queries(&self) -> bool {
        false
    }
}

struct Nothing;

impl FilterBuilder for Nothing {
    fn add_entry(&mut self, _: &RowEntry) {}

    fn build(&mut self) -> Arc<dyn Filter> {
        Arc::new(Nothing)
    }
}

impl Filter for Nothing {
    fn might_match(&self, _: &FilterQuery) -> bool {
        true
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        writer.put_slice(&ANYTHING);
    }

    fn size(&self) -> usize {
        ANYTHING.len()
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        Arc::new(Nothing)
    }
}
