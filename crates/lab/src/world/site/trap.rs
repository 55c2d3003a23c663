//! Traps that nobody set on purpose: calendars without end, session ids, lists
//! that can be sorted and filtered in every order.

use super::pen::Pen;
use super::{Site, page};
use crate::world::Tag;
use crate::world::host::push_number;
use crate::world::layout::SiteKind;

const CALENDAR: &str = "/calendar/";
const SESSION: &str = "sid=";
/// What lists can be sorted and filtered by, and how.
const FACETS: [(&str, [&str; 3]); 3] = [
    ("sort=", ["price", "name", "new"]),
    ("color=", ["red", "blue", "black"]),
    ("size=", ["s", "m", "l"]),
];

impl Site<'_> {
    pub(crate) fn has_calendar(&self) -> bool {
        let may_have = !matches!(
            self.role.kind,
            SiteKind::OpenDirectory | SiteKind::Shop | SiteKind::LinkFarm
        );
        may_have
            && self
                .dice(Tag::Trap, 0)
                .chance(self.world.settings.calendars)
    }

    fn has_sessions(&self) -> bool {
        self.role.kind != SiteKind::OpenDirectory
            && self
                .dice(Tag::Trap, 1)
                .chance(self.world.settings.session_ids)
    }

    fn has_facets(&self) -> bool {
        self.role.kind == SiteKind::Shop
            && self.dice(Tag::Trap, 2).chance(self.world.settings.facets)
    }

    /// A path that ends in a session id of this site, without it.
    pub(super) fn without_session<'p>(&self, path: &'p str) -> &'p str {
        match path.rfind(SESSION) {
            Some(at) if at > 0 && self.has_sessions() => &path[..at - 1],
            _ => path,
        }
    }

    /// A path with facets of this site, without them.
    pub(super) fn without_facets<'p>(&self, path: &'p str) -> &'p str {
        let first = FACETS.iter().filter_map(|(name, _)| path.find(name)).min();
        match first {
            Some(at) if at > 0 && self.has_facets() => &path[..at - 1],
            _ => path,
        }
    }

    /// The month that a path of the calendar names: `/calendar/2006-05`.
    pub(super) fn find_month(&self, path: &str) -> Option<u32> {
        let (year, month) = path.strip_prefix(CALENDAR)?.split_once('-')?;
        let is_date = year.len() == 4 && month.len() == 2;
        let (year, month): (u32, u32) = (year.parse().ok()?, month.parse().ok()?);
        let is_month = is_date && (1..=12).contains(&month) && self.has_calendar();
        is_month.then(|| year * 12 + month - 1)
    }
}

impl Pen<'_> {
    /// Appends what a site with sessions puts behind its own links: another
    /// id on every page.
    pub(super) fn push_session(&mut self, link_start: usize) {
        if !self.site.has_sessions() {
            return;
        }
        let has_query = self.html[link_start..].contains('?');
        self.push(if has_query { "&" } else { "?" });
        self.push(SESSION);
        let id = self.site.dice(Tag::Trap, 4 + u64::from(self.page)).next() >> 40;
        self.push_number(id);
    }

    /// Links to this list in other orders.
    pub(super) fn facets(&mut self) {
        if !self.site.has_facets() {
            return;
        }
        self.open_paragraph();
        for _ in 0..5 {
            self.open_link();
            let start = self.html.len();
            self.site.write_path(self.page, &mut self.html);
            let mut joint = if self.html[start..].contains('?') {
                '&'
            } else {
                '?'
            };
            // In any order, which is the trap.
            let first = self.dice.below(3) as usize;
            for step in 0..self.dice.between(1, 3) as usize {
                let (name, values) = FACETS[(first + step) % FACETS.len()];
                let value = self.dice.pick(&values);
                self.html.push(joint);
                self.push(name);
                self.push(value);
                joint = '&';
            }
            self.begin_anchor();
            self.push("Sort");
            self.close_link();
            self.push(" ");
        }
        self.close_paragraph();
    }

    fn link_to_month(&mut self, month: u32, anchor: &str) {
        self.open_link();
        self.push(CALENDAR);
        push_month(month, &mut self.html);
        self.begin_anchor();
        self.push(anchor);
        self.close_link();
    }

    /// A link to the calendar of a site that has one.
    pub(super) fn link_to_calendar(&mut self) {
        if self.site.has_calendar() {
            self.open_paragraph();
            self.link_to_month(2006 * 12, "Calendar of events");
            self.close_paragraph();
        }
    }
}

/// A month: a few dates, the month before and the month after.
pub(crate) fn write_month(site: Site<'_>, month: u32) -> page::Sheet {
    let mut pen = Pen::new(site, super::FRONT);
    pen.dice = site.dice(Tag::Trap, 1 << 32 | u64::from(month));
    page::head(&mut pen);
    page::menu(&mut pen);
    pen.push("<h1>");
    push_month(month, &mut pen.html);
    pen.push("</h1>\n<ul>\n");
    for day in 1..=pen.dice.between(3, 12) {
        pen.open_item();
        pen.push_number(day);
        pen.push(": ");
        let noun = pen.dice.pick(site.things());
        pen.push(noun);
        pen.close_item();
    }
    pen.push("</ul>\n");
    pen.link_to_month(month.saturating_sub(1), "&laquo;");
    pen.push(" ");
    // After the year 9999 there is no next month.
    pen.link_to_month((month + 1).min(9999 * 12 + 11), "&raquo;");
    page::footer(&mut pen);
    page::Sheet {
        html: pen.html,
        addressed: pen.addressed,
    }
}

fn push_month(month: u32, out: &mut String) {
    let (year, month) = (month / 12, month % 12 + 1);
    for digit in [1000, 100, 10, 1] {
        push_number(u64::from(year / digit % 10), out);
    }
    out.push('-');
    push_number(u64::from(month / 10), out);
    push_number(u64::from(month % 10), out);
}
