//! A crawl as it happens: a table that redraws itself on a terminal, a line
//! now and then when piped.
//!
//! What is in a pipe is kept: a line every two seconds at first, when somebody
//! may be looking, and every minute in the long run, as logs want it.

use crate::message::is_fancy_terminal;
use crate::progress::redraw;
use crate::text::{only_failed, percent, shorten, span, thousands};
use crawl::clock::Jump;
use crawl::progress::{NodeProgress, Progress};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Cell, LineGauge, Row, Table};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::io::{BufWriter, IsTerminal, Stderr, stderr, stdout};
use std::time::{Duration, Instant};

/// How often a piped crawl says where it is, at most and at least.
const LINE_EVERY: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));

/// So many lines are written while a crawl becomes twice as old.
const LINES_AN_AGE: u32 = 8;

/// How often the picture is drawn at most.
const FRAME_EVERY: Duration = Duration::from_millis(100);

/// Shows progress in whichever way fits.
pub(crate) enum View {
    Terminal(Box<Picture>),
    /// One line, where standard output is not for people.
    Line {
        last: Option<Instant>,
    },
    Lines(Lines),
}

/// Lines that stay, the later the rarer.
pub(crate) struct Lines {
    start: Instant,
    last: Instant,
    was_paused: bool,
    /// What the watcher has been told of the clock.
    jump: Option<Jump>,
}

/// The table that redraws itself.
pub(crate) struct Picture {
    /// Standard error is not buffered by itself: a frame would be thousands of
    /// writes of a few bytes. Drawing ends with a flush.
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
    rates: Rates,
    last: Option<Instant>,
}

/// Pages per second of each node, smoothed over a few looks.
#[derive(Default)]
pub(crate) struct Rates {
    last: Option<(Duration, Vec<u64>)>,
    smooth: Vec<f64>,
}

impl View {
    pub(crate) fn open(n_nodes: usize) -> View {
        if !is_fancy_terminal() {
            return View::Lines(Lines::start());
        }
        // Finding out where the cursor is asks through standard output, which
        // must hold nothing but data when it goes elsewhere.
        if !stdout().is_terminal() {
            return View::Line { last: None };
        }
        let options = TerminalOptions {
            viewport: Viewport::Inline(n_nodes as u16 + 4),
        };
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stderr()));
        match Terminal::with_options(backend, options) {
            Ok(terminal) => View::Terminal(Box::new(Picture {
                terminal,
                rates: Rates::default(),
                last: None,
            })),
            Err(_) => View::Lines(Lines::start()),
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        match self {
            View::Terminal(picture) => {
                if is_due(&mut picture.last) {
                    picture.draw(progress);
                }
            }
            View::Line { last } => {
                if is_due(last) {
                    redraw(&summary_line(progress));
                }
            }
            View::Lines(lines) => {
                if let Some(news) = progress.jump.filter(|news| lines.jump != Some(*news)) {
                    lines.jump = Some(news);
                    crate::message::warning(jump_line(news));
                }
                if lines.is_due(progress.pause.is_some()) {
                    crate::message::info(summary_line(progress));
                }
            }
        }
    }

    /// Leaves the last picture standing and the cursor below it.
    pub(crate) fn close(self, progress: &Progress) {
        match self {
            View::Terminal(mut picture) => {
                picture.draw(progress);
                let _ = picture.terminal.show_cursor();
                crate::message::info("");
                if let Some(jump) = progress.jump {
                    crate::message::warning(jump_line(jump));
                }
            }
            View::Line { .. } => {
                redraw("");
                crate::message::info(summary_line(progress));
                if let Some(jump) = progress.jump {
                    crate::message::warning(jump_line(jump));
                }
            }
            View::Lines(_) => crate::message::info(summary_line(progress)),
        }
    }
}

