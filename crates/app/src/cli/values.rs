//! Checks what stands after a flag: wrong values are refused before anything starts.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use crawl::fetch::address::{OpenRange, RangeError};
use page::url::CanonicalUrl;
use std::ffi::{OsStr, OsString};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// No host is worth waiting for longer.
const MOST_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A name out of a registry, for the help and for completion.
///
/// Whether it is known is found out later, with the rest of the plan, so that
/// an unknown name gets the one line every mistake in a plan gets.
#[derive(Clone)]
pub(super) struct Name {
    names: Vec<(&'static str, &'static str)>,
}

impl Name {
    /// One of these names, each with what it stands for.
    pub(super) fn of(names: impl Iterator<Item = (&'static str, &'static str)>) -> Name {
        Name {
            names: names.collect(),
        }
    }
}

impl TypedValueParser for Name {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.names.iter();
        Some(Box::new(values.map(|(name, summary)| {
            PossibleValue::new(*name).help(*summary)
        })))
    }
}

/// A point or a box may begin with a minus, and would be taken for a flag: a
/// space before it, which no reader of places minds, says that it is none.
pub(super) fn numbers_are_no_flag(arg: OsString) -> OsString {
    let are_numbers = arg.to_str().is_some_and(|text| {
        let is_number = |part: &str| part.trim().parse::<f32>().is_ok();
        text.starts_with('-')
            && matches!(text.split(',').count(), 2 | 4)
            && text.split(',').all(is_number)
    });
    if !are_numbers {
        return arg;
    }
    let mut spaced = OsString::from(" ");
    spaced.push(arg);
    spaced
}

/// The first word of a search that begins with a minus and is no flag:
/// `-frozen`, whose `-f` nobody knows, or `-houston`, whose `-h` asks for help.
///
/// Of flags with one letter only `-h` and `-V` exist, by themselves.
pub(super) fn unquoted(args: &[OsString]) -> Option<&str> {
    let mut words = args.iter().skip(1).map(|arg| arg.to_str().unwrap_or(""));
    if words.next() != Some("search") {
        return None;
    }
    let mut words = words.take_while(|word| *word != "--");
    words.find(|word| {
        let rest = word.strip_prefix('-').unwrap_or("");
        rest.starts_with(char::is_alphabetic) && rest.chars().count() > 1
            || rest.starts_with(['"', '\''])
    })
}

/// The port of name servers, where none is given.
const DNS_PORT: u16 = 53;

/// A name server's address, with its port or without.
pub(super) fn name_server(text: &str) -> Result<SocketAddr, String> {
    let ip = text.parse::<IpAddr>();
    let server = ip.map_or_else(|_| text.parse(), |ip| Ok((ip, DNS_PORT).into()));
    server.map_err(|_| "not an IP address, with a port or without".into())
}

/// A place, without the spaces around it.
pub(super) fn place(text: &str) -> Result<String, String> {
    Ok(text.trim().into())
}

pub(super) fn pages(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("a crawl needs at least one page".into()),
        Ok(n_pages) => Ok(n_pages),
        Err(_) => Err("not a number of pages, such as `5000`".into()),
    }
}

pub(super) fn hits(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("ask for at least one hit".into()),
        Ok(n_hits) => Ok(n_hits),
        Err(_) => Err("not a number of hits, such as `10`".into()),
    }
}

/// Nothing is farther from anything, in kilometres.
const MOST_DISTANCE: f64 = 20_000.0;

/// A distance in kilometres.
pub(super) fn distance(text: &str) -> Result<f64, String> {
    let (number, in_kilometres) = match text.trim().strip_suffix("km") {
        Some(number) => (number, 1.0),
        None => match text.trim().strip_suffix("mi") {
            Some(number) => (number, 1.609_344),
            None => (text.trim().strip_suffix('m').unwrap_or(""), 0.001),
        },
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number * in_kilometres <= MOST_DISTANCE => {
            Ok(number * in_kilometres)
        }
        Ok(number) if number > 0.0 => Err(format!(
            "nothing is farther than half way round the earth: at most `{MOST_DISTANCE}km`"
        )),
        _ => Err("write a distance such as `500m`, `10km` or `5mi`".into()),
    }
}

/// The beginning of a day, in milliseconds since 1970.
pub(super) fn date(text: &str) -> Result<u64, String> {
    let parts: Vec<&str> = text.trim().split('-').collect();
    let number = |part: &str| part.parse::<i64>().ok();
    let day = match parts[..] {
        [year, month, day] => number(year).zip(number(month)).zip(number(day)),
        _ => None,
    };
    let day = day.filter(|((year, month), day)| {
        (1970..=9999).contains(year) && (1..=12).contains(month) && (1..=31).contains(day)
    });
    match day {
        Some(((year, month), day)) => Ok(days_since_1970(year, month, day) * 86_400_000),
        None => Err("write a day such as `2026-05-31`".into()),
    }
}

