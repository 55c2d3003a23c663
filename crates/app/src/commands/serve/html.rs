//! The page that people search with: plain HTML, written here, without scripts.
//!
//! Everything that comes from the web or from the asker goes through
//! [`Plain`]; links into the web say nothing about where they were clicked.

mod map;

use super::api::Asked;
use super::desk::Desk;
use super::failure::Failure;
use super::link::link;
use super::wishes::Wishes;
use super::word::{Word, said};
use crate::text::{count, printable, thousands};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use search::ask::{Answer, Ask, Count, Hit, MAX_OFFSET, Understood};
use search::snippet::Snippet;
use std::fmt::{self, Display, Write};
use std::sync::Arc;

/// Other places of a name that are offered.
const MOST_ALTERNATIVES: usize = 5;

/// Values of a facet that are shown.
const MOST_COUNTS: usize = 8;

/// The looks of the page.
pub(super) async fn style() -> Response {
    let kind = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    (kind, include_str!("style.css")).into_response()
}

/// The form, and what was found.
pub(super) async fn show(
    State(desk): State<Arc<Desk>>,
    asked: Result<Asked<Wishes>, Failure>,
) -> Response {
    let wishes = match asked {
        Ok(Asked(wishes)) => wishes,
        Err(failure) => return refused(&Wishes::default(), &failure),
    };
    let sent = wishes.clone();
    let work = move |desk: &Desk| {
        let index = desk.index();
        let ask = wishes.ask(&|place| index.n_pages_within(place))?;
        let answer = index.ask_or_recall(&ask).map_err(Failure::ours)?;
        Ok(Html(page(&wishes, &ask, &answer, index.n_pages())).into_response())
    };
    let answered = desk.work(work).await;
    answered.unwrap_or_else(|failure| refused(&sent, &failure))
}

fn refused(wishes: &Wishes, failure: &Failure) -> Response {
    let message = format!("<p class=\"problem\">{}</p>\n", Plain(&failure.message));
    let status = match failure.status {
        StatusCode::SERVICE_UNAVAILABLE => StatusCode::TOO_MANY_REQUESTS,
        status => status,
    };
    (status, Html(frame(wishes, &message))).into_response()
}

fn page(wishes: &Wishes, ask: &Ask, answer: &Answer, n_indexed: u64) -> String {
    let asks_nothing = said(&wishes.q).is_none() && ask.region.is_none() && ask.host.is_none();
    if asks_nothing {
        let n_pages = count(n_indexed, "page");
        let hint =
            format!("<p class=\"quiet\">{n_pages} can be searched, by words and places.</p>\n");
        return frame(wishes, &hint);
    }
    if answer.understood.asks_nothing {
        let hint = "<p class=\"quiet\">Say what to look for: a word or a place.</p>\n";
        return frame(wishes, hint);
    }
    let mut text = understood(wishes, &answer.understood);
    text += &remarks(answer, n_indexed);
    text += &filters(wishes);
    let first = ask.offset + 1;
    text += &format!("<div class=\"found\">\n<ol class=\"hits\" start=\"{first}\">\n");
    for hit in &answer.hits {
        let _ = write_hit(&mut text, hit);
    }
    text += "</ol>\n<aside>\n";
    text += &map::draw(&answer.hits, first);
    text += &facets(wishes, answer);
    text += "</aside>\n</div>\n";
    text += &turning(wishes, ask, answer);
    frame(wishes, &text)
}

/// What is on every page: the form, and room below it.
fn frame(wishes: &Wishes, below: &str) -> String {
    let q = said(&wishes.q).unwrap_or_default();
    let title = match q {
        "" => "locavore".to_owned(),
        q => format!("{} – locavore", Plain(q)),
    };
    let field = |name: &str, label: &str, value: &Option<Word>, sample: &str| {
        let value = said(value).unwrap_or_default();
        format!(
            "<label>{label}<input name=\"{name}\" value=\"{}\" placeholder=\"{sample}\"></label>\n",
            Plain(value)
        )
    };
    let fields = [
        field("near", "near", &wishes.near, "place or 29.76,-95.36"),
        field("radius", "how far", &wishes.radius, "10km"),
        field("within", "in", &wishes.within, "place or box"),
        field("home", "you are in", &wishes.home, "place"),
        field("lang", "language", &wishes.lang, "en"),
        field("host", "host", &wishes.host, "example.org"),
        field("since", "fetched since", &wishes.since, "2026-05-31"),
    ];
    let is_open = match is_narrowed(wishes) {
        true => " open",
        false => "",
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
         <body>\n<header>\n<a class=\"name\" href=\"/\">locavore</a>\n\
         <form action=\"/\" method=\"get\" role=\"search\">\n\
         <div class=\"ask\"><input type=\"search\" name=\"q\" value=\"{}\" maxlength=\"4096\" \
         placeholder=\"restaurants in Houston\" aria-label=\"what and where\">\
         <button>Search</button></div>\n\
         <details{is_open}><summary>more precisely</summary>\n<div class=\"fields\">\n{}</div>\n\
         </details>\n</form>\n</header>\n<main>\n{below}</main>\n</body>\n</html>\n",
        Plain(q),
        fields.concat(),
    )
}

