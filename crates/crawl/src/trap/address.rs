//! Traps that an address gives away by itself: too long, going round in
//! circles, a date nobody has an appointment on, or a file.
//!
//! Asked about every link there is: most are done with at a glance.

use super::date::{self, Dated};
use page::url::CanonicalUrl;
use store::visit::{Refusal, Time};

/// Addresses that people have to do with end long before: of the links of
/// 3,000 university pages about one in ten thousand is longer.
const MAX_LEN: usize = 1_000;

/// Segments looked at; what is deeper is deep enough to show its period.
const MAX_SEGMENTS: usize = 64;

/// Repetitions in a row of one or more segments that make a circle.
const MAX_ROUNDS: usize = 3;

/// One segment in so many places is a circle with a varying detour.
const MAX_TIMES: usize = 6;

/// File extensions that no server gives a page: a page that nevertheless has
/// one is lost, so `js` (`/wiki/Node.js`), `xml` and `ai` are not among them.
/// Sorted, for look-up.
const FILES: [&str; 98] = [
    "7z", "aac", "aif", "aiff", "apk", "avi", "avif", "bin", "bmp", "bz2", "cab", "class", "css",
    "csv", "deb", "dmg", "doc", "docx", "dot", "dvi", "eot", "eps", "epub", "exe", "flac", "flv",
    "gif", "gpx", "gz", "heic", "hqx", "ico", "ics", "iso", "jar", "jpe", "jpeg", "jpg", "kml",
    "kmz", "m3u", "m4a", "m4v", "mid", "midi", "mkv", "mobi", "mov", "mp2", "mp3", "mp4", "mpeg",
    "mpg", "msi", "odp", "ods", "odt", "ogg", "ogv", "otf", "pdf", "pkg", "png", "pps", "ppsx",
    "ppt", "pptx", "psd", "qt", "ram", "rar", "rpm", "rtf", "sit", "svg", "swf", "tar", "tgz",
    "tif", "tiff", "torrent", "ttf", "vcf", "wav", "webm", "webp", "wma", "wmv", "woff", "woff2",
    "wrl", "xls", "xlsm", "xlsx", "xpi", "xz", "zip", "zst",
];

/// What the address alone says against following a link.
pub fn judge(url: &CanonicalUrl, now: Time) -> Option<Refusal> {
    judge_dated(url, date::find(url), now)
}

/// The same, with the date that the address asks for.
pub(super) fn judge_dated(url: &CanonicalUrl, date: Option<Dated>, now: Time) -> Option<Refusal> {
    if url.as_str().len() > MAX_LEN {
        return Some(Refusal::TooLong);
    }
    let path = url.path();
    if is_file(path) {
        return Some(Refusal::NotAPage);
    }
    if is_circle(path) {
        return Some(Refusal::RepeatingPath);
    }
    let is_far = date.is_some_and(|date| date.is_out_of_reach(now));
    is_far.then_some(Refusal::Calendar)
}

/// Whether the path's extension is one that pages never have.
fn is_file(path: &str) -> bool {
    let tail = &path.as_bytes()[path.len().saturating_sub(8)..];
    let Some(dot) = tail.iter().rposition(|byte| *byte == b'.') else {
        return false;
    };
    let mut extension = [0; 8];
    let len = tail.len() - dot - 1;
    for (to, from) in extension.iter_mut().zip(&tail[dot + 1..]) {
        *to = from.to_ascii_lowercase();
    }
    let known = FILES.binary_search_by(|known| known.as_bytes().cmp(&extension[..len]));
    // `/wiki/File:Town_hall.jpg` is a page about the picture.
    known.is_ok() && !path[path.rfind('/').unwrap_or(0)..].contains(':')
}

/// Whether the path goes in circles: some segments three times in a row, or
/// one of them again and again.
fn is_circle(path: &str) -> bool {
    if !has_twins(path) {
        return false;
    }
    let mut segments = [""; MAX_SEGMENTS];
    let mut n_segments = 0;
    for (to, segment) in segments.iter_mut().zip(path.split('/').skip(1)) {
        *to = segment;
        n_segments += 1;
    }
    let segments = &segments[..n_segments];
    let rounds = |period| has_rounds(segments, period);
    (1..=n_segments / MAX_ROUNDS).any(rounds)
        || n_segments > MAX_TIMES
            && segments
                .iter()
                .any(|segment| is_everywhere(segments, segment))
}

