//! A crawl as it happens: a table that redraws itself on a terminal, a line
//! now and then when piped.

use crate::text::{percent, shorten, span, thousands};
use crawl::progress::{NodeProgress, Progress};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Cell, LineGauge, Row, Table};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::io::{IsTerminal, Stderr, stderr};
use std::time::{Duration, Instant};

/// How often a piped crawl says where it is.
const LINE_EVERY: Duration = Duration::from_secs(2);

/// Shows progress in whichever way fits.
pub(crate) enum View {
    Terminal(Box<Terminal<CrosstermBackend<Stderr>>>, Rates),
    Lines { last: Option<Instant> },
}

/// Pages per second of each node, smoothed over a few looks.
#[derive(Default)]
pub(crate) struct Rates {
    last: Option<(Duration, Vec<u64>)>,
    smooth: Vec<f64>,
}

impl View {
    pub(crate) fn open(n_nodes: usize) -> View {
        let height = n_nodes as u16 + 4;
        let is_fit =
            stderr().is_terminal() && std::env::var("TERM").is_ok_and(|term| term != "dumb");
        if !is_fit {
            return View::Lines { last: None };
        }
        let options = TerminalOptions {
            viewport: Viewport::Inline(height),
        };
        match Terminal::with_options(CrosstermBackend::new(stderr()), options) {
            Ok(terminal) => View::Terminal(Box::new(terminal), Rates::default()),
            Err(_) => View::Lines { last: None },
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        match self {
            View::Terminal(terminal, rates) => {
                rates.update(progress);
                // A terminal that cannot be drawn on is no reason to stop crawling.
                let _ = terminal.draw(|frame| draw(frame, progress, rates));
            }
            View::Lines { last } => {
                if last.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
                    *last = Some(Instant::now());
                    crate::message::info(summary_line(progress));
                }
            }
        }
    }

    /// Leaves the last picture standing and the cursor below it.
    pub(crate) fn close(self, progress: &Progress) {
        match self {
            View::Terminal(mut terminal, mut rates) => {
                rates.update(progress);
                let _ = terminal.draw(|frame| draw(frame, progress, &rates));
                let _ = terminal.show_cursor();
                crate::message::info("");
            }
            View::Lines { .. } => crate::message::info(summary_line(progress)),
        }
    }
}

impl Rates {
    fn update(&mut self, progress: &Progress) {
        let counts: Vec<u64> = progress.nodes.iter().map(|node| node.n_pages).collect();
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

fn summary_line(progress: &Progress) -> String {
    let n_pages = progress.n_pages();
    let goal = progress
        .goal
        .map_or(String::new(), |goal| format!(" of {}", thousands(goal)));
    let left = progress
        .time_left()
        .map_or(String::new(), |left| format!(", {} left", span(left)));
    format!(
        "{}{goal} pages, {} with addresses ({}), {} pages/s{left}; {} visits stored",
        thousands(n_pages),
        thousands(progress.n_geo_pages()),
        percent(harvest(progress.n_geo_pages(), n_pages)),
        thousands(progress.rate().round() as u64),
        thousands(progress.n_stored),
    )
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
    frame.render_widget(Line::from(head_line(progress)).bold(), head);
    draw_nodes(frame, nodes, progress, rates);
    draw_gauge(frame, gauge, progress);
}

fn head_line(progress: &Progress) -> String {
    format!(
        "{} pages, {} with addresses in the targets ({}); {} visits stored",
        thousands(progress.n_pages()),
        thousands(progress.n_geo_pages()),
        percent(harvest(progress.n_geo_pages(), progress.n_pages())),
        thousands(progress.n_stored),
    )
}

/// Columns of the table: heading and width; all but the first and last hold numbers.
const COLUMNS: [(&str, u16); 6] = [
    ("node", 18),
    ("pages", 10),
    ("per s", 7),
    ("geo", 8),
    ("harvest", 9),
    ("queue", 10),
];

fn draw_nodes(frame: &mut Frame<'_>, area: Rect, progress: &Progress, rates: &Rates) {
    let grey = Style::new().fg(Color::DarkGray);
    let headings = COLUMNS
        .iter()
        .enumerate()
        .map(|(column_idx, (name, _))| match column_idx {
            0 => Cell::from(*name),
            _ => number(*name),
        });
    let header = Row::new(headings.chain([Cell::from(" last page")])).style(grey);
    let fixed: u16 = COLUMNS.iter().map(|(_, width)| width + 1).sum();
    let url_width = usize::from(area.width.saturating_sub(fixed + 1));
    let rows = progress.nodes.iter().enumerate().map(|(node_idx, node)| {
        let rate = rates.smooth.get(node_idx).copied().unwrap_or_default();
        node_row(node, rate, url_width)
    });
    let widths = COLUMNS.iter().map(|(_, width)| Constraint::Length(*width));
    let widths = widths.chain([Constraint::Min(10)]);
    frame.render_widget(Table::new(rows, widths).header(header), area);
}

fn number(text: impl Into<String>) -> Cell<'static> {
    Cell::from(Line::from(text.into()).right_aligned())
}

fn node_row(node: &NodeProgress, rate: f64, url_width: usize) -> Row<'static> {
    let last_page = format!(" {}", shorten(&node.last_url, url_width));
    Row::new([
        Cell::from(node.name.clone()).style(Style::new().fg(Color::Cyan)),
        number(thousands(node.n_pages)),
        number(thousands(rate.round() as u64)),
        number(thousands(node.n_geo_pages)).style(Style::new().fg(Color::Green)),
        number(percent(harvest(node.n_geo_pages, node.n_pages))),
        number(thousands(node.n_waiting)),
        Cell::from(last_page).style(Style::new().fg(Color::DarkGray)),
    ])
}

fn draw_gauge(frame: &mut Frame<'_>, area: Rect, progress: &Progress) {
    let rate = format!("{} pages/s", thousands(progress.rate().round() as u64));
    let Some(goal) = progress.goal else {
        frame.render_widget(Line::from(format!("{rate}, until nothing is left")), area);
        return;
    };
    let ratio = (progress.n_pages() as f64 / goal.max(1) as f64).clamp(0.0, 1.0);
    let left = progress
        .time_left()
        .map_or(String::new(), |left| format!(", {} left", span(left)));
    let gauge = LineGauge::default()
        .filled_style(Style::new().fg(Color::Green))
        .unfilled_style(Style::new().fg(Color::DarkGray))
        .ratio(ratio)
        .label(format!("{:>3.0} %  {rate}{left} ", ratio * 100.0));
    frame.render_widget(gauge, area);
}
