//! What start tags, end tags and text mean for the page being read.

use html5gum::State;

use super::meta;
use super::outline::{Effect, Outline};
use super::tags::{Shape, Tag};
use super::text::{Gap, Text, collapse};
use super::tokens::{Attribute, Attributes};
use super::{Complaint, Link, MAX_FURTHER_LINKS, MAX_LINKS, MAX_TEXT, MetaRobots, Page};
use crate::structured::{Reader, References};
use crate::url::{CanonicalUrl, Fingerprint, UrlError};

const MAX_TITLE: usize = 1_000;

/// Where text goes at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    Page,
    Title,
    JsonLd,
    Nowhere,
}

/// An `a` that has not ended.
#[derive(Debug)]
struct Anchor {
    /// Its link, unless it leads nowhere we go.
    link_idx: Option<usize>,
    /// Length of the text when it started.
    mark: usize,
    /// Depth of the outline around it: when that falls, the anchor is over.
    depth: usize,
    /// `alt` of an image inside it.
    alt: Option<Box<str>>,
    hidden: bool,
}

#[derive(Debug)]
pub(super) struct Document<'u> {
    url: &'u CanonicalUrl,
    /// What references are relative to.
    base: Option<CanonicalUrl>,
    domain: &'u str,
    sink: Sink,
    title: Option<Text>,
    text: Text,
    outline: Outline,
    anchor: Option<Anchor>,
    /// The text of the last anchor that ended, for menu items and neighbours.
    last_anchor: (usize, usize),
    links: Vec<Link>,
    n_bad_links: usize,
    further_links: Vec<Fingerprint>,
    canonical: Option<CanonicalUrl>,
    robots: MetaRobots,
    language: Option<String>,
    structured: Reader,
}

