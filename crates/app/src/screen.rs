//! How wide the screen is that people read on, and text that fits it.
//!
//! Into a file, or a pipe that leads away from the terminal, everything is
//! written as wide as it is: nothing is folded for those who do not look.

use crate::interrupt::is_pipe;
use rustix::termios::tcgetwinsize;
use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
use unicode_width::UnicodeWidthStr;

/// Narrower ones are written to as if they were so wide.
const LEAST: usize = 20;

/// How much deeper a line goes on.
const HANGING: usize = 2;

/// Columns of the screen that standard output is read on; none if it is not.
pub(crate) fn columns() -> Option<usize> {
    let wish = wished();
    if wish.is_some() || stdout().is_terminal() {
        return wish.or_else(|| size(stdout()));
    }
    // `| less` and `| head` show it on the same terminal.
    let is_near = is_pipe(stdout().as_fd()) && stderr().is_terminal();
    is_near.then(|| size(stderr())).flatten()
}

/// Columns of the screen that messages are read on; none if they are not.
pub(crate) fn message_columns() -> Option<usize> {
    wished().or_else(|| stderr().is_terminal().then(|| size(stderr())).flatten())
}

/// What the user says, as other programs have it.
fn wished() -> Option<usize> {
    let wish = std::env::var("COLUMNS").ok()?;
    wish.parse().ok().map(|columns: usize| columns.max(LEAST))
}

fn size(terminal: impl AsFd) -> Option<usize> {
    let columns = usize::from(tcgetwinsize(terminal).ok()?.ws_col);
    (columns > 0).then(|| columns.max(LEAST))
}

/// A text for standard output, its long lines folded where there is a screen.
pub(crate) fn fit(text: &str) -> String {
    match columns() {
        Some(columns) => fold(text, columns),
        None => text.to_owned(),
    }
}

/// Columns that a text takes; colours take none.
pub(crate) fn width(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let plain = parts.next().map_or(0, UnicodeWidthStr::width);
    let coloured = parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
    plain + coloured.map(UnicodeWidthStr::width).sum::<usize>()
}

/// A text with spaces behind it, so that it takes so many columns.
pub(crate) fn pad(text: &str, n_columns: usize) -> String {
    let space = n_columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(space))
}

/// A text without lines of more than so many columns, unless a word alone is
/// longer. What stands between backticks is a word, to be copied as it is.
pub(crate) fn fold(text: &str, n_columns: usize) -> String {
    let mut folded = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let end = &line[content.len()..];
        if width(content) <= n_columns {
            folded.push_str(line);
            continue;
        }
        let bare = content.trim_start_matches(' ');
        let indent = content.len() - bare.len();
        let deeper = (indent + HANGING).min(n_columns / 2);
        let first = " ".repeat(indent.min(n_columns / 2));
        for (nth, part) in wrap(bare, n_columns - deeper).iter().enumerate() {
            match nth {
                0 => folded.push_str(&first),
                _ => {
                    folded.push('\n');
                    folded.push_str(&" ".repeat(deeper));
                }
            }
            folded.push_str(part);
        }
        folded.push_str(end);
    }
    folded
}

/// The lines that a line becomes when it may have so many columns.
pub(crate) fn wrap(line: &str, n_columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut taken = 0;
    for word in words(line, n_columns) {
        let bare = width(word.trim_end_matches(' '));
        if taken > 0 && taken + bare > n_columns {
            lines.push(String::new());
            taken = 0;
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(word);
        }
        taken += width(word);
    }
    for line in &mut lines {
        line.truncate(line.trim_end_matches(' ').len());
    }
    lines
}

/// Words with the spaces behind them.
fn words(line: &str, n_columns: usize) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut bytes = line.bytes().enumerate().peekable();
    let mut quote_end = 0;
    while let Some((at, byte)) = bytes.next() {
        if byte == b'`' && at >= quote_end {
            let inside = line[at + 1..].find('`').map(|len| at + len + 2);
            quote_end = inside
                .filter(|end| width(&line[at..*end]) <= n_columns)
                .unwrap_or(at + 1);
        }
        let is_last_space = byte == b' ' && bytes.peek().is_none_or(|(_, next)| *next != b' ');
        if is_last_space && at >= quote_end {
            words.push(&line[start..=at]);
            start = at + 1;
        }
    }
    words.push(&line[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_count_twice_and_colours_not_at_all() {
        assert_eq!(width("Büro 東京"), 9);
        assert_eq!(width("\x1b[1;32mrunning\x1b[0m now"), 11);
    }

    #[test]
    fn lines_break_between_words_and_never_inside_a_command() {
        let text = "short\n  hint: `locavore crawl --out c` resumes it, in an hour or so\n";
        insta::assert_snapshot!(fold(text, 32), @r"
        short
          hint:
            `locavore crawl --out c`
            resumes it, in an hour or so
        ");
        assert_eq!(fold(text, 80), text);
        let url = "see http://www.example.com/a/very/long/path/to/a/page.html there";
        insta::assert_snapshot!(fold(url, 20), @r"
        see
          http://www.example.com/a/very/long/path/to/a/page.html
          there
        ");
        // A stray backtick ties nothing together.
        assert_eq!(
            fold("it`s one of many words", 12),
            "it`s one\n  of many\n  words"
        );
    }
}
