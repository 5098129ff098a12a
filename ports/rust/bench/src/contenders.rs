//! The filters that are compared, behind one call that asks for many keys.

use crate::keys::Keys;
use bloomery::{BlockBloom, Hasher, PortableBloom};

pub trait Contender {
    /// How many of the keys are possibly present.
    fn count(&self, asked: &[&[u8]], out: &mut [bool]) -> usize;
}

pub struct Ours(PortableBloom);
pub struct OursBatch(PortableBloom);
pub struct OurBlocks(BlockBloom);
/// The hash of the portable filter and nothing else: no lookup in it can take less.
pub struct HashAlone;
pub struct OtherBloom(bloomfilter::Bloom<[u8]>);
pub struct FastBloom(fastbloom::BloomFilter);

fn portable(keys: &Keys, rate: f64) -> PortableBloom {
    let keys = keys.all();
    let mut f = PortableBloom::make(keys.len() as u64, rate).expect("a rate that can be kept");
    f.insert_batch(&keys);
    f
}

impl Ours {
    pub fn new(keys: &Keys, rate: f64) -> Self {
        Ours(portable(keys, rate))
    }
}

impl Contender for Ours {
    fn count(&self, asked: &[&[u8]], _: &mut [bool]) -> usize {
        asked.iter().filter(|k| self.0.may_contain(k)).count()
    }
}

impl OursBatch {
    pub fn new(keys: &Keys, rate: f64) -> Self {
        OursBatch(portable(keys, rate))
    }
}

impl Contender for OursBatch {
    fn count(&self, asked: &[&[u8]], out: &mut [bool]) -> usize {
        self.0.may_contain_batch(asked, out);
        out.iter().filter(|a| **a).count()
    }
}

impl OurBlocks {
    pub fn new(keys: &Keys, rate: f64) -> Self {
        let keys = keys.all();
        let mut f = BlockBloom::make(keys.len() as u64, rate).expect("a filter of that size");
        f.insert_batch(&keys);
        OurBlocks(f)
    }
}

impl Contender for OurBlocks {
    fn count(&self, asked: &[&[u8]], _: &mut [bool]) -> usize {
        asked.iter().filter(|k| self.0.may_contain(k)).count()
    }
}

impl Contender for HashAlone {
    fn count(&self, asked: &[&[u8]], _: &mut [bool]) -> usize {
        let hash = |k: &&&[u8]| Hasher::FnvSplitMix.key(k).raw() >> 63 == 1;
        asked.iter().filter(hash).count()
    }
}

impl OtherBloom {
    pub fn new(keys: &Keys, rate: f64) -> Self {
        let keys = keys.all();
        let mut f = bloomfilter::Bloom::new_for_fp_rate_with_seed(keys.len(), rate, &[7; 32])
            .expect("a filter of that size");
        for key in keys {
            f.set(key);
        }
        OtherBloom(f)
    }
}

impl Contender for OtherBloom {
    fn count(&self, asked: &[&[u8]], _: &mut [bool]) -> usize {
        asked.iter().filter(|k| self.0.check(k)).count()
    }
}

impl FastBloom {
    pub fn new(keys: &Keys, rate: f64) -> Self {
        let keys = keys.all();
        let mut f = fastbloom::BloomFilter::with_false_pos(rate)
            .seed(&42)
            .expected_items(keys.len());
        for key in keys {
            f.insert(key);
        }
        FastBloom(f)
    }
}

impl Contender for FastBloom {
    fn count(&self, asked: &[&[u8]], _: &mut [bool]) -> usize {
        asked.iter().filter(|k| self.0.contains(**k)).count()
    }
}
