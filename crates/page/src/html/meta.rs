//! Small values with their own little grammars: robots, refresh, language, style.

use super::MetaRobots;

/// `noindex, nofollow`, or `none` for both. Adds to what was asked before.
pub(super) fn ask_robots(robots: &mut MetaRobots, content: &str) {
    for word in content.split(|c: char| c == ',' || c.is_ascii_whitespace()) {
        let none = word.eq_ignore_ascii_case("none");
        robots.noindex |= none || word.eq_ignore_ascii_case("noindex");
        robots.nofollow |= none || word.eq_ignore_ascii_case("nofollow");
    }
}

/// The address in `5; url='next.html'`; a refresh without one reloads the page.
pub(super) fn refresh_target(content: &str) -> Option<&str> {
    let (_, target) = content.split_once([';', ','])?;
    let target = target.trim_start();
    let target = match target.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => target[3..]
            .trim_start()
            .strip_prefix('=')
            .unwrap_or(target)
            .trim_start(),
        _ => target,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    Some(target.trim()).filter(|target| !target.is_empty())
}

/// `en-US, fr` is `en-us`; what is no language tag is none.
pub(super) fn language(value: &str) -> Option<String> {
    let first = value.split(',').next().unwrap_or_default().trim();
    let is_tag = (2..=35).contains(&first.len())
        && first
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_tag.then(|| first.to_ascii_lowercase().replace('_', "-"))
}

/// The inline style says `display:none`.
pub(super) fn hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        let Some((property, value)) = declaration.split_once(':') else {
            return false;
        };
        let value = value.trim_start();
        property.trim().eq_ignore_ascii_case("display")
            && value
                .get(..4)
                .is_some_and(|start| start.eq_ignore_ascii_case("none"))
    })
}

/// One of the words, among words separated by white space.
pub(super) fn has_word(value: &str, words: &[&str]) -> bool {
    value
        .split_ascii_whitespace()
        .any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// A class or id that names a menu: `main-nav`, `MenuLeft`.
pub(super) fn names_menu(value: &str) -> bool {
    let contains = |needle: &str| {
        let mut windows = value.as_bytes().windows(needle.len());
        windows.any(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
    };
    contains("nav") || contains("menu")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refresh_targets() {
        let targets = [
            "5; url='a b.html' x",
            "0;URL=/x",
            "3",
            "1, y.html",
            "0; url = \"\"",
            "0;url",
        ];
        let read: Vec<_> = targets.into_iter().map(refresh_target).collect();
        assert_eq!(
            read,
            [
                Some("a b.html"),
                Some("/x"),
                None,
                Some("y.html"),
                None,
                Some("url")
            ]
        );
    }

    #[test]
    fn styles_that_hide() {
        let hiding = ["display:none", "color: red; DISPLAY : None !important"];
        assert!(hiding.into_iter().all(hides));
        let showing = ["display:block", "x:display:none", "", "none", "display:é"];
        assert!(!showing.into_iter().any(hides));
    }
}
