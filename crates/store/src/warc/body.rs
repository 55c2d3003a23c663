//! Bodies as they went over the wire, decoded where the bytes agree.

use crate::packing::zstd_decoder;
use brotli_decompressor::Decompressor as BrotliDecoder;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::{BufRead, Read};

/// Input that the decoder holds at once.
const BROTLI_BUFFER: usize = 4096;

/// The pieces of a chunked body put together; none if it does not begin with a
/// chunk, as where a crawler has put them together already. What follows a bad
/// chunk is lost.
pub(super) fn dechunked(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(body.len());
    let mut rest = body;
    let mut n_chunks = 0;
    while let Some((len, after)) = chunk_head(rest) {
        n_chunks += 1;
        let chunk = &after[..len.min(after.len())];
        whole.extend_from_slice(chunk);
        rest = &after[chunk.len()..];
        rest = rest.strip_prefix(b"\r\n").unwrap_or(rest);
        if len == 0 || rest.is_empty() {
            break;
        }
    }
    (n_chunks > 0).then_some(whole)
}

/// Length of a chunk and what comes after its first line.
fn chunk_head(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(1024).position(|&byte| byte == b'\n')?;
    let line = str::from_utf8(&bytes[..end]).ok()?;
    // Extensions come after a semicolon.
    let digits = line.split(';').next()?.trim();
    let len = usize::from_str_radix(digits, 16).ok()?;
    Some((len, &bytes[end + 1..]))
}

/// A body without its content coding, and whether it was longer than `max_len`;
/// none if the coding is none, unknown or untrue.
pub(super) fn unpacked(body: &[u8], coding: &str, max_len: usize) -> Option<(Vec<u8>, bool)> {
    match coding.trim() {
        "gzip" | "x-gzip" => drain(MultiGzDecoder::new(body), max_len),
        // Some servers call bare deflate what the standard wants wrapped.
        "deflate" => drain(ZlibDecoder::new(body), max_len)
            .or_else(|| drain(DeflateDecoder::new(body), max_len)),
        "br" => drain(BrotliDecoder::new(body, BROTLI_BUFFER), max_len),
        "zstd" => drain(zstd_decoder(body).ok()?, max_len),
        _ => None,
    }
}

/// Whether a value of `Content-Encoding` names a coding that is undone before
/// a body is archived or after it is read.
pub(super) fn is_undone(value: &[u8]) -> bool {
    let known = ["gzip", "x-gzip", "deflate", "br", "zstd"];
    value.split(|&byte| byte == b',').any(|coding| {
        let coding = coding.trim_ascii();
        known
            .iter()
            .any(|name| coding.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// What can be read before the end, the limit or the first damage; none if nothing.
fn drain(decoder: impl Read, max_len: usize) -> Option<(Vec<u8>, bool)> {
    let mut whole = Vec::new();
    let mut decoder = std::io::BufReader::new(decoder.take(max_len as u64 + 1));
    while let Ok(piece) = decoder.fill_buf() {
        if piece.is_empty() {
            break;
        }
        let n_bytes = piece.len();
        whole.extend_from_slice(piece);
        decoder.consume(n_bytes);
    }
    let is_long = whole.len() > max_len;
    whole.truncate(max_len);
    (!whole.is_empty()).then_some((whole, is_long))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn joined(body: &str) -> Option<String> {
        dechunked(body.as_bytes()).map(|whole| String::from_utf8(whole).unwrap())
    }

    #[test]
    fn chunks_are_put_together() {
        assert_eq!(
            joined("4\r\nMain\r\n7;x=y\r\n Street\r\n0\r\n\r\n").unwrap(),
            "Main Street"
        );
        assert_eq!(joined("4\r\nMain").unwrap(), "Main");
        assert_eq!(joined("4\r\nMain\r\nzz\r\nStreet").unwrap(), "Main");
        assert_eq!(joined("<html>\r\nMain Street"), None);
    }

    #[test]
    fn packed_bodies_are_unpacked_whatever_wraps_them() {
        let text = "Main Street ".repeat(20);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        zlib.write_all(text.as_bytes()).unwrap();
        bare.write_all(text.as_bytes()).unwrap();
        let whole = Some((text.clone().into_bytes(), false));
        let gzip = gzip.finish().unwrap();
        assert_eq!(unpacked(&gzip, "gzip", 1000), whole);
        assert_eq!(unpacked(&zlib.finish().unwrap(), "deflate", 1000), whole);
        assert_eq!(unpacked(&bare.finish().unwrap(), "deflate", 1000), whole);
        assert_eq!(unpacked(&gzip, "gzip", 4), Some((b"Main".to_vec(), true)));
        assert_eq!(unpacked(text.as_bytes(), "gzip", 1000), None);
        assert_eq!(unpacked(text.as_bytes(), "zstd", 1000), None);
        assert_eq!(unpacked(text.as_bytes(), "compress", 1000), None);
    }

    #[test]
    fn newer_codings_are_undone_as_well() {
        let text = "Main Street ".repeat(20);
        let whole = Some((text.clone().into_bytes(), false));
        let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
        assert_eq!(unpacked(&zstd, "zstd", 1000), whole);
        assert_eq!(unpacked(&zstd, "zstd", 4), Some((b"Main".to_vec(), true)));
        // "Main Street, Houston" by another's compressor.
        let brotli = b"\x1b\x13\x00\x00\xa4\x9b\xc2\xd2\xdcT!\xa4\x14\xe8\xc6N\x88\xc0Y";
        let whole = Some((b"Main Street, Houston".to_vec(), false));
        assert_eq!(unpacked(brotli, "br", 1000), whole);
        assert_eq!(unpacked(brotli, "br", 4), Some((b"Main".to_vec(), true)));
    }

    proptest! {
        #[test]
        fn chunks_never_panic(body in "[0-9a-f\r\n;x]{0,60}") {
            if let Some(whole) = dechunked(body.as_bytes()) {
                prop_assert!(whole.len() <= body.len());
            }
        }
    }
}
