//! Files: written so that a reader finds the old one or the new one, whole, whatever happens.

use crate::any::AnyKind;
use crate::container::{self, Container, ReadOptions};
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::kind::Kind;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces the file at `path` by these bytes: they are written beside it, forced to the disk, and renamed over it; then the
/// directory is forced too. Processes that have the old file mapped or open keep it. The new one has the mode of the old one; its owner
/// is who writes it, and where its group is another one, that group may do no more than everybody.
///
/// ```no_run
/// # fn main() -> Result<(), bloomery::Error> {
/// let mut f = bloomery::PortableBloom::make(1000, 0.01)?;
/// f.insert("alice");
/// bloomery::save("users.bloom", &f.to_container(&f.extras())?)?;
/// let again: bloomery::PortableBloom = bloomery::container::read_as(&bloomery::load("users.bloom", 1 << 30)?)?;
/// # Ok(())
/// # }
/// ```
pub fn save(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Error> {
    let path = path.as_ref();
    replace(path, bytes).map_err(|e| e.in_file(path))
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let (beside, mut file) = create_beside(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, path));
    if let Err(e) = written {
        // The refusal is what the caller must hear of, not that a temporary file stayed behind.
        let _ = fs::remove_file(&beside);
        return Err(e.into());
    }
    sync_directory(path)?;
    Ok(())
}

/// A new file in the same directory, under a name that nobody has.
fn create_beside(path: &Path) -> Result<(PathBuf, File), Error> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| Error::invalid("a path without a file name"))?;
    loop {
        let mut beside = OsString::from(".");
        beside.push(name);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        beside.push(format!(".{}.{}.new", std::process::id(), count));
        let beside = path.with_file_name(beside);
        let old = fs::metadata(path).ok();
        match new_file(old.is_some()).open(&beside) {
            Ok(file) => {
                if let Some(old) = old {
                    take_mode(&file, &old);
                }
                return Ok((beside, file));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e.into()),
        }
    }
}

/// How to make a file that nobody has; one that replaces another is for nobody else meanwhile.
fn new_file(replaces: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaces {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let _ = replaces;
    options
}

/// Errors are not the caller's: the file stays as restricted as it was made.
#[cfg(unix)]
fn take_mode(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let mut mode = old.mode() & 0o777;
    if !matches!(file.metadata(), Ok(is) if is.gid() == old.gid()) {
        mode &= 0o707 | (mode & 0o007) << 3;
    }
    let _ = file.set_permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn take_mode(_: &File, _: &fs::Metadata) {}

/// A rename is on the disk once its directory is.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if parent != Path::new("") => File::open(parent)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The bytes of a file, refused as too large if there are more than `most`.
pub fn load(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, Error> {
    of_file(path.as_ref(), |file| read_all(file, most))
}

/// Reads a container from a file, whatever kind of filter it holds. No more is read than its header says it has, and one byte.
///
/// ```no_run
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::container::ReadOptions;
/// let any = bloomery::load_container("users.bloom", &ReadOptions::new())?.into_filter()?;
/// # Ok(())
/// # }
/// ```
pub fn load_container(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Container, Error> {
    of_file(path.as_ref(), |file| {
        container::read_with(&container_bytes(file)?, options)
    })
}

impl<K: Kind> FilterOf<K> {
    /// Saves the filter as a container, with the requested rate; [`save`] says how.
    ///
    /// ```
    /// # fn main() -> Result<(), bloomery::Error> {
    /// # let path = std::env::temp_dir().join(format!("users-{}.bloom", std::process::id()));
    /// use bloomery::BlockBloom;
    /// let mut f = BlockBloom::make(1000, 0.01)?;
    /// f.insert("alice");
    /// f.save(&path)?;
    /// assert_eq!(BlockBloom::load(&path)?, f);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let bytes = self.to_container(&self.extras());
        save(path, &bytes.map_err(|e| e.in_file(path))?)
    }
}

impl<K> FilterOf<K>
where
    K: Kind + TryFrom<AnyKind, Error = AnyKind>,
{
    /// Loads a filter of this kind, whose keys are bytes and not under a secret, from a container.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path, &ReadOptions::new())
    }

    /// The same of which the reader knows something.
    pub fn load_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, Error> {
        of_file(path.as_ref(), |file| {
            container::read_as_with(&container_bytes(file)?, options)
        })
    }
}

/// What becomes of an open file; errors have its path.
fn of_file<T>(path: &Path, read: impl FnOnce(&mut File) -> Result<T, Error>) -> Result<T, Error> {
    File::open(path)
        .map_err(Error::from)
        .and_then(|mut file| read(&mut file))
        .map_err(|e| e.in_file(path))
}

/// The bytes of a container: as many as its header says, and one more, by which a reader knows that there are too many. Where the
/// header is wrong it is all that is read.
fn container_bytes(from: &mut File) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    from.take(container::HEADER as u64)
        .read_to_end(&mut bytes)?;
    // The length of a pipe is not known before its end.
    let length = from
        .metadata()
        .ok()
        .filter(|m| m.is_file())
        .map(|m| m.len());
    let header = container::inspect(&bytes, length)?;
    let all = u64::try_from(header.file_length()).unwrap_or(u64::MAX);
    let more = all.saturating_sub(bytes.len() as u64).saturating_add(1);
    from.take(more).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes that a reader gives, refused as too large if there are more than `most`. Memory grows as they arrive.
pub fn read_all(from: &mut impl Read, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(
            Code::TooLarge,
            "more bytes than the caller allows",
        ));
    }
    Ok(bytes)
}
