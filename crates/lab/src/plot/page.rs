//! A page of figures and tables that needs nothing else: no network, no
//! scripts, light or dark as its reader likes it, on a phone or on paper.

use super::svg::Escaped;
use std::fmt::Write;

/// What figures and tables look like.
pub const STYLE: &str = include_str!("page.css");

/// A page being written, from the top.
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// An empty page with a title.
    pub fn new(title: &str) -> Page {
        let mut body = String::new();
        let _ = writeln!(body, "<h1>{}</h1>", Escaped(title));
        Page {
            title: title.to_owned(),
            body,
        }
    }

    /// Begins a section.
    pub fn heading(&mut self, text: &str) -> &mut Page {
        let _ = writeln!(self.body, "<h2>{}</h2>", Escaped(text));
        self
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) -> &mut Page {
        let _ = writeln!(self.body, "<p>{}</p>", Escaped(text));
        self
    }

    /// Adds numbers that are to be seen first, each with its name.
    pub fn highlights(&mut self, numbers: &[(String, String)]) -> &mut Page {
        self.body.push_str("<dl class=\"highlights\">\n");
        for (name, number) in numbers {
            let (name, number) = (Escaped(name), Escaped(number));
            let _ = writeln!(self.body, "<div><dt>{name}</dt><dd>{number}</dd></div>");
        }
        self.body.push_str("</dl>\n");
        self
    }

    /// Adds figures side by side where there is room, each with what it shows.
    pub fn figures(&mut self, figures: &[(String, &str)]) -> &mut Page {
        self.body.push_str("<div class=\"figures\">\n");
        for (svg, caption) in figures {
            let caption = Escaped(caption);
            let _ = writeln!(
                self.body,
                "<figure>\n<figcaption>{caption}</figcaption>\n{svg}</figure>"
            );
        }
        self.body.push_str("</div>\n");
        self
    }

    /// Adds a table; its first column is text, the others are numbers.
    pub fn table(&mut self, header: &[String], rows: &[Vec<String>]) -> &mut Page {
        self.body
            .push_str("<div class=\"wide\"><table>\n<thead><tr>");
        for cell in header {
            let _ = write!(self.body, "<th scope=\"col\">{}</th>", Escaped(cell));
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for (idx, cell) in row.iter().enumerate() {
                let cell = Escaped(cell);
                let _ = match idx {
                    0 => write!(self.body, "<th scope=\"row\">{cell}</th>"),
                    _ => write!(self.body, "<td>{cell}</td>"),
                };
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody>\n</table></div>\n");
        self
    }

    /// The whole page as HTML.
    pub fn render(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n\
             </body>\n</html>\n",
            Escaped(&self.title),
            self.body
        )
    }
}
