//! What goes wrong, and what is forbidden: faults, delays and robots rules of a site.
//!
//! All of it is known without making a page, so that a crawl on the virtual
//! clock can tell beforehand when an answer will come.

use super::{Site, Target};
use crate::world::Tag;
use crate::world::layout::SiteKind;
use std::time::Duration;

/// How a host treats those who ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Answers,
    Refuses,
    Hangs,
}

/// What a host's robots.txt is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Robots {
    Missing,
    Folder,
    Delay,
    Closed,
    Broken,
    Open,
}

impl Site<'_> {
    pub(crate) fn mood(&self) -> Mood {
        // A crawl must be able to start: the seed directory always works.
        if self.role.kind == SiteKind::OpenDirectory {
            return Mood::Answers;
        }
        let settings = &self.world.settings;
        let throw = self.dice(Tag::Mood, 0).below(1000) as u32;
        if throw < settings.refusing_hosts {
            Mood::Refuses
        } else if throw
            < settings
                .refusing_hosts
                .saturating_add(settings.hanging_hosts)
        {
            Mood::Hangs
        } else {
            Mood::Answers
        }
    }

    pub(crate) fn robots(&self) -> Robots {
        if self.role.kind == SiteKind::OpenDirectory {
            return Robots::Open;
        }
        let settings = &self.world.settings;
        let ladder = [
            (settings.robots_missing, Robots::Missing),
            (settings.robots_folder, Robots::Folder),
            (settings.robots_delay, Robots::Delay),
            (settings.robots_closed, Robots::Closed),
            (settings.robots_broken, Robots::Broken),
        ];
        let mut throw = self.dice(Tag::Robots, 0).below(1000) as u32;
        for (share, robots) in ladder {
            if throw < share {
                return robots;
            }
            throw -= share;
        }
        Robots::Open
    }

    /// Whether some pages live in a folder that robots may not enter.
    pub(crate) fn closes_folder(&self) -> bool {
        self.robots() == Robots::Folder
    }

    /// The text of robots.txt; none where there is no such file to give.
    pub(crate) fn robots_text(&self) -> Option<String> {
        let mut host = String::from("http://");
        self.world.write_host(self.number, self.role, &mut host);
        let rules = match self.robots() {
            Robots::Missing | Robots::Broken => return None,
            Robots::Folder => {
                "User-agent: *\nDisallow: /private/\nDisallow: /cgi-bin/\n".to_owned()
            }
            Robots::Delay => {
                let seconds = self.dice(Tag::Robots, 1).between(2, 10);
                format!("User-agent: *\nCrawl-delay: {seconds}\nDisallow: /cgi-bin/\n")
            }
            Robots::Closed => "User-agent: *\nDisallow: /\n".to_owned(),
            Robots::Open => {
                format!("# {host}\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n")
            }
        };
        Some(rules)
    }

    /// Whether asking for this page gives a server error.
    pub(crate) fn is_broken(&self, page: u32) -> bool {
        self.role.kind != SiteKind::OpenDirectory
            && self
                .dice(Tag::Broken, u64::from(page))
                .rarely(self.world.settings.broken_pages)
    }

    /// How long the answer to a path takes.
    pub(crate) fn latency(&self, path: &str) -> Duration {
        let timeout = Duration::from_millis(self.world.settings.timeout_ms);
        match self.mood() {
            Mood::Hangs => return timeout,
            Mood::Refuses => {
                return Duration::from_millis(self.dice(Tag::Latency, 0).between(20, 120));
            }
            Mood::Answers => {}
        }
        let mut dice = self.dice(Tag::Latency, 1);
        let slow = dice.chance(self.world.settings.slow_hosts);
        let usual = dice.between(40, 400) * if slow { 10 } else { 1 };
        let path = xxhash_rust::xxh3::xxh3_64(path.as_bytes());
        let took = usual / 2 + self.dice(Tag::Latency, path).below(usual);
        Duration::from_millis(took).min(timeout)
    }

    /// A body for a target that is a file, not a page.
    pub(crate) fn file(&self, target: Target) -> (&'static str, Vec<u8>) {
        let n = self.dice(Tag::File, 0).between(2_000, 20_000) as usize;
        let (content_type, start): (_, &[u8]) = match target {
            Target::Pdf => ("application/pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"),
            _ => ("image/jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
        };
        let mut bytes = start.to_vec();
        let mut dice = self.dice(Tag::File, 1);
        while bytes.len() < n {
            bytes.extend_from_slice(&dice.next().to_le_bytes());
        }
        (content_type, bytes)
    }
}
