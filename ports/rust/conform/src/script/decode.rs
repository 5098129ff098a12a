//! The operation `decode`.

use super::line::Line;
use super::{broken, Held, Machine, Stop};
use crate::keys;
use bloomery::container::{self, ContainerView, Content, ReadOptions};
use bloomery::dialect::{Dialect, Form, Image, Options};
use bloomery::{AnyFilter, Error, KeySource, PortableBloom};

/// What came of bytes, and what a trace says of it.
pub struct Decoded {
    held: Held,
    pub adds: String,
}

impl Decoded {
    /// Whether a key is possibly present; in a packed set, in its first member.
    pub fn may_contain(&self, key: &[u8]) -> bool {
        match &self.held {
            Held::Own(f) => f.may_contain(key),
            Held::Packed(p) => p.member_may_contain(0, key).unwrap_or(true),
            Held::Foreign(i) => i.may_contain(key),
            Held::Bytes(_) => false,
        }
    }

    /// The filter, where it is one of our own kinds.
    pub fn filter(&self) -> Option<&AnyFilter> {
        match &self.held {
            Held::Own(f) => Some(f),
            _ => None,
        }
    }

    /// The packed set, where it is one.
    pub fn packed(&self) -> Option<&ContainerView<Vec<u8>>> {
        match &self.held {
            Held::Packed(p) => Some(p),
            _ => None,
        }
    }
}

fn of_image(image: &Image<Vec<u8>>) -> String {
    format!(
        "dialect={} variant={} bits={} parts={}",
        image.dialect().name(),
        image.variant(),
        image.cells(),
        image.parts()
    )
}

/// Decodes bytes of a form, whose keys are bytes.
pub fn decode(
    bytes: &[u8],
    form: &str,
    options: impl FnOnce(Dialect) -> Options,
) -> Option<Result<Decoded, Error>> {
    decode_of(bytes, form, None, Some(KeySource::Bytes), options)
}

/// Decodes bytes of a form; without a source, whose keys are what they say.
fn decode_of(
    bytes: &[u8],
    form: &str,
    secret: Option<[u8; 16]>,
    source: Option<KeySource>,
    options: impl FnOnce(Dialect) -> Options,
) -> Option<Result<Decoded, Error>> {
    if form == "native" {
        let mut options = ReadOptions::new().any_source();
        if let Some(source) = source {
            options = options.source(source);
        }
        if let Some(secret) = secret {
            options = options.secret(secret);
        }
        return Some(native(bytes, &options));
    }
    if form == "portable" {
        return Some(PortableBloom::decode(bytes).map(|f| Decoded {
            held: Held::Own(f.of(source.unwrap_or_default()).into()),
            adds: "kind=portable damaged=0".to_string(),
        }));
    }
    let options = options(Dialect::from_name(form)?);
    Some(Image::open(bytes.to_vec(), &options).map(|image| Decoded {
        adds: of_image(&image),
        held: Held::Foreign(image),
    }))
}

fn native(bytes: &[u8], options: &ReadOptions) -> Result<Decoded, Error> {
    let container = container::read_with(bytes, options)?;
    let kind = container.header().kind_name();
    let mut adds = format!("kind={} damaged={}", kind, container.damaged_chunks());
    let held = match container.into_content() {
        Content::Filter(f) => Held::Own(f),
        Content::Packed(p) => {
            adds += &format!(" members={}", p.members());
            Held::Packed(p)
        }
        Content::Foreign(i) => {
            adds += &format!(" {}", of_image(&i));
            Held::Foreign(i)
        }
        _ => Held::Bytes(Vec::new()),
    };
    Ok(Decoded { held, adds })
}

/// The form of keys by its name.
pub fn form_of(name: &str) -> Option<Form> {
    match name {
        "bytes" => Some(Form::Bytes),
        "text" => Some(Form::Text),
        "integer" => Some(Form::Integer),
        _ => None,
    }
}

pub(super) fn run(machine: &mut Machine, line: &mut Line<'_>) -> Result<String, Stop> {
    let name = line.word()?;
    let bytes = machine.bytes(line.word()?)?;
    let form = line.word()?;
    let secret = line
        .option("secret")
        .map(|s| keys::secret(s).ok_or_else(|| broken("no secret")))
        .transpose()?;
    let variant = line.option("variant").map(String::from);
    let part = line.option_as("part")?;
    let keys = form_of(line.option("form").unwrap_or("bytes")).ok_or_else(|| broken("no form"))?;
    let source = line.source_to_read()?;
    let decoded = decode_of(bytes, form, secret, source, |dialect| Options {
        variant,
        part,
        form: keys,
        ..Options::new(dialect)
    })
    .ok_or_else(|| broken("no such form"))??;
    machine.set(name, decoded.held)?;
    Ok(format!("ok {}", decoded.adds))
}
