use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;

const PAGE: &[u8] =
    b"<!doctype html><title>Porto</title><p>Rua das Flores, Porto, Porto, Porto</p>";

/// `PAGE`, packed by the reference encoder.
const BROTLI: &[u8] = b"\x1b\x4c\x00\x50\x8c\xd3\x05\xf5\x69\x39\x31\xa5\xf4\x64\xa9\x7e\x5d\xc9\xb2\
    \x09\xcd\x46\xfe\x76\xb4\x4f\x18\x1b\x1c\x98\xc8\x01\x7b\x5b\x2c\x19\xdd\xfc\xb0\x01\x07\x98\xc6\
    \x4f\xb6\xc1\x25\xc3\x04\x75\xfc\x03\xc7\xe4\x17\xda\x85\x47\xcd\x1a\x5a\xc0\x56";

/// The start of 64 MiB of spaces, packed by the reference encoder.
const BROTLI_BOMB: &[u8] = b"\xcb\xff\xff\x3f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x8f\xff\xff\x7f\xf0\
    \x4b\x00\xc4\x61\x11\x80\xee\xfd\x1f\xff\xff\xff\xe0\x97\x00\x88\xc3\x02\x00\xdd\xfb\x3f\xfe\xff\
    \xff\xc1\x2f\x01\x10\x87\x05\x00\xba\xf7\x7f\xfc\xff\xff\x83\x5f\x02\x20\x0e\x0b\x00\x74\xef";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd_of(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 3).unwrap()
}

/// What comes out, in pieces of the given size, and the trouble on the way.
fn decode_in(encoding: &str, bytes: &[u8], max: usize, step: usize) -> (Vec<u8>, Option<Trouble>) {
    let mut decoder = Decoder::new([encoding].into_iter(), max, bytes.len()).unwrap();
    let pushed = bytes
        .chunks(step)
        .try_for_each(|piece| decoder.push(piece))
        .and_then(|()| decoder.finish());
    (decoder.into_decoded(), pushed.err())
}

fn decode(encoding: &str, bytes: &[u8]) -> (Vec<u8>, Option<Trouble>) {
    decode_in(encoding, bytes, 10 << 20, 4096)
}

#[test]
fn every_encoding_is_undone_however_it_is_cut_into_pieces() {
    let packed = [
        ("gzip", gzip(PAGE)),
        ("X-GZIP", gzip(PAGE)),
        ("deflate", zlib(PAGE)),
        ("deflate", raw_deflate(PAGE)),
        ("br", BROTLI.to_vec()),
        ("zstd", zstd_of(PAGE)),
        ("identity", PAGE.to_vec()),
        ("utf-8", PAGE.to_vec()),
        ("gzip, br", [].to_vec()),
        ("deflate, gzip", gzip(&zlib(PAGE))),
        ("gzip, zstd", zstd_of(&gzip(PAGE))),
    ];
    for (encoding, bytes) in &packed {
        for step in [1, 2, 7, 1000] {
            let (out, trouble) = decode_in(encoding, bytes, 10 << 20, step);
            let expected: &[u8] = if bytes.is_empty() { b"" } else { PAGE };
            assert_eq!(out, expected, "{encoding} by {step}");
            assert_eq!(trouble, None, "{encoding} by {step}");
        }
    }
}

#[test]
fn large_bodies_come_out_whole() {
    let mut seed = 1_u32;
    let page: Vec<u8> = (0..3_000_000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b"etaoin shrdlu<>/"[(seed >> 28) as usize]
        })
        .collect();
    for (encoding, bytes) in [
        ("gzip", gzip(&page)),
        ("deflate", zlib(&page)),
        ("zstd", zstd_of(&page)),
    ] {
        let (out, trouble) = decode(encoding, &bytes);
        assert_eq!(trouble, None, "{encoding}");
        assert!(out == page, "{encoding}");
    }
}

#[test]
fn members_and_frames_are_joined_and_padding_is_ignored() {
    let mut bytes = gzip(b"one ");
    bytes.extend(gzip(b"two"));
    bytes.extend([0; 20]);
    for step in [1, 5, 100] {
        let decoded = decode_in("gzip", &bytes, 100, step);
        assert_eq!(decoded, (b"one two".to_vec(), None), "by {step}");
    }
    let frames = [zstd_of(b"one "), zstd_of(b"two"), vec![0; 20]].concat();
    for step in [1, 5, 100] {
        let decoded = decode_in("zstd", &frames, 100, step);
        assert_eq!(decoded, (b"one two".to_vec(), None), "by {step}");
    }
}

