//! What the tags of a sitemap or feed mean.
//!
//! An *entry* is a `url`, `sitemap`, `item` or `entry`, whichever the document
//! is made of; a *field* is text in it with a meaning. Both are told by name,
//! and belong to each other when they have the same prefix: the addresses of
//! an entry's images and videos have others. Of two fields with one name the
//! first counts. Any tag ends a field and any entry the one before it, so that
//! an end tag that was forgotten costs nothing.

use super::markup::{Name, Tag, Token, Tokens, decode};
use super::{ChangeFreq, Complaint, Draft, Kind, List, date};

/// Text of a field beyond this many bytes is not kept: no URL has as many.
const MAX_FIELD: usize = 8 << 10;

/// Reads a document into the list, and says what its entries are.
pub(super) fn read(text: &str, list: &mut List<'_>) -> Kind {
    let mut document = Document::default();
    for token in Tokens::new(text) {
        match token {
            Token::Start(tag) => document.start(&tag, list),
            Token::End(name) => document.end(name, list),
            Token::Text(text) => document.text(text),
            Token::Literal(text) => document.literal(text),
        }
        if list.is_full() || document.kind == Some(Kind::Unknown) {
            break;
        }
    }
    document.finish(list)
}

#[derive(Default)]
struct Document<'t> {
    /// None before the first tag that tells.
    kind: Option<Kind>,
    entry: Option<Entry<'t>>,
    field: Option<Field>,
    /// Text of the field.
    text: String,
}

/// The entry that is open.
struct Entry<'t> {
    prefix: &'t str,
    address: String,
    /// Text that is taken for the address where there is no better one.
    substitute: String,
    draft: Draft,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Address,
    Substitute,
    Date,
    Priority,
    ChangeFreq,
}

impl<'t> Document<'t> {
    fn start(&mut self, tag: &Tag<'t>, list: &mut List<'_>) {
        self.end_field();
        if self.kind.is_none() {
            self.kind = root(tag.name);
        }
        if self.is_entry(tag.name) {
            self.end_entry(list);
            self.kind = self.kind.or_else(|| kind_of_entry(tag.name));
            self.entry = Some(Entry::new(tag.name.prefix));
            // Some write the address right here, without an element of its own.
            self.field = Some(Field::Substitute);
        } else if let Some(entry) = &mut self.entry {
            self.field = match self.kind {
                Some(Kind::Feed) => entry.feed_field(tag),
                _ => entry.sitemap_field(tag.name),
            };
        }
        if tag.is_empty {
            self.field = None;
        }
    }

    fn end(&mut self, name: Name<'t>, list: &mut List<'_>) {
        self.end_field();
        if self.entry.is_some() && self.is_entry(name) {
            self.end_entry(list);
        }
    }

    /// Whether a tag of this name begins or ends an entry here.
    fn is_entry(&self, name: Name<'_>) -> bool {
        let kind = kind_of_entry(name);
        let is_known = kind.is_some() && (self.kind.is_none() || self.kind == kind);
        let open = self.entry.as_ref();
        is_known && open.is_none_or(|entry| entry.prefix == name.prefix)
    }

    fn text(&mut self, text: &str) {
        if self.field.is_some() && self.text.len() < MAX_FIELD {
            decode(up_to(text, MAX_FIELD), &mut self.text);
        }
    }

    fn literal(&mut self, text: &str) {
        if self.field.is_some() && self.text.len() < MAX_FIELD {
            self.text.push_str(up_to(text, MAX_FIELD));
        }
    }

    fn end_field(&mut self) {
        if let (Some(entry), Some(field)) = (&mut self.entry, self.field.take()) {
            entry.keep(field, self.text.trim());
        }
        self.text.clear();
    }

    fn end_entry(&mut self, list: &mut List<'_>) {
        if let Some(entry) = self.entry.take() {
            list.push(entry.address(), entry.draft);
        }
    }

