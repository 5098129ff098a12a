//! A container, read whole: a verified copy.

use super::checked::Checked;
use super::foreign;
use super::header::{Header, Holds};
use super::notes::Note;
use super::options::ReadOptions;
use super::view::ContainerView;
use crate::any::{AnyFilter, AnyKind};
use crate::dialect::Image;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::Key;
use crate::kind::{another_kind, Damage, DamageMap, Kind};
use crate::words;
use alloc::vec::Vec;

/// What a container held.
#[derive(Debug)]
#[non_exhaustive]
pub enum Content {
    /// A filter of our own kinds.
    Filter(AnyFilter),
    /// A packed set; the view owns its bytes.
    Packed(ContainerView<Vec<u8>>),
    /// A file of another system.
    Foreign(Image<Vec<u8>>),
}

/// A container that was read and verified.
#[derive(Debug)]
pub struct Container {
    header: Header,
    notes: Vec<Note>,
    sentinels: Vec<Key>,
    damaged: u64,
    ones: u64,
    content: Content,
}

/// Reads a container whose hash is not keyed, and whose keys are bytes.
///
/// No key is forgotten because of a chunk whose checksum differs: bits count as set, and lookups that read other damaged bytes
/// answer "possibly present". Everything else that is wrong is refused, with the byte offset.
pub fn read(bytes: &[u8]) -> Result<Container, Error> {
    read_with(bytes, &ReadOptions::new())
}

/// Reads a container whose keys were hashed under a secret.
pub fn read_with_secret(bytes: &[u8], secret: [u8; 16]) -> Result<Container, Error> {
    read_with(bytes, &ReadOptions::new().secret(secret))
}

/// Reads a container of which the reader knows something.
pub fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Container, Error> {
    Container::from_checked(Checked::new(bytes)?, options)
}

/// Reads a container that must hold a filter of one kind.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{container, Bloom, PortableBloom};
/// let file = Bloom::make(10, 0.01)?.to_container(&Default::default())?;
/// let bloom: Bloom = container::read_as(&file)?;
/// assert!(container::read_as::<bloomery::Portable>(&file).is_err());
/// # Ok(())
/// # }
/// ```
pub fn read_as<K>(bytes: &[u8]) -> Result<FilterOf<K>, Error>
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
{
    read_as_with(bytes, &ReadOptions::new())
}

/// The same of which the reader knows something.
pub fn read_as_with<K>(bytes: &[u8], options: &ReadOptions) -> Result<FilterOf<K>, Error>
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
{
    let checked = Checked::new(bytes)?;
    let kind = AnyKind::from_header(&checked.header, checked.header.placeholder());
    if kind.map_or(true, |kind| K::try_from(kind).is_err()) {
        let own = checked.header.facts().map_or("unknown", |f| f.name);
        return Err(Error::at(
            Code::Incompatible,
            10,
            another_kind(own, K::KINDS),
        ));
    }
    Container::from_checked(checked, options)?
        .into_filter()?
        .downcast()
}

/// The header alone, from the first 128 bytes of a file: nothing is allocated. `length` is that of the whole file; without
/// it, everything is checked but that.
pub fn inspect(bytes: &[u8], length: Option<u64>) -> Result<Header, Error> {
    Header::parse(bytes, length)
}

impl Container {
    fn from_checked(c: Checked<&[u8]>, options: &ReadOptions) -> Result<Self, Error> {
        let hasher = c.hasher(options)?;
        let content = match c.header.holds() {
            Holds::Foreign => Content::Foreign(foreign::read(&c)?),
            Holds::Packed => {
                let owned = Checked::new(c.file().to_vec())?;
                Content::Packed(ContainerView::from_checked(owned, options)?)
            }
            Holds::Filter => {
                let kind = AnyKind::from_header(&c.header, hasher)?;
                c.check_padding()?;
                let mut filter = filter(&c, kind)?;
                if filter.damaged_chunks() == 0 && !filter.kind().is_sound(filter.words()) {
                    let what = "the payload contradicts itself";
                    return Err(Error::corrupt(c.header.payload_offset, what));
                }
                filter.set_receipts(c.receipts(filter.kind())?);
                c.check_sentinels(|key| filter.may_contain_key(key))?;
                Content::Filter(filter)
            }
        };
        Ok(Container {
            sentinels: c.sentinels(),
            damaged: c.damaged(),
            ones: c.payload().iter().map(|b| u64::from(b.count_ones())).sum(),
            header: c.header,
            notes: c.notes.records,
            content,
        })
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its notes, those with unknown tags and that of the source of its keys too.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The smallest hashes of its keys, if its builder left them.
    pub fn sentinels(&self) -> &[Key] {
        &self.sentinels
    }

    /// How many chunks were damaged.
    pub fn damaged_chunks(&self) -> u64 {
        self.damaged
    }

    /// Compares the ones that were counted with those of the header, where no chunk is damaged: what a program does that
    /// verifies a file, and does not only read it.
    pub fn verify_ones(&self) -> Result<(), Error> {
        if self.damaged == 0 && self.ones != self.header.ones {
            return Err(Error::corrupt(
                88,
                "another number of ones than was written",
            ));
        }
        Ok(())
    }

    /// What it held.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// What it held, taken out.
    pub fn into_content(self) -> Content {
        self.content
    }

    /// Its filter; refused as incompatible where it held something else.
    pub fn into_filter(self) -> Result<AnyFilter, Error> {
        match self.content {
            Content::Filter(f) => Ok(f),
            _ => Err(Error::new(
                Code::Incompatible,
                "not a filter of our own kinds",
            )),
        }
    }
}

/// The payload; in damaged chunks bits are set, and other bytes are zero and in doubt.
fn filter(c: &Checked<&[u8]>, kind: AnyKind) -> Result<AnyFilter, Error> {
    let payload = c.payload();
    let mut words = words::from_bytes(payload)?;
    let ones = kind.facts().damage == Damage::Ones;
    let mut damaged = 0;
    let mut doubt = DamageMap::NONE;
    let (begin, _) = c.chunk_at(0);
    for chunk in (0..c.chunk_count()).filter(|i| !c.is_intact(*i)) {
        let (from, to) = c.chunk_at(chunk);
        let (from, to) = (from - begin, (to - begin).min(payload.len()));
        if ones {
            words::fill_bytes(&mut words, from, to);
        } else {
            words::clear_bytes(&mut words, from, to);
            doubt.add(chunk as u64)?;
        }
        damaged += 1;
    }
    let mut f = FilterOf::from_parts(kind, words);
    f.set_history(c.header.capacity, c.header.asked_fpr);
    f.set_damaged(damaged);
    f.set_doubt(doubt);
    Ok(f)
}
