//! Pages put into a real crawl folder and looked for.

use super::*;
use page::html;
use store::table::Table;
use tempfile::TempDir;

struct Book {
    _folder: TempDir,
    dir: CrawlDir,
    book: CopyBook,
    n_pages: u64,
}

impl Book {
    fn new() -> Book {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        let book = CopyBook::open(&dir).unwrap();
        Book {
            _folder: folder,
            dir,
            book,
            n_pages: 0,
        }
    }

    /// A page comes and is entered; what it was found to be like.
    fn comes(&mut self, path: &str, body: &str) -> Option<Found> {
        self.comes_marked(path, body, &[])
    }

    fn comes_marked(&mut self, path: &str, body: &str, marks: &[u64]) -> Option<Found> {
        let url = match path.starts_with('/') {
            true => CanonicalUrl::parse(&format!("http://a.example{path}")).unwrap(),
            false => CanonicalUrl::parse(path).unwrap(),
        };
        let page = html::read(body.as_bytes(), &url, None);
        let shape = Shape::of(&page).map(|shape| shape.marked(marks.iter().copied()));
        let arrival = Arrival {
            url: &url,
            digest: &digest(body),
            n_bytes: body.len(),
            shape: shape.as_ref(),
        };
        let found = self.book.find(&arrival).unwrap();
        let mut batch = self.dir.batch();
        let seq = self.n_pages;
        self.book
            .learn(&mut batch, &arrival, seq, Time(1_000 + seq), found.as_ref());
        self.dir.apply(batch).unwrap();
        self.n_pages += 1;
        found
    }
}

/// Any digest will do that is equal for equal bodies.
fn digest(body: &str) -> [u8; 20] {
    let mut digest = [0_u8; 20];
    for (idx, byte) in body.bytes().enumerate() {
        digest[idx % 20] = digest[idx % 20].rotate_left(3) ^ byte.wrapping_add(idx as u8);
    }
    digest
}

/// `n` words that depend on `topic`.
fn text(topic: &str, n: usize) -> String {
    let words = (0..n).map(|n| format!("{topic}{} ", n * n % 1_009));
    words.collect()
}

fn copy(found: Option<Found>) -> Option<(Likeness, u64)> {
    found.map(|found| (found.copy.likeness, found.copy.of))
}

#[test]
fn equal_bodies_are_exact_copies() {
    let mut book = Book::new();
    let body = text("fair", 100);
    assert_eq!(book.comes("/a", &body), None);
    let found = book.comes("/b", &body).unwrap();
    assert_eq!(found.copy.likeness, Likeness::Exact);
    let first = ("http://a.example/a".to_owned(), Time(1_000));
    assert_eq!(found.original, Some(first));
    let third = book.comes("/c", &body);
    assert_eq!(copy(third), Some((Likeness::Exact, 0)), "the first counts");
}

#[test]
fn nearly_equal_texts_are_near_copies() {
    let mut book = Book::new();
    let body = text("fair", 300);
    book.comes("/a", &body);
    let with_time = format!("{body} served in 17 ms");
    assert_eq!(
        copy(book.comes("/b", &with_time)),
        Some((Likeness::Near, 0))
    );
    let again = book.comes("/c", &with_time).unwrap();
    assert_eq!((again.copy.likeness, again.copy.of), (Likeness::Exact, 1));
    assert_eq!(
        again.first, 0,
        "the first of its kind is known all the same"
    );
    assert_eq!(book.comes("/d", &text("market", 300)), None);
}

#[test]
fn a_page_that_changed_is_no_copy_of_itself() {
    let mut book = Book::new();
    let body = text("fair", 300);
    book.comes("/a", &body);
    assert_eq!(book.comes("/a", &format!("{body} now with music")), None);
}

#[test]
fn other_addresses_make_other_pages() {
    let mut book = Book::new();
    let body = text("shop", 300);
    book.comes_marked("/houston", &format!("{body} 901 Bagby"), &[1]);
    let other = book.comes_marked("/dallas", &format!("{body} 1500 Marilla"), &[2]);
    assert_eq!(other, None);
    let same = book.comes_marked("/print", &format!("{body} 901 Bagby Street"), &[1]);
    assert_eq!(copy(same), Some((Likeness::Near, 0)));
}

