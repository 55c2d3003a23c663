//! Byte positions as people and other programs count: characters and lines.

/// Bytes between two remembered counts: small enough to count the rest at once.
const STRIDE: usize = 256;

/// Code points and lines of one text, by byte position.
pub(super) struct Positions<'t> {
    text: &'t str,
    /// Code points that begin before byte `idx * STRIDE`.
    counts: Vec<usize>,
    line_starts: Vec<usize>,
}

impl<'t> Positions<'t> {
    pub(super) fn new(text: &'t str) -> Positions<'t> {
        let mut counts = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut n_chars = 0;
        for stride in text.as_bytes().chunks(STRIDE) {
            counts.push(n_chars);
            n_chars += n_begun(stride);
        }
        counts.push(n_chars);
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Positions {
            text,
            counts,
            line_starts: line_starts.collect(),
        }
    }

    /// Code points before a byte position.
    pub(super) fn code_point(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let stride_idx = at / STRIDE;
        self.counts[stride_idx] + n_begun(&self.text.as_bytes()[stride_idx * STRIDE..at])
    }

    /// `12:7`, line and column, both from one.
    pub(super) fn line_and_column(&self, at: usize) -> String {
        let line = self.line_starts.partition_point(|start| *start <= at);
        let start = self.line_starts[line - 1];
        let column = self.code_point(at) - self.code_point(start) + 1;
        format!("{line}:{column}")
    }
}

/// Characters that begin in some bytes of UTF-8.
fn n_begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_agree_with_counting_from_the_start() {
        let text = "Büro: 東京\nStraße 🏠 7\n\n".repeat(40);
        let positions = Positions::new(&text);
        let (mut line, mut column) = (1, 1);
        for (number, (at, c)) in text.char_indices().enumerate() {
            assert_eq!(positions.code_point(at), number);
            assert_eq!(positions.line_and_column(at), format!("{line}:{column}"));
            column += 1;
            if c == '\n' {
                (line, column) = (line + 1, 1);
            }
        }
        assert_eq!(positions.code_point(text.len()), text.chars().count());
        assert_eq!(Positions::new("").line_and_column(0), "1:1");
    }
}
