//! Sites that are served a second time, by somebody else.

use super::web::{Say, Web};
use crate::program::Place;
use store::visit::{Likeness, Outcome};

const MIRROR: usize = 0;
const LIBRARY: usize = 1;
/// Links to the library, which therefore comes later.
const TOWN: usize = 2;

/// Thirty-one pages, the same on both hosts.
fn script(origins: &[String], host: usize, path: &str) -> Say {
    let words = |topic: &str, n: usize| -> String {
        let words = (0..n).map(|n| format!("{topic}{} ", n * n % 1_009));
        words.collect()
    };
    match path {
        "/" if host == TOWN => Say::page(format!("<a href='{}'>Library</a>", origins[LIBRARY])),
        "/" => {
            let links = (0..30).map(|n| format!("<a href='books/{n}.html'>{n}</a> "));
            let links: String = links.collect();
            Say::page(format!(
                "<title>Library</title>{}{links}",
                words("home", 300)
            ))
        }
        _ if path.starts_with("/books/") => {
            Say::page(format!("<title>Book</title>{}", words(path, 300)))
        }
        _ => Say::missing(),
    }
}

#[test]
fn a_mirror_does_not_close_the_site_it_mirrors() {
    let web = Web::start(3, script);
    let place = Place::new();
    let run = web.crawl(&place, &[MIRROR, TOWN], &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let visits = place.visits("c");
    let of_library = format!("{}/", web.origins[LIBRARY]);
    let front = visits
        .iter()
        .find(|visit| visit.is_page() && visit.url == of_library);
    let copy = front.and_then(|front| front.copy);
    let likeness = copy.map(|copy| copy.likeness);
    assert_eq!(
        likeness,
        Some(Likeness::Mirrored),
        "the mirror was not first"
    );
    let pages = visits
        .iter()
        .filter(|visit| visit.url.starts_with(&of_library));
    let n_pages = pages.filter(|visit| visit.is_page() && visit.outcome == Outcome::Fetched);
    assert_eq!(n_pages.count(), 31);
}
