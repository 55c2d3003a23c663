//! Seed files: one URL per line, `#` starts a comment.

use crate::text::{shorten, thousands};
use anyhow::{Context, anyhow};
use page::url::{CanonicalUrl, UrlError};
use std::fmt::Write;
use std::path::Path;

/// Bad lines shown; a file that is no seed file has thousands.
const MOST_BAD_LINES: usize = 20;

/// Characters shown of a bad line.
const MOST_CHARS: usize = 120;

/// What the URL parser says of `www.example.org`.
const NO_SCHEME: &str = "relative URL without a base";

/// Reads a seed file; all bad lines are named at once.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = std::fs::read(file)
        .with_context(|| format!("cannot read seed file `{}`", file.display()))?;
    let (seeds, bad) = parse(&String::from_utf8_lossy(&bytes));
    if !bad.is_empty() {
        return Err(anyhow!(
            "bad lines in seed file `{}`{}",
            file.display(),
            render(&bad)
        ));
    }
    if seeds.is_empty() {
        return Err(anyhow!("no URL in seed file `{}`", file.display()));
    }
    Ok(seeds)
}

/// The URLs of a seed file, and what is wrong with the other lines.
fn parse(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut seeds, mut bad) = (Vec::new(), Vec::new());
    for (line_idx, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match CanonicalUrl::parse(line) {
            Ok(url) => seeds.push(url.as_str().into()),
            Err(error) => {
                let why = explain(line, &error);
                bad.push(format!("{}: `{}`: {why}", line_idx + 1, harmless(line)));
            }
        }
    }
    (seeds, bad)
}

fn explain(line: &str, error: &UrlError) -> String {
    let with_scheme = format!("https://{line}");
    match error {
        UrlError::Syntax(why)
            if why == NO_SCHEME
                && !line.starts_with('/')
                && CanonicalUrl::parse(&with_scheme).is_ok() =>
        {
            format!("no scheme: write `{}`", harmless(&with_scheme))
        }
        UrlError::Syntax(why) if why == NO_SCHEME => "not a URL".into(),
        UrlError::Scheme(_) | UrlError::Syntax(_) => harmless(&error.to_string()),
        UrlError::NoHost | UrlError::TooLong { .. } => error.to_string(),
    }
}

/// A foreign text that cannot move the cursor or fill the screen.
fn harmless(text: &str) -> String {
    let mut shown = String::new();
    for c in shorten(text, MOST_CHARS).chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

fn render(bad: &[String]) -> String {
    let mut text = String::new();
    for line in bad.iter().take(MOST_BAD_LINES) {
        let _ = write!(text, "\n  {line}");
    }
    if let Some(n_more @ 1..) = bad.len().checked_sub(MOST_BAD_LINES) {
        let _ = write!(text, "\n  and {} more", thousands(n_more as u64));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn complain(text: &str) -> String {
        render(&parse(text).1)
    }

    #[test]
    fn a_missing_scheme_is_told_with_the_remedy() {
        assert_snapshot!(complain("www.example.org\n/path\nhtp://a.example"), @r"

        1: `www.example.org`: no scheme: write `https://www.example.org`
        2: `/path`: not a URL
        3: `htp://a.example`: unknown scheme `htp`
        ");
    }

    #[test]
    fn strange_lines_are_shown_escaped_and_short() {
        assert_snapshot!(complain("htp://\x1b[31mred\x07"), @r"

        1: `htp://\u{1b}[31mred\u{7}`: invalid domain character
        ");
        assert_snapshot!(complain(&format!("htp://{}", "a".repeat(5000))), @r"

        1: `htp://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`: unknown scheme `htp`
        ");
    }

    #[test]
    fn a_file_of_nonsense_is_not_shown_in_full() {
        let shown = complain(&"no url\n".repeat(2020));
        assert_eq!(shown.lines().count(), 22);
        assert!(shown.ends_with("\n  and 2,000 more"), "{shown}");
    }
}
