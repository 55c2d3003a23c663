//! Hands what a page states for machines to those who know places.
//!
//! `page` reads facts and knows no places, `place` knows places and no pages:
//! here a fact of the one becomes a claim for the other.

use page::structured::{Fact, Kind as FactKind};
use place::evidence::{Claim, Kind};

/// A page's fact as a claim to be understood.
pub fn claim(fact: &Fact) -> Claim<'_> {
    Claim {
        kind: kind(fact.kind),
        street: fact.street.as_deref().unwrap_or_default(),
        city: fact.city.as_deref().unwrap_or_default(),
        state: fact.state.as_deref().unwrap_or_default(),
        zip: fact.zip.as_deref().unwrap_or_default(),
        country: fact.country.as_deref().unwrap_or_default(),
        point: fact.lat.zip(fact.lon),
    }
}

fn kind(kind: FactKind) -> Kind {
    match kind {
        FactKind::JsonLd => Kind::JsonLd,
        FactKind::Microdata => Kind::Microdata,
        FactKind::Rdfa => Kind::Rdfa,
        FactKind::Microformat => Kind::Microformat,
        FactKind::Meta => Kind::Meta,
        FactKind::MapLink => Kind::MapLink,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::url::CanonicalUrl;

    #[test]
    fn a_fact_and_its_claim_say_the_same() {
        let url = CanonicalUrl::parse("http://www.example.org/").unwrap();
        let html = "<p class=adr><b class=locality>Waco</b> <b class=postal-code>76701</b></p>\
            <a href='geo:31.5,-97.1'>map</a>";
        let page = page::html::read(html.as_bytes(), &url, None);
        let claims: Vec<Claim<'_>> = page.structured.iter().map(claim).collect();
        let address = Claim {
            city: "Waco",
            zip: "76701",
            ..Claim::new(Kind::Microformat)
        };
        let map = Claim {
            point: Some((31.5, -97.1)),
            ..Claim::new(Kind::MapLink)
        };
        assert_eq!(claims, [address, map]);
    }
}