fn is_narrowed(wishes: &Wishes) -> bool {
    narrowings(wishes).iter().any(|(_, value)| value.is_some())
}

/// What narrows a search, by name.
fn narrowings(wishes: &Wishes) -> [(&'static str, Option<&str>); 6] {
    [
        ("near", said(&wishes.near)),
        ("within", said(&wishes.within)),
        ("home", said(&wishes.home)),
        ("lang", said(&wishes.lang)),
        ("host", said(&wishes.host)),
        ("since", said(&wishes.since)),
    ]
}

/// `looking for restaurants in Houston (because …); or did you mean …?`
fn understood(wishes: &Wishes, understood: &Understood) -> String {
    let words = match understood.words.trim() {
        "" => "everything".to_owned(),
        words => format!("<b>{}</b>", Plain(words)),
    };
    let Some(location) = &understood.location else {
        let meant = did_you_mean(wishes, understood);
        return format!("<p class=\"understood\">looking for {words}{meant}</p>\n");
    };
    let mut text = format!(
        "<p class=\"understood\">looking for {words} in <b>{}</b> <span class=\"quiet\">({})</span>",
        Plain(&location.name),
        Plain(&understood.because)
    );
    let others = understood.alternatives.iter().take(MOST_ALTERNATIVES);
    let others: Vec<String> = others
        .filter_map(|other| {
            let number = format!("geonames:{}", other.geonameid?);
            let narrowed = narrowed(wishes, &understood.words, "within", &number);
            Some(format!("<a href=\"{narrowed}\">{}</a>", Plain(&other.name)))
        })
        .collect();
    if !others.is_empty() {
        let _ = write!(text, "<br>or did you mean {}?", others.join(", "));
    }
    text + "</p>\n"
}

/// `did you mean hotels near Chicago?`
fn did_you_mean(wishes: &Wishes, understood: &Understood) -> String {
    let links = understood.did_you_mean.iter().map(|meant| {
        let link = link(
            wishes,
            &[("q", meant.query.as_str()), ("skip", ""), ("as_of", "")],
        );
        format!(
            "<a href=\"{}\" title=\"{}\">{}</a>",
            Plain(&link),
            Plain(&meant.name),
            Plain(&meant.query)
        )
    });
    match links.collect::<Vec<_>>() {
        links if links.is_empty() => String::new(),
        links => format!("<br>did you mean {}?", links.join(" or ")),
    }
}

/// A link that searches for these words under one more condition.
fn narrowed(wishes: &Wishes, words: &str, name: &str, value: &str) -> String {
    let mut changes = vec![("skip", ""), ("as_of", ""), (name, value)];
    if name == "within" {
        // The place takes the place of what the words said.
        changes.extend([("q", words), ("near", ""), ("radius", ""), ("polygon", "")]);
    }
    Plain(&link(wishes, &changes)).to_string()
}

fn remarks(answer: &Answer, n_indexed: u64) -> String {
    let mut text = String::new();
    let mut remark = |remark: &str| {
        let _ = writeln!(text, "<p class=\"quiet\">{}</p>", Plain(remark));
    };
    if answer.understood.lacks_home {
        remark("Near you: say where you are, under “more precisely”.");
    }
    if let Some(widened) = &answer.widened {
        remark(&format!("Too little there: this is {widened}."));
    }
    if answer.takes_any_word {
        remark("No page has all the words: these have some of them.");
    }
    if let Some(read) = answer.partly_read {
        remark(&format!(
            "The phrase was looked for in the best {} of {} with its words.",
            thousands(read.n_read),
            count(read.n_with_words, "page")
        ));
    }
    remark(&match (answer.n_pages, answer.hits.is_empty()) {
        (0, _) => format!("Nothing found among {}.", count(n_indexed, "page")),
        (n_pages, true) => format!("There are only {}.", count(n_pages, "page")),
        (n_pages, false) => format!("{} found.", count(n_pages, "page")),
    });
    text
}

/// What narrows the search, each with a way out of it.
fn filters(wishes: &Wishes) -> String {
    let chip = |(name, value): (&'static str, Option<&str>)| {
        let without = link(
            wishes,
            &[(name, ""), ("radius", ""), ("skip", ""), ("as_of", "")],
        );
        Some(format!(
            "<a class=\"chip\" href=\"{}\">{name}: {} <span aria-label=\"remove\">×</span></a>\n",
            Plain(&without),
            Plain(value?)
        ))
    };
    let chips: String = narrowings(wishes).into_iter().filter_map(chip).collect();
    match chips.is_empty() {
        true => chips,
        false => format!("<p class=\"chips\">{chips}</p>\n"),
    }
}

fn write_hit(text: &mut String, hit: &Hit) -> fmt::Result {
    let title = match printable(&hit.title) {
        title if title.is_empty() => "(no title)".to_owned(),
        title => title,
    };
    let is_web = hit.url.starts_with("http://") || hit.url.starts_with("https://");
    text.push_str("<li>\n");
    match is_web {
        true => writeln!(
            text,
            "<h2><a href=\"{}\" rel=\"nofollow noreferrer\">{}</a></h2>",
            Plain(&hit.url),
            Plain(&title)
        )?,
        false => writeln!(text, "<h2>{}</h2>", Plain(&title))?,
    }
    writeln!(text, "<p class=\"url\">{}</p>", Plain(&hit.url))?;
    if !hit.snippet.text.is_empty() {
        writeln!(text, "<p>{}</p>", marked(&hit.snippet))?;
    }
    let distance = hit.distance_km.map(|km| match km < 10.0 {
        true => format!("{km:.1} km"),
        false => format!("{} km", thousands(km as u64)),
    });
    let facts = [hit.places.first().cloned(), hit.address.clone(), distance];
    let facts: Vec<String> = facts
        .iter()
        .flatten()
        .map(|fact| format!("<span>{}</span>", Plain(&printable(fact))))
        .collect();
    if !facts.is_empty() {
        writeln!(text, "<p class=\"facts\">{}</p>", facts.join(" · "))?;
    }
    if let Some(explained) = &hit.explained {
        writeln!(
            text,
            "<p class=\"quiet\">{:.3} = words {:.3} × places {:.2} ({}) × links {:.2}</p>",
            hit.score, explained.text, explained.geography, explained.because, explained.status
        )?;
    }
    text.push_str("</li>\n");
    Ok(())
}

fn marked(snippet: &Snippet) -> String {
    let mut text = String::new();
    let mut done = 0;
    for mark in &snippet.marks {
        let before = snippet.text.get(done..mark.start).unwrap_or_default();
        let word = snippet.text.get(mark.clone()).unwrap_or_default();
        let _ = write!(text, "{}<mark>{}</mark>", Plain(before), Plain(word));
        done = mark.end;
    }
    let rest = snippet.text.get(done..).unwrap_or_default();
    let _ = write!(text, "{}", Plain(rest));
    text
}

/// Where pages are from, as links that narrow the search to it.
fn facets(wishes: &Wishes, answer: &Answer) -> String {
    let words = &answer.understood.words;
    let about = if answer.facets.is_estimate { "~" } else { "" };
    let list = |heading: &str, name: &str, counts: &[Count]| {
        let mut text = String::new();
        for count in counts.iter().take(MOST_COUNTS) {
            let shown = count.name.strip_prefix("/Earth/").unwrap_or(&count.name);
            let _ = writeln!(
                text,
                "<li><a href=\"{}\">{}</a> <span class=\"quiet\">{about}{}</span></li>",
                narrowed(wishes, words, name, &count.name),
                Plain(&shown.replace('/', " › ")),
                thousands(count.n_pages)
            );
        }
        match text.is_empty() {
            true => text,
            false => format!("<h3>{heading}</h3>\n<ul>\n{text}</ul>\n"),
        }
    };
    let facets = &answer.facets;
    let places: Vec<Count> = facets
        .places
        .iter()
        .filter(|count| count.name != "/Earth")
        .cloned()
        .collect();
    list("Places", "within", &places)
        + &list("Hosts", "host", &facets.hosts)
        + &list("Languages", "lang", &facets.languages)
}

/// The ways to the next and the previous hits of the same answer.
fn turning(wishes: &Wishes, ask: &Ask, answer: &Answer) -> String {
    let as_of = answer.as_of.to_string();
    let to = |skip: usize, label: &str| {
        let skip = skip.to_string();
        let link = link(wishes, &[("skip", &skip), ("as_of", &as_of)]);
        format!("<a href=\"{}\">{label}</a>\n", Plain(&link))
    };
    let mut text = String::new();
    if ask.offset > 0 {
        text += &to(ask.offset.saturating_sub(ask.n_hits), "← previous");
    }
    let next = ask.offset + ask.n_hits;
    let is_full = answer.hits.len() == ask.n_hits;
    if is_full && next <= MAX_OFFSET && (next as u64) < answer.n_pages {
        text += &to(next, "next →");
    }
    match text.is_empty() {
        true => text,
        false => format!("<nav>\n{text}</nav>\n"),
    }
}

/// A stranger's words, that mean nothing to a browser.
struct Plain<'t>(&'t str);

impl Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
