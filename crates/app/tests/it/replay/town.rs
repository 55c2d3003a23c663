//! A small made-up town and its archive, which is kept in `town.warc.gz`.

use std::io::Read;
use std::path::Path;
use store::crawl_dir::CrawlDir;
use store::packing::{Packing, unpacked};
use store::visit::Time;
use store::warc::{Bundle, Exchange, Profile, RefersTo};

/// What our writer made of the town.
pub(crate) const TOWN: &[u8] = include_bytes!("town.warc.gz");

const N_PAGES: usize = 12;

/// An archive in the making.
pub(crate) struct Site {
    crawl: CrawlDir,
    n_answers: u64,
}

impl Site {
    /// In a new crawl folder.
    pub(crate) fn create(dir: &Path) -> Site {
        Site {
            crawl: CrawlDir::create(dir, "").unwrap(),
            n_answers: 0,
        }
    }

    /// The bytes of its WARC file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let archive = self.crawl.path().join("warc/locavore-00001.warc.gz");
        self.crawl.commit(self.crawl.batch()).unwrap();
        std::fs::read(archive).unwrap()
    }

    fn exchange<'a>(&mut self, url: &'a str, head: &'a str, body: &'a str) -> Exchange<'a> {
        self.n_answers += 1;
        Exchange {
            url,
            at: Time(1_146_441_600_000 + 1000 * self.n_answers),
            server: Some([192, 0, 2, 7].into()),
            request: b"GET / HTTP/1.1\r\n\r\n",
            response_head: head.as_bytes(),
            body: body.as_bytes(),
            truncated: false,
            metadata: &[],
            packing: Packing::Gzip,
        }
    }

    pub(crate) fn add(&mut self, url: &str, head: &str, body: &str) -> RefersTo {
        let head = format!("HTTP/1.1 {head}\r\n\r\n");
        let exchange = self.exchange(url, &head, body);
        let bundle = Bundle::pack(&exchange);
        self.crawl.archive(&bundle).unwrap();
        RefersTo {
            url: url.into(),
            at: exchange.at,
            digest: Some(bundle.digest()),
        }
    }

    pub(crate) fn page(&mut self, url: &str, body: &str) -> RefersTo {
        self.add(url, "200 OK\r\nContent-Type: text/html", body)
    }
}

/// The archive of the town, written in a crawl folder: pages, a redirect, a
/// missing page, a copy as revisit, rules, and a page of another site.
fn write(dir: &Path) -> Vec<u8> {
    let mut site = Site::create(dir);
    let rules = "User-agent: *\nDisallow: /private/\n";
    let robots = "http://town.example/robots.txt";
    site.add(robots, "200 OK\r\nContent-Type: text/plain", rules);
    let links: String = (0..N_PAGES)
        .map(|n| format!("<a href=/p{n}>Page {n}</a> "))
        .collect();
    let home = format!(
        "<title>Town</title>{links}<a href=/old>old</a> <a href=/gone>gone</a> \
         <a href=/copy>copy</a> <a href=/private/x>private</a> <a href=/later>later</a>"
    );
    site.page("http://town.example/", &home);
    let mut pages = Vec::new();
    for n in 0..N_PAGES {
        pages.push(site.page(&format!("http://town.example/p{n}"), &body(n)));
    }
    site.add("http://town.example/old", "301 Moved\r\nLocation: /p1", "");
    site.add("http://town.example/gone", "404 Not Found", "gone");
    site.page("http://town.example/private/x", "private");
    site.page("http://other.example/deep", "<title>Elsewhere</title>");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let first = body(0);
    let copy = site.exchange("http://town.example/copy", head, &first);
    let copy = Bundle::pack_revisit(&copy, &pages[0], Profile::IdenticalPayloadDigest);
    site.crawl.archive(&copy).unwrap();
    site.finish()
}

fn body(n: usize) -> String {
    format!(
        "<title>Page {n}</title>{} Bagby Street, Houston, TX 77002",
        900 + n
    )
}

fn written() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("c"))
}

/// The records of the town as a plain file.
pub(super) fn plain() -> Vec<u8> {
    plain_of(TOWN)
}

fn plain_of(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    unpacked(packed).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// The compressor may change its mind about bytes; the records stay.
#[test]
fn the_kept_archive_is_what_we_would_write_today() {
    let text = |packed: &[u8]| String::from_utf8(plain_of(packed)).unwrap();
    assert_eq!(text(TOWN), text(&written()));
}

#[test]
#[ignore = "writes the file that the others read"]
fn write_the_kept_archive() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replay/town.warc.gz");
    std::fs::write(path, written()).unwrap();
}