/// Days from civil, after Howard Hinnant's description of the calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year / 400;
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    u64::try_from(era * 146_097 + days - 719_468).unwrap_or(0)
}

pub(super) fn pace(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(pace) if pace.is_finite() && pace >= 0.0 => Ok(pace),
        _ => Err("write a number from 0 on, such as `0.5`".into()),
    }
}

/// Someone to write to: an e-mail address, or a page about the crawl. It
/// becomes part of a request's header, so no other character may stand in it.
pub(super) fn contact(text: &str) -> Result<String, String> {
    let is_plain = text.chars().all(|c| c.is_ascii_graphic());
    let is_mail = matches!(
        text.split_once('@'),
        Some((name, host)) if !name.is_empty() && !host.is_empty()
    );
    let is_page = text.starts_with("http://") || text.starts_with("https://");
    if is_plain && (is_mail || is_page && CanonicalUrl::parse(text).is_ok()) {
        return Ok(text.into());
    }
    Err("write an e-mail address or a URL, such as `you@example.org`".into())
}

/// `http://host:port`: the only proxies spoken to.
pub(super) fn proxy(text: &str) -> Result<String, String> {
    let authority = text.strip_prefix("http://");
    let authority = authority.map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    let is_proxy = authority
        .and_then(|authority| authority.rsplit_once(':'))
        .is_some_and(|(host, port)| {
            let is_host = CanonicalUrl::parse(&format!("http://{host}/")).is_ok();
            is_host
                && !host.contains(['/', '@', '?', '#'])
                && port.parse::<u16>().is_ok_and(|port| port > 0)
        });
    if is_proxy {
        return Ok(text.into());
    }
    Err("write an HTTP proxy, such as `http://127.0.0.1:8100`".into())
}

/// Addresses of one's own network: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
pub(super) fn private_range(text: &str) -> Result<OpenRange, String> {
    let range: OpenRange = text.trim().parse().map_err(|error| match error {
        RangeError::Address(_) => {
            "write an address or a range of them, such as `127.0.0.1` or `10.0.0.0/8`".to_owned()
        }
        RangeError::Length { .. } => error.to_string(),
    })?;
    match range.is_public() {
        true => Err("these addresses are public, and need not be opened".into()),
        false => Ok(range),
    }
}

/// What `why` can be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    Url(CanonicalUrl),
    /// A host, with its port if that is not the usual one.
    Host(String),
}

/// A URL with its scheme; anything without one is a host.
pub(super) fn subject(text: &str) -> Result<Subject, String> {
    let text = text.trim();
    if text.contains("://") {
        let url = CanonicalUrl::parse(text).map_err(|error| error.to_string())?;
        return Ok(Subject::Url(url));
    }
    let is_bare = !text.is_empty() && !text.contains(['/', '?', '#', '@']);
    let url = is_bare.then(|| CanonicalUrl::parse(&format!("http://{text}/")).ok());
    let host = url
        .flatten()
        .map(|url| url.origin()["http://".len()..].to_owned());
    host.map(Subject::Host)
        .ok_or_else(|| "write a URL such as `http://example.org/a`, or a host".into())
}

/// `127.0.0.1:9090`, `[::1]:9090`, `localhost:9090`
pub(super) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let numeric = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.into(),
    };
    let address = numeric.parse();
    address.map_err(|_| "write an address and a port, such as `127.0.0.1:9090`".into())
}

/// Reads `2s`, `500ms`, `1.5s` or plain seconds.
pub(super) fn delay(text: &str) -> Result<Duration, String> {
    let (number, scale) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1e-3),
        (None, Some(number)) => (number, 1.0),
        (None, None) => (text, 1.0),
    };
    let number = number.trim().parse::<f64>().ok();
    let delay = number.and_then(|number| Duration::try_from_secs_f64(number * scale).ok());
    match delay {
        Some(delay) if delay > MOST_DELAY => Err("at most a day, `86400s`".into()),
        Some(delay) => Ok(delay),
        None => Err("write a time such as `2s` or `500ms`".into()),
    }
}

/// From nothing to everything.
pub(super) fn weight(text: &str) -> Result<f64, String> {
    let weight = text.trim().parse::<f64>().ok();
    let weight = weight.filter(|weight| (0.0..=1.0).contains(weight));
    weight.ok_or_else(|| "write a number from 0 to 1, such as `0.7`".into())
}

