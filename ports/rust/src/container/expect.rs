//! What a kind asks of the fields of a header: the row "against the kind" of spec/container.md 8, in its order.

use super::header::Header;
use crate::error::Error;

impl Header {
    pub(crate) fn expect_hash(&self, id: u8) -> Result<(), Error> {
        expect(self.hash == id, 16, "the kind has another hash")
    }

    pub(crate) fn expect_no_seed(&self) -> Result<(), Error> {
        expect(self.seed == 0, 32, "the hash takes no seed")
    }

    /// Where the hash is free: the seed of one that takes none.
    pub(crate) fn expect_fitting_seed(&self) -> Result<(), Error> {
        if self.hash == 2 || self.hash == 4 {
            self.expect_no_seed()?;
        }
        Ok(())
    }

    pub(crate) fn expect_profile(&self, right: bool) -> Result<(), Error> {
        expect(right, 11, "the kind has no such profile")
    }

    pub(crate) fn expect_hashes(&self, right: bool) -> Result<(), Error> {
        expect(right, 20, "an impossible number of hashes")
    }

    pub(crate) fn expect_units(&self, right: bool) -> Result<(), Error> {
        expect(right, 24, "an impossible number of bits, blocks or members")
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
