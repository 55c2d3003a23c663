//! All a plug-in may look at when it decides about a link.

use crate::assign::Assignment;
use crate::evaluate::Evaluation;
use crate::roster::{NodeId, Roster};
use page::html::Page;
use place::target::Targets;

/// A page, what was found on it, and the crawl around it.
///
/// A seed is a link on an empty page of its own address, a redirect one on an
/// empty page of the address that redirects: plug-ins need no special case.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The page the link stands on.
    pub page: &'a Page,
    /// What the page is about.
    pub evaluation: &'a Evaluation,
    /// What the crawl is for.
    pub targets: &'a Targets,
    /// Who crawls for what.
    pub roster: &'a Roster,
    /// The node that fetched the page.
    pub node: NodeId,
    /// Who takes the link if it is about no target.
    pub general: NodeId,
}

impl Scene<'_> {
    /// The answer of every strategy that found no target.
    pub fn general(&self, because: &'static str) -> Assignment {
        Assignment {
            node: self.general,
            target: None,
            because,
        }
    }
}
