//! The few pieces that all figures are made of.

use std::fmt::{self, Display, Write};

/// Units across a figure: about the pixels of a phone, so that letters stay readable there.
pub(super) const WIDTH: f64 = 520.0;

/// Height of a line of text.
pub(super) const LINE: f64 = 18.0;

/// Width of a letter on average.
const LETTER: f64 = 6.9;

/// Room that a text takes, about.
pub(super) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

/// The beginning of a text that is too wide, and an ellipsis.
pub(super) fn fitted(text: &str, width: f64) -> String {
    let n_letters = (width / LETTER).max(1.0) as usize;
    if text.chars().count() <= n_letters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(n_letters.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// A text that means nothing to a parser of HTML or XML.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // No parser of XML takes other control characters.
                c if c.is_control() && !matches!(c, '\n' | '\t') => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A figure being drawn.
pub(super) struct Drawing {
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    pub(super) fn new() -> Drawing {
        Drawing {
            body: String::new(),
        }
    }

    /// Adds markup as it is.
    pub(super) fn raw(&mut self, markup: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(markup);
        self.body.push('\n');
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.raw(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{}</text>"#,
            Escaped(text)
        ));
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.raw(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        ));
    }

    /// A box with a title that a pointer shows.
    pub(super) fn rect(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        style: &str,
        title: &str,
    ) {
        self.raw(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" {style}><title>{}</title></rect>"#,
            Escaped(title)
        ));
    }

    /// Names of series with their colours, in as many lines as they need;
    /// returns the height of it. One series alone needs no legend.
    pub(super) fn legend(&mut self, names: &[&str]) -> f64 {
        if names.len() < 2 {
            return 0.0;
        }
        let (mut x, mut y) = (0.0, LINE - 4.0);
        for (idx, name) in names.iter().enumerate() {
            let name = fitted(name, WIDTH - 30.0);
            let width = 30.0 + width_of(&name);
            if x > 0.0 && x + width > WIDTH {
                (x, y) = (0.0, y + LINE);
            }
            let style = format!(r#"rx="2" class="fill c{}""#, idx % super::N_COLOURS);
            self.rect((x, y - 10.0), (12.0, 12.0), &style, &name);
            self.text((x + 17.0, y), Anchor::Start, "label", &name);
            x += width;
        }
        y + 10.0
    }

    /// The whole figure.
    pub(super) fn finish(self, height: f64, title: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-label=\"{}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n{}</svg>\n",
            Escaped(title),
            self.body
        )
    }
}