/// Whether it is time for another frame; if so, it was drawn now.
fn is_due(last: &mut Option<Instant>) -> bool {
    let is_due = last.is_none_or(|last| last.elapsed() >= FRAME_EVERY);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

impl Lines {
    fn start() -> Lines {
        Lines {
            start: Instant::now(),
            last: Instant::now(),
            was_paused: false,
            jump: None,
        }
    }

    /// A pause and its end are told at once.
    fn is_due(&mut self, is_paused: bool) -> bool {
        let is_due =
            self.last.elapsed() >= wait_at(self.start.elapsed()) || is_paused != self.was_paused;
        if is_due {
            self.last = Instant::now();
            self.was_paused = is_paused;
        }
        is_due
    }
}

/// How long after one line the next one comes, at some age of a crawl.
fn wait_at(age: Duration) -> Duration {
    let (least, most) = LINE_EVERY;
    (age / LINES_AN_AGE).clamp(least, most)
}

impl Picture {
    /// A terminal that cannot be drawn on is no reason to stop crawling.
    fn draw(&mut self, progress: &Progress) {
        self.rates.update(progress);
        let _ = self
            .terminal
            .draw(|frame| draw(frame, progress, &self.rates));
    }
}

impl Rates {
    fn update(&mut self, progress: &Progress) {
        let counts = progress.nodes.iter();
        let counts: Vec<u64> = counts
            .map(|node| node.n_pages + node.again.n_visits)
            .collect();
        let Some((then, before)) = &self.last else {
            self.smooth = vec![0.0; counts.len()];
            self.last = Some((progress.elapsed, counts));
            return;
        };
        let seconds = progress.elapsed.saturating_sub(*then).as_secs_f64();
        if seconds < 0.05 {
            return;
        }
        for ((smooth, now), before) in self.smooth.iter_mut().zip(&counts).zip(before) {
            let rate = now.saturating_sub(*before) as f64 / seconds;
            *smooth += 0.2 * (rate - *smooth);
        }
        self.last = Some((progress.elapsed, counts));
    }
}

fn jump_line(jump: Jump) -> String {
    let direction = match jump.to > jump.from {
        true => "forward",
        false => "back",
    };
    let by = span(jump.span());
    format!("the clock was set {direction} by {by}; hosts are left alone as long as before")
}

fn summary_line(progress: &Progress) -> String {
    if let Some(pause) = progress.pause {
        let n_stored = thousands(progress.n_stored);
        return format!("paused: {pause}; it goes on by itself ({n_stored} visits stored)");
    }
    let n_pages = progress.n_pages();
    let goal = progress
        .goal
        .map_or(String::new(), |goal| format!(" of {}", thousands(goal)));
    let left = match progress.next_try {
        Some(at) => format!("; {}", only_failed(at, progress.now)),
        None => time_left(progress),
    };
    format!(
        "{}{goal} pages, {} with addresses ({}), {} pages/s{left}; {} visits stored",
        thousands(n_pages),
        thousands(progress.n_geo_pages()),
        percent(harvest(progress.n_geo_pages(), n_pages)),
        thousands(progress.rate().round() as u64),
        thousands(progress.n_stored),
    )
}

/// Until the goal, where that can be told.
fn time_left(progress: &Progress) -> String {
    let left = progress.time_left();
    left.map_or(String::new(), |left| format!(", {} left", span(left)))
}

fn harvest(n_geo_pages: u64, n_pages: u64) -> Option<f64> {
    (n_pages > 0).then(|| n_geo_pages as f64 / n_pages as f64)
}

fn draw(frame: &mut Frame<'_>, progress: &Progress, rates: &Rates) {
    let n_rows = progress.nodes.len() as u16 + 1;
    let [head, nodes, gauge, _] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(n_rows),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(frame.area());
    frame.render_widget(Line::from(head_line(progress, head.width)).bold(), head);
    draw_nodes(frame, nodes, progress, rates);
    draw_gauge(frame, gauge, progress);
}

/// The longest of three wordings that fits.
fn head_line(progress: &Progress, width: u16) -> String {
    if let Some(pause) = progress.pause {
        return format!("paused: {pause}");
    }
    let pages = format!("{} pages", thousands(progress.n_pages()));
    let geo_pages = format!("{} with addresses", thousands(progress.n_geo_pages()));
    let harvest = percent(harvest(progress.n_geo_pages(), progress.n_pages()));
    let stored = thousands(progress.n_stored);
    let long = format!("{pages}, {geo_pages} in the targets ({harvest}); {stored} visits stored");
    let short = format!("{pages}, {geo_pages} ({harvest})");
    let fits = |text: &String| text.chars().count() <= usize::from(width);
    [long, short].into_iter().find(fits).unwrap_or(pages)
}

/// Spaces between two columns.
const GAP: usize = 1;

/// With less room than this, a URL says nothing.
const LEAST_URL: usize = 16;

/// A column of the table: its heading and what it says of each node.
struct Column {
    heading: &'static str,
    align: Alignment,
    colour: Color,
    cells: Vec<String>,
    /// As wide as the widest cell, so that no number ever loses a digit.
    width: usize,
    /// Where there is no room, the column with the lowest rank goes first.
    rank: u8,
}

fn columns(progress: &Progress, rates: &Rates) -> Vec<Column> {
    let column = |heading, rank, cell: &dyn Fn(usize, &NodeProgress) -> String| {
        let nodes = progress.nodes.iter().enumerate();
        let cells: Vec<String> = nodes.map(|(idx, node)| cell(idx, node)).collect();
        let widths = cells.iter().map(|cell| cell.chars().count());
        Column {
            heading,
            align: Alignment::Right,
            colour: Color::Reset,
            width: widths.chain([heading.len()]).max().unwrap_or_default(),
            cells,
            rank,
        }
    };
    let rate = |idx: usize| rates.smooth.get(idx).copied().unwrap_or_default();
    vec![
        Column {
            align: Alignment::Left,
            colour: Color::Cyan,
            ..column("node", 6, &|_, node| shorten(&node.name, 18))
        },
        column("pages", 5, &|_, node| thousands(node.n_pages)),
        column("per s", 1, &|idx, _| thousands(rate(idx).round() as u64)),
        Column {
            colour: Color::Green,
            ..column("geo", 4, &|_, node| thousands(node.n_geo_pages))
        },
        column("harvest", 3, &|_, node| {
            percent(harvest(node.n_geo_pages, node.n_pages))
        }),
        column("queue", 2, &|_, node| thousands(node.n_waiting)),
        Column {
            align: Alignment::Left,
            colour: Color::DarkGray,
            width: LEAST_URL,
            ..column("last page", 0, &|_, node| bare(&node.last_url).to_owned())
        },
    ]
}

/// A URL without what all of them share.
fn bare(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest)
}

