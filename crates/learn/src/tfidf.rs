//! What a term weighs in a document: more the oftener it is there, less the
//! more documents have it.
//!
//! Weights are those of scikit-learn's `TfidfVectorizer` with
//! `sublinear_tf=True`: (1 + ln tf) · (ln((1 + n) / (1 + df)) + 1), the whole
//! vector at length one. The logarithm of the count is our choice: a word that
//! a page repeats a thousand times, in a menu or on purpose, must not drown
//! all others.
//!
//! As there, a term that was in no document has no weight.

use crate::bytes::{Kind, ReadError, Reader};

/// Most terms there can be: 8 MB of numbers.
pub const MAX_TERMS: u32 = 1 << 20;

const KIND: Kind = Kind {
    what: "table of document frequencies",
    mark: *b"LIDF",
    version: 1,
};

/// How rare each term is in a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Idf {
    n_documents: u32,
    /// Documents with each term.
    n_with: Vec<u32>,
    /// ln((1 + n) / (1 + df)) + 1 of the same; zero where no document has it,
    /// so that weighing a term looks at one number.
    idf: Vec<f32>,
}

impl Idf {
    /// Counts the documents that have each term. A document is its terms, each
    /// once, with how often it occurs; terms from `n_terms` on (at most
    /// `MAX_TERMS`) are passed over.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a [(u32, u32)]>, n_terms: u32) -> Idf {
        let mut n_documents = 0_u32;
        let mut n_with = vec![0; n_terms.min(MAX_TERMS) as usize];
        for document in documents {
            n_documents = n_documents.saturating_add(1);
            for &(term, _) in document.iter().filter(|(_, count)| *count > 0) {
                if let Some(n_with) = n_with.get_mut(term as usize) {
                    *n_with = n_documents.min(*n_with + 1);
                }
            }
        }
        Idf::from_counts(n_documents, n_with)
    }

    fn from_counts(n_documents: u32, n_with: Vec<u32>) -> Idf {
        let idf = n_with.iter().map(|n_with| match n_with {
            0 => 0.0,
            _ => idf(n_documents, *n_with),
        });
        Idf {
            idf: idf.collect(),
            n_documents,
            n_with,
        }
    }

    /// How rare a term is; as rare as can be if no document had it.
    pub fn of_term(&self, term: u32) -> f32 {
        let known = self.idf.get(term as usize).copied();
        let known = known.filter(|idf| *idf > 0.0);
        known.unwrap_or_else(|| idf(self.n_documents, 0))
    }

    /// A document's vector, of length one; its terms in the same order. Empty
    /// if no term is known.
    pub fn weigh(&self, document: &[(u32, u32)]) -> Vec<(u32, f32)> {
        let mut terms = Vec::with_capacity(document.len());
        let mut squares = 0.0;
        for &(term, count) in document {
            let idf = self.idf.get(term as usize).copied().unwrap_or(0.0);
            if count == 0 || idf == 0.0 {
                continue;
            }
            let weight = (1.0 + (count as f32).ln()) * idf;
            squares += f64::from(weight) * f64::from(weight);
            terms.push((term, weight));
        }
        let length = squares.sqrt() as f32;
        for (_, weight) in &mut terms {
            *weight /= length;
        }
        terms
    }

    /// Documents that were counted.
    pub fn n_documents(&self) -> u32 {
        self.n_documents
    }

    /// Terms there may be.
    pub fn n_terms(&self) -> u32 {
        self.n_with.len() as u32
    }

    /// As bytes, with a version.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = KIND.writer();
        writer.u32(self.n_documents);
        writer.u32(self.n_terms());
        for (term, &n_with) in (0..).zip(&self.n_with).filter(|(_, n_with)| **n_with > 0) {
            writer.u32(term);
            writer.u32(n_with);
        }
        writer.into_bytes()
    }

    /// What `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Idf, ReadError> {
        KIND.read(bytes, Idf::parse)
    }

    fn parse(reader: &mut Reader<'_>) -> Option<Idf> {
        let n_documents = reader.u32()?;
        let n_terms = reader.u32().filter(|n_terms| *n_terms <= MAX_TERMS)?;
        let mut known = vec![0; n_terms as usize];
        while !reader.is_empty() {
            let n_with = known.get_mut(reader.u32()? as usize)?;
            *n_with = reader.u32().filter(|n| (1..=n_documents).contains(n))?;
        }
        Some(Idf::from_counts(n_documents, known))
    }
}

fn idf(n_documents: u32, n_with: u32) -> f32 {
    let share = (1.0 + f64::from(n_documents)) / (1.0 + f64::from(n_with));
    (share.ln() + 1.0) as f32
}

/// Terms in any order, as a document: each once, in ascending order, with how
/// often it was there.
pub fn count(mut terms: Vec<u32>) -> Vec<(u32, u32)> {
    terms.sort_unstable();
    let runs = terms.chunk_by(|one, next| one == next);
    runs.map(|run| (run[0], run.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn toy() -> Idf {
        let documents: [&[(u32, u32)]; 3] = [&[(0, 2), (1, 1)], &[(0, 1), (3, 4)], &[]];
        Idf::of(documents, 5)
    }

    #[test]
    fn rare_terms_weigh_more() {
        let idf = toy();
        assert_eq!(idf.of_term(0), ((4.0_f64 / 3.0).ln() + 1.0) as f32);
        assert_eq!(idf.of_term(1), (2.0_f64.ln() + 1.0) as f32);
        // Seen nowhere, and beyond the last.
        assert_eq!(idf.of_term(4), (4.0_f64.ln() + 1.0) as f32);
        assert_eq!(idf.of_term(99), idf.of_term(4));
    }

    #[test]
    fn vectors_have_length_one_and_known_terms_only() {
        let vector = toy().weigh(&[(0, 3), (1, 1), (2, 8), (3, 0), (77, 1)]);
        assert_eq!(
            vector.iter().map(|(term, _)| *term).collect::<Vec<_>>(),
            [0, 1]
        );
        let length: f32 = vector.iter().map(|(_, weight)| weight * weight).sum();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
        let by_hand = (1.0 + 3.0_f32.ln()) * toy().of_term(0) / toy().of_term(1);
        assert!((vector[0].1 / vector[1].1 - by_hand).abs() < 1e-6);
        assert_eq!(toy().weigh(&[(2, 1)]), []);
        assert_eq!(Idf::of([], 3).weigh(&[(0, 1)]), []);
    }

    #[test]
    fn bytes_bring_the_same_back() {
        assert_eq!(Idf::from_bytes(&toy().to_bytes()), Ok(toy()));
    }

    #[test]
    fn terms_are_counted() {
        assert_eq!(count(vec![9, 1, 9, 9]), [(1, 1), (9, 3)]);
        assert_eq!(count(Vec::new()), []);
    }

    proptest! {
        #[test]
        fn bytes_from_anywhere_do_no_harm(
            tail in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..100),
            n_documents in 0_u32..9,
            n_terms in any::<u32>(),
        ) {
            let _ = Idf::from_bytes(&tail);
            let mut bytes = KIND.writer();
            bytes.u32(n_documents);
            bytes.u32(n_terms);
            let bytes = [bytes.into_bytes(), tail].concat();
            if let Ok(idf) = Idf::from_bytes(&bytes) {
                prop_assert!(idf.n_terms() <= MAX_TERMS);
                prop_assert!((0..9).all(|term| idf.of_term(term) >= 1.0));
            }
        }
    }
}