/// Whether two segments may be equal, by length and last letter; most paths
/// are done with here.
fn has_twins(path: &str) -> bool {
    let mut seen = 0_u64;
    for segment in path.as_bytes().split(|byte| *byte == b'/').skip(1) {
        let last = segment.last().copied().unwrap_or_default();
        let bit = 1 << ((segment.len() * 7 + usize::from(last)) % 64);
        if seen & bit != 0 {
            return true;
        }
        seen |= bit;
    }
    false
}

/// Whether `period` segments come three times in a row. Numbers do in dates.
fn has_rounds(segments: &[&str], period: usize) -> bool {
    let mut n_equal = 0;
    for idx in 0..segments.len() - period {
        if segments[idx] != segments[idx + period] {
            n_equal = 0;
            continue;
        }
        n_equal += 1;
        if n_equal == period * (MAX_ROUNDS - 1) {
            let round = &segments[idx + 1..=idx + period];
            if round.iter().any(|segment| !is_number(segment)) {
                return true;
            }
            n_equal = 0;
        }
    }
    false
}

fn is_everywhere(segments: &[&str], segment: &str) -> bool {
    let n_times = segments.iter().filter(|other| **other == segment).count();
    n_times >= MAX_TIMES && !is_number(segment)
}

/// Digits and nothing else, but at least one.
fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The start of 2026.
    const NOW: Time = Time(1_767_225_600_000);

    fn verdict(path: &str) -> Option<Refusal> {
        let url = CanonicalUrl::parse(&format!("http://a.example{path}")).unwrap();
        judge(&url, NOW)
    }

    #[test]
    fn the_list_of_files_can_be_searched() {
        assert!(FILES.is_sorted());
    }

    #[test]
    fn files_are_told_by_unmistakable_extensions() {
        for path in [
            "/a.PDF",
            "/x/y.jpeg?size=2",
            "/font.woff2",
            "/.zip",
            "/a.tar.gz",
        ] {
            assert_eq!(verdict(path), Some(Refusal::NotAPage), "{path}");
        }
        let pages = [
            "/",
            "/index.php?file=a.jpg",
            "/a.jpg.html",
            "/wiki/File:Town_hall.jpg",
            "/wiki/Node.js",
            "/photo.jpg/",
            "/asp.net",
            "/v1.0",
            "/a.",
            "/a.torrents",
        ];
        for path in pages {
            assert_eq!(verdict(path), None, "{path}");
        }
    }

    #[test]
    fn circles_are_told_by_their_third_round() {
        for path in [
            "/x/x/x",
            "/a/b/a/b/a/b",
            "/en/a/b/a/b/a/b/page.html",
            "/a////b",
            "/1/a/1/a/1/a",
            "/x/a/x/b/x/c/x/d/x/e/x/f",
        ] {
            assert_eq!(verdict(path), Some(Refusal::RepeatingPath), "{path}");
        }
        for path in [
            "/x/x",
            "/2011/11/11/11/",
            "/a/b/a/b/a",
            "/a/b/c/a/b/c",
            "/houston/tx/houston/downtown/",
            "/a/x/b/x/c/x/d/x",
        ] {
            assert_eq!(verdict(path), None, "{path}");
        }
    }

    #[test]
    fn long_addresses_are_refused() {
        assert_eq!(verdict(&format!("/{}", "a".repeat(900))), None);
        let long = format!("/{}", "a".repeat(1_000));
        assert_eq!(verdict(&long), Some(Refusal::TooLong));
    }

    proptest! {
        #[test]
        fn any_address_is_judged(rest in "[/a-z0-9.?&=;%:é-]{0,300}", now in any::<u64>()) {
            if let Ok(url) = CanonicalUrl::parse(&format!("http://a.example/{rest}")) {
                judge(&url, Time(now));
            }
        }
    }
}
