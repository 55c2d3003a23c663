//! A made-up web: a pure function of a seed and a URL.
//!
//! Nothing is stored. A host name holds the number of its site and a path the
//! number of its page, both decodable, so a web of a billion pages costs
//! nothing until somebody asks for one. Same seed, same bytes, on any machine.
//!
//! It knows its own truth (`World::truth`), which crawlers must not ask and
//! measures may. Only `http` is spoken; `proxy.rs` puts a world on a socket.

mod dice;
mod geography;
mod host;
mod institution;
mod layout;
mod settings;
mod site;
mod words;

pub use layout::SiteKind;
pub use settings::{GeneralKinds, LocalKinds, MOST_SITES, PageSettings, WorldError, WorldSettings};

use bytes::Bytes;
use crawl::fetch::{Answer, Fetched, Fetcher, Landing, Machine, Reply, Request};
pub(crate) use dice::Dice;
use dice::{Popularity, Shuffle};
use geography::Geography;
use host::Spelling;
use layout::Layout;
use page::url::CanonicalUrl;
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::{Asked, Target as PlaceTarget, Targets};
use site::trouble::{Mood, Robots};
use site::{FRONT, Language, Site, Target, open_directory};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

/// What a throw of dice is for: two purposes never share their luck. A new one
/// goes to the end, or every world changes.
#[derive(Debug, Clone, Copy)]
#[repr(u64)]
pub(crate) enum Tag {
    Address,
    Brand,
    Broken,
    Charset,
    File,
    Footer,
    Group,
    Habits,
    Head,
    HeadOffice,
    Host,
    Housing,
    Latency,
    Listed,
    Mood,
    NamesCity,
    Page,
    PageCity,
    PageName,
    PageWords,
    Path,
    PathStyle,
    Robots,
    Server,
    Size,
    Tokens,
    Www,
    Contact,
    Copy,
    Desk,
    Farm,
    Kind,
    Language,
    Story,
    Stretch,
    Structured,
    Trap,
    Missing,
    Siblings,
    Sample,
    Traffic,
}

/// Whoever crawls for a few cities starts at their own pages of the directory.
const FEW_TARGETS: usize = 10;

/// A made-up web.
pub struct World {
    settings: WorldSettings,
    geography: Geography,
    layout: Layout,
    /// Site numbers to the numbers in host names.
    tokens: Shuffle,
    /// Site sizes; drawing evenly from here is drawing by the power law.
    sizes: Vec<u32>,
    /// Page sizes, even on a logarithmic scale.
    byte_targets: Vec<u32>,
}

/// What an all-knowing observer can say of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// What its site is.
    pub kind: SiteKind,
    /// The city its site belongs to, or the page alone is about.
    pub city: Option<PlaceId>,
    /// Cities of the addresses on it, in order of appearance, with repeats.
    pub addresses: Vec<PlaceId>,
    /// Position of its topic, of thirty-seven.
    pub topic: usize,
    /// What it is written in, as in `<html lang=…>`.
    pub language: &'static str,
    /// It repeats another page of its site.
    pub is_copy: bool,
}

/// Every topic: as a heading, and as in URLs.
pub(crate) fn topic_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let topics = words::TOPICS.iter();
    topics.map(|topic| (topic.name, topic.slug))
}

impl World {
    /// Sets a world up: tables of cities and sizes, nothing per site.
    pub fn new(settings: WorldSettings, gazetteer: &'static Gazetteer) -> World {
        let geography = Geography::new(
            gazetteer,
            settings.min_population,
            settings.german_min_population,
        );
        let layout = Layout::new(&settings, &geography);
        let key = dice::hash(&[settings.seed, Tag::Tokens as u64]);
        World {
            tokens: Shuffle::new(key, layout.n_sites()),
            sizes: power_law(&settings),
            byte_targets: log_even(settings.min_bytes.max(1), settings.max_bytes),
            settings,
            geography,
            layout,
        }
    }