impl<'u> Document<'u> {
    pub(super) fn new(url: &'u CanonicalUrl, references: References) -> Document<'u> {
        Document {
            url,
            base: None,
            domain: url.registrable_domain(),
            sink: Sink::Page,
            title: None,
            text: Text::new(MAX_TEXT),
            outline: Outline::new(),
            anchor: None,
            last_anchor: (0, 0),
            links: Vec::with_capacity(64),
            n_bad_links: 0,
            further_links: Vec::new(),
            canonical: None,
            robots: MetaRobots::default(),
            language: None,
            structured: Reader::new(references),
        }
    }

    /// Identifiers of elements matter.
    pub(super) fn wants_ids(&self) -> bool {
        self.structured.wants_ids()
    }

    pub(super) fn is_in_graphics(&self) -> bool {
        self.outline.is_open(Tag::Svg)
    }

    pub(super) fn text(&mut self, piece: &[u8]) {
        if self.sink == Sink::Page {
            self.structured.text(piece);
        }
        match self.sink {
            Sink::Nowhere => {}
            Sink::JsonLd => self.structured.script(piece),
            Sink::Title => {
                if let Some(title) = &mut self.title {
                    title.push(piece);
                }
            }
            Sink::Page if self.is_unseen() => {}
            Sink::Page if self.outline.is_open(Tag::Pre) || self.outline.is_open(Tag::Listing) => {
                self.text.push_preformatted(piece);
            }
            Sink::Page => self.text.push(piece),
        }
    }

    fn is_unseen(&self) -> bool {
        self.outline.is_unseen() || self.anchor.as_ref().is_some_and(|anchor| anchor.hidden)
    }

    /// A start tag; the answer is the tokenizer's new state, if it must change.
    pub(super) fn start(
        &mut self,
        tag: Tag,
        attributes: &Attributes,
        is_self_closing: bool,
    ) -> Option<State> {
        self.close_implied(tag);
        let is_hidden = is_hidden(attributes);
        if !self.outline.is_unseen() && !is_hidden {
            self.text.widen(self.gap(tag));
        }
        if !self.outline.is_absent() {
            self.note(tag, attributes);
            self.structured.start(tag, attributes, is_self_closing);
        }
        match tag.shape() {
            Shape::Absent if tag == Tag::Svg && is_self_closing => {}
            Shape::Block | Shape::Absent => self.open(tag, attributes, is_hidden),
            // The end of an inline element matters only where it, or
            // something around it, is hidden.
            Shape::Inline if self.outline.is_unseen() || is_hidden => {
                self.open(tag, attributes, is_hidden);
            }
            Shape::Inline | Shape::Void | Shape::Loose | Shape::Raw => {}
        }
        self.enter_raw_text(tag, attributes, is_self_closing)
    }

    pub(super) fn end(&mut self, tag: Tag) {
        if self.sink == Sink::JsonLd {
            self.structured.end_script();
        }
        if self.sink != Sink::Page {
            // Only the end tag of the raw element itself gets here.
            self.sink = Sink::Page;
        }
        self.structured.end(tag);
        // What is not shown leaves no gap either.
        let was_unseen = self.outline.is_unseen() && tag.shape() != Shape::Absent;
        match tag.shape() {
            Shape::Block | Shape::Absent | Shape::Inline => {
                // A cell protects the tables around it; a block, the text
                // styles around it.
                let barriers: &[Tag] = match tag.shape() {
                    Shape::Inline => &[Tag::Div, Tag::Td, Tag::Th, Tag::Li],
                    _ if matches!(tag, Tag::Table | Tag::Tr | Tag::Tbody | Tag::Thead) => {
                        &[Tag::Table]
                    }
                    _ => &[Tag::Td, Tag::Th, Tag::Table],
                };
                let was_deeper = tag.shape() != Shape::Inline && self.outline.pop_deeper();
                if !was_deeper && let Some(distance) = self.outline.distance(&[tag], barriers) {
                    self.close(distance);
                }
            }
            Shape::Loose if tag == Tag::A => self.end_anchor(),
            Shape::Void if tag == Tag::Br && !was_unseen => self.text.break_line(),
            Shape::Void | Shape::Raw | Shape::Loose => {}
        }
        if !was_unseen && !self.outline.is_unseen() {
            self.text.widen(self.gap(tag));
        }
    }

    pub(super) fn finish(mut self) -> (Page, References) {
        self.end_anchor();
        let mut complaints = Vec::new();
        if self.n_bad_links > 0 {
            complaints.push(Complaint::BadLinks(self.n_bad_links));
        }
        if !self.further_links.is_empty() {
            complaints.push(Complaint::TooManyLinks);
        }
        if self.text.is_full() {
            complaints.push(Complaint::TooMuchText);
        }
        let text = self.text.finish();
        let mut links = self.links;
        for link in &mut links {
            // Where text was cut off, so are its spans.
            let [start, end] =
                [link.span.start, link.span.end].map(|at| (at as usize).min(text.len()));
            if text.get(start..end).is_none() {
                link.span = 0..0;
            } else {
                link.span = start as u32..end as u32;
            }
        }
        let (structured, references) = self.structured.finish();
        let page = Page {
            url: self.url.clone(),
            title: self.title.map(Text::finish).unwrap_or_default(),
            text,
            links,
            further_links: self.further_links,
            structured,
            canonical: self.canonical,
            robots: self.robots,
            language: self.language,
            charset: "UTF-8",
            complaints,
        };
        (page, references)
    }

    /// What an element says apart from its place in the outline.
    fn note(&mut self, tag: Tag, attributes: &Attributes) {
        match tag {
            Tag::A => self.begin_anchor(attributes),
            Tag::Area => {
                let title = attributes
                    .get(Attribute::Alt)
                    .or(attributes.get(Attribute::Title));
                self.add_link(attributes.get(Attribute::Href), title, attributes);
            }
            Tag::Br if !self.outline.is_unseen() => self.text.break_line(),
            Tag::Frame => {
                let title = attributes.get(Attribute::Title);
                self.add_link(attributes.get(Attribute::Src), title, attributes);
            }
            // Frames nobody sees hold counters, not pages.
            Tag::Iframe if !self.outline.is_unseen() && !is_hidden(attributes) => {
                let title = attributes.get(Attribute::Title);
                self.add_link(attributes.get(Attribute::Src), title, attributes);
            }
            Tag::Img => {
                if let Some(anchor) = &mut self.anchor
                    && anchor.alt.is_none()
                    && let Some(alt) = attributes.get(Attribute::Alt)
                {
                    anchor.alt = collapse(alt, MAX_TITLE);
                }
            }
            Tag::Base if self.base.is_none() => {
                let href = attributes.get(Attribute::Href);
                self.base = href.and_then(|href| self.url.join(href).ok());
            }
            Tag::Html if self.language.is_none() => {
                let lang = attributes
                    .get(Attribute::Lang)
                    .or(attributes.get(Attribute::XmlLang));
                self.language = lang.and_then(meta::language);
            }
            Tag::Link if self.canonical.is_none() => {
                let rel = attributes.get(Attribute::Rel).unwrap_or_default();
                if meta::has_word(rel, &["canonical"]) {
                    let href = attributes
                        .get(Attribute::Href)
                        .filter(|href| !href.is_empty());
                    self.canonical = href.and_then(|href| self.base().join(href).ok());
                }
            }
            Tag::Meta => self.note_meta(attributes),
            _ => {}
        }
    }

    fn note_meta(&mut self, attributes: &Attributes) {
        let content = attributes.get(Attribute::Content).unwrap_or_default();
        if let Some(name) = attributes.get(Attribute::Name)
            && ["robots", "locavore"]
                .iter()
                .any(|agent| name.trim().eq_ignore_ascii_case(agent))
        {
            meta::ask_robots(&mut self.robots, content);
        }
        let Some(header) = attributes.get(Attribute::HttpEquiv).map(str::trim) else {
            return;
        };
        if header.eq_ignore_ascii_case("refresh") {
            self.add_link(meta::refresh_target(content), None, attributes);
        } else if header.eq_ignore_ascii_case("content-language") && self.language.is_none() {
            self.language = meta::language(content);
        }
    }

    fn base(&self) -> &CanonicalUrl {
        self.base.as_ref().unwrap_or(self.url)
    }

    /// The gap an element leaves, which for `li` depends on where it is.
    fn gap(&self, tag: Tag) -> Gap {
        if tag == Tag::Li && self.outline.is_in_menu() {
            Gap::Blank
        } else {
            tag.gap()
        }
    }

    fn open(&mut self, tag: Tag, attributes: &Attributes, unseen: bool) {
        let is_list = matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl);
        let get = |attribute| attributes.get(attribute).unwrap_or_default();
        let menu = matches!(tag, Tag::Nav | Tag::Menu)
            || meta::has_word(get(Attribute::Role), &["navigation", "menu", "menubar"])
            || is_list
                && (meta::names_menu(get(Attribute::Class))
                    || meta::names_menu(get(Attribute::Id)));
        let effect = Effect {
            unseen,
            absent: tag.shape() == Shape::Absent,
            menu,
        };
        let label = if tag.is_container() {
            label(attributes)
        } else {
            None
        };
        self.outline.push(tag, effect, label, self.text.len());
    }

