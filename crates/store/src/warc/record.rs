//! One WARC record as bytes: header fields, digests, gzip member.

use crate::visit::Time;
use flate2::{Compress, Compression, FlushCompress, Status};
use sha1::{Digest, Sha1};
use std::cell::RefCell;
use std::net::IpAddr;

/// On 2,000 recorded pages of 26 KB, level 1 takes 77 µs a page and leaves
/// 32 %, level 3 takes 157 µs and leaves 25 %, level 6 takes 222 µs for 24 %.
/// Packing is the largest cost of a page in the store, and disks are patient.
const LEVEL: u32 = 1;

/// What goes into a record; the block is borrowed.
pub(super) struct Record<'a> {
    kind: &'static str,
    /// The address, or the file name of a `warcinfo`.
    subject: &'a str,
    at: Time,
    pub(super) content_type: &'static str,
    pub(super) server: Option<IpAddr>,
    pub(super) concurrent_to: Option<&'a str>,
    pub(super) payload: Option<&'a [u8]>,
    pub(super) truncated: bool,
    pub(super) block: &'a [u8],
}

/// A record with its name and its digests.
pub(super) struct Sealed<'a> {
    pub(super) id: String,
    head: String,
    block: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn about(kind: &'static str, subject: &'a str, at: Time) -> Record<'a> {
        Record {
            kind,
            subject,
            at,
            content_type: "",
            server: None,
            concurrent_to: None,
            payload: None,
            truncated: false,
            block: b"",
        }
    }

    /// Names and digests the record; after this it only needs compressing.
    pub(super) fn seal(&self) -> Sealed<'a> {
        let block_hash = sha1(self.block);
        let id = self.id(&block_hash);
        let mut head = String::with_capacity(600);
        let mut field = |name: &str, value: &str| {
            head.extend([name, ": ", value, "\r\n"]);
        };
        field("WARC-Type", self.kind);
        field("WARC-Record-ID", &id);
        field("WARC-Date", &date(self.at));
        match self.kind {
            "warcinfo" => field("WARC-Filename", &one_line(self.subject)),
            _ => field("WARC-Target-URI", &one_line(self.subject)),
        }
        if let Some(server) = self.server {
            field("WARC-IP-Address", &server.to_string());
        }
        if let Some(id) = self.concurrent_to {
            field("WARC-Concurrent-To", id);
        }
        field("WARC-Block-Digest", &digest(&block_hash));
        if let Some(payload) = self.payload {
            field("WARC-Payload-Digest", &digest(&sha1(payload)));
        }
        if self.truncated {
            field("WARC-Truncated", "unspecified");
        }
        field("Content-Type", self.content_type);
        field("Content-Length", &self.block.len().to_string());
        Sealed {
            id,
            head: format!("WARC/1.1\r\n{head}\r\n"),
            block: self.block,
        }
    }

    /// A name derived from what the record says, so that the same exchange
    /// always has the same.
    fn id(&self, block_hash: &[u8; 20]) -> String {
        let mut hasher = Sha1::new();
        for part in [self.kind, self.subject] {
            hasher.update(part);
            hasher.update([0]);
        }
        hasher.update(self.at.0.to_le_bytes());
        hasher.update(block_hash);
        uuid(&hasher.finalize().into())
    }
}

/// The block of `application/warc-fields`.
pub(super) fn warc_fields<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let lines = fields.into_iter().map(|(name, value)| {
        let name = one_line(name).replace(':', "-");
        format!("{name}: {}\r\n", one_line(value))
    });
    lines.collect::<String>().into_bytes()
}

/// Text from the web could otherwise add fields and records of its own.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// A compressor that is used again: setting one up costs more than
/// compressing a small record.
pub(super) struct Gzip {
    compress: Compress,
    /// Output passes through here: a vector's spare room would be zeroed for
    /// every call.
    scratch: Vec<u8>,
}

thread_local! {
    static GZIP: RefCell<Gzip> = RefCell::new(Gzip {
        compress: Compress::new_gzip(Compression::new(LEVEL), 15),
        scratch: vec![0; 16 << 10],
    });
}

