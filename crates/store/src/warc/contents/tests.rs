use super::*;
use crate::packing::Packing;
use crate::visit::Time;
use crate::warc::tests::padding;
use crate::warc::{Bundle, Exchange, Profile, RefersTo, capture_at, warcinfo};
use std::io::Write;
use std::path::PathBuf;

fn page(n: u64, packing: Packing) -> Vec<u8> {
    let (url, body) = (format!("http://town.example/{n}"), format!("<p>Page {n}"));
    let exchange = Exchange {
        url: &url,
        at: Time(1_700_000_000_000 + n),
        server: Some([93, 184, 216, 34].into()),
        request: b"GET / HTTP/1.1\r\n\r\n",
        response_head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        body: body.as_bytes(),
        truncated: false,
        metadata: &[],
        packing,
    };
    if n == 1 {
        let refers_to = RefersTo {
            url: "http://town.example/0".into(),
            at: Time(1_700_000_000_000),
            digest: None,
        };
        return Bundle::pack_revisit(&exchange, &refers_to, Profile::IdenticalPayloadDigest).bytes;
    }
    Bundle::pack(&exchange).bytes
}

fn archive(packing: Packing) -> Vec<u8> {
    let mut bytes = warcinfo("a.warc", Time(0), packing, &Vec::new());
    for n in 0..3 {
        bytes.extend(page(n, packing));
    }
    bytes
}

fn plain() -> Vec<u8> {
    let mut bytes = Vec::new();
    crate::packing::unpacked(&archive(Packing::Gzip)[..])
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

struct Kept {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn kept(bytes: &[u8]) -> Kept {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.warc");
    std::fs::write(&path, bytes).unwrap();
    Kept { _dir: dir, path }
}

/// The answers of a file, each read again from its offset, and what ends them.
fn show(bytes: &[u8]) -> Vec<String> {
    let kept = kept(bytes);
    let contents = match Contents::of(&kept.path) {
        Ok(contents) => contents,
        Err(error) => return vec![error.to_string()],
    };
    let show = |listed: Result<Listed, WarcError>| match listed {
        Ok(listed) if listed.head.kind() == Kind::Other => None,
        Ok(listed) => {
            let capture = capture_at(&kept.path, listed.offset, 1000)
                .unwrap()
                .unwrap();
            assert_eq!(capture.url, listed.head.url());
            assert_eq!(capture.status, listed.status());
            let body = String::from_utf8(capture.body).unwrap();
            let refers_to = capture.refers_to.map(|refers_to| refers_to.url);
            Some(format!(
                "{} {} {body}{}",
                capture.url,
                capture.status,
                refers_to.unwrap_or_default()
            ))
        }
        Err(error) => Some(error.to_string()),
    };
    contents.filter_map(show).collect()
}

const PAGES: [&str; 3] = [
    "http://town.example/0 200 <p>Page 0",
    "http://town.example/1 200 http://town.example/0",
    "http://town.example/2 200 <p>Page 2",
];

#[test]
fn every_record_is_found_again_by_its_offset() {
    assert_eq!(show(&archive(Packing::Gzip)), PAGES);
    assert_eq!(show(&archive(Packing::Zstd)), PAGES);
    assert_eq!(show(&plain()), PAGES);
    let mixed = [page(0, Packing::Zstd), plain(), page(2, Packing::Gzip)].concat();
    assert_eq!(show(&mixed).len(), 5);
}

#[test]
fn lengths_add_up_to_the_file() {
    for bytes in [archive(Packing::Gzip), archive(Packing::Zstd), plain()] {
        let kept = kept(&bytes);
        let mut end = 0;
        for listed in Contents::of(&kept.path).unwrap() {
            let listed = listed.unwrap();
            assert_eq!(listed.offset, end);
            end += listed.len;
        }
        assert_eq!(end, bytes.len() as u64);
    }
}

#[test]
fn a_file_packed_as_a_whole_is_named_as_such() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain()).unwrap();
    assert_eq!(
        show(&gzip.finish().unwrap()),
        ["not compressed record by record"]
    );
    let zstd = zstd::encode_all(&plain()[..], 1).unwrap();
    assert_eq!(show(&zstd), ["not compressed record by record"]);
}

#[test]
fn what_is_readable_before_damage_is_read() {
    assert_eq!(show(b""), ["an empty file"]);
    assert_eq!(show(b"\n\nnothing of the kind"), ["not a WARC file"]);
    for packing in Packing::ALL {
        let whole = archive(packing);
        let junk = [&whole[..], b"junk"].concat();
        let mut expected = PAGES.map(str::to_owned).to_vec();
        expected.push("damaged after record 10: what follows is no record".into());
        assert_eq!(show(&junk), expected);
        let page_len = page(2, packing).len();
        let shown = show(&whole[..whole.len() - page_len + 30]);
        assert_eq!(shown[..2], PAGES[..2]);
        assert!(
            shown[2].starts_with("damaged after record 7: "),
            "{shown:?}"
        );
    }
    let plain = plain();
    let shown = show(&plain[..plain.len() - 8]);
    assert_eq!(
        shown.last().unwrap(),
        "damaged after record 9: the file breaks off"
    );
}

#[test]
fn files_cut_anywhere_never_panic() {
    for packing in Packing::ALL {
        let whole = archive(packing);
        for end in 1..whole.len() {
            let contents = Contents::new(&whole[..end]).unwrap();
            let n_whole = contents.filter(Result::is_ok).count();
            assert!(n_whole < 10, "{n_whole} records in {end} bytes");
        }
    }
}

#[test]
fn a_record_may_begin_at_the_end_of_a_buffer() {
    for packing in Packing::ALL {
        for start in 65_530..=65_537 {
            let half = padding(packing, start / 2);
            let rest = padding(packing, start - half.len());
            let bytes = [half, rest, page(0, packing), page(2, packing)].concat();
            assert_eq!(show(&bytes), [PAGES[0], PAGES[2]], "{packing:?} {start}");
        }
    }
}
