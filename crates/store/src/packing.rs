//! Packed files: gzip or zstd, told by their first bytes.
//!
//! Both formats are sequences of pieces (*members* in gzip, *frames* in zstd;
//! here always members) that can be unpacked one by one, which is what makes a
//! WARC file readable from any record on.

use flate2::bufread::{GzDecoder, MultiGzDecoder};
use std::io::{self, BufRead, BufReader, Read};
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer};

/// The bytes every gzip member begins with.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The bytes every zstd frame begins with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The end of the bytes that a zstd frame without content begins with; the
/// first of them is one of sixteen.
const SKIPPABLE_MAGIC: [u8; 3] = [0x2a, 0x4d, 0x18];
/// The longest signature.
const MAX_MAGIC: usize = 4;
/// Length of what stands before each block of a zstd frame.
const BLOCK_HEADER: usize = 3;
/// Memory that unpacking may take, as a power of two: what `zstd -19` asks for.
const MAX_WINDOW_LOG: u32 = 23;

/// How the records of an archive are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Packing {
    /// What every tool for archives reads.
    #[default]
    Gzip,
    /// Smaller for the same time; few tools read it yet.
    Zstd,
}

impl Packing {
    /// Every way, the usual one first.
    pub const ALL: [Packing; 2] = [Packing::Gzip, Packing::Zstd];

    /// Lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Packing> {
        Packing::ALL
            .into_iter()
            .find(|packing| packing.name() == name)
    }

    /// How bytes that begin like this are packed; none if they are not.
    pub(crate) fn of(start: &[u8]) -> Option<Packing> {
        let is_skippable = start.first().is_some_and(|byte| byte >> 4 == 5)
            && start[1..].starts_with(&SKIPPABLE_MAGIC);
        match start {
            _ if start.starts_with(&GZIP_MAGIC) => Some(Packing::Gzip),
            _ if start.starts_with(&ZSTD_MAGIC) || is_skippable => Some(Packing::Zstd),
            _ => None,
        }
    }
}

/// The bytes as they are, or unpacked if they begin like gzip or zstd; any
/// number of members counts as one stream, as in WARC files.
pub fn unpacked<'a>(
    mut bytes: impl BufRead + Send + 'a,
) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    // A buffer holds a whole block of a file; a pipe that trickles in single
    // bytes is not worth a buffer of its own.
    Ok(match Packing::of(bytes.fill_buf()?) {
        Some(Packing::Gzip) => Box::new(buffered(MultiGzDecoder::new(bytes))),
        Some(Packing::Zstd) => {
            let mut decoder = zstd::Decoder::with_buffer(bytes)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Box::new(buffered(decoder))
        }
        None => Box::new(bytes),
    })
}

/// The next member unpacked, up to its end and no further, and how it is
/// packed; what is not packed is given as it is.
pub(crate) fn one_member<'a>(
    mut bytes: impl BufRead + 'a,
) -> io::Result<(Option<Packing>, Box<dyn BufRead + 'a>)> {
    // A buffer may end in the middle of the signature, so it is read and put
    // back in front instead of being looked at in the buffer.
    let mut start = Vec::with_capacity(MAX_MAGIC);
    (&mut bytes)
        .take(MAX_MAGIC as u64)
        .read_to_end(&mut start)?;
    let packing = Packing::of(&start);
    let bytes = io::Cursor::new(start).chain(bytes);
    let member: Box<dyn BufRead + 'a> = match packing {
        Some(Packing::Gzip) => Box::new(buffered(GzDecoder::new(bytes))),
        Some(Packing::Zstd) => {
            let mut decoder = zstd::Decoder::with_buffer(bytes)?.single_frame();
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Box::new(buffered(decoder))
        }
        None => Box::new(bytes),
    };
    Ok((packing, member))
}

/// A zstd body as it may stand in an answer: RFC 9659 limits what it may ask for.
pub(crate) fn zstd_decoder<'a>(bytes: &'a [u8]) -> io::Result<impl Read + use<'a>> {
    let mut decoder = zstd::Decoder::with_buffer(bytes)?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    Ok(decoder)
}

/// Undoes zstd as it comes in, in bounded space: at most a window of 8 MiB
/// (RFC 9659) and a block.
pub struct ZstdStream {
    decoder: DCtx<'static>,
    /// What the decoder would like to see next, and the header after it.
    n_wanted: usize,
}

/// How far one step of a [`ZstdStream`] got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZstdStep {
    /// Bytes of the piece that need not be handed in again.
    pub n_read: usize,
    /// Bytes that came out.
    pub n_written: usize,
    /// Whether a frame ends here; what comes next begins another.
    pub is_frame_end: bool,
}

/// Why a [`ZstdStream`] goes no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZstdTrouble {
    /// It makes no sense, or wants a dictionary.
    Corrupt,
    /// It wants more remembered than may be.
    LargeWindow,
}

impl Default for ZstdStream {
    /// Waits for the start of a frame.
    fn default() -> ZstdStream {
        let mut decoder = DCtx::create();
        let is_set = decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG));
        debug_assert!(is_set.is_ok(), "the format has larger windows");
        let n_wanted = 0;
        ZstdStream { decoder, n_wanted }
    }
}

