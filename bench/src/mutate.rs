//! Changes well-formed inputs a little, the same way each time.
//!
//! No coverage, no cleverness: what libFuzzer finds in an hour it will not,
//! but it runs with every test, and a reader that trusts its input rarely
//! survives a thousand of these.

/// Well-formed inputs of one target, and words that matter to it.
#[derive(Debug, Clone, Copy)]
pub struct Seeds {
    /// The target's name.
    pub target: &'static str,
    /// Inputs to start from.
    pub inputs: &'static [&'static str],
    /// What is inserted now and then.
    pub words: &'static [&'static str],
}

const TEXTS: &[&str] = &[
    "Visit us at 901 Bagby Street, Suite 300, Houston, TX 77002-1234 or call (713) 555-0100.",
    "P.O. Box 12\n5 N. Main St.\nSt. Paul, Minnesota 55101\n\nOpen 9 to 5",
    "Nadorster Straße 222a, 26123 Oldenburg (Oldb), Deutschland. Tel. 0441/12345",
    "Flights from New York City to Los Angeles and São Paulo; the mayor of Springfield, Ill., spoke.",
    "350 South Freeway Tucson, AZ 85745\u{a0}– 12½ Elm Rd., Apt. #4B, WACO TX",
];

/// The seeds of every target.
pub const SEEDS: [Seeds; 8] = [
    Seeds {
        target: "addresses",
        inputs: TEXTS,
        words: &[
            "St", "TX 77002", ", ", "\n\n", "1/2", "ß", "№", "PO Box", "Straße", "\u{a0}",
            "\u{301}",
        ],
    },
    Seeds {
        target: "toponyms",
        inputs: TEXTS,
        words: &[
            "New ", "York", "St. ", "Saint-", ", ", "TX", "’s", "İ", "ﬃ", "\u{301}", "\n",
        ],
    },
    Seeds {
        target: "html",
        inputs: &[
            "<html lang=en><title>A &amp; B</title><base href=/x/><p>5 Oak Rd<br>Waco, TX <a href='b?c=d#e' rel=nofollow>link <img alt=x></a>",
            "<div itemscope itemtype=http://schema.org/Place itemref=a><p itemprop=address itemscope><b itemprop=addressLocality>Waco</b></div><p id=a itemprop=postalCode>76701",
            "<p class=adr><span class=street-address>5 Oak Rd</span> <abbr class=geo title='31.5;-97.1'>x</abbr></p><meta name=geo.position content='31.5;-97.1'>",
            "<a href='https://www.google.com/maps/place/5+Oak+Rd/@31.5,-97.1,17z/data=!3d31.5!4d-97.1'>map</a><table><tr><td hidden>x</table><svg><title>y</svg>",
            "<div vocab=http://schema.org/ typeof=Store><link property=address resource='#a'></div><pre>\t1\n2</pre><!-- c --><script>d</script>",
        ],
        words: &[
            "<",
            ">",
            "\"",
            "'",
            "<div",
            "</div>",
            "<!--",
            "&#x",
            "&amp",
            "<script",
            "</script>",
            " itemscope",
            " itemref=a",
            "\0",
            "é",
        ],
    },
    Seeds {
        target: "json_ld",
        inputs: &[
            r##"{"@context": "https://schema.org", "@graph": [{"@type": "Hotel", "address": {"@id": "#a"}, "geo": {"latitude": "31.5", "longitude": -97.1}}, {"@id": "#a", "streetAddress": "5 Oak Rd", "addressLocality": "Waco", "addressRegion": "TX", "postalCode": 76701, "addressCountry": {"name": "US"}}]}"##,
            r#"[{"location": {"address": ["1 A St, Waco, TX", "caf\u00e9 \ud83d\ude00"]}, "hasMap": "geo:31.5,-97.1"}, {"geo": {"@type": "GeoShape", "box": "1 2 3 4"}}]"#,
        ],
        words: &[
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            "\\u",
            "\\ud83d",
            ",",
            ":",
            "/*",
            "//",
            "null",
            "<![CDATA[",
            "\"address\":",
            "\"@id\":\"#a\"",
            "1e999",
            "-",
        ],
    },
    Seeds {
        target: "url",
        inputs: &[
            "HTTP://User@Exämple.COM.:80/a/../b/./c%7e?utm_source=x&b=1&a=2#frag",
            "//www.example.co.uk:8080/%zz/é?q=a+b&PHPSESSID=0123456789abcdef0123456789abcdef",
            "../x/;jsessionid=ABC?=&&==",
            "https://[::1]/",
        ],
        words: &[
            "/", "..", "%", "%2e", "?", "#", ":", "@", "//", "\\", "xn--", "é", "。", "\t", "&",
        ],
    },
    Seeds {
        target: "robots",
        inputs: &[
            "User-agent: *\nDisallow: /private/*.html$\nAllow: /private/a\nCrawl-delay: 2.5\nSitemap: /s.xml\n",
            "\u{feff}user-agent : locavore/1.0 # us\r\ndisallow:/%7ejoe/é\r\n\r\nUser-agent: a\nUser-agent: b\nDisallow:",
        ],
        words: &[
            "*",
            "$",
            "\n",
            "\r",
            ":",
            "#",
            "User-agent: locavore\n",
            "Disallow: /",
            "Allow: ",
            "%",
            "Crawl-delay: 1e99\n",
            "\0",
        ],
    },
    Seeds {
        target: "sitemap",
        inputs: &[
            "<?xml version='1.0' encoding='UTF-8'?><urlset xmlns:i='i'><url><loc>http://www.example.org/?a=1&amp;b=2</loc><lastmod>2005-01-01T10:00:00.5+01:00</lastmod><priority>0.8</priority><i:loc>x</i:loc></url></urlset>",
            "<s:sitemapindex><s:sitemap>\n/a.xml\n</s:sitemap><!-- c --><s:sitemap><s:loc><![CDATA[http://example.org/b]]></s:loc></s:sitemap>",
            "<rss><channel><item><link>http://example.org/é</link><pubDate>Thu, 05 Jan 17 13:34:52 EST</pubDate></item></channel></rss>",
            "<feed><entry><link rel='alternate' href=\"http://example.org/\"/><updated>2003-12-13T18:30:02Z</updated></entry></feed>",
            "\u{feff}http://example.org/1\r\nhttp://example.org/2\n\nhttp://other.example/\n",
        ],
        words: &[
            "<",
            ">",
            "<url>",
            "</url>",
            "<loc>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "&",
            "&#x",
            ";",
            "<?",
            "'",
            "/",
            "\0",
            "é",
            "\n",
            "+99:99",
            "1e999",
            "-",
        ],
    },
    Seeds {
        target: "warc",
        inputs: &[
            "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 21\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi\r\n\r\n",
            "WARC/1.0\nwarc-type: response\ncontent-length: 0\n\n",
        ],
        words: &[
            "\r\n",
            "\r\n\r\n",
            ":",
            "Content-Length: ",
            "99999999999999999999",
            "-1",
            "WARC-Type: response",
            "\u{1f}",
        ],
    },
];

