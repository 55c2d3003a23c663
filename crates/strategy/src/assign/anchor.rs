//! *Idea*: a link goes to the node of the target named closest to its text.
//!
//! *Evidence*: the text of the link, or the `alt` of its image, and a number
//! of tokens before and after it (`--window`). A name counts when it lies
//! within the window as a whole; one that touches the link's text is at no
//! distance, and of two at the same distance the earlier wins, because
//! headings stand before what they head. A city alone is the most populous of
//! its name, target or not; a state or country beside it decides. A page is
//! mapped to the target that its own link was assigned with.
//!
//! *Wins when*: pages talk about other pages: directories, lists of
//! businesses, news.
//!
//! *Loses when*: links say `home` and `more`, or menus name every city there
//! is beside links that are about none.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 3.

use super::{Assign, Assignment, Entry, View};
use crate::scene::Scene;
use page::html::Link;
use place::target::{Mention, TargetId};

pub(crate) const ENTRY: Entry = Entry {
    name: "anchor",
    summary: "sends a link to the node of the city named in or near its text",
    build: |means| {
        Ok(Box::new(Anchor {
            window: means.window,
        }))
    },
    settings: &["--window"],
    by_url_alone: false,
    source: include_str!("anchor.rs"),
};

struct Anchor {
    window: usize,
}

const FOUND: &str = "city in or near the link's text";
const NOT_FOUND: &str = "no target's name near the link";

impl Assign for Anchor {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        Box::new(Anchors {
            scene,
            window: self.window,
            mentions: scene.targets.find_in_text(&scene.page.text),
        })
    }
}

struct Anchors<'a> {
    scene: Scene<'a>,
    window: usize,
    /// In the order of the text.
    mentions: Vec<Mention>,
}

/// A target near a link: how many tokens lie between, and where it stands.
type Nearby = (usize, usize, TargetId);

impl View for Anchors<'_> {
    fn assign(&self, link: &Link) -> Assignment {
        match self.nearby(link).into_iter().min() {
            Some((_, _, target)) => self.scene.owner(target, FOUND),
            None => self.scene.general(NOT_FOUND),
        }
    }

    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        let mut nearby = self.nearby(link);
        nearby.sort_unstable();
        match nearby.is_empty() {
            true => vec![self.scene.general(NOT_FOUND)],
            false => self
                .scene
                .owners(nearby.into_iter().map(|(_, _, target)| target), FOUND),
        }
    }

    fn mapped(&self) -> Option<TargetId> {
        self.scene.via
    }
}

impl Anchors<'_> {
    /// All targets within a link's extended text.
    fn nearby(&self, link: &Link) -> Vec<Nearby> {
        let mut nearby = self.in_picture(link);
        if self.mentions.is_empty() {
            return nearby;
        }
        let (start, end) = (link.span.start as usize, link.span.end as usize);
        let first_after = self
            .mentions
            .partition_point(|mention| mention.span.start < end.max(start));
        let (before, after) = self.mentions.split_at(first_after);
        for mention in before.iter().rev() {
            match self.distance_before(mention, start) {
                Some(distance) => nearby.push((distance, mention.span.start, mention.target)),
                None => break,
            }
        }
        for mention in after {
            match self.distance_after(mention, end) {
                Some(distance) => nearby.push((distance, mention.span.start, mention.target)),
                None => break,
            }
        }
        nearby
    }

    /// Targets in what stands for an image, where that is all a link shows.
    fn in_picture(&self, link: &Link) -> Vec<Nearby> {
        let alt = link.title.as_deref().filter(|_| link.span.is_empty());
        let mentions = alt.map(|alt| self.scene.targets.find_in_text(alt));
        let mentions = mentions.into_iter().flatten();
        mentions
            .map(|mention| (0, mention.span.start, mention.target))
            .collect()
    }

    /// Tokens between a name and the link behind it; none when the name does
    /// not fit into the window.
    fn distance_before(&self, mention: &Mention, link_start: usize) -> Option<usize> {
        if mention.span.end > link_start {
            return Some(0);
        }
        let text = &self.scene.page.text;
        let between = text.get(mention.span.end..link_start)?;
        let mut tokens = between
            .split_whitespace()
            .rev()
            .filter(|word| is_token(word));
        self.fits(&mut tokens, text.get(mention.span.clone())?)
    }

    fn distance_after(&self, mention: &Mention, link_end: usize) -> Option<usize> {
        let text = &self.scene.page.text;
        let between = text.get(link_end..mention.span.start)?;
        let mut tokens = between.split_whitespace().filter(|word| is_token(word));
        self.fits(&mut tokens, text.get(mention.span.clone())?)
    }

    /// Counts no further than the window reaches, however far away a name is.
    fn fits(&self, between: &mut dyn Iterator<Item = &str>, name: &str) -> Option<usize> {
        let n_between = between.take(self.window).count();
        let n_tokens = n_between + name.split_whitespace().count();
        (n_tokens <= self.window).then_some(n_between + 1)
    }
}

