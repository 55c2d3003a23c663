//! *Idea*: a link goes to the node of the target whose name is in its URL.
//!
//! *Evidence*: host and path of the extracted URL. A city alone is the most
//! populous of its name: where that is no target, only a state or country
//! beside the name makes it one. A page is mapped to the target in its own URL.
//!
//! *Wins when*: sites name their city in the address: municipal sites, local
//! businesses, directories by city.
//!
//! *Loses when*: addresses are opaque; all of those land on the general node.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 2.

use super::{Assign, Assignment, Entry, View};
use crate::scene::Scene;
use page::html::Link;
use place::target::TargetId;

pub(crate) const ENTRY: Entry = Entry {
    name: "url",
    summary: "sends a link to the node of the city named in its URL",
    build: |_| Ok(Box::new(Url)),
    settings: &[],
    by_url_alone: true,
    source: include_str!("url.rs"),
};

struct Url;

const FOUND: &str = "city in the URL";
const NOT_FOUND: &str = "no target's name in the URL";

impl Assign for Url {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        Box::new(Urls { scene })
    }

    fn by_url_alone(&self) -> bool {
        ENTRY.by_url_alone
    }
}

struct Urls<'a> {
    scene: Scene<'a>,
}

impl View for Urls<'_> {
    fn assign(&self, link: &Link) -> Assignment {
        match self.scene.targets.find_in_url(link.url.as_str()) {
            Some(target) => self.scene.owner(target, FOUND),
            None => self.scene.general(NOT_FOUND),
        }
    }

    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        let targets = self.scene.targets.find_all_in_url(link.url.as_str());
        match targets.is_empty() {
            true => vec![self.scene.general(NOT_FOUND)],
            false => self.scene.owners(targets, FOUND),
        }
    }

    fn mapped(&self) -> Option<TargetId> {
        let page = self.scene.page.url.as_str();
        self.scene.targets.find_in_url(page)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Stage;
    use insta::assert_snapshot;

    fn assign(url: &str) -> String {
        Stage::top100().describe("url", url)
    }

    #[test]
    fn city_in_host_or_path_decides() {
        assert_snapshot!(assign("http://www.houston-pizza.com/"), @"Cn4 Central: Houston, city in the URL");
        assert_snapshot!(assign("http://yellow.example.com/honolulu/plumbers"), @"Cn5 Hawaii/Alaska: Honolulu, city in the URL");
    }

    #[test]
    fn nothing_found_goes_to_the_general_node() {
        assert_snapshot!(assign("http://example.com/contact"), @"Cn0 general: no target's name in the URL");
    }
}
