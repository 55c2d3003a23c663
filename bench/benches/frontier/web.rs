//! The links of a made-up crawl, in the order a crawl would meet them.
//!
//! Pages come from hosts all over the web, a few large and most small. Of the
//! forty links on a page twelve are its site's menu, ten lead to pages of the
//! site heard of before, eleven to new ones, and seven to other sites. So two
//! links in three are known, most stay on their host, and none of a page's
//! hosts is that of the page before.

use crawl::frontier::{Offer, Purpose};
use page::url::CanonicalUrl;
use store::visit::Trail;

/// Links on one page.
pub(crate) const N_LINKS: u64 = 40;
const N_MENU: u32 = 12;
const N_OLD: u32 = 10;
const N_NEW: u32 = 11;
const N_OTHERS: u32 = 5;
const N_NEW_ELSEWHERE: u32 = 2;

/// New URLs for each new host.
const URLS_PER_HOST: u64 = 100;

const WORDS: [&str; 32] = [
    "river", "school", "opening", "council", "bakery", "street", "winter", "market", "library",
    "concert", "hours", "garden", "history", "team", "summer", "church", "event", "mayor",
    "bridge", "museum", "festival", "health", "clinic", "guide", "parking", "photo", "plans",
    "budget", "water", "family", "trail", "harvest",
];

const REASONS: [&str; 4] = [
    "city in the URL; in order of discovery",
    "hash of the URL; close to a page with an address",
    "page is about the target; words around the link",
    "general; in order of discovery",
];

/// How much of each host is known.
pub(crate) struct Web {
    n_known: Vec<u32>,
    n_urls: u64,
    random: u64,
}

impl Web {
    pub(crate) fn new(seed: u64) -> Web {
        Web {
            n_known: vec![0],
            n_urls: 0,
            random: seed,
        }
    }

    pub(crate) fn n_urls(&self) -> u64 {
        self.n_urls
    }

    pub(crate) fn n_hosts(&self) -> usize {
        self.n_known.len()
    }

    /// The links of the next page.
    pub(crate) fn page(&mut self) -> Vec<Offer> {
        let host = self.some_host();
        let from = url(host, self.some_path(host));
        // A page in ten is worth more, and so are its links.
        let bonus = if self.draw(10) == 0 { 0.1 } else { 0.0 };
        let mut links = Vec::with_capacity(N_LINKS as usize);
        links.extend((0..N_MENU).map(|path| (host, path)));
        for _ in 0..N_OLD {
            links.push((host, self.some_path(host)));
        }
        let first_new = self.n_known[host as usize].max(N_MENU);
        links.extend((first_new..first_new + N_NEW).map(|path| (host, path)));
        for _ in 0..N_OTHERS {
            let other = self.some_host();
            // Most lead to front pages.
            let path = self.some_path(other).min(self.draw(4) as u32);
            links.push((other, path));
        }
        for _ in 0..N_NEW_ELSEWHERE {
            let other = self.some_host();
            links.push((other, self.n_known[other as usize]));
        }
        self.grow();
        for &(host, path) in &links {
            self.hear_of(host, path);
        }
        let offer = |(host, path)| offer(host, path, &from, bonus);
        links.into_iter().map(offer).collect()
    }

    /// A new host for every hundred new URLs.
    fn grow(&mut self) {
        while (self.n_known.len() as u64) < self.n_urls / URLS_PER_HOST {
            self.n_known.push(0);
        }
    }

    fn hear_of(&mut self, host: u32, path: u32) {
        let n_known = &mut self.n_known[host as usize];
        if path >= *n_known {
            self.n_urls += u64::from(path + 1 - *n_known);
            *n_known = path + 1;
        }
    }

    /// Early hosts are large.
    fn some_host(&mut self) -> u32 {
        let share = self.draw(1 << 24) as f64 / f64::from(1 << 24);
        (share * share * self.n_known.len() as f64) as u32
    }

    fn some_path(&mut self, host: u32) -> u32 {
        let n_known = self.n_known[host as usize].max(1);
        self.draw(u64::from(n_known)) as u32
    }

    fn draw(&mut self, end: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.random) % end
    }
}

/// A number that looks random.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
}

fn url(host: u32, path: u32) -> CanonicalUrl {
    let host_name = WORDS[host as usize % WORDS.len()];
    let noise = scatter(u64::from(host) << 32 | u64::from(path));
    let word = |nth: u32| WORDS[(noise >> (5 * nth)) as usize % WORDS.len()];
    let text = match path {
        0 => format!("https://www.{host_name}{host}.com/"),
        1..N_MENU => format!("https://www.{host_name}{host}.com/{}{path}/", word(0)),
        _ => format!(
            "https://www.{host_name}{host}.com/{}/{}-{}-{path}.html",
            word(0),
            word(1),
            word(2)
        ),
    };
    CanonicalUrl::parse(&text).expect("a made-up URL is one")
}

fn offer(host: u32, path: u32, from: &CanonicalUrl, bonus: f32) -> Offer {
    let noise = scatter(u64::from(path) << 32 | u64::from(host));
    let share = |number: u64| (number % 65_536) as f32 / 65_536.0;
    Offer {
        url: url(host, path),
        from: Some(from.clone()),
        depth: 2,
        hops: 0,
        tries: 0,
        purpose: Purpose::Page,
        target: noise
            .is_multiple_of(3)
            .then_some(5_000_000 + (noise % 100) as u32),
        priority: 0.4 * share(scatter(u64::from(host))) + 0.5 * share(noise) + bonus,
        because: REASONS[(noise >> 20) as usize % REASONS.len()].into(),
        trail: Trail::default(),
    }
}
