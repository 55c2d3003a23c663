//! The stage on which plug-ins are tried: the 100 cities and six nodes.

use crate::assign::{self, Assignment};
use crate::evaluate::Evaluation;
use crate::roster::Roster;
use crate::scene::Scene;
use page::html::{self, Link, Page};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;

pub(crate) struct Stage {
    pub(crate) targets: Targets,
    pub(crate) roster: Roster,
}

impl Stage {
    pub(crate) fn top100() -> Stage {
        let gazetteer = Gazetteer::built_in();
        let targets = Targets::us_top100(gazetteer);
        let roster = Roster::split(gazetteer, &targets, 6).expect("six nodes for 100 targets");
        Stage { targets, roster }
    }

    pub(crate) fn with_link<T>(&self, url: &str, look: impl Fn(&Scene<'_>, &Link) -> T) -> T {
        let from = CanonicalUrl::parse("http://from.example.com/").expect("a URL");
        let page: Page = html::read(format!("<a href='{url}'>here</a>").as_bytes(), &from, None);
        let scene = Scene {
            page: &page,
            evaluation: &Evaluation::default(),
            targets: &self.targets,
            roster: &self.roster,
            node: self.roster.general(),
            general: self.roster.general(),
        };
        look(&scene, &page.links[0])
    }

    pub(crate) fn assign(&self, strategy: &str, url: &str) -> Assignment {
        let strategy = (assign::by_name(strategy)
            .expect("a registered strategy")
            .build)();
        self.with_link(url, |scene, link| strategy.assign(scene, link))
    }

    pub(crate) fn describe(&self, strategy: &str, url: &str) -> String {
        let Assignment {
            node,
            target,
            because,
        } = self.assign(strategy, url);
        let seat = &self.roster.seats()[usize::from(node.0)].name;
        match target {
            Some(target) => {
                format!(
                    "{seat}: {}, {because}",
                    self.targets.list()[target.0 as usize].city
                )
            }
            None => format!("{seat}: {because}"),
        }
    }
}
