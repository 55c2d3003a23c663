//! The stage on which plug-ins are tried: the 100 cities and six nodes.

use crate::assign::{self, Assign, Assignment};
use crate::evaluate::Evaluation;
use crate::means::{Locate, Means, Subject};
use crate::model::{Label, Model, Trainer};
use crate::order::{self, Order};
use crate::roster::Roster;
use crate::scene::Scene;
use crate::status::{self, StatusModel, Traffic};
use page::html::{self, Link, Page};
use page::url::CanonicalUrl;
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::{Target, Targets};
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

/// Knows one server, 192.0.2.1, and where it stands.
struct OneServer(PlaceId);

impl Locate for OneServer {
    fn locate(&self, server: IpAddr) -> Option<PlaceId> {
        (server == IpAddr::from([192, 0, 2, 1])).then_some(self.0)
    }
}

/// Learned that long pages are important.
static STATUS: LazyLock<Arc<StatusModel>> = LazyLock::new(|| {
    let mut trainer = status::Trainer::default();
    let url = CanonicalUrl::parse("http://from.example.com/").expect("a URL");
    for n in 0..status::LEAST_PAGES {
        let page = html::read("soup ".repeat(n).as_bytes(), &url, None);
        trainer.learn(&page, &Traffic::default(), n as u64);
    }
    Arc::new(trainer.finish().expect("pages that differ"))
});

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

    /// A general node and one for all the places of a wish.
    pub(crate) fn of(wish: &str) -> Stage {
        let gazetteer = Gazetteer::built_in();
        let targets = Targets::parse(gazetteer, &[wish.to_owned()]).expect("known places");
        let roster = Roster::split(gazetteer, &targets, 2).expect("a node for a target");
        Stage { targets, roster }
    }

    /// What strategies are built from unless a test says otherwise.
    pub(crate) fn means(&self) -> Means<'_> {
        let houston = |target: &&Target| target.city == "Houston";
        let houston = self.targets.list().iter().find(houston);
        Means {
            servers: houston
                .map(|houston| -> Arc<dyn Locate> { Arc::new(OneServer(houston.place)) }),
            model: Some(Arc::new(self.model())),
            topic: Some(Subject::Geography),
            status: Some(STATUS.clone()),
            ..Means::new(&self.targets, &self.roster)
        }
    }

    /// A model that has heard of every city three times.
    fn model(&self) -> Model {
        let mut trainer = Trainer::new(&self.targets, &self.roster);
        for (id, target) in self.targets.iter() {
            trainer.learn(Label::Target(id), &[target.city.as_str(); 3].join(" "));
        }
        for _ in 0..20 {
            trainer.learn(Label::None, "engines and recipes");
        }
        trainer.finish("2006-05-23")
    }

    pub(crate) fn build(&self, strategy: &str) -> Box<dyn Assign> {
        let entry = assign::by_name(strategy).expect("a registered strategy");
        (entry.build)(&self.means()).expect("means for every strategy")
    }

    pub(crate) fn order(&self, name: &str) -> Order {
        let entry = order::by_name(name).expect("a registered order");
        (entry.build)(&self.means()).expect("means for every order")
    }

    /// Looks at a page with at least one link.
    pub(crate) fn with_page<T>(&self, html: &str, look: impl Fn(Scene<'_>, &Link) -> T) -> T {
        let from = CanonicalUrl::parse("http://from.example.com/").expect("a URL");
        let page: Page = html::read(html.as_bytes(), &from, None);
        let scene = Scene {
            page: &page,
            evaluation: &Evaluation::default(),
            targets: &self.targets,
            roster: &self.roster,
            node: self.roster.general(),
            via: None,
            server: None,
        };
        look(scene, &page.links[0])
    }

    pub(crate) fn with_link<T>(&self, url: &str, look: impl Fn(&Scene<'_>, &Link) -> T) -> T {
        let html = format!("<a href='{url}'>here</a>");
        self.with_page(&html, |scene, link| look(&scene, link))
    }

    pub(crate) fn assign(&self, strategy: &str, url: &str) -> Assignment {
        let strategy = self.build(strategy);
        self.with_link(url, |scene, link| strategy.view(*scene).assign(link))
    }

    pub(crate) fn describe(&self, strategy: &str, url: &str) -> String {
        self.show(self.assign(strategy, url))
    }

    /// What policy A does with the first link of a page.
    pub(crate) fn describe_page(&self, strategy: &str, html: &str) -> String {
        let strategy = self.build(strategy);
        let look = |scene: Scene<'_>, link: &Link| strategy.view(scene).assign(link);
        self.show(self.with_page(html, look))
    }

    /// What policy B does with it, a line for each node.
    pub(crate) fn describe_all(&self, strategy: &str, html: &str) -> String {
        let strategy = self.build(strategy);
        let look = |scene: Scene<'_>, link: &Link| strategy.view(scene).assign_all(link);
        let all = self.with_page(html, look).into_iter();
        let lines: Vec<String> = all.map(|assignment| self.show(assignment)).collect();
        lines.join("\n")
    }

    pub(crate) fn show(&self, assignment: Assignment) -> String {
        let Assignment {
            node,
            target,
            because,
        } = assignment;
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
