//! Reads where somebody asks for something: a place, a point, a box, a polygon.
//!
//! A place may also be said as answers say it: by its path in the tree, or by
//! its number.

use crate::text::shorten;
use anyhow::{Context, anyhow, bail};
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::sphere::MapBox;
use place::target::{self, Holds};
use search::ask::USUAL_RADIUS;
use search::places;
use search::region::{Area, Region};
use serde_json::Value;
use std::path::Path;

/// Corners of a polygon at most: each is looked at for every page.
const MOST_CORNERS: usize = 10_000;

/// A place is too large for what is around its middle to be what is near it.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{name}` is too large: {} km around its middle is hardly any of it",
    USUAL_RADIUS
)]
pub(crate) struct TooLarge {
    pub(crate) name: String,
}

/// A region, and the place that it is around, where one was named.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) region: Region,
    pub(crate) around: Option<PlaceId>,
}

impl From<Region> for Asked {
    fn from(region: Region) -> Asked {
        Asked {
            region,
            around: None,
        }
    }
}

/// A place or `29.76,-95.36`, and so many kilometres around it.
pub(crate) fn near(text: &str, kilometres: Option<f64>) -> anyhow::Result<Asked> {
    let Spot { lat, lon, place } = spot(text)?;
    let kind = place.map(|place| Gazetteer::built_in().kind(place));
    if kilometres.is_none() && kind.is_some_and(is_large) {
        let name = shorten(text, 80);
        return Err(TooLarge { name }.into());
    }
    Ok(Asked {
        region: Region::Near {
            lat,
            lon,
            kilometres: kilometres.unwrap_or(USUAL_RADIUS),
        },
        around: place,
    })
}

/// A place, a box or a file with a polygon.
pub(crate) fn within(text: &str, holds: Holds<'_>) -> anyhow::Result<Region> {
    let path = Path::new(text);
    let is_file = path
        .extension()
        .is_some_and(|ending| ending == "geojson" || ending == "json");
    if is_file {
        let file = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the polygon `{text}`"))?;
        let polygon = polygon(&file).with_context(|| format!("`{text}` is no polygon"))?;
        return Ok(Region::Inside(polygon));
    }
    named(text, holds)
}

/// A place or a box: no files, whoever asks.
pub(crate) fn named(text: &str, holds: Holds<'_>) -> anyhow::Result<Region> {
    if let Some(area) = map_box(text)? {
        return Ok(Region::Inside(area));
    }
    Ok(Region::Within(place(text, holds)?))
}

/// A place by its name, path or number.
pub(crate) fn place(text: &str, holds: Holds<'_>) -> anyhow::Result<PlaceId> {
    Ok(target::resolve_among(Gazetteer::built_in(), text, holds)?)
}

/// A place's middle, an address, a postal code, or a point.
pub(crate) fn point(text: &str) -> anyhow::Result<(f64, f64)> {
    let Spot { lat, lon, .. } = spot(text)?;
    Ok((lat, lon))
}

struct Spot {
    lat: f64,
    lon: f64,
    /// Whose middle it is, if a place was named.
    place: Option<PlaceId>,
}

fn spot(text: &str) -> anyhow::Result<Spot> {
    let somewhere = |(lat, lon)| Spot {
        lat,
        lon,
        place: None,
    };
    if let Some(numbers) = numbers(text)
        && let [lat, lon] = numbers[..]
    {
        if lat.abs() > 90.0 || lon.abs() > 180.0 {
            bail!("`{text}` is no point: degrees north, then degrees east, such as 29.76,-95.36");
        }
        return Ok(somewhere((lat, lon)));
    }
    let id = match place(text, &|_| 0) {
        Ok(id) => id,
        Err(error) => return places::spot(text).map(somewhere).ok_or(error),
    };
    let place = Gazetteer::built_in().place(id);
    Ok(Spot {
        lat: f64::from(place.lat),
        lon: f64::from(place.lon),
        place: Some(id),
    })
}

/// Whether the usual circle around its middle holds next to nothing of it.
fn is_large(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Continent | Kind::Country | Kind::Division1 | Kind::Division2 | Kind::Region
    )
}

