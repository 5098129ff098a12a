//! `conform vectors DIR` and `conform script FILE [--files DIR]` (spec/conformance.md 1); `conform seeds VECTORS SCRIPTS
//! CORPUS`, for the fuzzers.

use bloomery_conform::{script, seeds, vectors};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = match words[..] {
        ["vectors", dir] => vectors::run(Path::new(dir)),
        ["seeds", vectors, scripts, corpus] => {
            let [vectors, scripts, corpus] = [vectors, scripts, corpus].map(Path::new);
            seeds::write_corpus(vectors, scripts, corpus)
                .map(|()| true)
                .map_err(|e| e.to_string())
        }
        ["script", file] => trace(file, "."),
        ["script", file, "--files", dir] => trace(file, dir),
        _ => Err("usage: conform vectors DIR | conform script FILE [--files DIR]".to_string()),
    };
    match ran {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(what) => {
            eprintln!("conform: {}", what);
            ExitCode::from(2)
        }
    }
}

fn trace(file: &str, dir: &str) -> Result<bool, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {}", file, e))?;
    let trace = script::run(&text, Path::new(dir)).map_err(|e| format!("{}: {}", file, e))?;
    print!("{}", trace);
    Ok(true)
}
