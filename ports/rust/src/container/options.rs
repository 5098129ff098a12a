//! What a container does not say to its reader.

use crate::hash::KeySource;

/// What a reader knows of a container: the secret of its hash, and which keys it will look up.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{container::{self, ReadOptions}, BlockBloom, KeySource};
/// let mut f = BlockBloom::make(1000, 0.01)?.of(KeySource::Integers);
/// f.insert_integer(42);
/// let file = f.to_container(&f.extras())?;
/// assert!(container::read(&file).is_err()); // its keys are not bytes
/// let again: BlockBloom = container::read_as_with(&file, &ReadOptions::new().source(KeySource::Integers))?;
/// assert!(again.may_contain_integer(42));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct ReadOptions {
    pub(super) secret: Option<[u8; 16]>,
    /// None: what the file says, or bytes.
    pub(super) source: Option<KeySource>,
}

impl ReadOptions {
    /// No secret, and keys that are bytes.
    pub const fn new() -> Self {
        ReadOptions {
            secret: None,
            source: Some(KeySource::Bytes),
        }
    }

    /// The secret of a keyed hash.
    pub const fn secret(mut self, secret: [u8; 16]) -> Self {
        self.secret = Some(secret);
        self
    }

    /// The keys that will be looked up. A file that says otherwise is refused, one without a record is taken to have this source.
    pub const fn source(mut self, source: KeySource) -> Self {
        self.source = Some(source);
        self
    }

    /// Whatever the file says, or bytes: look at the filter's [`Hasher::source`](crate::Hasher::source) before you hash for it.
    pub const fn any_source(mut self) -> Self {
        self.source = None;
        self
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions::new()
    }
}
