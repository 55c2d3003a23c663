//! Builds the gazetteer's data pack from raw files.
//!
//! The same raw files give the same bytes: everything is sorted before it is
//! written. How the bytes are laid out is the affair of `place::pack`.

mod centres;
mod cities;
mod hand;
mod names;
mod near;
mod places;
mod raw;
mod us;
mod zip;

use anyhow::Context;
use place::gazetteer::{Kind, Role};
use place::pack::Contents;
use places::Places;
use raw::RawData;
pub(crate) use raw::cells;
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
    let mut places = Places::read(raw)?;
    hand::add_features(&mut places)?;
    let places = places.sorted();
    let us = us::UsPlaces::new(&places.rows, &places.names);
    let streets = us::streets(raw, &us)?;
    let zips = zip::zips(raw, &us)?;
    let seeds = us::seeds(raw, &us)?;
    Ok(Contents {
        names: names::bearers(&places),
        abbreviations: names::abbreviations(&places),
        part_of: places.part_of,
        streets: streets.by_place,
        common_streets: streets.common,
        zips,
        seeds,
        places: places.rows,
    })
}

fn compress(pack: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), COMPRESSION_LEVEL)?;
    encoder.set_pledged_src_size(Some(pack.len() as u64))?;
    std::io::Write::write_all(&mut encoder, pack)?;
    Ok(encoder.finish()?)
}

fn counts(contents: &Contents) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = KINDS
        .iter()
        .map(|&(kind, what)| {
            let rows = contents.places.iter();
            (what.to_owned(), rows.filter(|row| row.kind == kind).count())
        })
        .collect();
    let with_synset = contents.places.iter().filter(|row| row.synset.is_some());
    let with_city = contents.zips.iter().filter(|zip| zip.city.is_some());
    let of_role = |role: Role| {
        let bearers = contents.names.values();
        bearers
            .flatten()
            .filter(|&&(_, known)| known == role)
            .count()
    };
    let others = [
        ("places with a WordNet synset", with_synset.count()),
        ("different names", contents.names.len()),
        ("usual names of places", of_role(Role::Name)),
        ("aliases of places", of_role(Role::Alias)),
        ("demonyms of places", of_role(Role::Demonym)),
        ("abbreviations", contents.abbreviations.len()),
        (
            "street names",
            contents.streets.values().map(Vec::len).sum(),
        ),
        ("common street names", contents.common_streets.len()),
        ("ZIP codes", contents.zips.len()),
        ("ZIP codes with a known city", with_city.count()),
        (
            "names of cities in ZIP codes",
            contents.zips.iter().map(|zip| zip.names.len()).sum(),
        ),
        (
            "seed addresses",
            contents.seeds.values().map(Vec::len).sum(),
        ),
    ];
    counts.extend(others.map(|(what, count)| (what.to_owned(), count)));
    counts
}

const KINDS: [(Kind, &str); 11] = [
    (Kind::Continent, "continents"),
    (Kind::Country, "countries"),
    (Kind::Division1, "first-level divisions"),
    (Kind::Division2, "second-level divisions"),
    (Kind::City, "cities"),
    (Kind::Section, "sections of cities"),
    (Kind::Region, "regions"),
    (Kind::Island, "islands"),
    (Kind::Mountain, "mountains, deserts, capes"),
    (Kind::Water, "rivers, lakes, seas"),
    (Kind::Landmark, "landmarks"),
];

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
