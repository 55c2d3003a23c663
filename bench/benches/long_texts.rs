//! What `geoparse` takes for texts as long as it reads: seconds, and memory.
//!
//! `cargo bench -p bench --bench long_texts` runs the program on 600,000
//! addresses and on a name two and a half million times, in each format.
//! LOCAVORE_BIN names a program that is built already.

#![allow(clippy::print_stdout)]

use bench::program;
use std::error::Error;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How often is looked how much memory is held.
const LOOK_EVERY: Duration = Duration::from_millis(10);

fn main() -> Result<()> {
    let program = program()?;
    let folder = tempfile::tempdir()?;
    let addresses = (0..600_000).map(|n| format!("{} Main St, Houston, TX 77002\n", 1 + n));
    let texts = [
        ("addresses", addresses.collect::<String>()),
        ("names", "Houston, TX\n".repeat(2_500_000)),
    ];
    println!(
        "{:<10} {:>5}  {:<10} {:>6} {:>8}",
        "text", "MB", "format", "s", "MB held"
    );
    for (name, text) in texts {
        let file = folder.path().join(name).with_extension("txt");
        std::fs::write(&file, &text)?;
        for format in ["--jsonl", "--geojson", ""] {
            let (seconds, bytes) = run(&program, &file, format)?;
            println!(
                "{name:<10} {:>5.1}  {:<10} {seconds:>6.1} {:>8.0}",
                text.len() as f64 / 1e6,
                if format.is_empty() { "listing" } else { format },
                bytes as f64 / 1e6
            );
        }
    }
    Ok(())
}

/// Seconds on the wall, and the most memory it was seen to hold.
fn run(program: &Path, file: &Path, format: &str) -> Result<(f64, u64)> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .arg("geoparse")
        .args((!format.is_empty()).then_some(format))
        .arg(file)
        .stdout(Stdio::null())
        .spawn()?;
    let mut most = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return match status.success() {
                true => Ok((started.elapsed().as_secs_f64(), most)),
                false => Err(format!("geoparse ended with {status}").into()),
            };
        }
        most = most.max(held_at_most(&child));
        sleep(LOOK_EVERY);
    }
}

/// The most memory that a process has held so far, as Linux tells it.
fn held_at_most(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}
