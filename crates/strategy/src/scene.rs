//! All a plug-in may look at when it decides about a link.

use crate::assign::Assignment;
use crate::evaluate::Evaluation;
use crate::roster::{NodeId, Roster};
use page::html::Page;
use place::target::{TargetId, Targets};
use std::net::IpAddr;

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
    /// The target that the link to this page was taken to be about.
    pub via: Option<TargetId>,
    /// The address of the server that the page came from.
    pub server: Option<IpAddr>,
}

impl Scene<'_> {
    /// The answer of every strategy that found a target.
    pub fn owner(&self, target: TargetId, because: &'static str) -> Assignment {
        Assignment {
            node: self.roster.owner(target),
            target: Some(target),
            because,
        }
    }

    /// The answer of every strategy that found several and is asked for all:
    /// each node once, with the first of its targets.
    pub fn owners(
        &self,
        targets: impl IntoIterator<Item = TargetId>,
        because: &'static str,
    ) -> Vec<Assignment> {
        let mut assignments: Vec<Assignment> = Vec::new();
        for target in targets {
            let assignment = self.owner(target, because);
            let is_new = |known: &Assignment| known.node != assignment.node;
            if assignments.iter().all(is_new) {
                assignments.push(assignment);
            }
        }
        assignments
    }

    /// The answer of every strategy that found no target.
    pub fn general(&self, because: &'static str) -> Assignment {
        Assignment {
            node: self.roster.general(),
            target: None,
            because,
        }
    }
}
