//! Pages that say "found" and mean "not found".
//!
//! Either a page says so itself: as (a part of) its title over little text, or
//! as most of its text. Or it hints at it, and the same little text came under
//! several addresses of its host. Pages *about* missing pages are longer, and
//! their titles say more.

use super::parts::{hash, mix};
use page::html::Page;

/// Words between links that an error page has at most, under a title that says so.
const MAX_WORDS: usize = 250;

/// The same where only the text says so.
const MAX_WORDS_UNTITLED: usize = 60;

/// Bytes between links that so many words have at most, near enough.
const MAX_BYTES: usize = 4_000;
const MAX_BYTES_UNTITLED: usize = 800;

/// What the whole of a title, or a part between `|`, `-` or `:`, says on a
/// page that is missing. Numbers and marks around it are left out.
const TITLES: [&str; 38] = [
    "404",
    "404 error",
    "404 error page not found",
    "404 file not found",
    "404 nicht gefunden",
    "404 not found",
    "404 object not found",
    "404 page",
    "404 page not found",
    "404 seite nicht gefunden",
    "document not found",
    "error 404",
    "error 404 not found",
    "error 404 not found 1",
    "error 404 page not found",
    "fehler 404",
    "file not found",
    "http 404",
    "http 404 not found",
    "nicht gefunden",
    "not found",
    "object not found",
    "objekt nicht gefunden",
    "oops page not found",
    "page cannot be found",
    "page could not be found",
    "page does not exist",
    "page doesn t exist",
    "page no longer available",
    "page not available",
    "page not found",
    "seite existiert nicht",
    "seite konnte nicht gefunden werden",
    "seite nicht gefunden",
    "seite nicht mehr verfügbar",
    "seite nicht verfügbar",
    "seite wurde nicht gefunden",
    "url not found",
];

/// What the text of a page that is missing says somewhere.
const SENTENCES: [&str; 27] = [
    "404 not found",
    "could not find the page",
    "couldn t find the page",
    "dokument wurde nicht gefunden",
    "error 404",
    "fehler 404",
    "file not found",
    "page can t be found",
    "page cannot be found",
    "page could not be found",
    "page does not exist",
    "page doesn t exist",
    "page is no longer available",
    "page is not available",
    "page not found",
    "page you are looking for",
    "page you re looking for",
    "page you requested",
    "requested url was not found",
    "seite existiert nicht",
    "seite ist leider nicht",
    "seite ist nicht mehr",
    "seite konnte leider nicht gefunden werden",
    "seite konnte nicht gefunden werden",
    "seite nicht gefunden",
    "seite wurde leider nicht gefunden",
    "seite wurde nicht gefunden",
];

/// What it hints at it with.
const HINTS: [&str; 14] = [
    "404",
    "cannot be found",
    "could not be found",
    "does not exist",
    "existiert nicht",
    "leider nicht",
    "nicht gefunden",
    "nicht mehr verfügbar",
    "nicht vorhanden",
    "no longer available",
    "no longer exists",
    "no such",
    "not available",
    "not found",
];

/// What a page's words say about its being there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing.
    None,
    /// It may be missing: what its text is, but for what the address changes in it.
    Hint(u64),
    /// It says so.
    Missing,
}

/// Whether a page says, in title or text, that it is not there.
pub fn is_missing(page: &Page) -> bool {
    sign_of(page) == Sign::Missing
}

pub(super) fn sign_of(page: &Page) -> Sign {
    let title = Title::of(&page.title);
    let in_links: usize = page.links.iter().map(|link| link.span.len()).sum();
    let n_bytes = page.text.len().saturating_sub(in_links);
    // Most pages end here: their text is not looked at.
    if n_bytes > MAX_BYTES || title == Title::Other && n_bytes > MAX_BYTES_UNTITLED {
        return Sign::None;
    }
    let words = words_between_links(page);
    let n_words = words.split(' ').count();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| has_phrase(&words, phrase));
    if n_words > MAX_WORDS {
        return Sign::None;
    }
    // A number alone may be an area code: somebody must say what it is for.
    if title == Title::Missing || title == Title::Number && says(&HINTS) {
        return Sign::Missing;
    }
    if n_words > MAX_WORDS_UNTITLED || !says(&HINTS) {
        return Sign::None;
    }
    match says(&SENTENCES) {
        true => Sign::Missing,
        false => Sign::Hint(fingerprint(page, &words)),
    }
}

/// What a title says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Title {
    Missing,
    /// 404 and nothing else.
    Number,
    Other,
}