#[test]
fn members_without_content_are_counted() {
    let padded = |n_empty| [gzip(b"").repeat(n_empty), gzip(PAGE)].concat();
    assert_eq!(decode("gzip", &padded(1000)), (PAGE.to_vec(), None));
    let (out, trouble) = decode("gzip", &padded(1001));
    assert_eq!(
        (&out[..], trouble),
        (&b""[..], Some(Trouble::Corrupt("gzip")))
    );
}

#[test]
fn plain_text_that_claims_an_encoding_is_taken_as_it_is() {
    for encoding in ["gzip", "deflate", "br", "zstd", "br, gzip"] {
        assert_eq!(decode(encoding, PAGE), (PAGE.to_vec(), None), "{encoding}");
        let (out, trouble) = decode_in(encoding, b"not at all", 10 << 20, 3);
        assert_eq!(
            (&out[..], trouble),
            (&b"not at all"[..], None),
            "{encoding}"
        );
    }
}

#[test]
fn what_came_before_the_damage_is_kept() {
    let mut seed = 1_u32;
    let page: Vec<u8> = (0..400_000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .collect();
    for (encoding, bytes) in [
        ("gzip", gzip(&page)),
        ("deflate", zlib(&page)),
        ("zstd", zstd_of(&page)),
    ] {
        let (out, trouble) = decode(encoding, &bytes[..bytes.len() / 2]);
        assert_eq!(trouble, Some(Trouble::Corrupt(encoding)));
        assert!(out.len() > 10_000, "{encoding}: {}", out.len());
        assert!(page.starts_with(&out), "{encoding}");
    }
}

#[test]
fn nonsense_after_the_signature_is_corrupt() {
    let after = |start: &[u8]| [start, &[0xFF; 100]].concat();
    let gzip = after(&[0x1F, 0x8B, 8, 0]);
    let zlib = after(&[0x78, 0x9C]);
    let zstd = after(&[0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x10]);
    for (encoding, bytes) in [("gzip", gzip), ("deflate", zlib), ("zstd", zstd)] {
        let (_, trouble) = decode(encoding, &bytes);
        assert_eq!(trouble, Some(Trouble::Corrupt(encoding)));
    }
    let (_, trouble) = decode("br", &[0xFF; 100]);
    assert_eq!(trouble, Some(Trouble::Corrupt("br")));
}

#[test]
fn limit_is_exact_and_what_fits_is_kept() {
    for (encoding, bytes) in [
        ("gzip", gzip(PAGE)),
        ("br", BROTLI.to_vec()),
        ("zstd", zstd_of(PAGE)),
        ("", PAGE.to_vec()),
    ] {
        let (out, trouble) = decode_in(encoding, &bytes, PAGE.len(), 10);
        assert_eq!((out.len(), trouble), (PAGE.len(), None), "{encoding}");
        let (out, trouble) = decode_in(encoding, &bytes, PAGE.len() - 1, 10);
        assert_eq!(trouble, Some(Trouble::TooMuch), "{encoding}");
        assert_eq!(out, PAGE[..PAGE.len() - 1], "{encoding}");
    }
}

#[test]
fn bombs_go_off_in_a_bounded_space() {
    let zeros = vec![b' '; 64 << 20];
    let bombs = [
        ("gzip", gzip(&zeros)),
        ("zstd", zstd_of(&zeros)),
        ("gzip, gzip", gzip(&gzip(&zeros))),
        ("br", BROTLI_BOMB.to_vec()),
    ];
    for (encoding, bytes) in &bombs {
        let mut decoder = Decoder::new([*encoding].into_iter(), 1 << 30, bytes.len()).unwrap();
        let trouble = bytes
            .chunks(4096)
            .find_map(|piece| decoder.push(piece).err());
        assert_eq!(trouble, Some(Trouble::TooMuch), "{encoding}");
        let held = decoder.sink.bytes.capacity();
        assert!(held < 8 << 20, "{encoding}: {held}");
    }
}

#[test]
fn what_passes_between_two_layers_is_counted_in_all() {
    // The inner page ends early; what follows it is padding without end.
    let padded = [gzip(PAGE), vec![0; 64 << 20]].concat();
    let (out, trouble) = decode_in("gzip, gzip", &gzip(&padded), 10 << 20, 256);
    assert_eq!(trouble, Some(Trouble::TooMuch));
    assert_eq!(out, PAGE);
}

/// A block of three bytes that repeats one of them as often as a block may.
const RUN: [u8; 4] = [0x02, 0x00, 0x10, b' '];

/// A frame of a window of 128 KiB and these blocks.
fn zstd_frame(blocks: &[u8]) -> Vec<u8> {
    [&[0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38], blocks].concat()
}

#[test]
fn runs_of_zstd_are_counted_as_they_come_out() {
    let bomb = zstd_frame(&RUN.repeat(10_000));
    let (out, trouble) = decode_in("zstd", &bomb, 1 << 30, bomb.len());
    assert_eq!(trouble, Some(Trouble::TooMuch));
    assert_eq!(out.len(), bomb.len() * MAX_RATIO + 1);
}

/// A compressed block that unpacks to more than a block may: no literal but
/// one, and 32,768 matches, all by the code of the longest.
fn overlong_block() -> Vec<u8> {
    let n_sequences: u16 = 0x8000;
    let mut block = vec![1 << 3, b' '];
    let above = n_sequences - 0x7F00;
    block.extend([0xFF, above as u8, (above >> 8) as u8]);
    // Each code is always the same: no literals, offset code 0, match code 52.
    block.extend([0b0101_0100, 0, 0, 52]);
    // Sixteen more bits of length for each match, then the end of the bits.
    block.extend(vec![0xFF; 2 * usize::from(n_sequences)]);
    block.push(1);
    let header = (block.len() as u32) << 3 | 2 << 1;
    [&header.to_le_bytes()[..3], &block].concat()
}

#[test]
fn a_block_of_zstd_that_claims_too_much_is_corrupt() {
    let bomb = zstd_frame(&[&RUN[..], &overlong_block()].concat());
    let (out, trouble) = decode_in("zstd", &bomb, 1 << 30, bomb.len());
    assert_eq!(trouble, Some(Trouble::Corrupt("zstd")));
    // The run before it is kept.
    assert_eq!(out.len(), 128 << 10);
}

#[test]
fn what_follows_the_last_frame_is_not_kept() {
    let mut decoder = Decoder::new(["zstd"].into_iter(), 1000, 0).unwrap();
    decoder.push(&zstd_of(PAGE)).unwrap();
    for _ in 0..1000 {
        decoder.push(&[0x28; 4096]).unwrap();
    }
    decoder.finish().unwrap();
    let Some([Layer::Zstd(layer)]) = decoder.layers.as_deref() else {
        panic!("one layer");
    };
    assert!(layer.n_held() <= 4);
    assert_eq!(decoder.decoded(), PAGE);
}

#[test]
fn a_frame_with_a_wrong_check_sum_is_kept_all_the_same() {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(PAGE).unwrap();
    let mut bytes = encoder.finish().unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let decoded = decode("zstd", &bytes);
    assert_eq!(decoded, (PAGE.to_vec(), Some(Trouble::Corrupt("zstd"))));
}

#[test]
fn huge_windows_and_tall_stacks_are_refused() {
    // A frame that wants 64 MiB remembered.
    let window = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 16 << 3];
    let (_, trouble) = decode("zstd", &[&window[..], &[0; 40]].concat());
    assert_eq!(trouble, Some(Trouble::TooMuch));
    // Nothing at all, to be remembered in 1 GiB.
    let (_, trouble) = decode("br", &[0x11, 0xDE]);
    assert_eq!(trouble, Some(Trouble::Corrupt("br")));
    let tall = Decoder::new(["gzip, gzip", "br"].into_iter(), 100, 0);
    assert_eq!(tall.err(), Some(Trouble::TooDeep));
}