/// From hardly to at once.
pub(super) fn step(text: &str) -> Result<f64, String> {
    let step = text.trim().parse::<f64>().ok();
    let step = step.filter(|step| *step > 0.0 && *step <= 1.0);
    step.ok_or_else(|| "write a number above 0 and at most 1, such as `0.01`".into())
}

/// Two letters at the end of a country's domain names.
pub(super) fn country_domain(text: &str) -> Result<String, String> {
    let name = text.trim().trim_start_matches('.').to_ascii_lowercase();
    let is_country = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    match is_country {
        true => Ok(name),
        false => Err("write the two letters of countries, such as `de,at`".into()),
    }
}

/// A language's short name.
pub(super) fn language(text: &str) -> Result<String, String> {
    let name = text.trim().to_ascii_lowercase();
    let is_language =
        (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
    match is_language {
        true => Ok(name),
        false => Err("write the short names of languages, such as `de,en`".into()),
    }
}

/// Languages whose words are stemmed, by what people call them.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("de", &["german", "deutsch"]),
    ("en", &["english"]),
    ("es", &["spanish", "español", "espanol"]),
    ("fr", &["french", "français", "francais"]),
    ("it", &["italian", "italiano"]),
    ("nl", &["dutch", "nederlands"]),
    ("pt", &["portuguese", "português", "portugues"]),
    ("sv", &["swedish", "svenska"]),
];

/// A language as pages have it: `de`, also for `de-DE` and `german`.
pub(super) fn page_language(text: &str) -> Result<String, String> {
    let name = text.trim().to_lowercase();
    let known = LANGUAGES.iter().find(|(_, names)| names.contains(&&*name));
    if let Some((code, _)) = known {
        return Ok((*code).to_owned());
    }
    let code = name.split(['-', '_']).next().unwrap_or_default();
    let wrong = |_| "write the short name of a language, such as `de`".to_owned();
    language(code).map_err(wrong)
}

/// A host as pages have it, also where a whole URL or a port is given.
pub(super) fn page_host(text: &str) -> Result<String, String> {
    let text = text.trim();
    let url = match text.contains("://") {
        true => CanonicalUrl::parse(text),
        false => CanonicalUrl::parse(&format!("http://{text}/")),
    };
    match url {
        Ok(url) if !text.is_empty() => Ok(url.host().to_owned()),
        _ => Err("write a host, such as `example.org`".into()),
    }
}

/// A file's extension.
pub(super) fn extension(text: &str) -> Result<String, String> {
    let name = text.trim().trim_start_matches('.').to_ascii_lowercase();
    let is_extension = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match is_extension {
        true => Ok(name),
        false => Err("write extensions, such as `php3,cfm`".into()),
    }
}