    fn finish(mut self, list: &mut List<'_>) -> Kind {
        if let Some(entry) = &self.entry
            && !list.is_full()
        {
            list.complaints.push(Complaint::BreaksOff);
            // Half an address is an address, but of nothing: only one that had ended counts.
            if !entry.address.is_empty() {
                self.end_entry(list);
            }
        }
        self.kind.unwrap_or(Kind::Unknown)
    }
}

impl<'t> Entry<'t> {
    fn new(prefix: &'t str) -> Entry<'t> {
        Entry {
            prefix,
            address: String::new(),
            substitute: String::new(),
            draft: Draft::default(),
        }
    }

    fn address(&self) -> &str {
        if self.address.is_empty() {
            &self.substitute
        } else {
            &self.address
        }
    }

    fn sitemap_field(&self, name: Name<'_>) -> Option<Field> {
        let fields = [
            ("loc", Field::Address),
            ("lastmod", Field::Date),
            ("priority", Field::Priority),
            ("changefreq", Field::ChangeFreq),
        ];
        let field = fields.iter().find(|(known, _)| name.is(known));
        field
            .filter(|_| name.prefix == self.prefix)
            .map(|(_, field)| *field)
    }

    fn feed_field(&mut self, tag: &Tag<'_>) -> Option<Field> {
        let name = tag.name;
        // `dc:date` is what RSS 1.0 has for dates.
        if name.is("date") {
            return Some(Field::Date);
        }
        if name.prefix != self.prefix {
            return None;
        }
        if name.is("link") {
            return self.link(tag);
        }
        let is_any = |known: &[&str]| known.iter().any(|known| name.is(known));
        if is_any(&["pubDate", "updated", "published", "modified"]) {
            return Some(Field::Date);
        }
        // Often an address, and never one when there is a link that differs.
        is_any(&["guid", "id"]).then_some(Field::Substitute)
    }

    /// RSS has the address as text, Atom as an attribute.
    fn link(&mut self, tag: &Tag<'_>) -> Option<Field> {
        let Some(address) = tag.attribute("href") else {
            return Some(Field::Address);
        };
        let is_page = tag
            .attribute("rel")
            .is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
        if is_page {
            self.keep(Field::Address, address.trim());
        }
        None
    }

    fn keep(&mut self, field: Field, text: &str) {
        match field {
            Field::Address if self.address.is_empty() => self.address.push_str(text),
            Field::Substitute if self.substitute.is_empty() => self.substitute.push_str(text),
            // Published and updated: the later one.
            Field::Date => self.draft.lastmod = self.draft.lastmod.max(date::parse(text)),
            Field::Priority => {
                let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
                let priority = number.map(|number| number.clamp(0.0, 1.0));
                self.draft.priority = self.draft.priority.or(priority);
            }
            Field::ChangeFreq => {
                let known = ChangeFreq::parse(text);
                self.draft.changefreq = self.draft.changefreq.or(known);
            }
            Field::Address | Field::Substitute => {}
        }
    }
}

/// What a document is by its outermost element.
fn root(name: Name<'_>) -> Option<Kind> {
    let roots = [
        ("urlset", Kind::Pages),
        ("sitemapindex", Kind::Index),
        ("rss", Kind::Feed),
        ("rdf", Kind::Feed),
        ("feed", Kind::Feed),
        // A page that says that there is no sitemap.
        ("html", Kind::Unknown),
        ("head", Kind::Unknown),
        ("body", Kind::Unknown),
    ];
    let root = roots.iter().find(|(known, _)| name.is(known));
    root.map(|(_, kind)| *kind)
}

/// What a document is by one of its entries.
fn kind_of_entry(name: Name<'_>) -> Option<Kind> {
    let entries = [
        ("url", Kind::Pages),
        ("sitemap", Kind::Index),
        ("item", Kind::Feed),
        ("entry", Kind::Feed),
    ];
    let entry = entries.iter().find(|(known, _)| name.is(known));
    entry.map(|(_, kind)| *kind)
}

/// The first bytes of a text, as many as make whole characters.
fn up_to(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}