/// Drops whole columns until the others fit; what is left over is the URL's.
fn fit(mut columns: Vec<Column>, width: usize) -> Vec<Column> {
    let needed = |columns: &[Column]| columns.iter().map(|column| column.width + GAP).sum();
    let mut needs: usize = needed(&columns);
    while needs > width + GAP && columns.len() > 1 {
        let least = columns.iter().map(|column| column.rank).min();
        columns.retain(|column| Some(column.rank) != least);
        needs = needed(&columns);
    }
    if let Some(url) = columns.iter_mut().find(|column| column.rank == 0) {
        url.width += (width + GAP).saturating_sub(needs);
    }
    columns
}

fn draw_nodes(frame: &mut Frame<'_>, area: Rect, progress: &Progress, rates: &Rates) {
    let columns = fit(columns(progress, rates), usize::from(area.width));
    let aligned = |text: String, column: &Column| Line::from(text).alignment(column.align);
    let headings = columns
        .iter()
        .map(|column| aligned(column.heading.into(), column));
    let header = Row::new(headings).style(Style::new().fg(Color::DarkGray));
    let rows = (0..progress.nodes.len()).map(|node_idx| {
        Row::new(columns.iter().map(|column| {
            let text = shorten(&column.cells[node_idx], column.width);
            Cell::from(aligned(text, column)).style(Style::new().fg(column.colour))
        }))
    });
    let widths = columns
        .iter()
        .map(|column| Constraint::Length(column.width as u16));
    let table = Table::new(rows, widths).column_spacing(GAP as u16);
    frame.render_widget(table.header(header), area);
}

