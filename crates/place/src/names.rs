//! Brings two spellings of one name together.
//!
//! A name is looked up in its *normal form*: lower case, Latin letters
//! without accents, words separated by one space, `St.`, `Ft.` and `Mt.`
//! written out. The pack's names are stored in this form, so the builder and
//! the reader of a pack must agree on it: a change here needs a new pack.

/// Normal form of a name: `St. Paul` and `SAINT-PAUL` both give `saint paul`.
///
/// Letters outside the Latin script are kept in lower case. A text without
/// letters or digits gives the empty string.
pub fn normalise(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        fold_into(&mut folded, c);
    }
    let mut normal = String::with_capacity(folded.len());
    let mut words = folded.split(' ').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        // A final `st` is a street, not a saint.
        let word = if words.peek().is_some() {
            written_out(word)
        } else {
            word
        };
        normal.push_str(word);
    }
    normal
}

/// Soft hyphens and the like: they say where a word may be broken and are no part of it.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

/// One character in normal form: letters or digits, a space, or nothing.
pub(crate) fn fold(c: char) -> String {
    let mut folded = String::new();
    fold_into(&mut folded, c);
    folded
}

/// `saint` for `st`, where it is not the last word.
pub(crate) fn written_out(word: &str) -> &str {
    match word {
        "st" => "saint",
        "ste" => "sainte",
        "ft" => "fort",
        "mt" => "mount",
        _ => word,
    }
}

/// Appends the folded character: a letter or digit, nothing, or a space.
fn fold_into(folded: &mut String, c: char) {
    match c {
        'a'..='z' | '0'..='9' => folded.push(c),
        'A'..='Z' => folded.push(c.to_ascii_lowercase()),
        // Dots and apostrophes join: `L.A.` is `la`, `O'Fallon` is `ofallon`.
        '.' | '\'' | '`' | '´' | '\u{2018}'..='\u{201b}' | '\u{2b9}'..='\u{2bf}' | '\u{2c8}' => {}
        // Combining accents belong to the letter before them.
        '\u{300}'..='\u{36f}' => {}
        'Æ' | 'æ' | 'Ǽ' | 'ǽ' | 'Ǣ' | 'ǣ' => folded.push_str("ae"),
        'Œ' | 'œ' => folded.push_str("oe"),
        'ß' | 'ẞ' => folded.push_str("ss"),
        'Þ' | 'þ' => folded.push_str("th"),
        'Ĳ' | 'ĳ' => folded.push_str("ij"),
        'Ə' | 'ə' => folded.push('a'),
        _ => match latin_base(c) {
            Some(base) => folded.push(char::from(base)),
            None if c.is_alphanumeric() => folded.extend(c.to_lowercase()),
            None => folded.push(' '),
        },
    }
}

/// The plain letter under an accented one, where the Unicode tables have one.
fn latin_base(c: char) -> Option<u8> {
    let code = u32::from(c);
    let base = match code {
        0xC0..0x250 => LATIN_EXTENDED.as_bytes()[(code - 0xC0) as usize],
        0x1E00..0x1F00 => LATIN_ADDITIONAL.as_bytes()[(code - 0x1E00) as usize],
        _ => return None,
    };
    (base != b'?').then_some(base)
}

// One letter per code point from U+00C0 and from U+1E00; `?` where there is
// no single plain letter.
const LATIN_EXTENDED: &str = "aaaaaa?ceeeeiiiidnooooo ouuuuy??aaaaaa?ceeeeiiiidnooooo ouuuuy?y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii??jjkkkllllllllllnnnnnnnnnoooooo??rrrrrrssssssss\
ttttttuuuuuuuuuuuuwwyyyzzzzzzsbbbb???cc?ddd????ffg???ikkl??nnooo??pp?????ttttuu?vyyzz??????????????\
d??l??n?aaiioouuuuuuuuuu?aaaa??ggggkkoooo??j?d?gg??nnaa??ooaaaaeeeeiiiioooorrrruuuusstt??hhnd??zzaa\
eeooooooooyylnt???accltsz??bu?eejj?qrryy";
const LATIN_ADDITIONAL: &str = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmm\
mmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyas????aaaa\
aaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy????yy";

// A wrong count would shift every letter after it.
const _: () = assert!(LATIN_EXTENDED.len() == 0x250 - 0xC0);
const _: () = assert!(LATIN_ADDITIONAL.len() == 0x100);

#[cfg(test)]
mod tests {
    use super::normalise;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_name_meet() {
        assert_eq!(normalise("St. Paul"), normalise("SAINT-PAUL"));
        assert_eq!(normalise("Ft Worth"), normalise("Fort Worth"));
        assert_eq!(normalise("São João"), normalise("sao  joao"));
        assert_eq!(normalise("Sa\u{303}o"), normalise("São"));
        assert_eq!(normalise("O’Fallon"), normalise("O'Fallon"));
    }

    #[test]
    fn letters_lose_only_their_accents() {
        assert_snapshot!(normalise("Łódź Đà Nẵng Gießen Ærø Straße İzmir Ōtsu Kraków"),
            @"lodz da nang giessen aero strasse izmir otsu krakow");
        assert_snapshot!(normalise("Москва"), @"москва");
        assert_snapshot!(normalise("Main St"), @"main st");
        assert_snapshot!(normalise(" -- "), @"");
    }

    proptest! {
        #[test]
        fn normalising_twice_equals_once(name in "\\PC{0,20}") {
            let once = normalise(&name);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