    /// The parameters it was made with.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    pub(crate) fn dice(&self, tag: Tag, site: u64, page: u64) -> Dice {
        Dice::new(&[self.settings.seed, tag as u64, site, page])
    }

    /// Answers for the web.
    pub fn answer(&self, url: &CanonicalUrl) -> Landing {
        let took = self.latency(url);
        let Some((site, spelling)) = self.find(url) else {
            return Landing {
                fetched: Fetched::Unresolved,
                server: None,
                took,
                recorded: None,
            };
        };
        let server = Some(IpAddr::V4(self.server(&site)));
        let fetched = match site.mood() {
            _ if !url.as_str().starts_with("http://") => refused(),
            Mood::Refuses => refused(),
            Mood::Hangs => Fetched::TimedOut,
            Mood::Answers => Fetched::Answer(site.answer(spelling, url.path_and_query())),
        };
        Landing {
            fetched,
            server,
            took,
            recorded: None,
        }
    }

    /// The server a URL's site stands on; none for an unknown host.
    pub fn server_of(&self, url: &CanonicalUrl) -> Option<IpAddr> {
        let (site, _) = self.find(url)?;
        Some(IpAddr::V4(self.server(&site)))
    }

    /// How long `answer` will say it took, without making the page.
    pub fn latency(&self, url: &CanonicalUrl) -> Duration {
        match self.find(url) {
            Some((site, _)) => site.latency(url.path_and_query()),
            // A name server's denial.
            None => Duration::from_millis(40),
        }
    }

    /// Pages a crawl for these targets may start from: the general directory's
    /// pages on their cities where these are few, else on their countries and
    /// states.
    pub fn seeds(&self, targets: &Targets) -> Vec<CanonicalUrl> {
        let geography = &self.geography;
        let cities = geography.cities.iter().map(|city| city.place);
        let cities: HashMap<PlaceId, usize> = cities.zip(0..).collect();
        let city_of = |target: &PlaceTarget| cities.get(&target.place).copied();
        let state_of = |target: &PlaceTarget| {
            let mut states = geography.states.iter();
            match city_of(target) {
                Some(city) => Some(geography.cities[city].state_idx),
                None => states.position(|state| state.code == target.state),
            }
        };
        let list = targets.list();
        let mut states: Vec<usize> = list.iter().filter_map(state_of).collect();
        states.sort_unstable();
        states.dedup();
        let cities: Vec<usize> = list.iter().filter_map(city_of).collect();
        // Villages of a region are not on the shelves.
        let is_missed =
            |target: &PlaceTarget| target.asked == Asked::ByName && city_of(target).is_none();
        let are_all = !cities.is_empty() && !list.iter().any(is_missed);
        match are_all && cities.len() <= FEW_TARGETS {
            true => self.seeds_of(&[], &cities),
            false => self.seeds_of(&states, &[]),
        }
    }

    /// The general directory's pages on the United States and on every state.
    pub fn all_seeds(&self) -> Vec<CanonicalUrl> {
        let states: Vec<usize> = (0..self.geography.states.len()).collect();
        self.seeds_of(&states, &[])
    }

    fn seeds_of(&self, states: &[usize], cities: &[usize]) -> Vec<CanonicalUrl> {
        let mut front = String::from("http://");
        let directory = self.site(self.layout.open_directory());
        self.write_host(directory.number, directory.role, &mut front);
        open_directory::seed_paths(self, states, cities)
            .into_iter()
            .filter_map(|path| CanonicalUrl::parse(&format!("{front}{path}")).ok())
            .collect()
    }

    /// What is true of a page; none for whatever is not a page.
    pub fn truth(&self, url: &CanonicalUrl) -> Option<Truth> {
        let (site, _) = self.find(url)?;
        let (page, sheet) = match site.find_path(url.path_and_query()) {
            Target::Page(page) => (page, site::page::write(site, page)),
            Target::Month(month) => (FRONT, site::trap::write_month(site, month)),
            _ => return None,
        };
        let place = |city: usize| self.geography.cities[city].place;
        Some(Truth {
            kind: site.role.kind,
            city: site.city_of(page).map(place),
            addresses: sheet.addressed.into_iter().map(place).collect(),
            topic: site.role.topic,
            language: site.lexicon().code,
            is_copy: site.original(page) != page,
        })
    }

    /// The site and the page that a URL leads to in the end, whatever session
    /// id or filter it carries. None for what is no page, for months of
    /// endless calendars, and where no server answers.
    pub(crate) fn page_at(&self, url: &CanonicalUrl) -> Option<(u64, u32)> {
        let (site, _) = self.find(url)?;
        let answers = url.as_str().starts_with("http://") && site.mood() == Mood::Answers;
        match site.find_path(url.path_and_query()) {
            Target::Page(page) | Target::Moved(page) if answers => Some((site.number, page)),
            _ => None,
        }
    }

    /// The address of a page.
    pub(crate) fn url_at(&self, (site, page): (u64, u32)) -> Option<CanonicalUrl> {
        self.site(site).url_of(page)
    }

    /// Sites there are, those that do not answer too.
    pub(crate) fn n_sites(&self) -> u64 {
        self.layout.n_sites()
    }

    /// Pages of a site.
    pub(crate) fn n_pages_of(&self, site: u64) -> u32 {
        self.site(site).n_pages
    }

    /// Sites of no place.
    #[cfg(test)]
    pub(crate) fn n_general(&self) -> u64 {
        self.layout.n_general()
    }

    /// What the pages of a site are truly about, as a position among the
    /// topics. None for the directory, which is about all of them, and for
    /// sites in languages that have no words for topics here.
    pub(crate) fn topic_of(&self, site: u64) -> Option<usize> {
        let site = self.site(site);
        let has_words = matches!(site.language, Language::English | Language::German);
        let is_about_one = site.role.kind != SiteKind::OpenDirectory && has_words;
        is_about_one.then_some(site.role.topic)
    }

    /// Every page of the general directory.
    pub(crate) fn directory_pages(&self) -> impl Iterator<Item = CanonicalUrl> + '_ {
        let directory = self.site(self.layout.open_directory());
        (0..directory.n_pages).filter_map(move |page| directory.url_of(page))
    }

    /// How many people visit a site, as the logarithm of something: how often
    /// links lead there by chance, and a factor of its own.
    pub(crate) fn fame(&self, site: u64) -> f64 {
        let role = self.layout.role(site);
        let n_beside = match role.city {
            Some(city) => self.layout.n_of_city(city),
            None => self.layout.n_general(),
        };
        let exponent = f64::from(self.settings.popularity_exponent) / 100.0;
        let popularity = |rank: u64| (rank as f64 + 1.0).powf(-exponent);
        // The sum over all ranks, as an integral: near enough for a share.
        let n = n_beside as f64;
        let sum = match (exponent - 1.0).abs() < 1e-9 {
            true => 1.0 + n.ln(),
            false => 1.0 + (n.powf(1.0 - exponent) - 1.0) / (1.0 - exponent),
        };
        let share = popularity(role.rank) / sum * n;
        let mut dice = self.dice(Tag::Traffic, site, 0);
        // Twelve even throws make a normal number.
        let throws: f64 = (0..12).map(|_| dice.below(1_000_000) as f64 / 1e6).sum();
        share.ln() + throws - 6.0
    }

    /// All pages of the site that a URL belongs to, the front page first;
    /// none if they are more than `most`.
    pub(crate) fn pages_of(&self, url: &CanonicalUrl, most: u32) -> Vec<CanonicalUrl> {
        let site = self.find(url).map(|(site, _)| site);
        let Some(site) = site.filter(|site| site.n_pages <= most) else {
            return Vec::new();
        };
        (0..site.n_pages)
            .filter_map(|page| site.url_of(page))
            .collect()
    }

    /// Pages of so many sites, drawn by chance.
    pub(crate) fn some_site_sizes(&self, n: u64) -> impl Iterator<Item = u32> {
        let mut dice = self.dice(Tag::Sample, 0, 0);
        (0..n).map(move |_| self.site(dice.below(self.layout.n_sites())).n_pages)
    }

    /// All pages of each university, of large cities first.
    pub(crate) fn universities(&self) -> Vec<Vec<CanonicalUrl>> {
        let sites = (0..self.geography.n_us).flat_map(|city| self.layout.institution_sites(city));
        let universities = sites
            .map(|number| self.site(number))
            .filter(|site| site.role.kind == SiteKind::University && site.mood() == Mood::Answers);
        universities
            .take(40)
            .map(|site| {
                (0..site.n_pages)
                    .filter_map(|page| site.url_of(page))
                    .collect()
            })
            .collect()
    }

    /// The city that a server of this world stands in, as an address database would tell.
    pub fn server_city(&self, server: IpAddr) -> Option<PlaceId> {
        let IpAddr::V4(server) = server else {
            return None;
        };
        let [11, a, b, _] = server.octets() else {
            return None;
        };
        // Twelve bits of the address are the city, twelve the machine.
        let city = usize::from(a) << 4 | usize::from(b >> 4);
        self.geography.cities.get(city).map(|city| city.place)
    }

    fn find(&self, url: &CanonicalUrl) -> Option<(Site<'_>, Spelling)> {
        // A port is part of the origin; this web listens on none but the usual.
        let origin = url.origin().split_once("://")?.1;
        (origin == url.host()).then(|| self.find_host(url.host()))?
    }

    /// Hosting is a city affair now and then, else that of a few hosting towns.
    fn server(&self, site: &Site<'_>) -> Ipv4Addr {
        let mut dice = self.dice(Tag::Server, site.number, 0);
        let n_cities = self.geography.cities.len() as u64;
        let home = site
            .role
            .city
            .filter(|_| dice.chance(self.settings.server_at_home));
        let city = home.map_or_else(
            || Popularity::new(100).pick(n_cities, &mut dice),
            |city| city as u64,
        );
        let share = self.layout.n_sites() / u64::from(self.settings.sites_per_server.max(1));
        let n_machines = (share / n_cities.max(1)).clamp(1, 4096);
        let address = 11 << 24 | city << 12 | dice.below(n_machines);
        Ipv4Addr::from(address as u32)
    }
}

