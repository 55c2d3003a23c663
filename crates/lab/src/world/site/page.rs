//! A whole page: head, menu, breadcrumbs, what its kind of site has to say, footer.

use super::department::Desk;
use super::pen::Pen;
use super::{
    FRONT, Site, blog, business, department, directory, forum, link_farm, municipal, news,
    open_directory, real_estate, regional, shop, tourism,
};
use crate::world::Tag;
use crate::world::layout::SiteKind;

/// A finished page, and what an all-knowing observer knows of it.
pub(crate) struct Sheet {
    pub(crate) html: String,
    /// Positions of the cities whose addresses it shows, in order of appearance.
    pub(crate) addressed: Vec<usize>,
}

/// Makes a page of a site.
pub(crate) fn write(site: Site<'_>, page: u32) -> Sheet {
    let mut pen = Pen::new(site, page);
    let n_bytes = target_bytes(&mut pen);
    pen.html.reserve(n_bytes + 4_096);
    head(&mut pen);
    let desk = site.desk(page);
    if !matches!(desk, Some(Desk::Bare | Desk::Modest)) {
        menu(&mut pen);
    }
    match site.role.kind {
        SiteKind::OpenDirectory => open_directory::write(&mut pen),
        _ => {
            if desk != Some(Desk::Bare) {
                breadcrumbs(&mut pen, desk);
            }
            title(&mut pen);
            body(&mut pen);
            while pen.html.len() + 1_500 < n_bytes {
                pen.paragraph();
            }
            if !matches!(desk, Some(Desk::Bare | Desk::Modest)) {
                neighbours(&mut pen);
            }
        }
    }
    footer(&mut pen);
    Sheet {
        html: pen.html,
        addressed: pen.addressed,
    }
}

/// What its kind of site has to say.
fn body(pen: &mut Pen<'_>) {
    if pen.site.original(pen.page) != pen.page {
        pen.open_paragraph();
        pen.push(pen.site.lexicon().labels.print);
        pen.close_paragraph();
    }
    match pen.site.role.kind {
        SiteKind::Municipal => municipal::write(pen),
        SiteKind::University | SiteKind::Hospital => department::write(pen),
        SiteKind::Business => business::write(pen),
        SiteKind::Chain | SiteKind::Guide | SiteKind::Government => regional::write(pen),
        SiteKind::Directory => directory::write(pen),
        SiteKind::News => news::write(pen),
        SiteKind::Shop => shop::write(pen),
        SiteKind::Forum => forum::write(pen),
        SiteKind::Tourism => tourism::write(pen),
        SiteKind::RealEstate => real_estate::write(pen),
        SiteKind::LinkFarm => link_farm::write(pen),
        SiteKind::Blog | SiteKind::OpenDirectory => blog::write(pen),
    }
}

fn target_bytes(pen: &mut Pen<'_>) -> usize {
    let world = pen.world();
    if pen.dice.rarely(world.settings.huge_pages) {
        return pen.dice.between(2_000_000, 6_000_000) as usize;
    }
    pen.dice.pick(&world.byte_targets) as usize
}

const STYLES: [&str; 3] = [
    concat!(
        "<style type=\"text/css\">\n",
        "body { font-family: Verdana, Arial, sans-serif; font-size: 13px; margin: 0; background: #fff; color: #222 }\n",
        "#top { background: #204a87; color: #fff; padding: 12px } #menu a { color: #fff; padding: 0 8px }\n",
        "#crumbs { font-size: 11px; color: #888 } #main { width: 720px; margin: 0 auto } .price { color: #a40000 }\n",
        "h1 { font-size: 22px } h2 { font-size: 17px } ul { line-height: 1.5 } #foot { border-top: 1px solid #ccc }\n",
        "</style>\n"
    ),
    "<link rel=\"stylesheet\" href=\"/style.css\" type=\"text/css\">\n",
    concat!(
        "<script type=\"text/javascript\">\nvar pages = []; function track(name) { pages.push(name); ",
        "if (pages.length > 3 && document.cookie == '') { document.cookie = 'seen=1'; } }\n",
        "document.write('<a href=\"/ad\">ad</a>');\n</script>\n"
    ),
];

