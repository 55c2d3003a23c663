//! What pages of single kinds of sites are like.

use serde::{Deserialize, Serialize};

/// Chances per thousand unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageSettings {
    /// Posts of a local blog that give the address of some place (guess).
    pub blog_address: u32,
    /// Questions about a city where somebody gives an address (guess).
    pub forum_address: u32,
    /// Pages of a tourist office that show a sight with its address (guess).
    pub sight_address: u32,
    /// Pages of an agent's houses that give the address of one (guess).
    pub house_address: u32,
    /// Stories of a local paper with the address where something happened (guess).
    pub story_address: u32,
    /// Directories of a city that give the addresses of what they list (guess).
    pub directory_address: u32,
    /// Stories of other papers that are about some city (guess).
    pub paper_about_city: u32,
    /// Pages of other sites of no place that are about some city (guess).
    pub page_about_city: u32,
    /// Mentions of a city with its state beside it (guess).
    pub state_beside_city: u32,
    /// Link farms that list names of cities for search engines (guess).
    pub stuffed_farms: u32,
    /// Pages of a department, of a university, hospital or city hall; one of them, its desk, has
    /// its address. Fitted to 1.6 to 2.4 % of pages with an address on a recorded university web. A
    /// number of pages, not a share.
    pub pages_per_desk: u32,
    /// Desks that link to nothing at all. Fitted, with the next two, to how far it is there from
    /// such a page to the nearest other one: one click for 38 %, two for 41 %, three for 11 %, out
    /// of reach for 9 %.
    pub bare_desks: u32,
    /// Desks that link to the page above them alone (fitted to the same).
    pub modest_desks: u32,
    /// Desks that link to those of other departments (fitted to the same); what is left link to
    /// what every page does.
    pub listing_desks: u32,
    /// Other pages of a department that link to its desk (fitted to the chance that a link leads to
    /// such a page, 0.015 to 0.045).
    pub link_to_desk: u32,
    /// Pages that link to some others of their site besides (guess).
    pub related_links: u32,
    /// Blogs on a platform that others share (guess).
    pub platform_blogs: u32,
    /// Companies of no place that are one host of a group's domain (guess).
    pub group_sites: u32,
    /// Sites of no place that are as large as they are popular; the others are as large as it comes
    /// (guess).
    pub large_if_popular: u32,
}

impl Default for PageSettings {
    fn default() -> PageSettings {
        PageSettings {
            blog_address: 25,
            forum_address: 60,
            sight_address: 140,
            house_address: 300,
            story_address: 80,
            directory_address: 400,
            paper_about_city: 120,
            page_about_city: 15,
            state_beside_city: 300,
            stuffed_farms: 300,
            pages_per_desk: 50,
            bare_desks: 90,
            modest_desks: 300,
            listing_desks: 240,
            link_to_desk: 250,
            related_links: 400,
            platform_blogs: 600,
            group_sites: 150,
            large_if_popular: 500,
        }
    }
}

impl PageSettings {
    /// Every chance per thousand, by its key.
    pub(super) fn shares(&self) -> Vec<(&'static str, u32)> {
        macro_rules! shares { ($($key:ident)*) => { vec![$((stringify!($key), self.$key)),*] } }
        shares!(
            blog_address forum_address sight_address house_address story_address
            directory_address paper_about_city page_about_city state_beside_city stuffed_farms
            bare_desks modest_desks listing_desks link_to_desk related_links
            platform_blogs group_sites large_if_popular
        )
    }
}
