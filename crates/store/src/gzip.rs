//! Reads files that may be gzip without being told.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader};

/// The two bytes every gzip member begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The bytes as they are, or unpacked if they begin like gzip; any number of
/// members counts as one stream, as in WARC files.
pub fn unpacked<'a>(
    mut bytes: impl BufRead + Send + 'a,
) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    // A buffer holds a whole block of a file; a pipe that trickles in single
    // bytes is not worth a buffer of its own.
    let is_gzip = bytes.fill_buf()?.starts_with(&MAGIC);
    Ok(if is_gzip {
        Box::new(BufReader::with_capacity(
            1 << 16,
            MultiGzDecoder::new(bytes),
        ))
    } else {
        Box::new(bytes)
    })
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
    use std::io::{Read, Write};

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
