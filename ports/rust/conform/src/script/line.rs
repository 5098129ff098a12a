//! One operation: a verb, words, options.

use super::{broken, Stop};
use crate::keys::{self, Word};
use crate::kinds::Fields;
use bloomery::KeySource;
use std::str::FromStr;

pub(super) struct Line<'a> {
    pub(super) verb: &'a str,
    words: std::vec::IntoIter<&'a str>,
    options: Vec<(&'a str, &'a str)>,
}

/// NAME=VALUE, where no colon or bracket comes before the sign: those begin keys.
fn option(word: &str) -> Option<(&str, &str)> {
    word.split_once('=')
        .filter(|(name, _)| !name.contains([':', '[']))
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut words = text.split(' ');
        let verb = words.next().unwrap_or("");
        let (options, words): (Vec<_>, Vec<_>) = words.partition(|w| option(w).is_some());
        Line {
            verb,
            words: words.into_iter(),
            options: options.into_iter().filter_map(option).collect(),
        }
    }

    pub(super) fn word(&mut self) -> Result<&'a str, Stop> {
        self.words.next().ok_or_else(|| broken("a word is missing"))
    }

    pub(super) fn number(&mut self) -> Result<u64, Stop> {
        self.word()?.parse().map_err(|_| broken("no number"))
    }

    /// The option `source`; bytes, if it is not given.
    pub(super) fn source(&mut self) -> Result<KeySource, Stop> {
        let name = self.option("source").unwrap_or("bytes");
        KeySource::from_name(name).ok_or_else(|| broken("no such source"))
    }

    /// The same where it may be `any`: none.
    pub(super) fn source_to_read(&mut self) -> Result<Option<KeySource>, Stop> {
        if self.options.contains(&("source", "any")) {
            self.option("source");
            return Ok(None);
        }
        self.source().map(Some)
    }

    /// All words that are left, as keys.
    pub(super) fn keys(&mut self) -> Result<Vec<Word>, Stop> {
        let mut all = Vec::new();
        for word in &mut self.words {
            all.extend(keys::parse(word).ok_or_else(|| broken("no keys"))?);
        }
        if all.is_empty() {
            return Err(broken("keys are missing"));
        }
        Ok(all)
    }

    pub(super) fn option(&mut self, name: &str) -> Option<&'a str> {
        let at = self.options.iter().position(|o| o.0 == name)?;
        Some(self.options.remove(at).1)
    }

    pub(super) fn option_as<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, Stop> {
        self.option(name)
            .map(|v| v.parse().map_err(|_| broken("an option that is no number")))
            .transpose()
    }

    pub(super) fn needed<T: FromStr>(&mut self, name: &str) -> Result<T, Stop> {
        self.option_as(name)?
            .ok_or_else(|| broken("an option is missing"))
    }

    /// Nothing may be left over.
    pub(super) fn all_used(&mut self) -> Result<(), Stop> {
        if self.words.next().is_some() || !self.options.is_empty() {
            return Err(broken("more words than the operation takes"));
        }
        Ok(())
    }
}

impl Fields for Line<'_> {
    fn number(&mut self, name: &str) -> Option<u64> {
        self.option(name)?.parse().ok()
    }

    fn word(&mut self, name: &str) -> Option<&str> {
        self.option(name)
    }
}