impl Gzip {
    pub(super) fn with<R>(work: impl FnOnce(&mut Gzip) -> R) -> R {
        GZIP.with_borrow_mut(work)
    }

    /// Adds a record as one gzip member and gives the member's length.
    pub(super) fn append(&mut self, record: &Sealed<'_>, out: &mut Vec<u8>) -> usize {
        let start = out.len();
        self.compress.reset();
        self.feed(record.head.as_bytes(), FlushCompress::None, out);
        self.feed(record.block, FlushCompress::None, out);
        self.feed(b"\r\n\r\n", FlushCompress::Finish, out);
        out.len() - start
    }

    fn feed(&mut self, mut bytes: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
        loop {
            let (n_in, n_out) = (self.compress.total_in(), self.compress.total_out());
            let status = self
                .compress
                .compress(bytes, &mut self.scratch, flush)
                .expect("compressing fails only on a broken stream state");
            let count = |n: u64| usize::try_from(n).expect("no more than the slice given");
            bytes = &bytes[count(self.compress.total_in() - n_in)..];
            let n_out = count(self.compress.total_out() - n_out);
            out.extend_from_slice(&self.scratch[..n_out]);
            let is_done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => bytes.is_empty() && n_out < self.scratch.len(),
            };
            if is_done {
                return;
            }
        }
    }
}

fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

fn digest(hash: &[u8; 20]) -> String {
    format!("sha1:{}", base32(hash))
}

/// RFC 4648 base 32 of a SHA-1, which needs no padding.
fn base32(bytes: &[u8; 20]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(32);
    for five in bytes.chunks_exact(5) {
        let bits = five
            .iter()
            .fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for shift in (0..8).rev() {
            text.push(char::from(ALPHABET[(bits >> (5 * shift)) as usize & 31]));
        }
    }
    text
}

fn uuid(hash: &[u8; 20]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x50; // named by SHA-1
    bytes[8] = bytes[8] & 0x3f | 0x80; // RFC 9562
    let number = u128::from_be_bytes(bytes);
    let part = |shift: u32, n_digits: u32| number >> shift & ((1 << (4 * n_digits)) - 1);
    format!(
        "<urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}>",
        part(96, 8),
        part(80, 4),
        part(64, 4),
        part(48, 4),
        part(0, 12),
    )
}

/// A time as archives write it: ISO 8601 in UTC, with milliseconds.
pub fn date(at: Time) -> String {
    let seconds = at.0 / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let milli = at.0 % 1000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Year, month and day of a day counted from 1970-01-01.
///
/// Counts from 1 March of the year 0, so that the leap day is a year's last.
fn civil(day: u64) -> (u64, u64, u64) {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_400_YEARS: u64 = 146_097;
    let day = day + DAYS_TO_1970;
    let (era, day) = (day / DAYS_400_YEARS, day % DAYS_400_YEARS);
    // Leap days before `day`: one each 1,461 days, none each 36,524, and the
    // era's last day is one again.
    let leaps = day / 1460 - day / 36_524 + day / 146_096;
    let year = (day - leaps) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, five months have 153 days, again and again.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    (era * 400 + year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_counting_days_one_by_one() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for number in 0..300_000 {
            assert_eq!(civil(number), (year, month, day));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let n_days = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > n_days {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn dates_are_iso_8601_with_milliseconds() {
        assert_eq!(date(Time(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(Time(951_827_696_789)), "2000-02-29T12:34:56.789Z");
        // The end of time is far away but no panic.
        assert!(date(Time(u64::MAX)).ends_with('Z'));
    }

    #[test]
    fn digests_are_base32_of_sha1() {
        assert_eq!(digest(&sha1(b"")), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }

    #[test]
    fn text_from_the_web_cannot_add_fields() {
        let fields = warc_fields([("because", "good\r\nWARC-Type: response"), ("a:b", "c")]);
        assert_eq!(
            String::from_utf8(fields).unwrap(),
            "because: good  WARC-Type: response\r\na-b: c\r\n"
        );
    }
}
