//! Small values with their own little grammars: robots, refresh, language, style.

use super::MetaRobots;

/// `noindex, nofollow`, or `none` for both, and `noarchive`. Adds to what was asked before.
pub(super) fn ask_robots(robots: &mut MetaRobots, content: &str) {
    for word in content.split(|c: char| c == ',' || c.is_ascii_whitespace()) {
        let none = word.eq_ignore_ascii_case("none");
        robots.noindex |= none || word.eq_ignore_ascii_case("noindex");
        robots.nofollow |= none || word.eq_ignore_ascii_case("nofollow");
        robots.noarchive |= word.eq_ignore_ascii_case("noarchive");
    }
}

/// The same in a header: `noindex` is for all, `otherbot: noindex` for one.
pub(super) fn ask_robots_by_header(robots: &mut MetaRobots, value: &str, agent: &str) {
    // Whom the directives are for, until another name comes.
    let mut is_ours = true;
    for part in value.split(',') {
        let directive = match part.split_once(':') {
            Some((name, rest)) if is_agent(name) => {
                is_ours = name.trim().eq_ignore_ascii_case(agent);
                rest
            }
            _ => part,
        };
        if is_ours {
            ask_robots(robots, directive);
        }
    }
}

/// Some directives have a colon of their own.
fn is_agent(name: &str) -> bool {
    let name = name.trim();
    let directives = [
        "unavailable_after",
        "max-snippet",
        "max-image-preview",
        "max-video-preview",
    ];
    let is_directive = directives
        .iter()
        .any(|directive| name.eq_ignore_ascii_case(directive));
    !is_directive && !name.is_empty() && !name.contains(char::is_whitespace)
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
    fn headers_speak_to_all_or_to_one() {
        let hear = |value: &str| {
            let mut robots = MetaRobots::default();
            ask_robots_by_header(&mut robots, value, "locavore");
            let asked = [
                (robots.noindex, "noindex"),
                (robots.nofollow, "nofollow"),
                (robots.noarchive, "noarchive"),
            ];
            let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
            asked.map(|(_, name)| name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(hear("NoIndex, noarchive"), "noindex noarchive");
        assert_eq!(hear("none"), "noindex nofollow");
        assert_eq!(hear("googlebot: noindex, nofollow"), "");
        assert_eq!(hear("googlebot: noindex, locavore: nofollow"), "nofollow");
        assert_eq!(
            hear("unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"),
            "nofollow"
        );
        assert_eq!(hear(": , :"), "");
    }

    #[test]
    fn styles_that_hide() {
        let hiding = ["display:none", "color: red; DISPLAY : None !important"];
        assert!(hiding.into_iter().all(hides));
        let showing = ["display:block", "x:display:none", "", "none", "display:é"];
        assert!(!showing.into_iter().any(hides));
    }
}