/// `south,west,north,east`; none if it is something else.
fn map_box(text: &str) -> anyhow::Result<Option<Area>> {
    let Some(numbers) = numbers(text) else {
        return Ok(None);
    };
    let [south, west, north, east] = numbers[..] else {
        bail!("`{text}` is no box: south, west, north, east in degrees");
    };
    let is_box = south <= north
        && [south, north].iter().all(|lat| lat.abs() <= 90.0)
        && [west, east].iter().all(|lon| lon.abs() <= 180.0);
    if !is_box {
        bail!("`{text}` is no box: south, west, north, east in degrees");
    }
    Ok(Some(Area::Box(MapBox {
        south,
        west,
        north,
        east,
    })))
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    let numbers = text.split(',').map(|part| part.trim().parse().ok());
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let are_finite = numbers.iter().all(|number| number.is_finite());
    (numbers.len() > 1 && are_finite).then_some(numbers)
}

/// The rings of a GeoJSON polygon, or of everything in a collection.
pub(crate) fn polygon(text: &str) -> anyhow::Result<Area> {
    let value: Value = serde_json::from_str(text)?;
    let mut rings = Vec::new();
    gather(&value, &mut rings, 0)?;
    let n_corners: usize = rings.iter().map(Vec::len).sum();
    match n_corners {
        0 => bail!("it has no Polygon and no MultiPolygon"),
        n if n > MOST_CORNERS => bail!("it has {n} corners, {MOST_CORNERS} are the most"),
        _ => Ok(Area::Polygon(rings)),
    }
}

/// Collections may hold collections, but not for ever.
const MOST_DEPTH: usize = 8;

