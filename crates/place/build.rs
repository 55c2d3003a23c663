//! Unpacks the data pack, so that the program carries it as it is read.
//!
//! The repository holds the pack compressed; a running program should not
//! spend its first moments on undoing that, nor memory on the result.

use std::error::Error;
use std::io::Read;
use std::path::PathBuf;

const PACK: &str = "../../data/gazetteer.pack.zst";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PACK}");
    println!("cargo::rerun-if-changed=build.rs");
    let frame = std::fs::read(PACK)?;
    let mut pack = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(frame.as_slice())?.read_to_end(&mut pack)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("gazetteer.pack"), pack)?;
    Ok(())
}
