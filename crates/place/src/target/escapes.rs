//! Letters that a URL cannot hold as they are: `%C3%B6`, and hosts in punycode.

/// Longer labels are no host names.
const MAX_LABEL: usize = 63;

/// The character that escapes at a position stand for, and the bytes they take.
///
/// Old sites escape Latin-1; what is no UTF-8 is read as that.
pub(super) fn escaped(url: &[u8], at: usize) -> Option<(char, usize)> {
    let first = escaped_byte(url, at)?;
    let n_bytes = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    let mut bytes = [first; 4];
    for (idx, byte) in bytes.iter_mut().enumerate().take(n_bytes).skip(1) {
        match escaped_byte(url, at + 3 * idx) {
            Some(next) => *byte = next,
            None => return Some((char::from(first), 3)),
        }
    }
    match str::from_utf8(&bytes[..n_bytes]) {
        Ok(text) => Some((text.chars().next()?, 3 * n_bytes)),
        Err(_) => Some((char::from(first), 3)),
    }
}

fn escaped_byte(url: &[u8], at: usize) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    match *url.get(at..at + 3)? {
        [b'%', high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    }
}

/// The label that begins at a position, decoded, and its bytes in the URL;
/// nothing where it is not in punycode.
pub(super) fn punycode_label(url: &[u8], at: usize) -> Option<(Vec<char>, usize)> {
    let rest = &url[at..];
    let prefix = rest.first_chunk::<4>()?;
    let begins = at == 0 || matches!(url[at - 1], b'/' | b'.' | b'@');
    if !begins || !prefix.eq_ignore_ascii_case(b"xn--") {
        return None;
    }
    let is_end = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'-');
    let len = rest.iter().position(is_end).unwrap_or(rest.len());
    (len <= MAX_LABEL).then_some(())?;
    Some((decode(&rest[4..len])?, len))
}

/// RFC 3492, section 6.2, with the parameters of section 5.
fn decode(coded: &[u8]) -> Option<Vec<char>> {
    const BASE: u32 = 36;
    const LEAST: u32 = 1;
    const MOST: u32 = 26;
    let (plain, deltas) = match coded.iter().rposition(|&byte| byte == b'-') {
        Some(hyphen) => (&coded[..hyphen], &coded[hyphen + 1..]),
        None => (&coded[..0], coded),
    };
    let mut chars: Vec<char> = plain.iter().copied().map(char::from).collect();
    let (mut code, mut position, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = deltas.iter().map(|&byte| match byte {
        b'a'..=b'z' => Some(u32::from(byte - b'a')),
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 26),
        _ => None,
    });
    while let Some(first) = digits.next() {
        let (before, mut digit) = (position, first?);
        let (mut weight, mut step) = (1_u32, BASE);
        loop {
            position = position.checked_add(digit.checked_mul(weight)?)?;
            let threshold = step.saturating_sub(bias).clamp(LEAST, MOST);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            step += BASE;
            digit = digits.next()??;
        }
        let n_chars = chars.len() as u32 + 1;
        let mut delta = (position - before) / if before == 0 { 700 } else { 2 };
        delta += delta / n_chars;
        bias = 0;
        while delta > (BASE - LEAST) * MOST / 2 {
            delta /= BASE - LEAST;
            bias += BASE;
        }
        bias += (BASE - LEAST + 1) * delta / (delta + 38);
        code = code.checked_add(position / n_chars)?;
        position %= n_chars;
        chars.insert(position as usize, char::from_u32(code)?);
        position += 1;
    }
    Some(chars)
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn label(host: &str) -> String {
        match punycode_label(host.as_bytes(), 0) {
            Some((chars, len)) => format!("{} {len}", chars.into_iter().collect::<String>()),
            None => "-".to_owned(),
        }
    }

    #[test]
    fn hosts_in_punycode_are_read() {
        assert_snapshot!(label("xn--osnabrck-c6a.de"), @"osnabrück 16");
        assert_snapshot!(label("xn--kln-sna/"), @"köln 11");
        assert_snapshot!(label("XN--mnchen-3ya"), @"münchen 14");
        assert_snapshot!(label("xn--fiqs8s"), @"中国 10");
        assert_snapshot!(label("xn--99999999.de"), @"-");
        assert_snapshot!(label("koeln.de"), @"-");
    }

    #[test]
    fn escapes_are_utf_8_or_latin_1() {
        assert_eq!(escaped(b"%C3%B6ln", 0), Some(('ö', 6)));
        assert_eq!(escaped(b"%f6ln", 0), Some(('ö', 3)));
        assert_eq!(escaped(b"%20", 0), Some((' ', 3)));
        assert_eq!(escaped(b"%C3%2", 0), Some(('Ã', 3)));
        assert_eq!(escaped(b"100%", 3), None);
    }

    proptest! {
        #[test]
        fn no_label_makes_the_decoder_panic(label in "xn--[a-z0-9-]{0,70}", url in "[%0-9a-fA-F]{0,12}") {
            let _ = punycode_label(label.as_bytes(), 0);
            let _ = escaped(url.as_bytes(), 0);
        }
    }
}
