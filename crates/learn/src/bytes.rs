//! Models as bytes: what they are and their version first, then numbers,
//! little end first.
//!
//! Bytes may come from anywhere. Every read can fail, and nothing is set
//! aside for numbers that are not there.

/// Why bytes are not the model asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// They begin like nothing that is known under this name.
    #[error("not a {what}")]
    Other {
        /// What was asked for.
        what: &'static str,
    },
    /// They were written by another version of the program.
    #[error("{what} has format {found}; this program reads format {known}")]
    Version {
        /// What was asked for.
        what: &'static str,
        /// The format of the bytes.
        found: u16,
        /// The format that can be read.
        known: u16,
    },
    /// They end too early, go on too long, or say what cannot be.
    #[error("{what} is damaged")]
    Damaged {
        /// What was asked for.
        what: &'static str,
    },
}

/// How a kind of model introduces itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) what: &'static str,
    pub(crate) mark: [u8; 4],
    pub(crate) version: u16,
}

impl Kind {
    pub(crate) fn writer(&self) -> Writer {
        let mut writer = Writer { bytes: Vec::new() };
        writer.bytes.extend(self.mark);
        writer.bytes.extend(self.version.to_le_bytes());
        writer
    }

    /// Reads what `parse` makes of the bytes after mark and version, all of
    /// which it must take.
    pub(crate) fn read<T>(
        &self,
        bytes: &[u8],
        parse: impl FnOnce(&mut Reader<'_>) -> Option<T>,
    ) -> Result<T, ReadError> {
        let Kind { what, .. } = *self;
        let mut reader = Reader { rest: bytes };
        if reader.take::<4>() != Some(self.mark) {
            return Err(ReadError::Other { what });
        }
        let damaged = ReadError::Damaged { what };
        let found = reader.take::<2>().map(u16::from_le_bytes).ok_or(damaged)?;
        if found != self.version {
            let known = self.version;
            return Err(ReadError::Version { what, found, known });
        }
        let model = parse(&mut reader).ok_or(damaged)?;
        reader.rest.is_empty().then_some(model).ok_or(damaged)
    }
}

#[derive(Debug)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn u32(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, number: f32) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, number: f64) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// None if it is not finite.
    pub(crate) fn f32(&mut self) -> Option<f32> {
        let number = self.take().map(f32::from_le_bytes);
        number.filter(|number| number.is_finite())
    }

    /// None if it is not finite.
    pub(crate) fn f64(&mut self) -> Option<f64> {
        let number = self.take().map(f64::from_le_bytes);
        number.filter(|number| number.is_finite())
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        what: "toy",
        mark: *b"TOY!",
        version: 2,
    };

    fn read(bytes: &[u8]) -> Result<(u32, f32), ReadError> {
        KIND.read(bytes, |reader| Some((reader.u32()?, reader.f32()?)))
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let mut writer = KIND.writer();
        writer.u32(7);
        writer.f32(0.5);
        let bytes = writer.into_bytes();
        assert_eq!(read(&bytes), Ok((7, 0.5)));

        let why = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(why(b""), "not a toy");
        assert_eq!(why(b"PNG!and more"), "not a toy");
        assert_eq!(why(&bytes[..bytes.len() - 1]), "toy is damaged");
        let longer = [bytes.as_slice(), b"x"].concat();
        assert_eq!(why(&longer), "toy is damaged");
        let mut other = bytes;
        other[4] = 9;
        assert_eq!(why(&other), "toy has format 9; this program reads format 2");
    }
}
