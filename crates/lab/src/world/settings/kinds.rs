//! How many sites there are of each kind.

use crate::world::layout::SiteKind;
use serde::{Deserialize, Serialize};

/// Shares of the kinds of local sites; each is divided by their sum (guesses).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalKinds {
    /// Companies with one address.
    pub business: u32,
    /// Somebody's notes.
    pub blog: u32,
    /// Departments of the city.
    pub municipal: u32,
    /// Newspapers and stations.
    pub news: u32,
    /// Lists of the city's businesses.
    pub directory: u32,
    /// Sights, hotels, events.
    pub tourism: u32,
    /// Houses for sale, each with its address.
    pub real_estate: u32,
    /// Questions and answers of neighbours.
    pub forum: u32,
}

/// Shares of the kinds of sites of no place; each is divided by their sum (guesses).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneralKinds {
    /// Companies.
    pub business: u32,
    /// Companies with a page for every branch.
    pub chain: u32,
    /// Lists of other sites, by topic.
    pub directory: u32,
    /// Lists of addresses, by city.
    pub guide: u32,
    /// Agencies with offices all over the country.
    pub government: u32,
    /// National papers.
    pub news: u32,
    /// Products and prices.
    pub shop: u32,
    /// Somebody's notes.
    pub blog: u32,
    /// Questions and answers.
    pub forum: u32,
    /// Pages that exist to link to others.
    pub link_farm: u32,
}

impl LocalKinds {
    /// Each kind with its share.
    pub(crate) fn shares(self) -> [(u32, SiteKind); 8] {
        [
            (self.business, SiteKind::Business),
            (self.blog, SiteKind::Blog),
            (self.municipal, SiteKind::Municipal),
            (self.news, SiteKind::News),
            (self.directory, SiteKind::Directory),
            (self.tourism, SiteKind::Tourism),
            (self.real_estate, SiteKind::RealEstate),
            (self.forum, SiteKind::Forum),
        ]
    }
}

impl GeneralKinds {
    /// Each kind with its share.
    pub(crate) fn shares(self) -> [(u32, SiteKind); 10] {
        [
            (self.business, SiteKind::Business),
            (self.chain, SiteKind::Chain),
            (self.directory, SiteKind::Directory),
            (self.guide, SiteKind::Guide),
            (self.government, SiteKind::Government),
            (self.news, SiteKind::News),
            (self.shop, SiteKind::Shop),
            (self.blog, SiteKind::Blog),
            (self.forum, SiteKind::Forum),
            (self.link_farm, SiteKind::LinkFarm),
        ]
    }
}

pub(super) fn are_none(shares: &[(u32, SiteKind)]) -> bool {
    shares.iter().all(|(share, _)| *share == 0)
}

impl Default for LocalKinds {
    fn default() -> LocalKinds {
        LocalKinds {
            business: 700,
            blog: 110,
            municipal: 40,
            news: 30,
            directory: 30,
            tourism: 30,
            real_estate: 30,
            forum: 30,
        }
    }
}

impl Default for GeneralKinds {
    fn default() -> GeneralKinds {
        GeneralKinds {
            business: 230,
            chain: 25,
            directory: 45,
            guide: 30,
            government: 15,
            news: 70,
            shop: 220,
            blog: 270,
            forum: 70,
            link_farm: 30,
        }
    }
}