impl Title {
    fn of(title: &str) -> Title {
        let parts = title.split(['|', '-', '–', '—', ':', '»', '·', '/']);
        let mut found = Title::Other;
        for part in std::iter::once(title).chain(parts) {
            let part = simple(part);
            let part = part.strip_prefix("the ").unwrap_or(&part);
            let part = part.strip_prefix("die ").unwrap_or(part);
            if part == "404" {
                found = Title::Number;
            } else if TITLES.binary_search(&part).is_ok() {
                return Title::Missing;
            }
        }
        found
    }
}

/// The words between a page's links, in small letters, one space apart.
fn words_between_links(page: &Page) -> String {
    let mut words = String::new();
    let mut at = 0;
    for link in &page.links {
        let (start, end) = (link.span.start as usize, link.span.end as usize);
        if let Some(before) = page.text.get(at..start) {
            push_words(&mut words, before);
            at = end;
        }
    }
    push_words(&mut words, page.text.get(at..).unwrap_or_default());
    words
}

fn simple(text: &str) -> String {
    let mut words = String::new();
    push_words(&mut words, text);
    words
}

fn push_words(words: &mut String, text: &str) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().flat_map(char::to_lowercase));
    }
}

fn has_phrase(words: &str, phrase: &str) -> bool {
    words.match_indices(phrase).any(|(start, found)| {
        let before = words[..start].bytes().next_back();
        let after = words[start + found.len()..].bytes().next();
        before.is_none_or(|byte| byte == b' ') && after.is_none_or(|byte| byte == b' ')
    })
}

/// Of the words but for numbers and what the address is repeated with.
fn fingerprint(page: &Page, words: &str) -> u64 {
    let address = simple(page.url.path_and_query());
    let own = words
        .split(' ')
        .filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit()))
        .filter(|word| !has_phrase(&address, word));
    own.fold(0, |sum, word| mix(sum, hash(word.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::html;
    use page::url::CanonicalUrl;

    fn sign(title: &str, body: &str) -> Sign {
        let url = CanonicalUrl::parse("http://a.example/old/page-7.html").unwrap();
        let html = format!("<title>{title}</title><body>{body}");
        sign_of(&html::read(html.as_bytes(), &url, None))
    }

    #[test]
    fn the_list_of_titles_can_be_searched() {
        assert!(TITLES.is_sorted());
    }

    #[test]
    fn error_pages_are_told_by_their_title() {
        for title in [
            "404 Not Found",
            "Page Not Found | Town of Salem",
            "City of Dallas - 404",
            "Seite nicht gefunden – Stadt Münster",
            "The page cannot be found",
            "Error 404 (Not Found)!!1",
        ] {
            let body = "<a href=/>Home</a> Sorry, that could not be found.";
            assert_eq!(sign(title, body), Sign::Missing, "{title}");
        }
    }

    #[test]
    fn error_pages_are_told_by_their_text() {
        for body in [
            "<h1>Oops!</h1>The page you requested could not be found.",
            "Die gewünschte Seite wurde leider nicht gefunden. <a href=/>Startseite</a>",
            "<h1>Error 404</h1>",
        ] {
            assert_eq!(sign("Town of Salem", body), Sign::Missing, "{body}");
        }
    }

    #[test]
    fn pages_about_missing_pages_are_there() {
        let article = "<p>When a page you requested could not be found, servers answer.</p>";
        assert_eq!(
            sign("How to design a 404 page", &article.repeat(20)),
            Sign::None
        );
        assert_eq!(sign("404 Not Found", &article.repeat(40)), Sign::None);
        assert_eq!(
            sign("404", "Area code of Atlanta and its suburbs"),
            Sign::None
        );
        assert_eq!(
            sign("Lost and found", "Keys were found in the park."),
            Sign::None
        );
    }

    #[test]
    fn hints_are_equal_but_for_the_address() {
        let hint = |path: &str, text: &str| {
            let url = CanonicalUrl::parse(&format!("http://a.example{path}")).unwrap();
            sign_of(&html::read(text.as_bytes(), &url, None))
        };
        let one = hint("/item?id=5", "Item 5 is no longer available.");
        assert!(matches!(one, Sign::Hint(_)));
        assert_eq!(one, hint("/item?id=12", "Item 12 is no longer available."));
        assert_eq!(
            hint("/a/b", "No such person: b"),
            hint("/a/c", "No such person: c")
        );
        assert_ne!(one, hint("/item?id=5", "Ticket is no longer available."));
    }
}
