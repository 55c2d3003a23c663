//! A made-up web under siege: beside its sites, others that mean harm.
//!
//! Every attacker is a registrable domain under `.test`, of one kind. Honest
//! pages link to them now and then, and they to each other and to their
//! victims, so that a crawl meets as many of them as it can bear. Like the web
//! that it is laid around, a siege stores nothing: what a URL brings depends on
//! the URL alone, on the virtual clock too.

use crate::world::World;
use bytes::Bytes;
use crawl::fetch::{Answer, Fetched, Fetcher, Landing, Machine, Reply, Request};
use page::url::CanonicalUrl;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// What attackers do, each all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// Names hosts of its own without end.
    Wildcard,
    /// Serves an honest site once more, byte for byte.
    Mirror,
    /// Has moved its robots rules to an honest site's pages.
    Rules,
    /// Links to hundreds of ports of an honest site.
    Ports,
    /// Shows an address that is looked for on each of endless pages.
    Address,
    /// Nests folders and counts days.
    Trap,
    /// Fills its pages with half a megabyte of nothing.
    Bulk,
    /// Names hosts that never answer.
    Silence,
}

impl Attack {
    /// Every kind.
    pub const ALL: [Attack; 8] = [
        Attack::Wildcard,
        Attack::Mirror,
        Attack::Rules,
        Attack::Ports,
        Attack::Address,
        Attack::Trap,
        Attack::Bulk,
        Attack::Silence,
    ];

    /// As hosts are called.
    pub fn name(self) -> &'static str {
        match self {
            Attack::Wildcard => "wildcard",
            Attack::Mirror => "mirror",
            Attack::Rules => "rules",
            Attack::Ports => "ports",
            Attack::Address => "address",
            Attack::Trap => "trap",
            Attack::Bulk => "bulk",
            Attack::Silence => "silence",
        }
    }
}

/// Attackers of each kind.
const N_EACH: u64 = 32;

/// Links on an attacker's page.
const N_LINKS: u64 = 200;

/// One honest page in so many links to an attacker.
const ONE_IN: u64 = 4;

/// Bytes of a page of `Attack::Bulk`.
const BULK: usize = 512 << 10;

/// How long a silent host keeps its caller waiting.
const SILENCE: Duration = Duration::from_secs(30);

/// How long every other attacker takes.
const PROMPT: Duration = Duration::from_millis(60);

/// A made-up web with attackers around it.
pub struct Siege {
    world: Arc<World>,
    /// Honest sites' front pages, which attackers know.
    victims: Vec<CanonicalUrl>,
    /// What attackers do here.
    attacks: Vec<Attack>,
}

/// An attacker's host.
struct Attacker<'a> {
    attack: Attack,
    /// Its registrable domain.
    domain: &'a str,
    number: u64,
}

impl Siege {
    /// Lays siege to a web that has some sites, with attacks of these kinds.
    pub fn around(world: Arc<World>, attacks: &[Attack]) -> Siege {
        let sites = (0..world.n_sites().min(4096)).filter_map(|site| world.url_at((site, 0)));
        let victims: Vec<CanonicalUrl> = sites.collect();
        assert!(!victims.is_empty(), "a web has sites");
        assert!(!attacks.is_empty(), "somebody attacks");
        Siege {
            world,
            victims,
            attacks: attacks.to_vec(),
        }
    }

    /// One page of every attacker.
    pub fn seeds(&self) -> Vec<CanonicalUrl> {
        let of_all = |n| self.attacks.iter().map(move |attack| front(*attack, n));
        let urls = (0..N_EACH).flat_map(of_all);
        urls.filter_map(|url| CanonicalUrl::parse(&url).ok())
            .collect()
    }

    /// What the one behind a URL does, if that is an attacker.
    pub fn attack(url: &CanonicalUrl) -> Option<Attack> {
        attacker(url).map(|attacker| attacker.attack)
    }

    fn victim(&self, n: u64) -> &CanonicalUrl {
        &self.victims[(xxh3_64(&n.to_le_bytes()) % self.victims.len() as u64) as usize]
    }

    fn any_attack(&self, seed: u64) -> Attack {
        self.attacks[(seed % self.attacks.len() as u64) as usize]
    }

    fn answer(&self, url: &CanonicalUrl, attacker: &Attacker<'_>) -> Fetched {
        let Attacker { attack, number, .. } = *attacker;
        if url.path() == "/robots.txt" {
            return match attack {
                Attack::Rules => {
                    let victim = self.victim(xxh3_64(url.host().as_bytes()));
                    let to = format!("{}/cgi-bin/{number}", victim.origin());
                    answer(302, Some(to), "")
                }
                Attack::Silence if is_sub(url, attacker) => Fetched::TimedOut,
                _ => answer(404, None, ""),
            };
        }
        match attack {
            Attack::Mirror => {
                let honest = self.victim(number).join(url.path_and_query());
                let fetched = honest.map(|honest| self.world.answer(&honest).fetched);
                fetched.unwrap_or_else(|_| answer(404, None, ""))
            }
            Attack::Silence if is_sub(url, attacker) => Fetched::TimedOut,
            _ => answer(200, None, &self.page(url, attacker)),
        }
    }

