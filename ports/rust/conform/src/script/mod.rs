//! Scripts (spec/conformance.md 3 and 4): one operation a line, one line of trace for each.

mod bytes;
mod decode;
mod filters;
mod line;
mod numbers;

use bloomery::container::ContainerView;
use bloomery::dialect::Image;
use bloomery::{AnyFilter, Error};
use line::Line;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub use decode::{decode, form_of, Decoded};
pub use filters::digits;

/// What a variable holds.
enum Held {
    Own(AnyFilter),
    Packed(ContainerView<Vec<u8>>),
    Foreign(Image<Vec<u8>>),
    Bytes(Vec<u8>),
}

/// Why an operation has no result.
pub(crate) enum Stop {
    /// The library refused: part of the trace.
    Refused(&'static str, Option<u64>),
    /// The script does not parse, or a file is missing.
    Broken(String),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        Stop::Refused(e.code().name(), e.offset())
    }
}

pub(crate) fn broken(what: &str) -> Stop {
    Stop::Broken(what.to_string())
}

/// The state of a script that runs.
struct Machine {
    variables: HashMap<String, Held>,
    files: PathBuf,
}

impl Machine {
    fn own(&self, name: &str) -> Result<&AnyFilter, Stop> {
        match self.variables.get(name) {
            Some(Held::Own(f)) => Ok(f),
            _ => Err(broken("no such filter")),
        }
    }

    fn own_mut(&mut self, name: &str) -> Result<&mut AnyFilter, Stop> {
        match self.variables.get_mut(name) {
            Some(Held::Own(f)) => Ok(f),
            _ => Err(broken("no such filter")),
        }
    }

    fn bytes(&self, name: &str) -> Result<&Vec<u8>, Stop> {
        match self.variables.get(name) {
            Some(Held::Bytes(b)) => Ok(b),
            _ => Err(broken("no such bytes")),
        }
    }

    fn set(&mut self, name: &str, held: Held) -> Result<(), Stop> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(broken("no name of a variable"));
        }
        self.variables.insert(name.to_string(), held);
        Ok(())
    }

    fn run(&mut self, line: &mut Line<'_>) -> Result<String, Stop> {
        match line.verb {
            "hash" | "check" | "size" | "promise" => numbers::run(line),
            "encode" | "bytes" | "show" | "flip" | "put" | "cut" | "add" | "inspect" | "write"
            | "read" => bytes::run(self, line),
            "decode" => decode::run(self, line),
            _ => filters::run(self, line),
        }
    }
}

/// Runs a script; gives its trace, or why it could not be run.
pub fn run(text: &str, files: &Path) -> Result<String, String> {
    let mut machine = Machine {
        variables: HashMap::new(),
        files: files.to_path_buf(),
    };
    let mut trace = String::new();
    for (i, text) in text.lines().enumerate() {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let mut line = Line::new(text);
        let result = machine.run(&mut line).and_then(|result| {
            line.all_used()?;
            Ok(result)
        });
        let result = match result {
            Ok(result) => result,
            Err(Stop::Refused(code, offset)) if matches!(line.verb, "decode" | "inspect") => {
                format!("error {} at={}", code, offset.unwrap_or(0))
            }
            Err(Stop::Refused(code, _)) => format!("error {}", code),
            Err(Stop::Broken(what)) => return Err(format!("line {}: {}", i + 1, what)),
        };
        trace += &format!("{} {}\n", i + 1, result);
    }
    Ok(trace)
}
