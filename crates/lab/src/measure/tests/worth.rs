//! What crawls with topics are worth, by hand.

use super::*;

fn page_with(url: &str, topicality: f32, importance: f32, alpha: f32) -> Visit {
    Visit {
        topicality: Some(topicality),
        importance: Some(importance),
        alpha: Some(alpha),
        ..page(url)
    }
}

fn worth(visits: &[Visit], witness: Witness<'_>) -> Option<Worth> {
    let open = || Ok::<_, std::convert::Infallible>(visits.iter().cloned());
    let report = super::super::measure(shares(), Settings::default(), witness, open).unwrap();
    report.worth
}

fn four_pages() -> Vec<Visit> {
    vec![
        page_with("http://www.a.com/1", 0.9, 0.2, 0.5),
        page_with("http://a.com/2", 0.8, 0.4, 0.6),
        page_with("http://b.com/", 0.1, 0.95, 0.7),
        page_with("http://c.b.com/", 0.55, 0.5, 0.8).by(1),
    ]
}

#[test]
fn a_crawl_without_a_topic_has_no_worth() {
    assert_eq!(worth(&[page("http://a.com/")], Witness::default()), None);
}

#[test]
fn estimates_are_those_of_the_log() {
    let worth = worth(&four_pages(), Witness::default()).unwrap();
    assert_eq!(show(worth.estimated_topicality), "0.7500");
    assert_eq!(show(worth.estimated_status), "0.5125");
    assert_eq!(show(worth.alpha), "0.6500");
    // With `www.` and without it is one site; another host is another.
    assert_eq!(worth.sites, 3);
    let unknown = [
        worth.average_topicality,
        worth.average_status,
        worth.reliability,
    ];
    assert_eq!(unknown, [None; 3]);
    let joint = worth.joint.unwrap();
    assert!(joint.is_estimated);
    // Status by tenths, then topicality by tenths.
    assert_eq!((joint.cells[2][9], joint.cells[9][1]), (1, 1));
    assert_eq!(joint.cells.iter().flatten().sum::<u64>(), 4);
    let alphas: Vec<Vec<f64>> = worth
        .alphas
        .iter()
        .map(|node| node.iter().map(|point| point.alpha).collect())
        .collect();
    assert_eq!(alphas[0].len(), 3);
    assert!((alphas[1][0] - 0.8).abs() < 1e-6);
}

#[test]
fn a_witness_says_what_is_true() {
    let evaluate = |visit: &Visit| {
        Some(if visit.url.contains("a.com") {
            0.95
        } else {
            0.05
        })
    };
    let is_on_topic = |url: &str| (!url.contains("c.b")).then_some(url.ends_with('1'));
    let n_inlinks = |url: &str| match url {
        "http://www.a.com/1" => Some(0),
        "http://b.com/" => Some(19),
        _ => None,
    };
    let is_listed = |site: &str| site == "a.com";
    let witness = Witness {
        topicality: Some(&evaluate),
        is_on_topic: Some(&is_on_topic),
        n_inlinks: Some(&n_inlinks),
        is_listed: Some(&is_listed),
        ..Witness::default()
    };
    let worth = worth(&four_pages(), witness).unwrap();
    assert_eq!(show(worth.average_topicality), "0.5000");
    assert_eq!(worth.average_topicality_error, None, "all were evaluated");
    assert_eq!(worth.evaluated_pages, 4);
    assert_eq!(show(worth.true_topicality), "0.3333");
    // ln 1 and ln 20.
    assert_eq!(show(worth.average_status), show(Some(20.0_f64.ln() / 2.0)));
    assert_eq!(worth.counted_pages, 2);
    assert_eq!(show(worth.reliability), "0.3333");
    let joint = worth.joint.unwrap();
    assert!(!joint.is_estimated);
    // A page that nobody links to, and one with ln 20 = 2.996.
    assert_eq!((joint.cells[0][9], joint.cells[2][0]), (1, 1));
    assert_eq!(joint.cells.iter().flatten().sum::<u64>(), 2);
}

#[test]
fn some_pages_stand_for_all() {
    let visits: Vec<Visit> = (0..4_000)
        .map(|n| page_with(&format!("http://a.com/{n}"), 0.9, 0.5, 0.5))
        .collect();
    let evaluate = |visit: &Visit| {
        let number: u32 = visit.url.rsplit('/').next()?.parse().ok()?;
        Some(if number.is_multiple_of(5) { 0.1 } else { 0.9 })
    };
    let witness = Witness {
        topicality: Some(&evaluate),
        one_in: 4,
        ..Witness::default()
    };
    let worth = worth(&visits, witness).unwrap();
    assert!((900..1_100).contains(&worth.evaluated_pages), "{worth:?}");
    let error = worth.average_topicality_error.unwrap();
    // √(3/4 · 0.8 · 0.2 ÷ 1,000)
    assert!((error - 0.011).abs() < 0.001, "{error}");
    assert!((worth.average_topicality.unwrap() - 0.8).abs() < 4.0 * error);
}

#[test]
fn curves_stay_short_and_have_all_pages() {
    let visits: Vec<Visit> = (0..1_037)
        .map(|n| {
            let topicality = if n < 500 { 0.9 } else { 0.1 };
            page_with(
                &format!("http://a{}.com/", n % 700),
                topicality,
                0.5,
                n as f32 / 2_000.0,
            )
        })
        .collect();
    let worth = worth(&visits, Witness::default()).unwrap();
    assert!((40..=100).contains(&worth.curve.len()));
    assert!(worth.curve.is_sorted_by_key(|point| point.pages));
    let (first, last) = (worth.curve[0], worth.curve.last().unwrap());
    assert_eq!((last.pages, last.sites), (1_037, 700));
    assert_eq!(
        (first.estimated_topicality, last.estimated_topicality),
        (Some(1.0), Some(0.0))
    );
    let alphas = &worth.alphas[0];
    assert!((40..=101).contains(&alphas.len()));
    assert_eq!(alphas.last().unwrap().pages, 1_037);
    assert!((alphas.last().unwrap().alpha - 0.518).abs() < 1e-6);
}
