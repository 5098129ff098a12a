//! What a kind requires of the fields of a header: the rows "of a kind that carries none" and "against the kind" of
//! spec/container.md 8, in their order.

use super::header::{Header, PARAMETERS};
use crate::block::block_form;
use crate::error::Error;
use crate::kind::{Facts, HashCount};

impl Header {
    /// Sentinels and distinct keys of a kind that carries none.
    pub(super) fn expect_counts(&self, facts: &Facts) -> Result<(), Error> {
        let what = "a kind whose keys can leave carries no sentinels";
        expect(facts.sentinels || self.sentinels == 0, 18, what)?;
        let what = "a kind whose keys can leave carries no count of keys";
        expect(facts.keys || self.keys == 0, 64, what)
    }

    /// Hash, seed, profile and k.
    pub(crate) fn expect_facts(&self, facts: &Facts) -> Result<(), Error> {
        let hash = facts.hashes.contains(&self.hash);
        expect(hash, 16, "the kind has another hash")?;
        // Hashes 2 and 4 take no seed.
        let may_have_seed = facts.seed && self.hash != 2 && self.hash != 4;
        expect(
            may_have_seed || self.seed == 0,
            32,
            "the hash takes no seed",
        )?;
        self.expect_profile(facts.profiles.contains(&self.profile))?;
        let k = match facts.k {
            HashCount::Between(min, max) => (min..=max).contains(&self.hashes),
            HashCount::OfProfile => block_form(self.profile).map(|f| f.1) == Some(self.hashes),
            HashCount::None => self.hashes == 0,
        };
        self.expect_hashes(k)
    }

    pub(crate) fn expect_profile(&self, right: bool) -> Result<(), Error> {
        expect(right, 11, "the kind has no such profile")
    }

    /// k, where that is not decided by the facts alone.
    pub(crate) fn expect_hashes(&self, right: bool) -> Result<(), Error> {
        expect(right, 20, "an impossible number of hashes")
    }

    pub(crate) fn expect_units(&self, right: bool) -> Result<(), Error> {
        expect(right, 24, "an impossible number of units")
    }

    /// A parameter that begins at this byte of the 24.
    pub(crate) fn expect_parameter(&self, at: usize, right: bool) -> Result<(), Error> {
        let offset = (PARAMETERS.start + at) as u64;
        expect(right, offset, "an impossible parameter of the kind")
    }

    pub(crate) fn expect_payload(&self, length: u64) -> Result<(), Error> {
        expect(
            self.payload_length == length,
            80,
            "an impossible length of the payload",
        )
    }
}

fn expect(right: bool, offset: u64, what: &'static str) -> Result<(), Error> {
    if right {
        Ok(())
    } else {
        Err(Error::corrupt(offset, what))
    }
}
