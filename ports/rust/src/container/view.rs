//! A container that is queried in place, without a copy.

use super::checked::{Checked, Reads};
use super::header::{Header, Holds};
use super::notes::Note;
use super::options::ReadOptions;
use super::{packed, packed_static};
use crate::any::AnyKind;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key};
use crate::kind::Kind;
use alloc::vec::Vec;

/// A container over bytes that are not copied: a slice, or a file mapped with whatever crate you like (anything that is
/// `AsRef<[u8]>`). Opening checks header and tail; a chunk is checked when a lookup first needs it, and answers "possibly present"
/// if it is damaged. Several threads may look up at once.
///
/// The bytes must not change while they are looked at: a file is to be replaced, not written over.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{container::ContainerView, BlockBloom};
/// let mut f = BlockBloom::make(1000, 0.01)?;
/// f.insert("alice");
/// let mut file = f.to_container(&Default::default())?;
/// assert!(ContainerView::open(&file)?.may_contain("alice"));
/// file[200] ^= 1; // a damaged chunk forgets no key
/// let view = ContainerView::open(&file)?;
/// assert!(view.may_contain("alice") && view.damaged_chunks() == 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ContainerView<B> {
    checked: Checked<B>,
    hasher: Hasher,
    /// None for a packed set.
    kind: Option<AnyKind>,
}

impl<B: AsRef<[u8]>> ContainerView<B> {
    /// Opens a container whose hash is not keyed, and whose keys are bytes.
    pub fn open(bytes: B) -> Result<Self, Error> {
        ContainerView::open_with(bytes, &ReadOptions::new())
    }

    /// Opens one whose keys were hashed under a secret.
    pub fn open_with_secret(bytes: B, secret: [u8; 16]) -> Result<Self, Error> {
        ContainerView::open_with(bytes, &ReadOptions::new().secret(secret))
    }

    /// Opens one of which the reader knows something.
    pub fn open_with(bytes: B, options: &ReadOptions) -> Result<Self, Error> {
        ContainerView::from_checked(Checked::new(bytes)?, options)
    }

    pub(super) fn from_checked(checked: Checked<B>, options: &ReadOptions) -> Result<Self, Error> {
        let hasher = checked.hasher(options)?;
        let kind = match checked.header.holds() {
            Holds::Foreign => {
                let what = "another system's bytes are not queried in place: read the container";
                return Err(Error::unsupported(10, what));
            }
            Holds::Packed => None,
            Holds::Filter => Some(AnyKind::from_header(&checked.header, hasher)?),
        };
        checked.check_padding()?;
        let view = ContainerView {
            checked,
            hasher,
            kind,
        };
        if view.kind.is_some() {
            view.checked
                .check_sentinels(|key| view.may_contain_key(key))?;
        }
        Ok(view)
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.checked.header
    }

    /// Its notes.
    pub fn notes(&self) -> &[Note] {
        &self.checked.notes.records
    }

    /// The smallest hashes of its keys, if its builder left them.
    pub fn sentinels(&self) -> Vec<Key> {
        self.checked.sentinels()
    }

    /// What makes keys, and of what.
    pub fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    /// How many chunks are damaged. Checks all that no lookup needed yet.
    pub fn damaged_chunks(&self) -> u64 {
        self.checked.damaged()
    }

    /// Members of a packed set; 0 for a single filter.
    pub fn members(&self) -> u64 {
        match self.kind {
            Some(_) => 0,
            None => self.checked.header.units,
        }
    }

    /// Whether a byte string is possibly present; in a packed set, in any member.
    pub fn may_contain(&self, key: impl AsRef<[u8]>) -> bool {
        self.may_contain_key(self.hasher.key(key.as_ref()))
    }

    /// Whether an integer is possibly present; of a container of integers.
    pub fn may_contain_integer(&self, key: u64) -> bool {
        self.may_contain_key(self.hasher.key_of_integer(key))
    }

    /// Whether a key of its hasher is possibly present; in a packed set, in any member.
    pub fn may_contain_key(&self, key: Key) -> bool {
        match &self.kind {
            Some(kind) => Reads::new(&self.checked, 0, kind.facts().damage).may_contain(kind, key),
            None => (0..self.members()).any(|i| self.member(i, key)),
        }
    }

    fn member(&self, member: u64, key: Key) -> bool {
        if self.checked.header.kind == packed::FACTS.number {
            packed::may_contain(&self.checked, self.hasher, member, key)
        } else {
            packed_static::may_contain(&self.checked, self.hasher, member, key)
        }
    }

    /// Whether a byte string is possibly in a member of a packed set.
    pub fn member_may_contain(&self, member: u64, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.member_may_contain_key(member, self.hasher.key(key.as_ref()))
    }

    /// Whether a key of its hasher is possibly in a member of a packed set.
    pub fn member_may_contain_key(&self, member: u64, key: Key) -> Result<bool, Error> {
        if member >= self.members() {
            return Err(Error::new(Code::InvalidArgument, "there is no such member"));
        }
        Ok(self.member(member, key))
    }
}
