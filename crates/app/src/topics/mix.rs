//! Pages about everything and nothing, for whoever has none to tell a topic
//! from: definitions of WordNet, and pages of the made-up web on every topic
//! but one of the same name.

use super::{default_world, page_of_text};
use lab::topics;
use page::html::Page;

/// Texts of definitions: see `data/README.md`.
const TEXTS: &str = include_str!("../../../../data/mix.txt");

/// Pages of the made-up web.
const N_MADE_UP: usize = 100;

/// What the mix is written in.
pub(super) const LANGUAGE: &str = "en";

/// The mix for a topic of this name; always the same.
pub(super) fn pages(topic: &str) -> Vec<Page> {
    let texts = TEXTS.lines().filter(|line| !line.starts_with('#'));
    let mut pages: Vec<Page> = texts.filter_map(page_of_text).collect();
    // What is about no topic of that name is about all others.
    let lower = topic.to_lowercase();
    let same = topics::names().find(|name| lower.contains(name));
    let named = same.or_else(|| topics::names().next());
    let world = default_world();
    let lessons = named.and_then(|name| topics::lessons(&world, name, N_MADE_UP));
    pages.extend(lessons.unwrap_or_default().training.negatives);
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_is_of_texts_and_of_pages_and_leaves_the_topic_out() {
        let pages = pages("Restaurants in Houston");
        assert_eq!(pages.len(), 150 + N_MADE_UP);
        assert!(pages.iter().all(|page| page.text.len() > 100));
    }
}