pub(crate) fn head(pen: &mut Pen<'_>) {
    let site = pen.site;
    let mut habits = site.dice(Tag::Head, 0);
    pen.push(habits.pick(&[
        "<!DOCTYPE html>\n",
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n",
        "",
    ]));
    if habits.chance(660) {
        pen.push("<html lang=\"");
        pen.push(site.lexicon().code);
        pen.push("\">\n");
    } else {
        pen.push("<html>\n");
    }
    pen.push("<head>\n<title>");
    if pen.page != FRONT {
        push_title(pen);
        pen.push(" - ");
    }
    pen.world()
        .write_brand(site.number, site.role, &mut pen.html);
    pen.push("</title>\n");
    let charset = if site.is_windows_1252() {
        "windows-1252"
    } else {
        "utf-8"
    };
    // Half of the pages leave the charset to the header.
    if habits.chance(500) {
        pen.push("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=");
        pen.push(charset);
        pen.push("\">\n");
    }
    pen.push("<meta name=\"description\" content=\"");
    pen.push_text(site.topic().name);
    pen.push("\">\n");
    for style in STYLES {
        if habits.chance(600) {
            pen.push(style);
        }
    }
    pen.push("</head>\n<body>\n");
}

fn push_title(pen: &mut Pen<'_>) {
    match pen.site.role.kind {
        SiteKind::OpenDirectory => open_directory::push_title(pen),
        _ => pen.push_page_name(pen.page),
    }
}

fn title(pen: &mut Pen<'_>) {
    pen.push("<h1>");
    match pen.page {
        FRONT => {
            pen.push(pen.site.lexicon().labels.welcome);
            pen.world()
                .write_brand(pen.site.number, pen.site.role, &mut pen.html);
        }
        page => pen.push_page_name(page),
    }
    pen.push("</h1>\n");
}

pub(crate) fn menu(pen: &mut Pen<'_>) {
    pen.push("<div id=\"top\"><b>");
    pen.world()
        .write_brand(pen.site.number, pen.site.role, &mut pen.html);
    pen.push("</b></div>\n<div id=\"menu\">\n");
    pen.link_inside(FRONT);
    for page in menu_pages(pen.site, pen.page) {
        pen.push(" | ");
        pen.link_inside(page);
    }
    pen.push("</div>\n<div id=\"main\">\n");
}

/// What every page of a site links to at its top. Deep pages have less: the
/// section they are in. Where departments have contact pages of their own,
/// there is none for the whole site.
fn menu_pages(site: Site<'_>, page: u32) -> Vec<u32> {
    if site.role.kind == SiteKind::OpenDirectory {
        return Vec::new();
    }
    if site.role.kind.is_regional() {
        let n = if site.is_leaf(page) { 3 } else { usize::MAX };
        return site.popular().take(n).collect();
    }
    let top = site.children(FRONT);
    if page != FRONT && site.parent(page) != FRONT {
        let mut above = page;
        while site.parent(above) != FRONT {
            above = site.parent(above);
        }
        return vec![above];
    }
    let skip = usize::from(site.role.kind.has_departments());
    top.into_iter().skip(skip).take(8).collect()
}

/// The pages above; a modest desk names only the one right above it.
fn breadcrumbs(pen: &mut Pen<'_>, desk: Option<Desk>) {
    if pen.page == FRONT {
        return;
    }
    pen.push("<div id=\"crumbs\">");
    let mut trail = vec![];
    let mut page = pen.page;
    while page != FRONT {
        page = pen.site.parent(page);
        trail.push(page);
        if desk == Some(Desk::Modest) {
            break;
        }
    }
    for page in trail.into_iter().rev() {
        pen.link_inside(page);
        pen.push(" &gt; ");
    }
    pen.push_page_name(pen.page);
    pen.push("</div>\n");
}

/// Children, the pages before and after, and some others of the site.
fn neighbours(pen: &mut Pen<'_>) {
    let site = pen.site;
    // A copy has the neighbours of its original.
    let page = site.original(pen.page);
    let children = site.children(page);
    if !children.is_empty() {
        pen.push("<h3>");
        pen.push(site.lexicon().labels.inside);
        pen.push("</h3>\n<ul>\n");
        for page in children {
            pen.open_item();
            pen.link_inside(page);
            pen.close_item();
        }
        pen.push("</ul>\n");
    }
    siblings(pen, page);
    if pen.page == FRONT {
        pen.link_to_calendar();
    }
    let related = pen.world().settings.pages.related_links;
    if site.n_pages > 8 && pen.dice.chance(related) {
        pen.push("<h3>");
        pen.push(site.lexicon().labels.related);
        pen.push("</h3>\n<ul>\n");
        for _ in 0..pen.dice.between(1, 5) {
            let page = pen.dice.below(u64::from(site.n_pages)) as u32;
            if site.is_desk(page) {
                continue;
            }
            pen.open_item();
            pen.link_inside(page);
            pen.close_item();
        }
        pen.push("</ul>\n");
    }
    if pen.dice.chance(60) {
        pen.open_paragraph();
        pen.link_to_file();
        pen.close_paragraph();
    }
}

