//! Cuts texts into the words that are indexed and looked for.
//!
//! Pages and queries must be cut alike or they never meet, so both come here.

use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer,
};

/// Name under which the analyser is known to the index.
pub(crate) const ANALYSER: &str = "words";
/// Longer runs of letters are identifiers and encoded data, of which every
/// page brings new ones.
const MAX_WORD_BYTES: usize = 60;

/// Letters and digits in lower case, without accents.
pub(crate) fn analyser() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(MAX_WORD_BYTES))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// The host in an address, with or without scheme; in lower case, without port.
pub(crate) fn host(url: &str) -> String {
    let rest = after_scheme(url);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    host.to_lowercase()
}

/// The part of a URL that has words in it, escapes undone: `/caf%C3%A9` says `café`.
pub(crate) fn readable(url: &str) -> String {
    let rest = after_scheme(url).as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    let mut at = 0;
    while at < rest.len() {
        match escaped_byte(&rest[at..]) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(rest[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    let &[b'%', high, low, ..] = bytes else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

fn after_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn cut(text: &str) -> String {
        let mut analyser = analyser();
        let mut stream = analyser.token_stream(text);
        let mut words = Vec::new();
        while stream.advance() {
            words.push(stream.token().text.clone());
        }
        words.join(" ")
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert_snapshot!(cut("Café MÜNCHEN, Straße 5-a"), @"cafe munchen strasse 5 a");
        assert_snapshot!(cut(&format!("x {} y", "z".repeat(200))), @"x y");
    }

    #[test]
    fn hosts_are_found_in_urls_and_in_what_people_type() {
        assert_snapshot!(host("http://User@Town.Example:8080/a:b@c"), @"town.example");
        assert_snapshot!(host("town.example?q=1"), @"town.example");
        assert_snapshot!(host("http://[::1]/"), @"[::1]");
        assert_snapshot!(host(""), @"");
    }

    #[test]
    fn urls_are_read_without_scheme_and_escapes() {
        assert_snapshot!(readable("https://a.example/caf%C3%A9/100%25/%zz%2"), @"a.example/café/100%/%zz%2");
        assert_snapshot!(readable("http://a.example/%ff"), @"a.example/�");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,40}|[%0-9a-fé/:@]{0,40}") {
            host(&text);
            readable(&text);
            cut(&text);
        }
    }
}
