//! Bytes as serde has them: a byte string, or hexadecimal digits in formats for people.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    if !to.is_human_readable() {
        return to.serialize_bytes(bytes);
    }
    let digit = |d: u8| char::from(b"0123456789abcdef"[usize::from(d)]);
    let mut text = String::with_capacity(2 * bytes.len());
    for b in bytes {
        text.push(digit(b >> 4));
        text.push(digit(b & 15));
    }
    to.serialize_str(&text)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    if from.is_human_readable() {
        from.deserialize_any(Container)
    } else {
        from.deserialize_byte_buf(Container)
    }
}

struct Container;

impl<'de> Visitor<'de> for Container {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a container, or their hexadecimal digits")
    }

    fn visit_bytes<E: Error>(self, v: &[u8]) -> Result<Vec<u8>, E> {
        Ok(v.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, v: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(v)
    }

    fn visit_str<E: Error>(self, v: &str) -> Result<Vec<u8>, E> {
        let wrong = |at: usize| E::custom(format_args!("no hexadecimal digit at character {at}"));
        let digit = |at: usize| {
            let d = char::from(v.as_bytes()[at]).to_digit(16);
            d.map(|d| d as u8).ok_or_else(|| wrong(at))
        };
        if v.len() % 2 != 0 {
            return Err(E::custom("an odd number of hexadecimal digits"));
        }
        (0..v.len())
            .step_by(2)
            .map(|at| Ok(digit(at)? << 4 | digit(at + 1)?))
            .collect()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<u8>, A::Error> {
        // Memory grows with the elements that arrive, not on the word of the sender.
        let mut bytes = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(4096));
        while let Some(b) = seq.next_element()? {
            bytes.push(b);
        }
        Ok(bytes)
    }
}
