//! The parts of an address, as other programs want them.

use super::document::Document;
use page::structured::Fact;
use place::address::{Address, AddressKind};
use place::evidence::Evidence;
use serde::Serialize;
use utoipa::ToSchema;

/// What is not known is null.
#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedParts)]
pub(super) struct Parts<'d> {
    number: Option<&'d str>,
    /// Street, or post box where there is no street.
    street: Option<&'d str>,
    unit: Option<&'d str>,
    /// Post box, also where one stands beside a street.
    #[serde(skip_serializing_if = "Option::is_none")]
    po_box: Option<&'d str>,
    city: Option<&'d str>,
    state: Option<&'d str>,
    zip: Option<&'d str>,
    country: Option<&'d str>,
}

impl<'d> Parts<'d> {
    pub(super) fn of(address: &'d Address) -> Parts<'d> {
        let street = match address.kind {
            AddressKind::Street => Some(address.street.as_str()),
            AddressKind::PoBox => address.po_box.as_deref(),
        };
        Parts {
            number: said(&address.number),
            street,
            unit: address.unit.as_deref(),
            po_box: address.po_box.as_deref(),
            city: said(&address.city),
            state: said(address.state),
            zip: address.zip.as_deref(),
            country: said(address.country),
        }
    }

    /// Of what markup states: in the page's own words where it is no address.
    pub(super) fn stated(
        document: &'d Document,
        fact_idx: usize,
        evidence: &'d Evidence,
    ) -> Parts<'d> {
        if let Some(address) = &evidence.address {
            return Parts::of(address);
        }
        let Fact {
            street,
            city,
            state,
            zip,
            country,
            ..
        } = &document.facts[fact_idx];
        Parts {
            number: None,
            street: street.as_deref(),
            unit: None,
            po_box: None,
            city: city.as_deref(),
            state: state.as_deref(),
            zip: zip.as_deref(),
            country: country.as_deref(),
        }
    }
}

/// None where nothing is said.
pub(super) fn said(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
