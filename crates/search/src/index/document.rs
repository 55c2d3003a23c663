//! A page as it is given to the index library: its texts are handed on, not
//! copied.

use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Facet, Field, Value};

/// A page's fields with their values, in any order.
pub(super) struct Document(Vec<(Field, Datum)>);

/// A value of a field.
#[derive(Debug)]
pub(super) enum Datum {
    Text(String),
    Facet(Facet),
    Number(u64),
}

/// Values that most pages have no more of.
const USUALLY: usize = 64;

impl Document {
    pub(super) fn new() -> Document {
        Document(Vec::with_capacity(USUALLY))
    }

    pub(super) fn add_text(&mut self, field: Field, text: String) {
        self.0.push((field, Datum::Text(text)));
    }

    pub(super) fn add_facet(&mut self, field: Field, facet: Facet) {
        self.0.push((field, Datum::Facet(facet)));
    }

    pub(super) fn add_u64(&mut self, field: Field, number: u64) {
        self.0.push((field, Datum::Number(number)));
    }
}

impl tantivy::Document for Document {
    type Value<'d> = &'d Datum;
    type FieldsValuesIter<'d> = std::iter::Map<
        std::slice::Iter<'d, (Field, Datum)>,
        fn(&'d (Field, Datum)) -> (Field, &'d Datum),
    >;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.0.iter().map(|(field, datum)| (*field, datum))
    }
}

impl<'d> Value<'d> for &'d Datum {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'d str, Self)>;

    fn as_value(&self) -> ReferenceValue<'d, Self> {
        ReferenceValue::Leaf(match self {
            Datum::Text(text) => ReferenceValueLeaf::Str(text),
            Datum::Facet(facet) => ReferenceValueLeaf::Facet(facet.encoded_str()),
            Datum::Number(number) => ReferenceValueLeaf::U64(*number),
        })
    }
}