    fn page(&self, url: &CanonicalUrl, attacker: &Attacker<'_>) -> String {
        let Attacker {
            attack,
            domain,
            number,
        } = *attacker;
        let seed = xxh3_64(url.as_str().as_bytes());
        let link = |n: u64| {
            let id = xxh3_64(&(seed ^ n).to_le_bytes()) >> 24;
            match attack {
                Attack::Wildcard | Attack::Silence => format!("http://h{id}.{domain}/"),
                Attack::Rules => format!("http://r{}.{domain}/{id}", id % 4096),
                Attack::Ports => {
                    let victim = self.victim(number).host();
                    format!("http://{victim}:{}/", 1 + id % 65_535)
                }
                Attack::Trap if n.is_multiple_of(2) => format!("{}d{}/", url.path(), id % 9),
                Attack::Trap => format!("/{}/{}/{}/", 1900 + id % 900, 1 + id % 12, 1 + id % 28),
                _ => format!("/{id}.html"),
            }
        };
        let mut html = format!("<title>{} {seed:x}</title>\n<p>", attack.name());
        if attack == Attack::Address {
            html.push_str("Welcome to 901 Bagby St, Houston, TX 77002</p>\n<p>");
        }
        for n in 0..N_LINKS {
            html.push_str(&format!("<a href=\"{}\">{n}</a>\n", link(n)));
        }
        // To one of the others.
        let next = self.any_attack(seed);
        html.push_str(&format!(
            "<a href=\"{}\">more</a>\n",
            front(next, seed >> 8)
        ));
        if attack == Attack::Bulk {
            while html.len() < BULK {
                html.push_str("All work and no play makes a dull page of everybody. ");
            }
        }
        html
    }

    /// An honest answer, with a link into the siege now and then.
    fn honest(&self, url: &CanonicalUrl) -> Landing {
        let mut landing = self.world.answer(url);
        let seed = xxh3_64(url.as_str().as_bytes());
        if let Fetched::Answer(answer) = &mut landing.fetched
            && answer.status == 200
            && answer.essence().as_deref() == Some("text/html")
            && seed.is_multiple_of(ONE_IN)
        {
            let attack = self.any_attack(seed >> 8);
            let link = format!("\n<a href=\"{}\">Friends</a>\n", front(attack, seed >> 16));
            answer.body = Bytes::from([&answer.body[..], link.as_bytes()].concat());
        }
        landing
    }
}

/// The front page of one of the attackers of a kind.
fn front(attack: Attack, number: u64) -> String {
    format!("http://{}{}.test/", attack.name(), number % N_EACH)
}

fn attacker(url: &CanonicalUrl) -> Option<Attacker<'_>> {
    let domain = url.registrable_domain();
    let name = domain.strip_suffix(".test")?;
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let attack = Attack::ALL.into_iter();
    Some(Attacker {
        attack: attack
            .into_iter()
            .find(|attack| attack.name() == &name[..start])?,
        domain,
        number: name[start..].parse().ok()?,
    })
}

fn is_sub(url: &CanonicalUrl, attacker: &Attacker<'_>) -> bool {
    url.host() != attacker.domain
}

fn answer(status: u16, location: Option<String>, body: &str) -> Fetched {
    Fetched::Answer(Answer {
        status,
        head: format!("HTTP/1.1 {status} OK\r\nContent-Type: text/html\r\n\r\n").into_bytes(),
        content_type: Some("text/html".into()),
        location,
        body: Bytes::copy_from_slice(body.as_bytes()),
    })
}

/// Attackers have two machines each.
fn machine(url: &CanonicalUrl, attacker: &Attacker<'_>) -> IpAddr {
    let [a, b, c, ..] = xxh3_64(attacker.domain.as_bytes()).to_le_bytes();
    let last = (xxh3_64(url.host().as_bytes()) % 2) as u8;
    IpAddr::V4(Ipv4Addr::new(11, a, b, c & !1 | last))
}

impl Fetcher for Siege {
    fn fetch(&self, request: &Request, reply: Reply) {
        let url = &request.url;
        reply(match attacker(url) {
            None => self.honest(url),
            Some(attacker) => Landing {
                fetched: self.answer(url, &attacker),
                server: Some(machine(url, &attacker)),
                took: self.foresee(url).unwrap_or_default(),
                recorded: None,
            },
        });
    }

    fn foresee(&self, url: &CanonicalUrl) -> Option<Duration> {
        Some(match attacker(url) {
            None => self.world.latency(url),
            Some(attacker) if attacker.attack == Attack::Silence && is_sub(url, &attacker) => {
                SILENCE
            }
            Some(_) => PROMPT,
        })
    }

    fn machine(&self, url: &CanonicalUrl) -> Machine {
        match attacker(url) {
            None => self.world.server_of(url).into(),
            Some(attacker) => Machine::At(machine(url, &attacker)),
        }
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        let url = &request.url;
        let (path, host) = (url.path_and_query(), url.host());
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes()
    }
}
