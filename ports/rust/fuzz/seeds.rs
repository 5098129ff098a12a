//! `seeds VECTORS SCRIPTS CORPUS`: the files of the contract, as where each fuzzer begins.

use bloomery_conform::seeds;
use std::fs;
use std::io;
use std::path::Path;

fn write(corpus: &Path, target: &str, files: &[Vec<u8>]) -> io::Result<()> {
    let folder = corpus.join(target);
    fs::create_dir_all(&folder)?;
    for (i, file) in files.iter().enumerate() {
        fs::write(folder.join(format!("seed{:04}", i)), file)?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let (vectors, scripts, corpus) = match &arguments[..] {
        [_, a, b, c] => (Path::new(a), Path::new(b), Path::new(c)),
        _ => {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "seeds VECTORS SCRIPTS CORPUS",
            ))
        }
    };
    for (target, form) in [
        ("container", "native"),
        ("portable", "portable"),
        ("nori", "nori"),
        ("atomicbloom", "atomicbloom"),
        ("parquet", "parquet"),
    ] {
        write(corpus, target, &seeds::files(vectors, form))?;
    }
    let mut texts = Vec::new();
    for entry in fs::read_dir(scripts)? {
        let path = entry?.path();
        if path.extension().map_or(false, |e| e == "script") {
            // A few lines each: a fuzzer puts short ones together better than it takes long ones apart.
            let text = fs::read_to_string(path)?;
            let lines: Vec<&str> = text.lines().filter(|l| l.len() < 300).collect();
            texts.extend(lines.chunks(12).map(|c| c.join("\n").into_bytes()));
        }
    }
    write(corpus, "script", &texts)
}
