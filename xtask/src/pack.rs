//! Builds the gazetteer's data pack from raw files.
//!
//! The same raw files give the same bytes: everything is sorted before it is
//! written. How the bytes are laid out is the affair of `place::pack`.

mod centres;
mod cities;
mod demonyms;
mod geowordnet;
mod hand;
mod names;
mod natural_earth;
mod near;
mod places;
mod postcodes;
pub(crate) mod raw;
mod towns;
mod us;
mod wordnet;
mod zip;

use anyhow::Context;
use geowordnet::{Joined, Unplaced};
use place::gazetteer::{Kind, Role};
use place::pack::Contents;
use places::Places;
pub(crate) use raw::RawData;
pub(crate) use raw::cells;
use std::fmt::Write as _;
use std::path::Path;

const COMPRESSION_LEVEL: i32 = 22;

/// Writes `gazetteer.pack.zst` and says what is in it.
pub(crate) fn build(raw: &Path, out: &Path) -> anyhow::Result<String> {
    let (contents, joined) = read(&RawData::new(raw))?;
    let pack = contents.encode();
    let frame = compress(&pack)?;
    write(&out.join("gazetteer.pack.zst"), &frame)?;
    write(
        &out.join("geowordnet-unplaced.tsv"),
        unplaced(&joined).as_bytes(),
    )?;
    let mut summary = String::new();
    let synsets = [
        ("synsets joined to known places", joined.n_found),
        ("synsets that became places", joined.n_made),
        ("synsets without a place", joined.unplaced.len()),
    ];
    let synsets = synsets.map(|(what, count)| (what.to_owned(), count));
    for (what, count) in counts(&contents).into_iter().chain(synsets) {
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

fn read(raw: &RawData) -> anyhow::Result<(Contents, Joined)> {
    let mut places = Places::read(raw)?;
    hand::add_features(&mut places)?;
    let common_nouns = wordnet::common_nouns(raw)?;
    natural_earth::add(raw, &common_nouns, &mut places)?;
    towns::add(raw, &mut places)?;
    let joined = geowordnet::join(raw, &common_nouns, &mut places)?;
    demonyms::add(raw, &mut places)?;
    let places = places.sorted();
    let us = us::UsPlaces::new(&places.rows, &places.names);
    let streets = us::streets(raw, &us)?;
    let zips = zip::zips(raw, &us)?;
    let seeds = us::seeds(raw, &us)?;
    let postcodes = postcodes::postcodes(raw, &places)?;
    let contents = Contents {
        names: names::bearers(&places),
        abbreviations: names::abbreviations(&places),
        part_of: places.part_of,
        streets: streets.by_place,
        common_streets: streets.common,
        zips,
        postcodes,
        seeds,
        places: places.rows,
    };
    Ok((contents, joined))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}

/// The synsets that are no place, as a table.
fn unplaced(joined: &Joined) -> String {
    let mut table =
        String::from("# WordNet 3.1 noun synset\tname\twhy it is no place of the pack\n");
    for Unplaced {
        offset,
        name,
        reason,
    } in &joined.unplaced
    {
        table.push_str(&format!("{offset:08}\t{name}\t{reason}\n"));
    }
    table
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

    /// Rebuilding takes a quarter of a minute, and the raw files lie outside the
    /// repository: `LOCAVORE_DATA` says where.
    #[test]
    fn rebuilding_gives_the_committed_bytes() {
        let raw = std::env::var_os(crate::RAW.1).map(std::path::PathBuf::from);
        let is_wanted = std::env::var_os("LOCAVORE_SLOW_TESTS").is_some();
        let Some(raw) = raw.filter(|_| is_wanted) else {
            return;
        };
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
