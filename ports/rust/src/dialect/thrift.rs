//! Thrift's compact protocol, as far as Parquet's structures need it.

/// The outermost structure has depth 1; a structure, list, set or map one more than what it lies in.
const DEEPEST: u32 = 32;

/// What a field holds. Numbers and places only: nothing is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Byte,
    I16,
    I32,
    I64,
    Double,
    Binary,
    List,
    Set,
    Map,
    Struct,
    Uuid,
}

fn type_of(number: u8) -> Option<Type> {
    Some(match number {
        1 | 2 => Type::Bool,
        3 => Type::Byte,
        4 => Type::I16,
        5 => Type::I32,
        6 => Type::I64,
        7 => Type::Double,
        8 => Type::Binary,
        9 => Type::List,
        10 => Type::Set,
        11 => Type::Map,
        12 => Type::Struct,
        13 => Type::Uuid,
        _ => return None,
    })
}

/// A place in some bytes; every call answers `None` where they are no such structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    depth: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Reader {
            bytes,
            at,
            depth: 0,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let b = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(b)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let b = self.byte()?;
            let part = u64::from(b & 127);
            if part << shift >> shift != part {
                return None;
            }
            value |= part << shift;
            if b < 128 {
                return Some(value);
            }
        }
        None
    }

    /// A number, zigzag.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let v = self.varint()?;
        Some((v >> 1) as i64 ^ -((v & 1) as i64))
    }

    pub(super) fn binary(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        let b = self.bytes.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(b)
    }

    /// The type and number of a list's elements, each of which takes a byte at least. An empty list may name any type, even one
    /// that there is not.
    fn list(&mut self) -> Option<(Type, u64)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            few => u64::from(few),
        };
        if count > (self.bytes.len() - self.at) as u64 {
            return None;
        }
        match type_of(head & 15) {
            Some(kind) => Some((kind, count)),
            None if count == 0 => Some((Type::Byte, 0)),
            None => None,
        }
    }

    /// Goes through a list of this type; passes over one of another.
    pub(super) fn elements(
        &mut self,
        kind: Type,
        mut element: impl FnMut(&mut Reader<'a>, u64) -> Option<()>,
    ) -> Option<()> {
        let begin = *self;
        let (found, count) = self.list()?;
        if found != kind {
            *self = begin;
            return self.skip(Type::List, true);
        }
        self.deeper(|r| (0..count).try_for_each(|i| element(r, i)))
    }

    /// Goes through the fields of a structure; `field` must take what it does not return `false` for.
    pub(super) fn fields(
        &mut self,
        mut field: impl FnMut(&mut Reader<'a>, i64, Type) -> Option<bool>,
    ) -> Option<()> {
        self.deeper(|r| {
            let mut id = 0i64;
            loop {
                let head = r.byte()?;
                if head == 0 {
                    return Some(());
                }
                let kind = type_of(head & 15)?;
                id = match head >> 4 {
                    0 => r.integer()?,
                    delta => id + i64::from(delta),
                };
                if i16::try_from(id).is_err() {
                    return None;
                }
                if !field(r, id, kind)? {
                    r.skip(kind, true)?;
                }
            }
        })
    }

    /// Passes over a value. The truth of a field lies in its head, that of an element in a byte.
    fn skip(&mut self, kind: Type, is_field: bool) -> Option<()> {
        match kind {
            Type::Bool if is_field => Some(()),
            Type::Bool | Type::Byte => self.pass(1),
            Type::I16 | Type::I32 | Type::I64 => self.varint().map(|_| ()),
            Type::Double => self.pass(8),
            Type::Uuid => self.pass(16),
            Type::Binary => self.binary().map(|_| ()),
            Type::Struct => self.fields(|_, _, _| Some(false)),
            Type::List | Type::Set => self.deeper(|r| {
                let (kind, count) = r.list()?;
                (0..count).try_for_each(|_| r.skip(kind, false))
            }),
            Type::Map => self.deeper(|r| {
                let count = r.varint()?;
                if count == 0 {
                    return Some(());
                }
                let head = r.byte()?;
                let (key, value) = (type_of(head >> 4)?, type_of(head & 15)?);
                (0..count).try_for_each(|_| {
                    r.skip(key, false)?;
                    r.skip(value, false)
                })
            }),
        }
    }

    /// What lies inside something that nests.
    fn deeper(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        inside(self)?;
        self.depth -= 1;
        Some(())
    }

    fn pass(&mut self, bytes: usize) -> Option<()> {
        self.bytes.get(self.at..)?.get(..bytes)?;
        self.at += bytes;
        Some(())
    }
}
