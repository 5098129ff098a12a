//! Files of the vectors, changed at random and read by every reader: nothing panics. The same changes in every run; a
//! fuzzer looks further (ports/rust/fuzz).

use bloomery::container::ContainerView;
use bloomery::dialect::Options;
use bloomery::hash::splitmix64;
use bloomery_conform::{repair, script, seeds};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = splitmix64(self.0);
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Bytes that break counters, lengths and signs.
const SHARP: [u8; 8] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x3f];

fn mutate(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(file.len());
        match random.below(7) {
            _ if file.is_empty() => file.push(1),
            0 => file[at] ^= 1 << random.below(8),
            1 => file[at] = SHARP[random.below(SHARP.len())],
            2 => {
                let end = (at + 8).min(file.len());
                file[at..end].fill(SHARP[random.below(SHARP.len())]);
            }
            3 => file.truncate(at),
            4 => file.insert(at, random.below(256) as u8),
            5 => {
                file.remove(at);
            }
            _ => {
                let from = random.below(other.len());
                let part = &other[from..(from + random.below(64)).min(other.len())];
                let end = (at + part.len()).min(file.len());
                file[at..end].copy_from_slice(&part[..end - at]);
            }
        }
    }
}

/// Reads, and asks whatever could be read.
fn read(form: &str, variant: Option<&str>, file: &[u8]) -> bool {
    let options = |dialect| Options {
        variant: variant.map(String::from),
        ..Options::new(dialect)
    };
    let decoded = script::decode(file, form, options).unwrap();
    if form == "native" {
        if let Ok(view) = ContainerView::open(file) {
            view.may_contain("k0");
            view.damaged_chunks();
        }
    }
    match decoded {
        Ok(d) => {
            for key in [&b"k0"[..], b"", b"a longer key than those that went in"] {
                d.may_contain(key);
            }
            if let Some(f) = d.filter().filter(|f| f.bits() < 5000) {
                let _ = f.rates();
            }
            true
        }
        Err(e) => {
            assert!(e.code().name().len() > 1 && !e.what().is_empty());
            false
        }
    }
}

#[test]
fn nothing_panics() {
    let full = std::env::var_os("BLOOMERY_TEST_FULL").map_or(false, |v| v == "1");
    let rounds = if full { 20_000 } else { 200 };
    let vectors = crate::spec().join("vectors");
    let forms: [(&str, &[&str]); 3] = [
        ("native", &[]),
        ("portable", &[]),
        ("parquet", &["header", "bitset", "file"]),
    ];
    let mut random = Random(1);
    for (form, variants) in forms {
        let files = seeds::files(&vectors, form);
        assert!(files.len() > 4, "{}", form);
        let (mut read_well, mut refused) = (0, 0);
        for file in &files {
            for round in 0..rounds {
                let mut file = file.clone();
                let other = &files[random.below(files.len())];
                mutate(&mut file, other, &mut random);
                if round % 2 == 0 {
                    repair::repair(form, &mut file);
                }
                let named = variants.get(random.below(variants.len() + 1)).copied();
                if read(form, named, &file) {
                    read_well += 1;
                } else {
                    refused += 1;
                }
            }
        }
        assert!(
            read_well > 0 && refused > 0,
            "{}: {} {}",
            form,
            read_well,
            refused
        );
    }
}