#[test]
fn a_page_elsewhere_is_mirrored_and_no_copy() {
    let mut book = Book::new();
    let (body, other) = (text("library", 300), text("opening", 300));
    book.comes("http://mirror.evil.com/", &body);
    book.comes("http://mirror.evil.com/hours", &other);
    let found = book.comes("http://library.example/", &body).unwrap();
    assert_eq!(
        (found.copy.likeness, found.copy.of),
        (Likeness::Mirrored, 0)
    );
    assert!(!found.is_at_home);
    assert_eq!(found.original, None, "the archive keeps both");
    let near = book.comes("http://library.example/hours", &format!("{other} 17 ms"));
    let near = near.unwrap();
    assert_eq!((near.copy.likeness, near.copy.of), (Likeness::Near, 1));
    assert!(!near.is_at_home);
}

#[test]
fn copies_at_home_are_told_though_the_page_is_mirrored() {
    let mut book = Book::new();
    let body = text("library", 300);
    book.comes("http://mirror.evil.com/", &body);
    book.comes("http://library.example/", &body);
    let again = book
        .comes("http://www.library.example/index.html", &body)
        .unwrap();
    assert_eq!((again.copy.likeness, again.copy.of), (Likeness::Exact, 1));
    assert!(again.is_at_home);
    let near = book.comes("http://library.example/print", &format!("{body} 17 ms"));
    let near = near.unwrap();
    assert_eq!((near.copy.likeness, near.copy.of), (Likeness::Near, 1));
    assert!(near.is_at_home);
    // And the mirror's own copies are still copies of the mirror.
    let evil = book.comes("http://evil.com/", &body).unwrap();
    assert_eq!((evil.copy.likeness, evil.copy.of), (Likeness::Exact, 0));
}

#[test]
fn little_is_no_copy() {
    let mut book = Book::new();
    book.comes("/a", "OK");
    assert_eq!(book.comes("/b", "OK"), None);
    let short = text("x", 40);
    book.comes("/c", &short);
    assert_eq!(book.comes("/d", &format!("{short} 7")), None);
}

#[test]
fn rows_read_back_and_rubbish_is_nothing() {
    let url = "http://a.example/".to_owned();
    let row = DigestRow {
        seq: 7,
        first: 3,
        at: 1 << 40,
        url: &url,
        domain: 9,
    };
    assert_eq!(DigestRow::decode(&row.encode()), Some(row));
    assert_eq!(DigestRow::decode(&[255]), None);
    assert_eq!(ShapeRow::decode(&[1; 30]), None);

    let mut book = Book::new();
    let body = text("fair", 300);
    book.comes("/a", &body);
    let mut batch = book.dir.batch();
    spoil(&mut batch, &book.book.digests);
    spoil(&mut batch, &book.book.shapes);
    book.dir.apply(batch).unwrap();
    assert_eq!(book.comes("/b", &body), None, "unreadable rows are none");
}

fn spoil(batch: &mut Batch, table: &Table) {
    for (key, _) in table.scan(&[], None, 100).unwrap() {
        batch.put(table, &key, &[255]);
    }
}

#[test]
fn what_was_committed_is_found_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl");
    let url = CanonicalUrl::parse("http://a.example/a").unwrap();
    let body = text("fair", 100);
    let arrival = Arrival {
        url: &url,
        digest: &digest(&body),
        n_bytes: body.len(),
        shape: None,
    };
    let mut dir = CrawlDir::create(&path, "").unwrap();
    let mut batch = dir.batch();
    let book = CopyBook::open(&dir).unwrap();
    book.learn(&mut batch, &arrival, 5, Time(9), None);
    dir.commit(batch).unwrap();
    drop((book, dir));
    let (dir, _) = CrawlDir::open(&path).unwrap();
    let found = CopyBook::open(&dir).unwrap().find(&arrival).unwrap();
    assert_eq!(copy(found), Some((Likeness::Exact, 5)));
}