/// Bullets and bars between links are no words.
fn is_token(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::testing::Stage;
    use insta::assert_snapshot;

    fn assign(html: &str) -> String {
        Stage::top100().describe_page("anchor", html)
    }

    #[test]
    fn the_links_own_text_comes_first() {
        let html = "Dallas <a href='/'>Hotels in Houston</a> Austin";
        assert_snapshot!(assign(html), @"Cn4 Central: Houston, city in or near the link's text");
    }

    #[test]
    fn the_closest_name_wins_and_then_the_earlier() {
        let html = "Seattle has one <a href='/'>more</a> than Boston";
        assert_snapshot!(assign(html), @"Cn1 Eastern: Boston, city in or near the link's text");
        let html = "Seattle has <a href='/'>more</a> than any Boston";
        assert_snapshot!(assign(html), @"Cn2 Pacific: Seattle, city in or near the link's text");
        let html = "Seattle has <a href='/'>more</a> than | Boston";
        assert_snapshot!(assign(html), @"Cn2 Pacific: Seattle, city in or near the link's text");
    }

    #[test]
    fn a_state_decides_even_outside_the_link() {
        let html = "<a href='/'>Glendale</a>, CA";
        assert_snapshot!(assign(html), @"Cn2 Pacific: Glendale, city in or near the link's text");
        let html = "<a href='/'>Glendale</a> shops";
        assert_snapshot!(assign(html), @"Cn3 Mountain: Glendale, city in or near the link's text");
        let html = "<a href='/'>Portland</a>, Maine";
        assert_snapshot!(assign(html), @"Cn0 general: no target's name near the link");
    }

    #[test]
    fn names_beyond_the_window_do_not_count() {
        let nine = "one two three four five six seven eight nine";
        let near = format!("Houston {nine} <a href='/'>more</a>");
        assert_snapshot!(assign(&near), @"Cn4 Central: Houston, city in or near the link's text");
        let far = format!("Houston ten {nine} <a href='/'>more</a>");
        assert_snapshot!(assign(&far), @"Cn0 general: no target's name near the link");
        // Two words would be cut in half.
        let cut = format!("New York {nine} <a href='/'>more</a>");
        assert_snapshot!(assign(&cut), @"Cn0 general: no target's name near the link");
    }

    #[test]
    fn an_image_is_read_by_what_stands_for_it() {
        let html = "<a href='/'><img alt='Honolulu'></a>";
        assert_snapshot!(assign(html), @"Cn5 Hawaii/Alaska: Honolulu, city in or near the link's text");
        for (alt, first) in [
            ("Honolulu to Boston", "Honolulu"),
            ("Boston to Honolulu", "Boston"),
        ] {
            let html = format!("<a href='/'><img alt='{alt}'></a>");
            assert!(assign(&html).contains(first), "{alt}");
        }
    }

    #[test]
    fn policy_b_gives_every_node_its_share() {
        let html = "Boston <a href='/'>Houston or Dallas</a> and Seattle";
        assert_snapshot!(Stage::top100().describe_all("anchor", html), @r"
        Cn4 Central: Houston, city in or near the link's text
        Cn1 Eastern: Boston, city in or near the link's text
        Cn2 Pacific: Seattle, city in or near the link's text
        ");
    }
}
