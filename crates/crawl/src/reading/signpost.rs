//! Pages that say nothing but where to go: seeds, redirects, sitemaps.
//!
//! A strategy that looks at the page around a link sees nothing there, and
//! would give all of it to the general node. But a redirect is the same link
//! continued, and a sitemap lists pages of the site it was found on: their
//! links stay where they were found.

use super::Origin;
use page::html::{Link, MetaRobots, Page};
use page::url::CanonicalUrl;
use place::target::TargetId;
use std::sync::Arc;
use strategy::assign::{Assignment, View};
use strategy::roster::Roster;

/// A redirect or a sitemap, as a strategy sees it that does not go by the URL alone.
pub(super) struct Signpost<'a> {
    view: &'a dyn View,
    roster: &'a Roster,
    origin: Origin,
}

impl<'a> Signpost<'a> {
    pub(super) fn new(view: &'a dyn View, roster: &'a Roster, origin: Origin) -> Signpost<'a> {
        Signpost {
            view,
            roster,
            origin,
        }
    }

    /// The strategy's own answer where it has one: servers are somewhere
    /// whatever they send.
    fn or_stay(&self, assignment: Assignment) -> Assignment {
        match assignment.target {
            None if self.roster.is_general(assignment.node) => Assignment {
                node: self.origin.node,
                target: self.origin.via,
                because: "where it was found",
            },
            _ => assignment,
        }
    }
}

impl View for Signpost<'_> {
    fn assign(&self, link: &Link) -> Assignment {
        self.or_stay(self.view.assign(link))
    }

    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        let mut all: Vec<Assignment> = Vec::new();
        for assignment in self.view.assign_all(link) {
            let assignment = self.or_stay(assignment);
            if all.iter().all(|known| known.node != assignment.node) {
                all.push(assignment);
            }
        }
        all
    }

    fn mapped(&self) -> Option<TargetId> {
        self.view.mapped()
    }
}

/// A page that says nothing.
pub(crate) fn blank(url: &CanonicalUrl) -> Page {
    Page {
        url: url.clone(),
        title: String::new(),
        text: String::new(),
        links: Vec::new(),
        further_links: Vec::new(),
        structured: Vec::new(),
        canonical: None,
        robots: MetaRobots::default(),
        language: None,
        charset: "UTF-8",
        complaints: Vec::new(),
    }
}

/// A page that says nothing but where to go: what plug-ins see of a seed or a redirect.
pub(crate) fn signpost(at: &CanonicalUrl, to: CanonicalUrl) -> Page {
    let leaves_domain = at.registrable_domain() != to.registrable_domain();
    let link = Link {
        url: to,
        span: 0..0,
        title: None,
        nofollow: false,
        tag_path: Arc::from(""),
        leaves_domain,
    };
    Page {
        links: vec![link],
        ..blank(at)
    }
}
