use super::*;

/// Whether every tag that is opened is closed, in order.
pub(crate) fn check_markup(markup: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in markup.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("`<{part}`"));
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next();
        let name = name.unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') && !matches!(name, "!doctype" | "meta") {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} not closed");
    for bad in ["NaN", "inf", "http://", "https://", "<script"] {
        let markup = markup.replace("http://www.w3.org/2000/svg", "");
        assert!(!markup.contains(bad), "{bad} in {markup}");
    }
}

fn estimate(mean: f64, error: f64) -> Estimate {
    let error = Some(error);
    Estimate { mean, error }
}

fn lines() -> Lines {
    let points = |factor: f64| {
        let point = |step: u32| Point {
            x: f64::from(step) * 100.0,
            y: estimate(factor * f64::from(step).sqrt() / 40.0, 0.01),
        };
        (0..20).map(point).collect()
    };
    let series = |name: &str, factor| Series {
        name: name.to_owned(),
        points: points(factor),
    };
    Lines {
        title: "harvest".to_owned(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new("geo-coverage", Unit::Percent),
        series: vec![series("url & <more>", 1.0), series("hash", 0.2)],
    }
}

#[test]
fn curves_have_bands_and_names() {
    let svg = lines().render();
    check_markup(&svg);
    assert_eq!(svg.matches("class=\"band").count(), 2);
    assert_eq!(svg.matches("class=\"curve").count(), 2);
    assert!(svg.contains("url &amp; &lt;more&gt;"));
    assert!(svg.contains("5 %") && svg.contains("1.5k"), "{svg}");
}

#[test]
fn figures_of_nothing_are_figures() {
    let empty = Lines {
        series: Vec::new(),
        ..lines()
    };
    check_markup(&empty.render());
    let one = Lines {
        series: vec![Series {
            name: "one".to_owned(),
            points: vec![Point {
                x: 0.0,
                y: Estimate::exact(f64::NAN),
            }],
        }],
        ..lines()
    };
    check_markup(&one.render());
    let bars = Bars {
        title: String::new(),
        x: Axis::new("", Unit::Number),
        groups: Vec::new(),
        series: Vec::new(),
    };
    check_markup(&bars.render());
    let columns = Columns {
        title: String::new(),
        x: String::new(),
        y: Axis::new("", Unit::Number),
        groups: Vec::new(),
        series: Vec::new(),
    };
    check_markup(&columns.render());
    let heat = HeatMap {
        title: String::new(),
        labels: (String::new(), String::new()),
        rows: Vec::new(),
        columns: Vec::new(),
        cells: Vec::new(),
    };
    check_markup(&heat.render());
    for frame in [Frame::UnitedStates, Frame::World] {
        let map = Map {
            title: String::new(),
            what: "pages".to_owned(),
            frame,
            dots: Vec::new(),
        };
        check_markup(&map.render());
    }
}

#[test]
fn bars_have_errors_and_numbers() {
    let bars = Bars {
        title: "coverage".to_owned(),
        x: Axis::new("geo-coverage", Unit::Percent),
        groups: vec!["Cn0 general".to_owned(), "Cn1".to_owned()],
        series: vec![BarSeries {
            name: "url".to_owned(),
            values: vec![Some(estimate(0.0725, 0.002)), None],
        }],
    };
    let svg = bars.render();
    check_markup(&svg);
    assert!(svg.contains("7.25 %") && svg.contains("–"), "{svg}");
    assert_eq!(svg.matches("class=\"error\"").count(), 3);
}

#[test]
fn columns_stand_side_by_side_and_are_named_where_there_is_room() {
    let series = |name: &str, n: u32| BarSeries {
        name: name.to_owned(),
        values: (0..n).map(|_| Some(Estimate::exact(0.05))).collect(),
    };
    let columns = |n: u32| Columns {
        title: "bridges".to_owned(),
        x: "pages between".to_owned(),
        y: Axis::new("geo pages", Unit::Percent),
        groups: (0..n).map(|group| group.to_string()).collect(),
        series: vec![series("breadth", n), series("<distance>", n - 1)],
    };
    let few = columns(3).render();
    check_markup(&few);
    // Two for the legend; the last group has one column.
    assert_eq!(few.matches("<rect").count(), 2 + 5);
    assert!(few.contains("2, breadth: 5.00 %"), "{few}");
    assert!(few.contains(r#"class="tick">1</text>"#), "{few}");
    let many = columns(32).render();
    check_markup(&many);
    assert!(many.contains(r#"class="tick">30</text>"#), "{many}");
    assert!(!many.contains(r#"class="tick">31</text>"#), "{many}");
}

fn place_of(name: &str, lat: f64, lon: f64, frame: Frame) -> (f64, f64) {
    let map = Map {
        title: String::new(),
        what: "pages".to_owned(),
        frame,
        dots: vec![Dot {
            name: name.to_owned(),
            lat,
            lon,
            value: 5.0,
            colour: 0,
        }],
    };
    let svg = map.render();
    check_markup(&svg);
    let number = |name: &str| -> f64 {
        let (_, after) = svg.split_once(name).unwrap();
        after.split('"').next().unwrap().parse().unwrap()
    };
    (number("<circle cx=\""), number("cy=\""))
}

#[test]
fn cities_lie_where_people_look_for_them() {
    let us = |name, lat, lon| place_of(name, lat, lon, Frame::UnitedStates);
    let seattle = us("Seattle", 47.6, -122.3);
    let miami = us("Miami", 25.8, -80.2);
    let anchorage = us("Anchorage", 61.2, -149.9);
    let honolulu = us("Honolulu", 21.3, -157.9);
    assert!(seattle.0 < 100.0 && seattle.1 < 80.0, "{seattle:?}");
    assert!(miami.0 > 400.0 && miami.1 > 220.0, "{miami:?}");
    assert!(anchorage.0 < 150.0 && anchorage.1 > 220.0, "{anchorage:?}");
    assert!(honolulu.0 < 250.0 && honolulu.1 > 240.0, "{honolulu:?}");
    // Alone on a map, anything is in its middle.
    assert_eq!(place_of("Hanover", 52.4, 9.7, Frame::World), (260.0, 160.0));
}

#[test]
fn darker_cells_hold_more() {
    let heat = HeatMap {
        title: "hand-overs".to_owned(),
        labels: ("from".to_owned(), "to".to_owned()),
        rows: vec!["Cn0 general".to_owned(), "Cn1".to_owned()],
        columns: vec!["Cn0 general".to_owned(), "Cn1".to_owned()],
        cells: vec![vec![None, Some(12_345.0)], vec![Some(0.0), None]],
    };
    let svg = heat.render();
    check_markup(&svg);
    assert!(svg.contains("fill-opacity=\"1.00\"") && svg.contains("fill-opacity=\"0.06\""));
    assert!(
        svg.contains("Cn0 general → Cn1: 12,345") && svg.contains(">12k<"),
        "{svg}"
    );
}

#[test]
fn means_of_several_values_have_errors() {
    assert_eq!(Estimate::of(&[]), None);
    assert_eq!(Estimate::of(&[2.0]), Some(Estimate::exact(2.0)));
    let Some(Estimate { mean, error }) = Estimate::of(&[1.0, 2.0, 3.0]) else {
        panic!("a mean");
    };
    assert!((mean - 2.0).abs() < 1e-12);
    assert!((error.unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
}

#[test]
fn numbers_are_written_for_people() {
    let written = [
        Unit::Number.write(0.0222),
        Unit::Number.write(0.0003),
        Unit::Percent.write(0.0725),
        Unit::Count.write(1_234_567.0),
        Unit::Time.write(90.0),
        Unit::Time.write(9000.0),
    ];
    assert_eq!(
        written,
        ["0.022", "0.0003", "7.25 %", "1,234,567", "90 s", "2.5 h"]
    );
    let ticks = [
        Unit::Percent.write_tick(0.025, 0.025),
        Unit::Percent.write_tick(0.1, 0.05),
        Unit::Number.write_tick(0.5, 0.25),
        Unit::Count.write_tick(20_000.0, 5000.0),
    ];
    assert_eq!(ticks, ["2.5 %", "10 %", "0.50", "20k"]);
}

#[test]
fn a_page_is_well_formed() {
    let mut page = page::Page::new("a <crawl>");
    page.paragraph("x < y & z")
        .highlights(&[("pages".to_owned(), "12".to_owned())])
        .heading("tables")
        .table(
            &["node".to_owned(), "pages".to_owned()],
            &[vec!["Cn0".to_owned(), "7".to_owned()]],
        )
        .figures(&[(lines().render(), "the harvest")]);
    let html = page.render();
    check_markup(&html);
    assert!(html.contains("<title>a &lt;crawl&gt;</title>"));
}