    /// Ends what the author left open: the previous item, row, cell, paragraph.
    fn close_implied(&mut self, tag: Tag) {
        if tag.shape() == Shape::Block && self.outline.top().is_some_and(|(top, _)| top == Tag::P) {
            self.close(1);
        }
        if let Some((ended, barriers)) = tag.ends()
            && let Some(distance) = self.outline.distance(ended, barriers)
        {
            self.close(distance);
        }
    }

    fn close(&mut self, n_elements: usize) {
        for _ in 0..n_elements {
            if let Some((Tag::Li, mark)) = self.outline.top()
                && self.is_one_link(mark)
            {
                self.text.widen(Gap::Blank);
            }
            self.outline.pop();
        }
        let depth = self.outline.depth();
        if self
            .anchor
            .as_ref()
            .is_some_and(|anchor| depth < anchor.depth)
        {
            self.end_anchor();
        }
    }

    /// All text since `mark` is the last anchor's.
    fn is_one_link(&self, mark: usize) -> bool {
        let (start, end) = match &self.anchor {
            Some(anchor) => (self.text.word_at(anchor.mark), self.text.len()),
            None => self.last_anchor,
        };
        start < end && end == self.text.len() && start == self.text.word_at(mark)
    }

    fn enter_raw_text(
        &mut self,
        tag: Tag,
        attributes: &Attributes,
        is_self_closing: bool,
    ) -> Option<State> {
        // In graphics `title` is an ordinary element, and `/>` ends any.
        if self.is_in_graphics() && (tag == Tag::Title || is_self_closing) {
            return None;
        }
        let state = tag.state()?;
        self.sink = match tag {
            Tag::Title if self.title.is_none() => {
                self.title = Some(Text::new(MAX_TITLE));
                Sink::Title
            }
            Tag::Xmp | Tag::Plaintext => Sink::Page,
            Tag::Script if Reader::wants_script(attributes) => Sink::JsonLd,
            _ => Sink::Nowhere,
        };
        Some(state)
    }

