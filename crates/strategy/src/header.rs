//! The lines that a model's bytes begin with, one thing each: `examples 250 250`.

/// Lines yet to be read, and what comes after them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header<'b> {
    bytes: &'b [u8],
}

/// No line of ours is longer.
const LONGEST: usize = 1_000;

impl<'b> Header<'b> {
    /// The format that the first line names after a title, and the lines after it.
    pub(crate) fn open(bytes: &'b [u8], title: &str) -> Option<(u32, Header<'b>)> {
        let mut header = Header { bytes };
        let format = header.next()?.strip_prefix(title)?.parse().ok()?;
        Some((format, header))
    }

    fn next(&mut self) -> Option<&'b str> {
        let end = self
            .bytes
            .iter()
            .take(LONGEST)
            .position(|byte| *byte == b'\n')?;
        let line = str::from_utf8(&self.bytes[..end]).ok()?;
        self.bytes = &self.bytes[end + 1..];
        Some(line)
    }

    /// What the next line says of a thing; none if it is about another.
    pub(crate) fn line(&mut self, thing: &str) -> Option<&'b str> {
        self.next()?.strip_prefix(thing)?.strip_prefix(' ')
    }

    /// The numbers of the next line.
    pub(crate) fn numbers<const N: usize>(&mut self, thing: &str) -> Option<[u32; N]> {
        let words = self.line(thing)?.split(' ');
        let numbers: Result<Vec<u32>, _> = words.map(str::parse).collect();
        numbers.ok()?.try_into().ok()
    }

    /// What comes after the lines read so far.
    pub(crate) fn rest(&self) -> &'b [u8] {
        self.bytes
    }
}
