//! Compresses records, each into a member of its own.
//!
//! Compressors are kept for each thread: setting one up costs more than
//! compressing a small record.

use super::record::Sealed;
use crate::packing::Packing;
use flate2::{Compress, Compression, FlushCompress, Status};
use std::cell::RefCell;

/// On 2,000 recorded pages of 26 KB, level 1 takes 77 µs a page and leaves
/// 32 %, level 3 takes 157 µs and leaves 25 %, level 6 takes 222 µs for 24 %.
/// Packing is the largest cost of a page in the store, and disks are patient.
const GZIP_LEVEL: u32 = 1;
/// On 3,000 recorded pages of 26 KB, all that is archived of a page takes 104 µs
/// and 29.3 % of its size at this level, 152 µs and 35.8 % with gzip as above.
/// Level 3 takes 20 µs more to save another 1 %, level 6 190 µs for 2 %.
const ZSTD_LEVEL: i32 = 1;

thread_local! {
    static GZIP: RefCell<Gzip> = RefCell::new(Gzip {
        compress: Compress::new_gzip(Compression::new(GZIP_LEVEL), 15),
        scratch: vec![0; 16 << 10],
    });
    static ZSTD: RefCell<Zstd> = RefCell::new(Zstd::new());
}

/// Adds a record as one member and gives the member's length.
pub(super) fn append(packing: Packing, record: &Sealed<'_>, out: &mut Vec<u8>) -> usize {
    let start = out.len();
    match packing {
        Packing::Gzip => GZIP.with_borrow_mut(|gzip| gzip.append(record, out)),
        Packing::Zstd => ZSTD.with_borrow_mut(|zstd| zstd.append(record, out)),
    }
    out.len() - start
}

/// What stands after every record.
const END: &[u8] = b"\r\n\r\n";

struct Zstd {
    compressor: zstd::bulk::Compressor<'static>,
    /// A record in one piece, and packed.
    record: Vec<u8>,
    member: Vec<u8>,
}

impl Zstd {
    fn new() -> Zstd {
        let compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL).and_then(|mut compressor| {
            // As in gzip, so that damage is noticed.
            compressor.include_checksum(true)?;
            compressor.include_contentsize(true)?;
            Ok(compressor)
        });
        Zstd {
            compressor: compressor.expect("the level and the flags are known to the library"),
            record: Vec::new(),
            member: Vec::new(),
        }
    }

    fn append(&mut self, record: &Sealed<'_>, out: &mut Vec<u8>) {
        self.record.clear();
        for part in [record.head.as_bytes(), record.block, END] {
            self.record.extend_from_slice(part);
        }
        self.member.clear();
        self.member
            .reserve(zstd::zstd_safe::compress_bound(self.record.len()));
        self.compressor
            .compress_to_buffer(&self.record, &mut self.member)
            .expect("compressing fails only for lack of room, and there is enough");
        out.extend_from_slice(&self.member);
    }
}

struct Gzip {
    compress: Compress,
    /// Output passes through here: a vector's spare room would be zeroed for
    /// every call.
    scratch: Vec<u8>,
}

impl Gzip {
    fn append(&mut self, record: &Sealed<'_>, out: &mut Vec<u8>) {
        self.compress.reset();
        self.feed(record.head.as_bytes(), FlushCompress::None, out);
        self.feed(record.block, FlushCompress::None, out);
        self.feed(END, FlushCompress::Finish, out);
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
