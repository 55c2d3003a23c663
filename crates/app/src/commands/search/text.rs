//! An answer as people read it on a terminal.

use crate::message;
use crate::output;
use crate::text::{count, printable, thousands};
use ::search::ask::{Answer, Ask, Count, Hit};
use ::search::snippet::Snippet;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};

/// Other places of the name that are offered.
const MOST_ALTERNATIVES: usize = 3;

/// Values of a facet that are shown.
const MOST_COUNTS: usize = 5;

pub(super) fn show(answer: &Answer, ask: &Ask, n_indexed: u64) -> anyhow::Result<()> {
    let style = Style {
        is_fancy: stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    if answer.understood.asks_nothing {
        message::info("say what to look for, a word or a place: \"restaurants in Houston\"");
        return Ok(());
    }
    message::info(understood(answer));
    if answer.understood.lacks_home {
        message::hint("say where you are: `--home PLACE`");
    }
    let meant = &answer.understood.did_you_mean;
    if !meant.is_empty() {
        let queries: Vec<String> = meant.iter().map(|meant| printable(&meant.query)).collect();
        message::hint(format!("did you mean {}?", message::list(&queries, "or")));
    }
    if let Some(widened) = &answer.widened {
        message::info(format!("too little there: showing {widened}"));
    }
    if answer.takes_any_word {
        message::info("no page has all the words: showing pages with some of them");
    }
    if let Some(read) = answer.partly_read {
        message::info(format!(
            "the best {} of {} with its words were read for the phrase",
            thousands(read.n_read),
            count(read.n_with_words, "page")
        ));
    }
    if answer.hits.is_empty() {
        message::info(nothing(answer, ask, n_indexed));
        return Ok(());
    }
    let mut text = String::new();
    for (nth, hit) in answer.hits.iter().enumerate() {
        write_hit(&mut text, ask.offset + nth + 1, hit, style);
    }
    let _ = writeln!(text, "{}", counted(answer));
    output::show(&text)
}

#[derive(Clone, Copy)]
struct Style {
    is_fancy: bool,
}

impl Style {
    fn bold(self, text: &str) -> String {
        match self.is_fancy {
            true => format!("\x1b[1m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    fn faint(self, text: &str) -> String {
        match self.is_fancy {
            true => format!("\x1b[2m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

fn understood(answer: &Answer) -> String {
    let understood = &answer.understood;
    let words = match understood.words.trim() {
        "" => "everything".to_owned(),
        words => format!("`{}`", printable(words)),
    };
    let Some(location) = &understood.location else {
        return format!("looking for {words}");
    };
    let others = understood.alternatives.iter().take(MOST_ALTERNATIVES);
    let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("; not {}", others.join(", nor ")),
    };
    let name = printable(&location.name);
    format!(
        "looking for {words} in {name} ({}{others})",
        understood.because
    )
}

fn nothing(answer: &Answer, ask: &Ask, n_indexed: u64) -> String {
    if answer.n_pages > 0 {
        return format!("there are only {}", count(answer.n_pages, "hit"));
    }
    format!(
        "nothing found for `{}` among {}",
        printable(&ask.query),
        count(n_indexed, "page")
    )
}

fn write_hit(text: &mut String, nth: usize, hit: &Hit, style: Style) {
    let title = match hit.title.trim() {
        "" => "(no title)",
        title => title,
    };
    let _ = writeln!(text, "{nth:>2}. {}", style.bold(&printable(title)));
    let _ = writeln!(text, "    {}", style.faint(&hit.url));
    let distance = hit.distance_km.map(|km| match km < 10.0 {
        true => format!("{km:.1} km"),
        false => format!("{} km", thousands(km as u64)),
    });
    let address = hit.address.as_deref().map(printable);
    let place = hit.places.first().cloned();
    let facts: Vec<String> = [place, address, distance].into_iter().flatten().collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "    {}", facts.join(" · "));
    }
    if !hit.snippet.text.is_empty() {
        let _ = writeln!(text, "    {}", marked(&hit.snippet, style));
    }
    if let Some(explained) = &hit.explained {
        let _ = writeln!(
            text,
            "    {:.3} = words {:.3} × places {:.2} ({}) × links {:.2}",
            hit.score, explained.text, explained.geography, explained.because, explained.status
        );
    }
    text.push('\n');
}

/// The passage, in which nothing can do anything but be seen.
fn marked(snippet: &Snippet, style: Style) -> String {
    let mut text = String::new();
    let mut done = 0;
    for mark in &snippet.marks {
        text.push_str(&snippet.text[done..mark.start]);
        text.push_str(&style.bold(&snippet.text[mark.clone()]));
        done = mark.end;
    }
    text + &snippet.text[done..]
}

fn counted(answer: &Answer) -> String {
    let list = |counts: &[Count]| {
        let shown = counts.iter().take(MOST_COUNTS);
        let shown = shown.map(|count| {
            let name = count.name.strip_prefix("/Earth/").unwrap_or(&count.name);
            let about = if answer.facets.is_estimate { "~" } else { "" };
            format!("{name} {about}{}", thousands(count.n_pages))
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    let mut text = count(answer.n_pages, "page");
    let facets = &answer.facets;
    for (name, counts) in [
        ("places", &facets.places),
        ("hosts", &facets.hosts),
        ("languages", &facets.languages),
    ] {
        if !counts.is_empty() {
            let _ = write!(text, "\n{name}: {}", list(counts));
        }
    }
    text
}