fn refused() -> Fetched {
    Fetched::Unreachable("connection refused".to_owned())
}

/// Quantiles of site sizes. Rounding to whole pages hides any difference
/// between maths libraries.
fn power_law(settings: &WorldSettings) -> Vec<u32> {
    const N: u32 = 4096;
    let tail = (f64::from(settings.size_exponent) / 100.0 - 1.0).max(0.05);
    let low = settings.min_pages.max(2);
    let high = settings.max_pages.max(low);
    (0..N)
        .map(|step| {
            let above = 1.0 - (f64::from(step) + 0.5) / f64::from(N);
            let size = f64::from(low) * above.powf(-1.0 / tail);
            (size.min(f64::from(high)).round()) as u32
        })
        .collect()
}

fn log_even(low: u32, high: u32) -> Vec<u32> {
    const N: u32 = 64;
    let ratio = f64::from(high.max(low)) / f64::from(low);
    (0..N)
        .map(|step| {
            (f64::from(low) * ratio.powf((f64::from(step) + 0.5) / f64::from(N))).round() as u32
        })
        .collect()
}

impl Site<'_> {
    /// The whole address of a page.
    fn url_of(&self, page: u32) -> Option<CanonicalUrl> {
        let mut text = String::from("http://");
        self.world.write_host(self.number, self.role, &mut text);
        self.write_path(page, &mut text);
        CanonicalUrl::parse(&text).ok()
    }

    fn answer(&self, spelling: Spelling, path: &str) -> Answer {
        if spelling == Spelling::Other {
            return self.redirect(path);
        }
        match self.find_path(path) {
            Target::Robots => self.robots_answer(),
            Target::Page(page) if self.is_broken(page) => answer(
                500,
                "Internal Server Error",
                "text/html",
                b"<h1>Internal Server Error</h1>\n".as_slice().into(),
            ),
            Target::Page(page) => self.page_answer(page),
            Target::Month(month) => {
                let sheet = site::trap::write_month(*self, month);
                answer(200, "OK", "text/html; charset=utf-8", sheet.html.into())
            }
            Target::Moved(page) => {
                let mut path = String::new();
                self.write_path(page, &mut path);
                self.redirect(&path)
            }
            file @ (Target::Pdf | Target::Image) => {
                let (content_type, bytes) = self.file(file);
                answer(200, "OK", content_type, bytes.into())
            }
            Target::Nothing => self.missing(),
        }
    }

    fn page_answer(&self, page: u32) -> Answer {
        let sheet = site::page::write(*self, page);
        if self.is_windows_1252() {
            let bytes = site::page::windows_1252(&sheet.html);
            return answer(200, "OK", "text/html; charset=windows-1252", bytes.into());
        }
        answer(200, "OK", "text/html; charset=utf-8", sheet.html.into())
    }

    fn robots_answer(&self) -> Answer {
        match self.robots_text() {
            Some(text) => answer(200, "OK", "text/plain", text.into()),
            None if self.robots() == Robots::Broken => answer(
                503,
                "Service Unavailable",
                "text/plain",
                b"try later\n".as_slice().into(),
            ),
            None => self.not_found(404, "Not Found"),
        }
    }

    /// What is gone is not found, or so its server says.
    fn missing(&self) -> Answer {
        let is_soft = self.role.kind != SiteKind::OpenDirectory
            && self
                .dice(Tag::Missing, 0)
                .chance(self.world.settings.soft_missing);
        match is_soft {
            true => self.not_found(200, "OK"),
            false => self.not_found(404, "Not Found"),
        }
    }

    fn not_found(&self, status: u16, reason: &str) -> Answer {
        let mut html = String::from(
            "<html><head><title>Not Found</title></head><body><h1>Not Found</h1>\n<p><a href=\"",
        );
        self.write_path(FRONT, &mut html);
        html.push_str("\">Home</a></p></body></html>\n");
        answer(status, reason, "text/html", html.into())
    }

    fn redirect(&self, path: &str) -> Answer {
        let mut location = String::from("http://");
        self.world.write_host(self.number, self.role, &mut location);
        location.push_str(path);
        let mut answer = answer(301, "Moved Permanently", "text/html", Bytes::new());
        let end = answer.head.len() - 2;
        let line = format!("Location: {location}\r\n");
        answer.head.splice(end..end, line.into_bytes());
        answer.location = Some(location);
        answer
    }
}

fn answer(status: u16, reason: &str, content_type: &str, body: Bytes) -> Answer {
    let n_bytes = body.len();
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nServer: Apache\r\nContent-Type: {content_type}\r\nContent-Length: {n_bytes}\r\n\r\n"
    );
    Answer {
        status,
        head: head.into_bytes(),
        content_type: Some(content_type.to_owned()),
        location: None,
        body,
    }
}

/// A world behind the one trait that crawlers fetch through.
#[derive(Clone)]
pub struct MadeUpWeb(pub Arc<World>);

impl Fetcher for MadeUpWeb {
    fn fetch(&self, request: &Request, reply: Reply) {
        let url = &request.url;
        reply(self.0.answer(url));
    }

    fn foresee(&self, url: &CanonicalUrl) -> Option<Duration> {
        Some(self.0.latency(url))
    }

    fn machine(&self, url: &CanonicalUrl) -> Machine {
        self.0.server_of(url).into()
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        let url = &request.url;
        let (path, host) = (url.path_and_query(), url.host());
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes()
    }
}

#[cfg(test)]
mod tests;