proptest! {
    #[test]
    fn damaged_streams_do_no_harm(
        which in 0..5_usize,
        repeats in 1..200_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        step in 1..3000_usize,
    ) {
        let page = PAGE.repeat(repeats);
        let (encoding, mut bytes) = match which {
            0 => ("gzip", gzip(&page)),
            1 => ("deflate", raw_deflate(&page)),
            2 => ("br", BROTLI.to_vec()),
            3 => ("zstd", zstd_of(&page)),
            _ => ("gzip, zstd", zstd_of(&gzip(&page))),
        };
        for (at, value) in &damage {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        let (out, _) = decode_in(encoding, &bytes, 8000, step);
        prop_assert!(out.len() <= 8000);
    }

    #[test]
    fn any_bytes_do_no_harm(
        which in 0..4_usize,
        noise in prop::collection::vec(any::<u8>(), 0..2000),
        step in 1..600_usize,
    ) {
        let (encoding, start): (_, &[u8]) = [
            ("gzip", &[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..]),
            ("deflate", &[0x78, 0x9C]),
            ("br", &[]),
            ("zstd", &[0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58]),
        ][which];
        let (out, _) = decode_in(encoding, &[start, &noise].concat(), 8000, step);
        prop_assert!(out.len() <= 8000);
    }
}
