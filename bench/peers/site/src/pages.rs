//! Every page of the web, made once: head, body and place in the link graph.
//!
//! Page `i` of a host links to the menu (the same on each page), to pages
//! `10 i + 1` to `10 i + 10` and ten others of its host, and to four pages of
//! other hosts; front pages link to five other front pages. So any page leads
//! to all others in a dozen steps, and each page has 40 links or a little more.
//! Nothing but pages is referred to: no pictures, styles or scripts to fetch.

use crate::prose::{self, Dice};
use std::collections::HashMap;
use std::fmt::Write;

/// About as many bytes as the median page of today has of HTML.
const PAGE_BYTES: usize = 24_000;

const SECTIONS: [&str; 10] = [
    "news", "events", "sports", "business", "people", "schools", "food", "outdoors", "opinion",
    "archive",
];

const FOOTER: [&str; 5] = ["about", "contact", "imprint", "privacy", "jobs"];

/// Links to pages of the host that are neither in the menu nor further down the tree.
const N_ASIDE: usize = 10;

/// Links to other hosts.
const N_OUTWARD: usize = 4;

/// Inline, so that nothing else is to be fetched.
const STYLE: &str = "body{font:16px/1.5 Georgia,serif;margin:0;color:#222}nav ul{display:flex;\
gap:1rem;list-style:none;padding:.5rem 1rem;background:#f4f1ea}main{max-width:42rem;margin:2rem \
auto}aside.more{border-top:1px solid #ddd;font-size:.9rem}footer{background:#333;color:#eee;\
padding:1rem}a{color:#0a5d8f;text-decoration:none}a:hover{text-decoration:underline}";

const SCRIPT: &str = "document.addEventListener('DOMContentLoaded',function(){var t=document.\
querySelectorAll('time');for(var i=0;i<t.length;i++){t[i].title=new Date(t[i].dateTime)\
.toLocaleString();}if(t.length<1){console.log('<a href=\\'/no-link\\'>');}});";

const ICON: &str = "<svg class=\"icon\" width=\"12\" height=\"12\" viewBox=\"0 0 12 12\" \
aria-hidden=\"true\"><path d=\"M2 6h8M6 2l4 4-4 4\" fill=\"none\" stroke=\"currentColor\"/></svg>";

/// All pages, by host and path.
pub(crate) struct Web {
    hosts: Vec<HashMap<Box<[u8]>, usize>>,
    /// Complete answers, head and body in one piece.
    answers: Vec<Box<[u8]>>,
}

impl Web {
    pub(crate) fn make(n_hosts: u8, n_pages: usize, port: u16) -> Web {
        let mut hosts = vec![HashMap::new(); usize::from(n_hosts)];
        let mut answers = Vec::with_capacity(hosts.len() * n_pages);
        for (host, by_path) in hosts.iter_mut().enumerate() {
            let plan = Plan {
                host,
                n_hosts: n_hosts.into(),
                n_pages,
                port,
            };
            for page in 0..n_pages {
                by_path.insert(path(page).into_bytes().into(), answers.len());
                answers.push(answer("text/html; charset=utf-8", &plan.html(page)));
            }
        }
        Web { hosts, answers }
    }

    pub(crate) fn n_pages(&self) -> usize {
        self.answers.len()
    }

    /// Every URL, one per line.
    pub(crate) fn list(&self, port: u16) -> String {
        let mut list = String::new();
        for (host, by_path) in self.hosts.iter().enumerate() {
            let mut paths: Vec<(&usize, &Box<[u8]>)> =
                by_path.iter().map(|(path, page)| (page, path)).collect();
            paths.sort();
            for (_, path) in paths {
                let path = String::from_utf8_lossy(path);
                let _ = writeln!(list, "http://127.0.0.{}:{port}{path}", host + 1);
            }
        }
        list
    }

    /// The number of a page, and all that is sent for it.
    pub(crate) fn find(&self, host: usize, path: &[u8]) -> Option<(usize, &[u8])> {
        let &page = self.hosts.get(host)?.get(path)?;
        Some((page, &self.answers[page]))
    }
}

/// A complete answer with status 200.
pub(crate) fn answer(content_type: &str, body: &str) -> Box<[u8]> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nServer: site\r\nConnection: keep-alive\r\n\r\n",
        body.len()
    );
    (head + body).into_bytes().into()
}

/// What a page is made after.
struct Plan {
    host: usize,
    n_hosts: usize,
    n_pages: usize,
    port: u16,
}

/// `/`, then the menu's sections, the footer's pages, and articles.
fn path(page: usize) -> String {
    match page {
        0 => "/".into(),
        1..=10 => format!("/{}/", SECTIONS[page - 1]),
        11..=15 => format!("/{}.html", FOOTER[page - 11]),
        _ => {
            let mut dice = Dice::new(0, page);
            let slug = prose::title(&mut dice).to_lowercase().replace(' ', "-");
            format!("/{}/{slug}-{page}.html", SECTIONS[page % SECTIONS.len()])
        }
    }
}

