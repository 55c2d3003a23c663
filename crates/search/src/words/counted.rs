//! Stems with how often each is there: what the index library is given.
//!
//! Written as `restaur\t3 in houston`. A stem that comes many times in a row
//! is found at once from the second time on, and need not be cut out again.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// How often a stem counts at most: what is there more often is hardly worth
/// more, and the commonest words would be a third of the work.
const MOST_TIMES: u32 = 8;

/// Adds a stem that is there `n` times.
pub(super) fn push(stems: &mut Vec<u8>, stem: &[u8], n: u32) {
    if stem.is_empty() {
        return;
    }
    if !stems.is_empty() {
        stems.push(b' ');
    }
    stems.extend_from_slice(stem);
    let n = n.min(MOST_TIMES);
    if n != 1 {
        // One digit: `MOST_TIMES` has no more.
        stems.extend_from_slice(&[b'\t', b'0' + n as u8]);
    }
}

/// Reads what `push` has written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted {
    token: Token,
}

/// Stems, each as often as it is there.
pub(crate) struct Stems<'s> {
    rest: &'s str,
    n_left: u32,
    token: &'s mut Token,
}

impl Tokenizer for Counted {
    type TokenStream<'s> = Stems<'s>;

    fn token_stream<'s>(&'s mut self, text: &'s str) -> Stems<'s> {
        self.token.reset();
        // Nobody asks for positions.
        self.token.position = 0;
        Stems {
            rest: text,
            n_left: 0,
            token: &mut self.token,
        }
    }
}

impl TokenStream for Stems<'_> {
    fn advance(&mut self) -> bool {
        while self.n_left == 0 {
            if self.rest.is_empty() {
                return false;
            }
            let bytes = self.rest.as_bytes();
            let is_end = |byte: &u8| matches!(byte, b' ' | b'\t');
            let len = bytes.iter().position(is_end).unwrap_or(bytes.len());
            let (stem, behind) = self.rest.split_at(len);
            let n = behind.as_bytes().get(1).map_or(b'1', |n| *n);
            (self.n_left, self.rest) = match behind.as_bytes().first() {
                Some(b'\t') => (
                    u32::from(n.wrapping_sub(b'0')).min(MOST_TIMES),
                    behind.get(3..).unwrap_or_default(),
                ),
                Some(_) => (1, &behind[1..]),
                None => (1, ""),
            };
            self.token.text.clear();
            self.token.text.push_str(stem);
        }
        self.n_left -= 1;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_come_as_often_as_they_are_there() {
        let mut stems = Vec::new();
        let all = [
            ("restaur", 3),
            ("", 2),
            ("in", 1),
            ("houston", 2),
            ("x", 0),
            ("the", 99),
        ];
        for (stem, n) in all {
            push(&mut stems, stem.as_bytes(), n);
        }
        let stems = String::from_utf8(stems).unwrap();
        let mut counted = Counted::default();
        let mut stream = counted.token_stream(&stems);
        let mut read = Vec::new();
        stream.process(&mut |token| read.push(token.text.clone()));
        assert_eq!(
            read.join(" "),
            "restaur restaur restaur in houston houston the the the the the the the the"
        );
    }
}