/// The pages beside a page, in the same section.
fn siblings(pen: &mut Pen<'_>, page: u32) {
    if page == FRONT {
        return;
    }
    let mut beside = pen.site.children(pen.site.parent(page));
    beside.retain(|other| *other == page || !pen.site.is_desk(*other));
    let at = beside.iter().position(|other| *other == page).unwrap_or(0);
    let n_shown = pen.site.n_siblings(page);
    pen.push("<div class=\"nav\">");
    for step in 1..=n_shown.min(beside.len().saturating_sub(1)) {
        pen.link_inside(beside[(at + step) % beside.len()]);
        pen.push(" | ");
    }
    pen.push("</div>\n");
}

pub(crate) fn footer(pen: &mut Pen<'_>) {
    pen.push("</div>\n<div id=\"foot\">");
    let site = pen.site;
    if let Some(city) = footer_city(site) {
        let address = pen.address_of(site.number, city);
        address.write_line(&mut pen.html);
        pen.push(" &middot; ");
        pen.push_phone();
        pen.push("<br>\n");
    }
    pen.push("&copy; ");
    pen.world()
        .write_brand(site.number, site.role, &mut pen.html);
    pen.push(". ");
    pen.push(site.lexicon().labels.rights);
    pen.push("</div>\n");
    if !pen.sloppy {
        pen.push("</body>\n</html>\n");
    }
}

/// The city of the address that stands on every page of a site: a local
/// business's own, or a company's head office.
fn footer_city(site: Site<'_>) -> Option<usize> {
    let settings = &site.world.settings;
    let mut dice = site.dice(Tag::Footer, 0);
    match site.role.city {
        Some(city) => (site.role.kind == SiteKind::Business
            && dice.chance(settings.footer_address))
        .then_some(city),
        // What everybody knows needs no address on every page.
        None if site.world.layout.is_top(site.role.rank) => None,
        None => site
            .head_office()
            .filter(|_| dice.chance(settings.head_office_footer)),
    }
}

impl Site<'_> {
    /// Pages of its section that a page links to: large sites have richer
    /// templates, about as many links as the root of their pages.
    /// Sections of some sites have templates of their own.
    fn n_siblings(&self, page: u32) -> usize {
        let usual = u64::from(self.n_pages.isqrt() * 4 / 3).clamp(2, 36);
        let mut dice = self.dice(Tag::Siblings, 0);
        let n = dice.between(usual / 2, usual * 3 / 2);
        match self.world.settings.section_templates {
            0 => n as usize,
            share if !dice.chance(share) => n as usize,
            _ => {
                let section = 1 + u64::from(self.parent(page));
                let mut dice = self.dice(Tag::Siblings, section);
                dice.between(usual / 4, usual * 7 / 4).max(1) as usize
            }
        }
    }

    /// The city of a company's head office, where it tells.
    pub(crate) fn head_office(&self) -> Option<usize> {
        let is_company = matches!(
            self.role.kind,
            SiteKind::Business | SiteKind::Chain | SiteKind::Shop
        );
        if !is_company || self.role.city.is_some() {
            return None;
        }
        let mut dice = self.dice(Tag::HeadOffice, 0);
        if !dice.chance(self.world.settings.head_office) {
            return None;
        }
        let layout = &self.world.layout;
        let local = layout.pick_any_local(self.country(), &mut dice)?;
        layout.role(local).city
    }

    /// Whether the site's pages are in windows-1252 rather than UTF-8.
    pub(crate) fn is_windows_1252(&self) -> bool {
        self.dice(Tag::Charset, 0)
            .chance(self.world.settings.windows_1252_sites)
    }
}

/// The bytes of a text in windows-1252; `?` for what it cannot say.
pub(crate) fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c {
            '\u{2019}' => 0x92,
            '\u{2013}' => 0x96,
            c => match u8::try_from(u32::from(c)) {
                Ok(byte) if !(0x80..0xa0).contains(&byte) => byte,
                _ => b'?',
            },
        })
        .collect()
}
