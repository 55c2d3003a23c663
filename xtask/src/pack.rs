//! Builds the gazetteer's data pack from raw files.
//!
//! The same raw files give the same bytes: everything is sorted before it is
//! written. How the bytes are laid out is the affair of `place::pack`.

mod places;
mod postcodes;
mod raw;
mod us;
mod zip;

use anyhow::Context;
use place::names::normalise;
use place::pack::Contents;
use places::Places;
use raw::RawData;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const COMPRESSION_LEVEL: i32 = 22;

/// Writes `gazetteer.pack.zst` and says what is in it.
pub(crate) fn build(raw: &Path, out: &Path) -> anyhow::Result<String> {
    let contents = read(&RawData::new(raw))?;
    let pack = contents.encode();
    let frame = compress(&pack)?;
    let path = out.join("gazetteer.pack.zst");
    std::fs::write(&path, &frame).with_context(|| format!("cannot write `{}`", path.display()))?;
    let mut summary = String::new();
    for (what, count) in counts(&contents) {
        writeln!(summary, "{count:>9}  {what}")?;
    }
    writeln!(
        summary,
        "{:>9}  bytes, {} before compression",
        frame.len(),
        pack.len()
    )?;
    Ok(summary)
}

fn read(raw: &RawData) -> anyhow::Result<Contents> {
    let Places { rows, aliases, .. } = Places::read(raw)?;
    let us = us::UsPlaces::new(&rows, &aliases);
    let streets = us::streets(raw, &us)?;
    let zips = zip::zips(raw, &us)?;
    let seeds = us::seeds(raw, &us)?;
    let postcodes = postcodes::postcodes(raw, &rows, &aliases)?;
    let mut names: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for ((position, row), others) in (0..).zip(&rows).zip(&aliases) {
        for name in std::iter::once(&row.name).chain(others) {
            let key = normalise(name);
            let positions = names.entry(key).or_default();
            if positions.last() != Some(&position) {
                positions.push(position);
            }
        }
    }
    names.remove("");
    Ok(Contents {
        names,
        streets: streets.by_place,
        common_streets: streets.common,
        zips,
        postcodes,
        seeds,
        places: rows,
    })
}

fn compress(pack: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), COMPRESSION_LEVEL)?;
    encoder.set_pledged_src_size(Some(pack.len() as u64))?;
    std::io::Write::write_all(&mut encoder, pack)?;
    Ok(encoder.finish()?)
}

fn counts(contents: &Contents) -> Vec<(&'static str, usize)> {
    use place::gazetteer::Kind;
    let of = |kind: Kind| {
        contents
            .places
            .iter()
            .filter(|place| place.kind == kind)
            .count()
    };
    vec![
        ("countries", of(Kind::Country)),
        ("first-level divisions", of(Kind::Division1)),
        ("second-level divisions", of(Kind::Division2)),
        ("cities", of(Kind::City)),
        ("names and aliases", contents.names.len()),
        (
            "street names",
            contents.streets.values().map(Vec::len).sum(),
        ),
        ("common street names", contents.common_streets.len()),
        ("ZIP codes", contents.zips.len()),
        (
            "ZIP codes with a known city",
            contents
                .zips
                .iter()
                .filter(|zip| zip.city.is_some())
                .count(),
        ),
        (
            "names of cities in ZIP codes",
            contents.zips.iter().map(|zip| zip.names.len()).sum(),
        ),
        ("postal codes of other countries", contents.postcodes.len()),
        (
            "of these, with a known city",
            contents
                .postcodes
                .iter()
                .filter(|code| code.city.is_some())
                .count(),
        ),
        (
            "seed addresses",
            contents.seeds.values().map(Vec::len).sum(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rebuilding takes a quarter of a minute, and the raw files lie outside the repository.
    #[test]
    fn rebuilding_gives_the_committed_bytes() {
        let raw = crate::root().join("../shared/data");
        if std::env::var_os("LOCAVORE_SLOW_TESTS").is_none() || !raw.is_dir() {
            return;
        }
        let out = tempfile::tempdir().unwrap();
        build(&raw, out.path()).unwrap();
        let rebuilt = std::fs::read(out.path().join("gazetteer.pack.zst")).unwrap();
        let committed = std::fs::read(crate::root().join("data/gazetteer.pack.zst")).unwrap();
        assert!(
            rebuilt == committed,
            "`cargo xtask pack` gives other bytes than data/gazetteer.pack.zst"
        );
    }
}
