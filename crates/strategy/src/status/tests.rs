use super::*;
use page::html;
use page::url::CanonicalUrl;

/// A page with so many words and links.
fn page(n_words: usize, n_links: usize) -> Page {
    let url = CanonicalUrl::parse("http://town.example/a/").unwrap();
    let words: String = (0..n_words).map(|n| format!("word{n} ")).collect();
    let links: String = (0..n_links)
        .map(|n| format!("<a href='/{n}'>x</a> "))
        .collect();
    html::read(format!("<p>{words}</p>{links}").as_bytes(), &url, None)
}

/// Pages with more links are linked to more often, whatever their words.
fn trainer() -> Trainer {
    let mut trainer = Trainer::default();
    for n in 0..200_usize {
        let n_links = n % 20;
        let page = page(5 + n * 7 % 31, n_links);
        trainer.learn(&page, &Traffic::default(), (3 * n_links) as u64);
    }
    trainer
}

#[test]
fn pages_like_those_with_many_links_have_a_high_status() {
    let model = trainer().finish().unwrap();
    let status = |n_links| model.status(&page(20, n_links), &Traffic::default());
    let (low, high) = (status(1), status(18));
    assert!(low < 0.3 && high > 0.6, "{low} {high}");
    // Half of the pages have more than one half.
    let all: Vec<f32> = (0..20).map(status).collect();
    let n_above = all.iter().filter(|status| **status > 0.5).count();
    assert!((8..=12).contains(&n_above), "{all:?}");
    assert_eq!(model.n_pages(), 200);
}

#[test]
fn status_is_one_half_at_theta() {
    assert_eq!(status(2.82, 2.82), 0.5);
    assert!((status(3.82, 2.82) - 1.0 / (1.0 + (-1.0_f32).exp())).abs() < 1e-6);
}

#[test]
fn nothing_that_a_page_shows_leads_beyond_what_was_seen() {
    let model = trainer().finish().unwrap();
    let odd = Features {
        brokerage: 1e12,
        traffic: 1e9,
        ..Features::default()
    };
    let most = (57.0_f32).ln_1p();
    assert!((0.0..=most + 1e-6).contains(&model.predict(&odd)));
}

#[test]
fn pages_that_were_held_out_say_how_well_it_is_learned() {
    let held_out = trainer().evaluate().unwrap();
    assert_eq!(held_out.n_pages, 40);
    assert!(held_out.correlation.unwrap().rho > 0.9);
    assert!(held_out.error < held_out.naive_error / 2.0);
}

#[test]
fn too_little_to_learn_from_says_how_much_is_needed() {
    let mut trainer = Trainer::default();
    for n in 0..99 {
        trainer.learn(&page(3, n), &Traffic::default(), n as u64);
    }
    assert_eq!(
        trainer.finish().unwrap_err().to_string(),
        "a model of status needs at least 100 pages, got 99"
    );
    let mut trainer = Trainer::default();
    for n in 0..120 {
        trainer.learn(&page(3, n), &Traffic::default(), 4);
    }
    assert_eq!(
        trainer.finish().unwrap_err().to_string(),
        "all 120 pages have 4 in-links: a model of status needs pages that differ"
    );
}

#[test]
fn a_model_survives_being_written_down() {
    let model = trainer().finish().unwrap();
    let bytes = model.to_bytes();
    assert_eq!(StatusModel::from_bytes(&bytes), Ok(model));
    let refusal = |bytes: &[u8]| StatusModel::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(refusal(b""), "not a model made by `locavore train status`");
    assert_eq!(
        refusal(b"locavore status 9\n"),
        "a model of status of format 9; this version reads format 1"
    );
    for cut in [20, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(refusal(&bytes[..cut]), "a damaged model of status");
    }
}

#[test]
fn the_built_in_model_tells_pages_apart() {
    let model = StatusModel::built_in();
    assert!(model.n_pages() > 10_000 && model.n_leaves() > 10);
    let status = |n_words, n_links| model.status(&page(n_words, n_links), &Traffic::built_in());
    let all = [
        status(5, 1),
        status(400, 60),
        status(60, 300),
        status(2_000, 5),
    ];
    let spread = all.iter().copied().fold(0.0, f32::max) - all.iter().copied().fold(1.0, f32::min);
    assert!(spread > 0.02, "{all:?}");
}