fn draw_gauge(frame: &mut Frame<'_>, area: Rect, progress: &Progress) {
    let rate = format!("{} pages/s", thousands(progress.rate().round() as u64));
    if let Some(at) = progress.next_try {
        frame.render_widget(Line::from(only_failed(at, progress.now)), area);
        return;
    }
    let Some(goal) = progress.goal else {
        frame.render_widget(Line::from(format!("{rate}, until nothing is left")), area);
        return;
    };
    let ratio = (progress.n_pages() as f64 / goal.max(1) as f64).clamp(0.0, 1.0);
    let left = time_left(progress);
    let gauge = LineGauge::default()
        .filled_style(Style::new().fg(Color::Green))
        .unfilled_style(Style::new().fg(Color::DarkGray))
        .ratio(ratio)
        .label(format!("{:>3.0} %  {rate}{left} ", ratio * 100.0));
    frame.render_widget(gauge, area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use ratatui::backend::TestBackend;

    fn node(name: &str, n_pages: u64, n_geo_pages: u64, last_url: &str) -> NodeProgress {
        NodeProgress {
            name: name.into(),
            n_pages,
            n_geo_pages,
            n_waiting: 10 * n_pages,
            last_url: last_url.into(),
            ..NodeProgress::default()
        }
    }

    #[test]
    fn a_day_in_a_log_is_some_thousand_lines_and_a_minute_a_dozen() {
        let n_lines = |span: Duration| {
            let (mut age, mut n_lines) = (Duration::ZERO, 0);
            while age < span {
                age += wait_at(age);
                n_lines += 1;
            }
            n_lines
        };
        let minute = Duration::from_secs(60);
        let counts = [1, 60, 24 * 60].map(|n_minutes| n_lines(n_minutes * minute));
        assert_eq!(counts, [20, 89, 1469]);
    }

    #[test]
    fn a_pause_is_told_when_it_begins_and_when_it_ends() {
        let mut lines = Lines::start();
        let told = [false, true, true, false, false].map(|is_paused| lines.is_due(is_paused));
        assert_eq!(told, [false, true, false, true, false]);
    }

    /// What a terminal of this width shows.
    fn picture(width: u16) -> String {
        let progress = Progress {
            nodes: vec![
                node(
                    "Cn0 general",
                    1419,
                    9,
                    "http://www.wellness-journal.example.org/a/b",
                ),
                node(
                    "Cn5 Hawaii/Alaska",
                    71,
                    71,
                    "https://anchorage-news.example.com/",
                ),
            ],
            goal: Some(2000),
            n_stored: 1600,
            elapsed: Duration::from_secs(3),
            ..Progress::default()
        };
        let mut terminal = Terminal::new(TestBackend::new(width, 5)).unwrap();
        terminal
            .draw(|frame| draw(frame, &progress, &Rates::default()))
            .unwrap();
        let screen = terminal.backend().to_string();
        let lines = screen.lines().map(|line| line.trim_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn narrow_terminals_lose_columns_and_never_digits() {
        assert_snapshot!(picture(20), @r"
        1,490 pages
        node
        Cn0 general
        Cn5 Hawaii/Alaska
         74 %  497 pages/s,
        ");
        assert_snapshot!(picture(40), @r"
        1,490 pages, 80 with addresses (5.37 %)
        node              pages geo  harvest
        Cn0 general       1,419   9   0.63 %
        Cn5 Hawaii/Alaska    71  71 100.00 %
         74 %  497 pages/s, 1 s left  ──────────
        ");
        assert_snapshot!(picture(60), @r"
        1,490 pages, 80 with addresses (5.37 %)
        node              pages per s geo  harvest  queue
        Cn0 general       1,419     0   9   0.63 % 14,190
        Cn5 Hawaii/Alaska    71     0  71 100.00 %    710
         74 %  497 pages/s, 1 s left  ──────────────────────────────
        ");
    }

    #[test]
    fn usual_terminals_show_the_host_of_the_last_page() {
        assert_snapshot!(picture(80), @r"
        1,490 pages, 80 with addresses in the targets (5.37 %); 1,600 visits stored
        node              pages per s geo  harvest  queue last page
        Cn0 general       1,419     0   9   0.63 % 14,190 wellness-journal.example.org/…
        Cn5 Hawaii/Alaska    71     0  71 100.00 %    710 anchorage-news.example.com/
         74 %  497 pages/s, 1 s left  ──────────────────────────────────────────────────
        ");
        assert_snapshot!(picture(120), @r"
        1,490 pages, 80 with addresses in the targets (5.37 %); 1,600 visits stored
        node              pages per s geo  harvest  queue last page
        Cn0 general       1,419     0   9   0.63 % 14,190 wellness-journal.example.org/a/b
        Cn5 Hawaii/Alaska    71     0  71 100.00 %    710 anchorage-news.example.com/
         74 %  497 pages/s, 1 s left  ──────────────────────────────────────────────────────────────────────────────────────────
        ");
    }
}