impl Plan {
    fn html(&self, page: usize) -> String {
        let mut dice = Dice::new(self.host, page);
        let mut html = String::with_capacity(PAGE_BYTES + 2_000);
        let title = prose::title(&mut dice);
        self.open(&mut html, page, &title, &mut dice);
        let links = self.more(page, &mut dice);
        let closing = self.closing(page);
        // Text fills what the rest leaves, so that all pages are about as large.
        let mut n_paragraphs = 0;
        while html.len() + links.len() + closing.len() < PAGE_BYTES {
            paragraph(&mut html, n_paragraphs, &mut dice);
            n_paragraphs += 1;
        }
        html.push_str(&links);
        html.push_str(&closing);
        html
    }

    fn open(&self, html: &mut String, page: usize, title: &str, dice: &mut Dice) {
        let host = self.url_of(self.host, page);
        let author = prose::person(dice);
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>{title} – The {} Gazette</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"description\" content=\"{}\">\n<meta name=\"author\" content=\"{author}\">\n\
             <link rel=\"canonical\" href=\"{host}\">\n<style>{STYLE}</style>\n</head>\n\
             <body class=\"page page-{page}\" id=\"top\">\n<header class=\"site-header\">\
             <a class=\"logo\" href=\"/\">The Gazette</a></header>\n<nav class=\"menu\"><ul>\n",
            prose::city(dice),
            prose::sentence(dice),
        );
        for section in SECTIONS {
            let _ = writeln!(
                html,
                "<li class=\"menu-item menu-item-{section}\"><a href=\"/{section}/\">{ICON} {section}</a></li>"
            );
        }
        let _ = write!(
            html,
            "</ul></nav>\n<main>\n<article itemscope>\n<h1 class=\"headline\">{title}</h1>\n\
             <p class=\"byline\">By <span class=\"author\">{author}</span>, <time datetime=\"2024-{:02}-{:02}\">\
             {} days ago</time></p>\n",
            1 + dice.below(12),
            1 + dice.below(28),
            1 + dice.below(300),
        );
        if page.is_multiple_of(8) {
            let (street, city, state, zip) = prose::address(dice);
            let _ = writeln!(
                html,
                "<p class=\"where\"><strong>Where:</strong> {street}, {city}, {state} {zip}</p>"
            );
        }
    }

    /// Links within the text's end: down the tree, aside, and out.
    fn more(&self, page: usize, dice: &mut Dice) -> String {
        let mut html = String::from("</article>\n<aside class=\"more\"><h2>Read on</h2>\n<ul>\n");
        let down = (1..=10).map(|step| (10 * page + step) % self.n_pages);
        let aside: Vec<usize> = (0..N_ASIDE).map(|_| dice.below(self.n_pages)).collect();
        for to in down.chain(aside) {
            item(&mut html, &path(to), dice);
        }
        html.push_str("</ul>\n<h2>Elsewhere</h2>\n<ul>\n");
        for step in 1..=5 {
            if page == 0 {
                let host = (5 * self.host + step) % self.n_hosts;
                item(&mut html, &self.url_of(host, 0), dice);
            }
        }
        for _ in 0..N_OUTWARD {
            let (host, to) = (dice.below(self.n_hosts), dice.below(self.n_pages));
            item(&mut html, &self.url_of(host, to), dice);
        }
        html.push_str("</ul></aside>\n</main>\n");
        html
    }

    fn closing(&self, page: usize) -> String {
        let mut html = String::from("<footer><ul class=\"small\">\n");
        for name in FOOTER {
            let _ = writeln!(
                html,
                "<li><a href=\"/{name}.html\" rel=\"help\">{name}</a></li>"
            );
        }
        if page == 12 {
            let (street, city, state, zip) = prose::address(&mut Dice::new(self.host, usize::MAX));
            let _ = writeln!(
                html,
                "<li><address>The Gazette<br>{street}<br>{city}, {state} {zip}</address></li>"
            );
        }
        let _ = write!(
            html,
            "</ul><p>&copy; 2024 The Gazette. All rights reserved. <a href=\"#top\">Top</a></p></footer>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n"
        );
        html
    }

    fn url_of(&self, host: usize, page: usize) -> String {
        format!("http://127.0.0.{}:{}{}", host + 1, self.port, path(page))
    }
}

fn item(html: &mut String, href: &str, dice: &mut Dice) {
    let title = prose::title(dice);
    let _ = writeln!(
        html,
        "<li class=\"teaser\"><a class=\"teaser-link\" href=\"{href}\">{title}</a></li>"
    );
}

fn paragraph(html: &mut String, n_before: usize, dice: &mut Dice) {
    if n_before % 6 == 5 {
        let _ = writeln!(
            html,
            "<h2 id=\"part-{n_before}\">{}</h2>",
            prose::title(dice)
        );
    }
    html.push_str("<p>");
    for sentence_idx in 0..3 + dice.below(4) {
        if sentence_idx > 0 {
            html.push(' ');
        }
        match dice.below(9) {
            0 => {
                let _ = write!(html, "<em>{}</em>", prose::sentence(dice));
            }
            1 => {
                let _ = write!(
                    html,
                    "<strong>{}:</strong> {}",
                    prose::title(dice),
                    prose::sentence(dice)
                );
            }
            _ => html.push_str(&prose::sentence(dice)),
        }
    }
    html.push_str("</p>\n");
}