/// How long ago: `90s`, `15m`, `12h`, `7d`.
pub(super) fn age(text: &str) -> Result<Duration, String> {
    let units = [("d", 86_400.0), ("h", 3_600.0), ("m", 60.0), ("s", 1.0)];
    let read = units.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    });
    read.ok_or_else(|| "write a time such as `12h`, `7d` or `30m`".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_days_are_read() {
        assert_eq!(distance("10km"), Ok(10.0));
        assert_eq!(distance(" 500 m"), Ok(0.5));
        assert!(distance("5mi").is_ok_and(|km| (km - 8.05).abs() < 0.01));
        for odd in ["", "10", "-1km", "km", "NaNkm", "1e9km"] {
            assert!(distance(odd).is_err(), "{odd}");
        }
        for far in ["50000km", "13000mi", "1e9km"] {
            assert!(
                distance(far).is_err_and(|why| why.contains("`20000km`")),
                "{far}"
            );
        }
        assert!(distance("20000km").is_ok());
        assert_eq!(date("1970-01-01"), Ok(0));
        assert_eq!(date("2026-11-16"), Ok(1_794_787_200_000));
        assert_eq!(
            date("2024-03-01").unwrap() - date("2024-02-28").unwrap(),
            2 * 86_400_000
        );
        for odd in ["", "today", "2026-13-01", "2026-1", "1969-12-31"] {
            assert!(date(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn languages_and_hosts_are_read_as_pages_have_them() {
        for text in ["de", "DE", "de-DE", "de_AT", "german", " Deutsch "] {
            assert_eq!(page_language(text).as_deref(), Ok("de"), "{text}");
        }
        for odd in ["", "d", "klingon", "12", "-"] {
            assert!(page_language(odd).is_err(), "{odd}");
        }
        for text in [
            "a.example",
            "A.Example",
            "http://a.example/",
            "https://a.example/b?c",
            "a.example:80",
            "a.example/b",
        ] {
            assert_eq!(page_host(text).as_deref(), Ok("a.example"), "{text}");
        }
        for odd in ["", "a b", "http://", "ftp://a.example/"] {
            assert!(page_host(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn ages_are_read_in_their_units() {
        let read = |text| age(text).map(|age| age.as_secs());
        assert_eq!(read("12h"), Ok(43_200));
        assert_eq!(read("7d"), Ok(604_800));
        assert_eq!(read("1.5 m"), Ok(90));
        assert_eq!(read("0s"), Ok(0));
        for text in ["", "h", "12", "-1d", "soon"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_read_in_seconds_and_milliseconds() {
        assert_eq!(delay("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(delay("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(delay("2"), Ok(Duration::from_secs(2)));
        assert_eq!(delay("86400"), Ok(MOST_DELAY));
        for bad in ["-1s", "soon", "86401s", "inf", "NaN"] {
            assert!(delay(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_has_no_scheme_is_a_host() {
        let url = CanonicalUrl::parse("http://a.example/").unwrap();
        assert_eq!(subject("HTTP://A.example:80"), Ok(Subject::Url(url)));
        assert_eq!(subject("A.example"), Ok(Subject::Host("a.example".into())));
        let with_port = Subject::Host("a.example:8080".into());
        assert_eq!(subject("a.example:8080"), Ok(with_port));
        for bad in ["", "a.example/b", "ftp://a.example/", "http://", "a b"] {
            assert!(subject(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn metrics_need_an_address_and_a_port() {
        let address = "127.0.0.1:0".parse::<SocketAddr>().unwrap();
        assert_eq!(listen_address("localhost:0"), Ok(address));
        assert!(listen_address("[::1]:9090").is_ok());
        for bad in [
            "9090",
            ":9090",
            "127.0.0.1",
            "localhost",
            "a.example:80",
            "127.0.0.1:99999",
        ] {
            assert!(listen_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_contact_can_be_written_to() {
        for good in [
            "you@example.org",
            "https://example.org/crawl",
            "http://a.example",
        ] {
            assert_eq!(contact(good).as_deref(), Ok(good));
        }
        for bad in [
            "",
            "me",
            "@example.org",
            "me@",
            "me @example.org",
            "ftp://a.example",
        ] {
            assert!(contact(bad).is_err(), "{bad}");
        }
        assert!(contact("me@example.org\r\nCookie: a").is_err());
    }

    #[test]
    fn a_proxy_is_http_with_a_port() {
        for good in [
            "http://127.0.0.1:8100",
            "http://proxy.lan:80/",
            "http://[::1]:3128",
        ] {
            assert_eq!(proxy(good).as_deref(), Ok(good));
        }
        for bad in [
            "https://a:1",
            "socks5://a:1",
            "ftp://a:1",
            "127.0.0.1:8100",
            "http://a",
            "http://:80",
            "http://a:0",
            "http://a:99999",
            "http://me:secret@a:80",
            "http://a:80/path",
        ] {
            assert!(proxy(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_without_sense_are_refused() {
        assert_eq!(pages("1"), Ok(1));
        assert!(pages("0").is_err() && pages("-1").is_err() && pages("many").is_err());
        assert!(hits("0").is_err() && hits("3").is_ok());
        assert_eq!(pace("0"), Ok(0.0));
        assert!(pace("-1").is_err() && pace("NaN").is_err() && pace("inf").is_err());
    }

    #[test]
    fn only_points_and_boxes_are_saved_from_being_flags() {
        let saved = |text: &str| numbers_are_no_flag(text.into());
        assert_eq!(saved("-30,-95,-29,-94"), " -30,-95,-29,-94");
        assert_eq!(saved("-33.87,151.2"), " -33.87,151.2");
        assert_eq!(saved("--nodes"), "--nodes");
        assert_eq!(saved("-1"), "-1");
        assert_eq!(saved("-1,2,3"), "-1,2,3");
        assert_eq!(saved("-a,b,c,d"), "-a,b,c,d");
    }

    #[test]
    fn a_word_with_a_minus_is_no_flag_of_a_search() {
        let find = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            unquoted(&args).map(str::to_owned)
        };
        assert_eq!(find("l search c pizza -frozen").as_deref(), Some("-frozen"));
        assert_eq!(find("l search c -houston").as_deref(), Some("-houston"));
        for fine in [
            "l search c pizza -- -frozen",
            "l search c pizza -h",
            "l search c pizza --near -33.87,151.2 --hits -1",
            "l search c - pizza",
            "l why c -x1",
            "l",
        ] {
            assert_eq!(find(fine), None, "{fine}");
        }
    }
}