fn gather(value: &Value, rings: &mut Vec<Vec<(f64, f64)>>, depth: usize) -> anyhow::Result<()> {
    if depth > MOST_DEPTH {
        bail!("it is nested too deeply");
    }
    let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
    match value["type"].as_str() {
        Some("Polygon") => {
            for ring in list("coordinates") {
                rings.push(corners(&ring)?);
            }
        }
        Some("MultiPolygon") => {
            for ring in list("coordinates")
                .iter()
                .filter_map(Value::as_array)
                .flatten()
            {
                rings.push(corners(ring)?);
            }
        }
        Some("Feature") => gather(&value["geometry"], rings, depth + 1)?,
        Some("FeatureCollection") => {
            for feature in list("features") {
                gather(&feature, rings, depth + 1)?;
            }
        }
        Some("GeometryCollection") => {
            for geometry in list("geometries") {
                gather(&geometry, rings, depth + 1)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn corners(ring: &Value) -> anyhow::Result<Vec<(f64, f64)>> {
    let corner = |corner: &Value| {
        let (lon, lat) = (corner[0].as_f64()?, corner[1].as_f64()?);
        (lat.abs() <= 90.0 && lon.abs() <= 360.0).then_some((lat, lon))
    };
    let ring = ring.as_array().map_or(&[][..], Vec::as_slice);
    let corners: Option<Vec<(f64, f64)>> = ring.iter().map(corner).collect();
    corners.ok_or_else(|| anyhow!("its corners are not [degrees east, degrees north]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(text: &str) -> anyhow::Result<Region> {
        super::within(text, &|_| 0)
    }

    fn refusal(text: &str) -> String {
        format!("{:#}", within(text).unwrap_err())
    }

    #[test]
    fn a_path_is_the_place_that_the_tree_has_there() {
        let read = |path: &str| match within(path).unwrap() {
            Region::Within(place) => Gazetteer::built_in().describe(place),
            other => panic!("{other:?}"),
        };
        for (path, place) in [
            ("/Earth/US", "United States"),
            ("/Earth/US/New York", "New York, United States"),
            (
                "/Earth/US/New York/New York",
                "New York, New York, United States",
            ),
            ("/Earth/US/Washington", "Washington, United States"),
            (
                "/Earth/US/Texas/Harris County",
                "Harris County, Texas, United States",
            ),
            ("/earth/us/texas/", "Texas, United States"),
            ("/Earth/DE", "Germany"),
            ("/Earth/CA", "Canada"),
            ("/Earth/IN", "India"),
            ("/Earth/CO", "Colombia"),
            ("/Earth/BR", "Brazil"),
            ("/Earth/FR", "France"),
            ("geonames:4736286", "Texas, United States"),
        ] {
            assert_eq!(read(path), place, "{path}");
        }
        assert!(refusal("/Earth/US/Teksas").contains("no place has the path `/Earth/US/Teksas`"));
        assert!(refusal("/Texas").contains("paths are like `/Earth/US/Texas/Houston`"));
        assert!(refusal("/Earth").contains("everything lies in"));
        assert!(refusal("geonames:1").contains("no place has the number `1`"));
    }

    #[test]
    fn of_towns_that_share_a_path_the_collections_is_meant() {
        let towns = Gazetteer::built_in().at_path("/Earth/US/California/Brentwood");
        assert!(towns.len() > 1, "{towns:?}");
        let held = towns[1];
        let found = super::within("/Earth/US/California/Brentwood", &|place| {
            u64::from(place == held)
        });
        assert_eq!(found.unwrap(), Region::Within(held));
    }

    #[test]
    fn places_points_and_boxes_are_told_apart() {
        assert!(matches!(within("Houston, TX").unwrap(), Region::Within(_)));
        assert!(matches!(
            within("29.5,-95.8,30.1,-95.0").unwrap(),
            Region::Inside(Area::Box(_))
        ));
        assert_eq!(point("29.76, -95.36").unwrap(), (29.76, -95.36));
        let (lat, _) = point("Houston, TX").unwrap();
        assert!((lat - 29.76).abs() < 0.1);
    }

    #[test]
    fn an_address_and_a_postal_code_can_be_near() {
        let houston = (29.76, -95.36);
        for text in [
            "77002",
            "100 Milam Street, Houston, TX 77002",
            "100 Milam St, Houston",
        ] {
            let (lat, lon) = point(text).unwrap();
            let is_close = (lat - houston.0).abs() < 0.1 && (lon - houston.1).abs() < 0.1;
            assert!(is_close, "{text}: {lat}, {lon}");
        }
        let error = point("pizza 77002").unwrap_err();
        assert!(error.to_string().contains("no place named"), "{error}");
    }

    #[test]
    fn a_state_is_too_large_to_be_near_unless_somebody_says_how_far() {
        for text in ["Texas", "Germany", "Harris County, TX"] {
            let error = near(text, None).unwrap_err();
            assert!(error.is::<TooLarge>(), "{error}");
            assert!(near(text, Some(300.0)).is_ok());
        }
        assert!(near("Houston, TX", None).is_ok());
        assert!(point("Texas").is_ok());
    }

    #[test]
    fn what_is_none_of_them_is_refused_by_name() {
        assert!(refusal("30,1,29,2").contains("is no box"));
        assert!(refusal("1,2,3").contains("is no box"));
        assert!(refusal("nowhere.geojson").contains("cannot read the polygon `nowhere.geojson`"));
        assert!(refusal("Xanaduville").contains("no place named `Xanaduville`"));
        assert!(
            point("91,0")
                .unwrap_err()
                .to_string()
                .contains("is no point")
        );
    }

    #[test]
    fn polygons_are_found_wherever_they_are() {
        let square = "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]";
        let plain = format!(r#"{{"type":"Polygon","coordinates":{square}}}"#);
        let deep = format!(
            r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":
            {{"type":"MultiPolygon","coordinates":[{square}]}}}}]}}"#
        );
        for text in [plain, deep] {
            let area = polygon(&text).unwrap();
            assert!(area.holds(5.0, 5.0) && !area.holds(11.0, 5.0));
        }
        for odd in [
            "",
            "[]",
            "{}",
            r#"{"type":"Point","coordinates":[1,2]}"#,
            r#"{"type":"Polygon","coordinates":[[["x"]]]}"#,
        ] {
            assert!(polygon(odd).is_err(), "{odd}");
        }
    }
}
