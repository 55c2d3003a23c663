//! A query for pages that any of a few queries finds, each as good as the best
//! of them says.
//!
//! Goes through their lists side by side, and leaps in all of them where other
//! conditions leap. The library's own union marks all pages of a stretch
//! first, also those that nobody asks for: with conditions that few pages
//! meet, that is most of the time of a question.

use tantivy::query::{EnableScoring, Explanation, Query, QueryClone, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError};

/// Pages that any of these finds.
#[derive(Debug)]
pub(crate) struct BestOf(pub(crate) Vec<Box<dyn Query>>);

impl Clone for BestOf {
    fn clone(&self) -> BestOf {
        BestOf(self.0.iter().map(QueryClone::box_clone).collect())
    }
}

struct Weights(Vec<Box<dyn Weight>>);

/// The lists, and the first page that any of them is at.
struct Lists {
    lists: Vec<Box<dyn Scorer>>,
    page: DocId,
}

impl Query for BestOf {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let weights = self.0.iter().map(|query| query.weight(scoring));
        Ok(Box::new(Weights(weights.collect::<Result<_, _>>()?)))
    }
}

impl Weight for Weights {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut lists = Vec::with_capacity(self.0.len());
        for weight in &self.0 {
            let list = weight.scorer(reader, boost)?;
            if list.doc() != TERMINATED {
                lists.push(list);
            }
        }
        if lists.len() == 1 {
            return Ok(lists.remove(0));
        }
        let firsts = lists.iter().map(DocSet::doc);
        Ok(Box::new(Lists {
            page: firsts.min().unwrap_or(TERMINATED),
            lists,
        }))
    }

    fn explain(&self, reader: &SegmentReader, page: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        let at = match scorer.doc() < page {
            true => scorer.seek(page),
            false => scorer.doc(),
        };
        match at == page {
            true => Ok(Explanation::new("the best of some queries", scorer.score())),
            false => Err(TantivyError::InvalidArgument("no such page".to_owned())),
        }
    }
}

impl DocSet for Lists {
    fn advance(&mut self) -> DocId {
        let mut next = TERMINATED;
        for list in &mut self.lists {
            let page = match list.doc() {
                page if page == self.page => list.advance(),
                page => page,
            };
            next = next.min(page);
        }
        self.page = next;
        next
    }

    fn seek(&mut self, target: DocId) -> DocId {
        let mut next = TERMINATED;
        for list in &mut self.lists {
            let page = match list.doc() {
                page if page < target => list.seek(target),
                page => page,
            };
            next = next.min(page);
        }
        self.page = next;
        next
    }

    fn doc(&self) -> DocId {
        self.page
    }

    fn size_hint(&self) -> u32 {
        let sizes = self.lists.iter().map(DocSet::size_hint);
        sizes.fold(0, u32::saturating_add)
    }
}

impl Scorer for Lists {
    fn score(&mut self) -> Score {
        let here = self.page;
        let lists = self.lists.iter_mut().filter(|list| list.doc() == here);
        lists.map(Scorer::score).fold(0.0, Score::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use tantivy::collector::TopDocs;
    use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, TermQuery};
    use tantivy::schema::{INDEXED, IndexRecordOption, Schema};
    use tantivy::{Index, TantivyDocument, Term};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn it_finds_what_any_finds(
            pages in prop::collection::vec(prop::collection::btree_set(0_u64..5, 0..4), 1..300),
            asked in prop::collection::btree_set(0_u64..4, 0..4),
        ) {
            let mut schema = Schema::builder();
            let field = schema.add_u64_field("number", INDEXED);
            let index = Index::create_in_ram(schema.build());
            let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
            for numbers in &pages {
                let mut document = TantivyDocument::new();
                for number in numbers {
                    document.add_u64(field, *number);
                }
                writer.add_document(document).unwrap();
            }
            writer.commit().unwrap();
            let searcher = index.reader().unwrap().searcher();
            let has = |number: u64| {
                let term = Term::from_field_u64(field, number);
                Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
            };
            let scored = |number: &u64| {
                let worth = *number as f32 + 1.0;
                Box::new(ConstScoreQuery::new(has(*number), worth)) as Box<dyn Query>
            };
            let best = BestOf(asked.iter().map(scored).collect());
            // Alone it is gone through, with another condition it leaps.
            for condition in [None, Some(4)] {
                let mut clauses = vec![(Occur::Must, Box::new(best.clone()) as Box<dyn Query>)];
                let silent = |number| Box::new(ConstScoreQuery::new(has(number), 0.0)) as Box<dyn Query>;
                clauses.extend(condition.map(|number| (Occur::Must, silent(number))));
                let query = BooleanQuery::new(clauses);
                let found = searcher.search(&query, &TopDocs::with_limit(1_000).order_by_score()).unwrap();
                let found: BTreeMap<usize, f32> =
                    found.into_iter().map(|(score, page)| (page.doc_id as usize, score)).collect();
                let worth = |numbers: &BTreeSet<u64>| {
                    let meets = condition.is_none_or(|number| numbers.contains(&number));
                    let best = numbers.intersection(&asked).max().filter(|_| meets)?;
                    Some(*best as f32 + 1.0)
                };
                let expected: BTreeMap<usize, f32> = pages
                    .iter()
                    .enumerate()
                    .filter_map(|(page, numbers)| Some((page, worth(numbers)?)))
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