impl ZstdStream {
    /// Takes what it can use of a piece and fills `out` as far as it can. To
    /// be called again while something of the piece is left or `out` is full.
    ///
    /// A block is never taken together with what follows it: of a step that
    /// fails nothing is known to have come out, so it must not hold more.
    pub fn step(&mut self, piece: &[u8], out: &mut [u8]) -> Result<ZstdStep, ZstdTrouble> {
        let n_taken = match self.n_wanted.checked_sub(BLOCK_HEADER) {
            None | Some(0) => self.n_wanted.max(1),
            Some(n_block) => n_block,
        };
        let mut piece = InBuffer::around(&piece[..piece.len().min(n_taken)]);
        let mut out = OutBuffer::around(out);
        let stepped = self.decoder.decompress_stream(&mut out, &mut piece);
        self.n_wanted = stepped.map_err(trouble)?;
        Ok(ZstdStep {
            n_read: piece.pos(),
            n_written: out.pos(),
            is_frame_end: self.n_wanted == 0,
        })
    }
}

/// What the decoder means by a code; its errors count down from zero.
fn trouble(code: usize) -> ZstdTrouble {
    let large_window = ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge as usize;
    match code.wrapping_neg() {
        error if error == large_window => ZstdTrouble::LargeWindow,
        _ => ZstdTrouble::Corrupt,
    }
}

fn buffered<R: Read>(decoder: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 16, decoder)
}

/// Whether an error of a stream comes from damaged bytes rather than from the system.
pub fn is_damage(error: &io::Error) -> bool {
    error.raw_os_error().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        unpacked(bytes)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn packing_is_told_by_the_first_bytes() {
        let zstd = zstd::encode_all(&b"Main Street"[..], 1).unwrap();
        assert_eq!(Packing::of(&packed("Main Street")), Some(Packing::Gzip));
        assert_eq!(Packing::of(&zstd), Some(Packing::Zstd));
        assert_eq!(Packing::of(b"\x5d\x2a\x4d\x18"), Some(Packing::Zstd));
        for plain in [&b""[..], b"Z", b"Z*", b"WARC/1.0"] {
            assert_eq!(Packing::of(plain), None);
        }
        assert_eq!(Packing::named("zstd"), Some(Packing::Zstd));
        assert_eq!(Packing::named("lzma"), None);
    }

    #[test]
    fn one_member_ends_where_the_next_begins() {
        let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        let note = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc".to_vec();
        let all = [zstd("Main "), packed("Street, "), note, zstd("Houston")].concat();
        let (mut rest, mut members) = (&all[..], Vec::new());
        while !rest.is_empty() {
            let mut text = String::new();
            let (_, mut member) = one_member(&mut rest).unwrap();
            member.read_to_string(&mut text).unwrap();
            members.push(text);
        }
        assert_eq!(members, ["Main ", "Street, ", "", "Houston"]);
    }

    #[test]
    fn zstd_is_one_stream_too() {
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        let two = [frame("Main Street, "), frame("Houston")].concat();
        assert_eq!(read(&two).unwrap(), "Main Street, Houston");
        let error = read(&two[..two.len() - 3]).unwrap_err();
        assert!(is_damage(&error), "{error}");
    }

    /// What comes out of a frame in pieces, and whether it ends well.
    fn streamed(frame: &[u8], n_piece: usize, n_out: usize) -> (Vec<u8>, bool) {
        let mut stream = ZstdStream::default();
        let (mut text, mut out, mut is_whole) = (Vec::new(), vec![0; n_out], false);
        for mut piece in frame.chunks(n_piece) {
            loop {
                let Ok(step) = stream.step(piece, &mut out) else {
                    return (text, false);
                };
                text.extend_from_slice(&out[..step.n_written]);
                piece = &piece[step.n_read..];
                is_whole = step.is_frame_end;
                if piece.is_empty() && step.n_written < n_out {
                    break;
                }
            }
        }
        (text, is_whole)
    }

    #[test]
    fn zstd_streams_in_any_pieces() {
        let text = "Main Street, Houston. ".repeat(20_000).into_bytes();
        let frame = zstd::encode_all(&text[..], 1).unwrap();
        for (n_piece, n_out) in [
            (1, 1 << 17),
            (7, 100),
            (1 << 20, 1 << 16),
            (1 << 20, 1 << 20),
        ] {
            assert!(streamed(&frame, n_piece, n_out) == (text.clone(), true));
        }
    }

    #[test]
    fn what_a_stream_gave_before_damage_is_kept() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(b"Main Street").unwrap();
        let mut frame = encoder.finish().unwrap();
        *frame.last_mut().unwrap() ^= 1;
        assert_eq!(
            streamed(&frame, 1000, 1000),
            (b"Main Street".to_vec(), false)
        );
    }

    #[test]
    fn members_are_one_stream_and_other_bytes_are_left_alone() {
        let two = [packed("Main Street, "), packed("Houston")].concat();
        assert_eq!(read(&two).unwrap(), "Main Street, Houston");
        assert_eq!(read(b"Houston").unwrap(), "Houston");
        assert_eq!(read(b"").unwrap(), "");
    }

    #[test]
    fn a_stream_that_breaks_off_is_damage() {
        let whole = packed(&"Houston ".repeat(100));
        let error = read(&whole[..whole.len() - 9]).unwrap_err();
        assert!(is_damage(&error), "{error}");
    }
}