/// No input grows beyond this.
const MAX_LEN: usize = 4_096;

/// Numbers that look random and are the same each time (xorshift).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall as the seed says; zero will not do and counts as one.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.max(1))
    }

    /// A number below `n`, zero if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// A seed, changed in one to eight places.
pub fn mutate(seeds: &Seeds, dice: &mut Dice) -> Vec<u8> {
    let mut input = seeds.inputs[dice.below(seeds.inputs.len())]
        .as_bytes()
        .to_vec();
    for _ in 0..=dice.below(8) {
        change(&mut input, seeds, dice);
        input.truncate(MAX_LEN);
    }
    input
}

fn change(input: &mut Vec<u8>, seeds: &Seeds, dice: &mut Dice) {
    let at = dice.below(input.len() + 1);
    let end = (at + dice.below(24)).min(input.len());
    match dice.below(8) {
        0 if at < input.len() => input[at] ^= 1 << dice.below(8),
        1 if at < input.len() => input[at] = dice.below(256) as u8,
        2 => drop(input.drain(at..end)),
        3 => input.truncate(at),
        // The same again, many times: what repeats is what loops trip over.
        4 => {
            let piece = input[at..end].repeat(dice.below(60));
            input.splice(at..at, piece);
        }
        5 => {
            let other = seeds.inputs[dice.below(seeds.inputs.len())].as_bytes();
            let from = dice.below(other.len());
            input.splice(at..end, other[from..].iter().copied());
        }
        _ => {
            let word = seeds.words[dice.below(seeds.words.len())].as_bytes();
            let n_times = if dice.below(8) == 0 {
                dice.below(100)
            } else {
                1
            };
            input.splice(at..at, word.repeat(n_times));
        }
    }
}