    fn begin_anchor(&mut self, attributes: &Attributes) {
        self.end_anchor();
        if self.text.len() == self.last_anchor.1 {
            // Neighbouring links are different words, whatever draws them apart.
            self.text.widen(Gap::Space);
        }
        let title = attributes.get(Attribute::Title);
        let link_idx = self.add_link(attributes.get(Attribute::Href), title, attributes);
        self.anchor = Some(Anchor {
            link_idx,
            mark: self.text.len(),
            depth: self.outline.depth(),
            alt: None,
            hidden: is_hidden(attributes),
        });
    }

    fn end_anchor(&mut self) {
        let Some(anchor) = self.anchor.take() else {
            return;
        };
        let (start, end) = (self.text.word_at(anchor.mark), self.text.len());
        if start < end {
            self.last_anchor = (start, end);
        }
        if let Some(link) = anchor
            .link_idx
            .and_then(|link_idx| self.links.get_mut(link_idx))
        {
            link.span = start as u32..end as u32;
            if start == end && anchor.alt.is_some() {
                link.title = anchor.alt;
            }
        }
    }

    fn add_link(
        &mut self,
        reference: Option<&str>,
        title: Option<&str>,
        attributes: &Attributes,
    ) -> Option<usize> {
        let reference = reference?.trim_ascii();
        if reference.is_empty() || reference.starts_with('#') || has_other_scheme(reference) {
            return None;
        }
        let is_further = self.links.len() == MAX_LINKS;
        if is_further && self.further_links.len() == MAX_FURTHER_LINKS {
            return None;
        }
        let url = match self.base().join(reference) {
            Ok(url) => url,
            Err(UrlError::Scheme(_)) => return None,
            Err(_) => {
                self.n_bad_links += 1;
                return None;
            }
        };
        if is_further {
            self.further_links.push(url.fingerprint());
            return None;
        }
        let at = self.text.len() as u32;
        let rel = attributes.get(Attribute::Rel).unwrap_or_default();
        self.links.push(Link {
            span: at..at,
            title: title.and_then(|title| collapse(title, MAX_TITLE)),
            nofollow: meta::has_word(rel, &["nofollow", "ugc", "sponsored"]),
            tag_path: self.outline.path(),
            leaves_domain: url.host() != self.url.host() && url.registrable_domain() != self.domain,
            url,
        });
        Some(self.links.len() - 1)
    }
}

fn is_hidden(attributes: &Attributes) -> bool {
    attributes.has(Attribute::Hidden) || attributes.get(Attribute::Style).is_some_and(meta::hides)
}

/// `#id`, unless a digit in it suggests that each sibling has its own; then
/// the first class.
fn label(attributes: &Attributes) -> Option<(char, &str)> {
    let first_word = |attribute| attributes.get(attribute)?.split_ascii_whitespace().next();
    let id = first_word(Attribute::Id).filter(|id| !id.bytes().any(|byte| byte.is_ascii_digit()));
    match id {
        Some(id) => Some(('#', id)),
        None => Some(('.', first_word(Attribute::Class)?)),
    }
}

/// `mailto:`, `javascript:` and the like: no need to ask the URL parser.
fn has_other_scheme(reference: &str) -> bool {
    let Some(end) = reference.find([':', '/', '?', '#']) else {
        return false;
    };
    let scheme = &reference[..end];
    reference[end..].starts_with(':')
        && !scheme.is_empty()
        && scheme.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !scheme.eq_ignore_ascii_case("http")
        && !scheme.eq_ignore_ascii_case("https")
}
