//! *Idea*: all links of a page go to the node of the city that its server
//! stands in.
//!
//! *Evidence*: the address of the server that the page came from, looked up
//! in a database of where addresses are (`--mmdb`; a made-up web knows its
//! own). A page is mapped to its server's city.
//!
//! *Wins when*: sites are hosted where they are from: universities, small
//! providers.
//!
//! *Loses when*: sites are hosted wherever it is cheap, as most are.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 6.

use super::{Assign, Assignment, Entry, View};
use crate::means::{Locate, Means, MeansError};
use crate::scene::Scene;
use page::html::Link;
use place::gazetteer::PlaceId;
use place::target::TargetId;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry {
    name: "ip",
    summary: "sends a page's links to the node of the city its server stands in",
    build: |means| Ok(Box::new(Ip::new(means)?)),
    settings: &["--mmdb"],
    by_url_alone: false,
    source: include_str!("ip.rs"),
};

struct Ip {
    servers: Arc<dyn Locate>,
    targets: HashMap<PlaceId, TargetId>,
}

impl Ip {
    fn new(means: &Means<'_>) -> Result<Ip, MeansError> {
        let servers = means.servers.clone().ok_or(MeansError::Missing {
            assign: "ip",
            flag: "--mmdb FILE",
            what: "a database of the cities that addresses are in, in MaxMind's format",
        })?;
        let targets = means.targets.iter();
        Ok(Ip {
            servers,
            targets: targets.map(|(id, target)| (target.place, id)).collect(),
        })
    }
}

impl Assign for Ip {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        let city = scene.server.and_then(|server| self.servers.locate(server));
        Box::new(Server {
            scene,
            target: city.and_then(|city| self.targets.get(&city).copied()),
        })
    }
}

struct Server<'a> {
    scene: Scene<'a>,
    target: Option<TargetId>,
}

impl View for Server<'_> {
    fn assign(&self, _link: &Link) -> Assignment {
        match self.target {
            Some(target) => self.scene.owner(target, "city of the page's server"),
            None => self.scene.general("the page's server is in no target"),
        }
    }

    fn mapped(&self) -> Option<TargetId> {
        self.target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;
    use insta::assert_snapshot;
    use std::net::IpAddr;

    #[test]
    fn the_servers_city_decides_whatever_the_page_says() {
        let stage = Stage::top100();
        let strategy = stage.build("ip");
        let assign = |server: Option<IpAddr>| {
            let html = "<p>Seattle, WA</p><a href='/seattle'>Seattle</a>";
            stage.with_page(html, |scene, link| {
                let scene = Scene { server, ..scene };
                let view = strategy.view(scene);
                assert_eq!(view.mapped(), view.assign(link).target);
                stage.show(view.assign(link))
            })
        };
        assert_snapshot!(assign(Some([192, 0, 2, 1].into())), @"Cn4 Central: Houston, city of the page's server");
        assert_snapshot!(assign(Some([192, 0, 2, 2].into())), @"Cn0 general: the page's server is in no target");
        assert_snapshot!(assign(None), @"Cn0 general: the page's server is in no target");
    }

    #[test]
    fn without_a_database_the_flag_is_named() {
        let stage = Stage::top100();
        let means = Means {
            servers: None,
            ..stage.means()
        };
        let error = (ENTRY.build)(&means).err().expect("nothing to look up in");
        assert_snapshot!(error, @"`--assign ip` needs `--mmdb FILE`: a database of the cities that addresses are in, in MaxMind's format");
    }
}
