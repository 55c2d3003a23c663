//! What a fetched page is about.
//!
//! Its geographic entities, what its markup states, and the places all that
//! adds up to. Finding is `place::geoparse`, the same for crawls and for
//! `locavore geoparse`; here it meets the page and the crawl's targets. Names
//! are left alone unless asked for: nothing in a crawl uses them, and they
//! would be the costliest part.

use crate::evidence::claim;
use page::html::Page;
use place::address::{AddressFinder, Entity};
use place::evidence::Claim;
use place::gazetteer::Gazetteer;
use place::geoparse::{Findings, Geoparser, Source};
use place::target::Targets;
use std::collections::HashSet;

/// What was found on one page.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Addresses in one of the targets: those of the text in its order, then
    /// those that only the markup states, each once and with an empty span.
    pub entities: Vec<Entity>,
    /// Everything else that the page says about places, in targets or not.
    pub findings: Findings,
    /// How much the page is about the crawl's topic, between 0 and 1, where
    /// there is one: see `appraise`.
    pub topicality: Option<f32>,
    /// How important it looks, between 0 and 1, where anybody asks.
    pub importance: Option<f32>,
}

/// Looks at pages on behalf of one set of targets; shared by all threads.
pub struct Evaluator {
    finder: AddressFinder,
    geoparser: Geoparser<'static>,
}

impl Evaluator {
    /// Prepares for a set of targets.
    pub fn new(gazetteer: &'static Gazetteer, targets: &Targets) -> Evaluator {
        let finder = AddressFinder::new(gazetteer, targets);
        Evaluator {
            geoparser: Geoparser::without_names(gazetteer, finder.addresses()),
            finder,
        }
    }

    /// Looks for names of places too.
    pub fn with_names(mut self) -> Evaluator {
        self.geoparser = self.geoparser.with_names();
        self
    }

    /// Evaluates a page.
    pub fn evaluate(&self, page: &Page) -> Evaluation {
        let findings = read(&self.geoparser, page);
        Evaluation {
            entities: self.entities(&findings),
            findings,
            topicality: None,
            importance: None,
        }
    }

    fn entities(&self, findings: &Findings) -> Vec<Entity> {
        let in_text = findings.addresses.iter().cloned();
        let mut entities: Vec<Entity> = in_text
            .filter_map(|address| self.finder.entity(address))
            .collect();
        let mut seen: HashSet<u64> = entities.iter().map(Entity::key).collect();
        let stated = findings.evidence.iter().flatten();
        for address in stated.filter_map(|piece| piece.address.clone()) {
            if let Some(entity) = self.finder.entity(address)
                && seen.insert(entity.key())
            {
                entities.push(entity);
            }
        }
        entities
    }
}

/// Finds what a page says about places, in its text and in its markup.
pub fn read(geoparser: &Geoparser<'_>, page: &Page) -> Findings {
    let claims: Vec<Claim<'_>> = page.structured.iter().map(claim).collect();
    geoparser.read(&Source {
        text: &page.text,
        claims: &claims,
        host: page.url.host(),
    })
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator")
            .field("finder", &self.finder)
            .field("geoparser", &self.geoparser)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use page::html;
    use page::url::CanonicalUrl;
    use std::sync::LazyLock;

    static EVALUATOR: LazyLock<Evaluator> = LazyLock::new(|| {
        let gazetteer = Gazetteer::built_in();
        Evaluator::new(gazetteer, &Targets::us_top100(gazetteer))
    });

    const MARKUP: &str = r#"<script type="application/ld+json">{"@type": "PostalAddress",
        "streetAddress": "1200 Main Street", "addressLocality": "Houston",
        "addressRegion": "TX", "postalCode": "77002"}</script>"#;

    fn evaluate(html: &str) -> Evaluation {
        let url = CanonicalUrl::parse("http://town.example/").unwrap();
        EVALUATOR.evaluate(&html::read(html.as_bytes(), &url, None))
    }

    fn entities(html: &str) -> String {
        let show = |entity: &Entity| {
            let Entity {
                number,
                street,
                city,
                state,
                span,
                ..
            } = entity;
            format!("{number} {street}, {city} {state} {span:?}")
        };
        let found = evaluate(html).entities;
        found.iter().map(show).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_address_that_only_the_markup_states_is_an_entity() {
        assert_snapshot!(entities(MARKUP), @"1200 MAIN ST, Houston TX 0..0");
    }

    #[test]
    fn an_address_in_text_and_markup_is_one_entity() {
        let page = format!("{MARKUP}<p>1200 Main St., Houston, Texas</p>{MARKUP}");
        assert_snapshot!(entities(&page), @"1200 MAIN ST, Houston TX 0..29");
    }

    #[test]
    fn a_page_has_a_geography_also_outside_the_targets() {
        let page = "<p>1 Ajinomoto Drive, Eddyville, IA 52553</p>";
        assert_snapshot!(entities(page), @"");
        let geography = evaluate(page).findings.geography;
        let focus = Gazetteer::built_in().describe(geography.focus.unwrap());
        assert_snapshot!(focus, @"Eddyville, Iowa, United States");
    }

    #[test]
    fn names_are_found_on_request_only() {
        let page = "<p>Houston</p>";
        assert!(evaluate(page).findings.mentions.is_empty());
        let gazetteer = Gazetteer::built_in();
        let evaluator = Evaluator::new(gazetteer, &Targets::us_top100(gazetteer)).with_names();
        let url = CanonicalUrl::parse("http://town.example/").unwrap();
        let page = html::read(page.as_bytes(), &url, None);
        assert_eq!(evaluator.evaluate(&page).findings.mentions.len(), 1);
    }
}
