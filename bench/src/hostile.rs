//! Inputs that mean harm, as long as one likes.
//!
//! Each repeats what makes a careless reader go back to the start: openings
//! without an end, runs of what an address or a name begins with, references
//! to everything. Twice the input must take twice the work, not four times.

/// A kind of input for one reader.
#[derive(Debug, Clone, Copy)]
pub struct Hostile {
    /// What it is, for tables.
    pub name: &'static str,
    /// The fuzz target that reads it.
    pub target: &'static str,
    start: &'static str,
    repeated: &'static str,
}

impl Hostile {
    /// The input, of about this many bytes.
    pub fn of_size(&self, n_bytes: usize) -> String {
        let n_times = n_bytes / self.repeated.len();
        self.start.to_owned() + &self.repeated.repeat(n_times)
    }
}

/// Inputs for those that read text: addresses and names alike.
pub const TEXTS: [Hostile; 14] = [
    text("digits only", "12345 678 90 "),
    text("one long number", "1234567890"),
    text("capitals only", "AB CDE FGHI J "),
    text("capitalised words", "Foo Bar Bazar Main Park "),
    text("New York, again and again", "New York "),
    text("New New New", "New "),
    text(
        "half addresses",
        "1234 Main St 5 Oak Ave 99 North Foo TX 77002 AB ",
    ),
    text("streets without a city", "12 Elm Street, "),
    text("cities without a street", "Houston, TX 77002 "),
    text(
        "German half addresses",
        "Hauptstraße 5, 26121 Am Markt 26122 ",
    ),
    text("commas", ","),
    text("line breaks", "a\n\n1\n"),
    text("accents", "é\u{301}ß\u{a0}"),
    text("one word", "Aaaaaaaaaa"),
];

/// Inputs for those that read markup and the rest.
pub const DOCUMENTS: [Hostile; 20] = [
    document("html", "div without an end", "", "<div "),
    document("html", "div within div", "", "<div>"),
    document(
        "html",
        "items within items",
        "",
        "<i itemscope itemprop=address class=adr>",
    ),
    document(
        "html",
        "items that borrow",
        "<p id=a><b itemprop=addressLocality>Waco</b>",
        "<i itemscope itemref='a a a'></i>",
    ),
    document("html", "end tags", "<b><i>", "</p></i></table>"),
    document("html", "entities", "", "&amp;&#x26;&"),
    document(
        "html",
        "map links",
        "",
        "<a href='https://maps.google.com/maps?q=1+A+St&ll=1.5,2.5'>x</a>",
    ),
    document("json_ld", "objects within objects", "", "{\"address\":"),
    document(
        "json_ld",
        "names without things",
        "[",
        "{\"@id\":\"#a\",\"address\":{\"@id\":\"#b\"}},",
    ),
    document(
        "json_ld",
        "addresses",
        "[",
        "{\"address\":{\"streetAddress\":\"1 A St\",\"addressLocality\":\"Waco\"}},",
    ),
    document("json_ld", "one string", "\"", "\\u00"),
    document("url", "dots", "http://a.example/", "../a/./"),
    document("robots", "stars", "user-agent: *\ndisallow: /", "*a"),
    document("robots", "agents", "", "user-agent: a\n"),
    document("sitemap", "entries without an end", "", "<url><loc>/a"),
    document("sitemap", "comments without an end", "<urlset>", "<!-- "),
    document("sitemap", "tags without an end", "<urlset>", "<url a='"),
    document("sitemap", "ampersands", "<url><loc>", "&&#"),
    document(
        "sitemap",
        "one address",
        "<url><loc>http://a/",
        "<![CDATA[a]]>",
    ),
    document("sitemap", "attributes", "<entry><link ", "a=b "),
];

const fn text(name: &'static str, repeated: &'static str) -> Hostile {
    document("addresses", name, "", repeated)
}

const fn document(
    target: &'static str,
    name: &'static str,
    start: &'static str,
    repeated: &'static str,
) -> Hostile {
    Hostile {
        name,
        target,
        start,
        repeated,
    }
}
