//! Pages made of words, and how alike their shapes are.

use super::*;
use crate::html;
use crate::url::CanonicalUrl;
use proptest::prelude::*;

fn shape(html: &str) -> Option<Shape> {
    let url = CanonicalUrl::parse("http://a.example/").unwrap();
    Shape::of(&html::read(html.as_bytes(), &url, None))
}

/// `n` words that depend on `topic`, no two of them equal.
fn text(topic: &str, n: usize) -> String {
    (0..n).map(|n| format!("{topic}{n} ")).collect()
}

fn menu(topic: &str, n: usize) -> String {
    let item = |n| format!("<li><a href=/{n}>{topic} {n}</a>");
    (0..n).map(item).collect()
}

fn is_near(left: &str, right: &str) -> bool {
    let [left, right] = [left, right].map(|html| shape(html).unwrap());
    left.sketch().is_near(right.sketch())
}

#[test]
fn a_few_words_make_no_other_page() {
    let body = text("word", 400);
    assert!(is_near(
        &body,
        &format!("{body} printed on Monday at 17:30")
    ));
    assert!(is_near(&body, &body.to_uppercase()));
    assert!(is_near(&body, &body.replace(' ', "<br>")));
    assert!(!is_near(&body, &text("other", 400)));
}

#[test]
fn a_common_menu_makes_no_copy() {
    let menu = menu("section", 100);
    let page = |topic| format!("{menu}<p>{}", text(topic, 60));
    assert!(!is_near(&page("mayor"), &page("school")));
}

#[test]
fn lists_differ_in_their_links() {
    let frame = text("frame", 100);
    let page = |topic| format!("<p>{frame}</p>{}{}", menu("section", 20), menu(topic, 30));
    assert!(is_near(&page("first"), &page("first")));
    assert!(!is_near(&page("first"), &page("second")));
}

#[test]
fn little_text_has_no_shape() {
    assert_eq!(shape(&menu("section", 100)), None);
    assert_eq!(shape(&text("word", 49)), None);
    assert!(shape(&text("word", 50)).is_some());
}

#[test]
fn marks_tell_pages_apart() {
    let plain = shape(&text("word", 100)).unwrap();
    let keys = |marks: &[u64]| plain.marked(marks.iter().copied()).keys();
    assert_eq!(keys(&[2, 1]), keys(&[1, 2]));
    let share =
        |left: [u64; N_KEYS], right: [u64; N_KEYS]| left.iter().any(|key| right.contains(key));
    for other in [&[][..], &[1], &[2], &[1, 1], &[3, 0]] {
        assert!(!share(keys(&[1, 2]), keys(other)), "{other:?}");
    }
}

#[test]
fn likeness_is_the_share_of_runs_in_common() {
    // 1,000 words, of which the last tenth, half or all are others.
    for (n_same, expected) in [(1_000, 1.0), (900, 0.82), (500, 0.33), (0, 0.0)] {
        let left = text("word", 1_000);
        let right = text("word", n_same) + &text("other", 1_000 - n_same);
        let [left, right] = [left, right].map(|html| shape(&html).unwrap());
        let likeness = left.sketch().likeness(right.sketch());
        assert!(
            (likeness - expected).abs() < 0.12,
            "{likeness} for {expected}"
        );
    }
}

#[test]
fn sketches_read_back() {
    let sketch = *shape(&text("word", 70)).unwrap().sketch();
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()), Some(sketch));
    assert_eq!(Sketch::from_bytes(&[0; N_BYTES - 1]), None);
}

proptest! {
    #[test]
    fn any_page_has_the_same_shape_twice(html in "(<a href=x>|</a>|[a-z0-9 é食]{0,12}|\n){0,200}") {
        prop_assert_eq!(shape(&html), shape(&html));
    }
}
