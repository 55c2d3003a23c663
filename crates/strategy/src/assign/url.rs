//! *Idea*: a link goes to the node of the target whose name is in its URL.
//!
//! *Evidence*: host and path of the extracted URL.
//!
//! *Wins when*: sites name their city in the address: municipal sites, local
//! businesses, directories by city.
//!
//! *Loses when*: addresses are opaque; all of those land on the general node.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 2.

use super::{Assign, Assignment, Entry};
use crate::scene::Scene;
use page::html::Link;

pub(crate) const ENTRY: Entry = Entry {
    name: "url",
    summary: "sends a link to the node of the city named in its URL",
    build: || Box::new(Url),
    source: include_str!("url.rs"),
};

struct Url;

impl Assign for Url {
    fn assign(&self, scene: &Scene<'_>, link: &Link) -> Assignment {
        match scene.targets.find_in_url(link.url.as_str()) {
            Some(target) => Assignment {
                node: scene.roster.owner(target),
                target: Some(target),
                because: "city in the URL",
            },
            None => scene.general("no target's name in the URL"),
        }
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
