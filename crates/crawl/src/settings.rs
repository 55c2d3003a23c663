//! What a crawl may do, checked before it starts.

use page::url::CanonicalUrl;
use std::time::Duration;
use store::visit::Refusal;
use strategy::assign::Policy;

/// The dials of one crawl.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Pages after which the crawl stops; none means until nothing is left.
    pub n_pages: Option<u64>,
    /// Fetches a node may have in the air at once.
    pub n_slots: usize,
    /// Least time between two requests to one host; a longer `Crawl-delay` wins.
    pub delay: Duration,
    /// A host that takes long to answer is left alone for so many times as
    /// long: slow answers lengthen its delay at once, quick ones shorten it
    /// little by little. 0 leaves that out.
    pub delay_factor: f32,
    /// The longest delay that slow answers alone lead to. A `Crawl-delay` may
    /// be longer.
    pub longest_delay: Duration,
    /// Least time between two requests to one address. Small-town sites often
    /// share a machine, and politeness is owed to the machine.
    pub server_delay: Duration,
    /// Requests that one address may have to answer at the same time.
    pub machine_connections: usize,
    /// How many nodes get a link.
    pub policy: Policy,
    /// Whether a URL belongs to the node it was first offered to, so that no
    /// two nodes fetch it. For strategies that do not decide by the URL alone,
    /// and senseless with policy B, which gives links to several nodes.
    pub claims: bool,
    /// Links followed within one site, counted from where it was entered.
    pub max_depth: u16,
    /// Whether the sitemaps that sites name are read.
    pub sitemaps: bool,
    /// Times a page that fails for a passing reason is asked for in all.
    pub max_tries: u32,
    /// How long such a page waits before the second try; each further wait is eight times longer.
    pub retry_wait: Duration,
    /// Bytes of disk that a crawl leaves free: below, it pauses.
    pub disk_reserve: u64,
    /// URLs of one registrable domain that are taken or wait in line before
    /// further ones are put into its cold queue.
    pub domain_budget: u32,
    /// URLs by which every relevant page of a domain extends its budget.
    pub budget_per_relevant: u32,
    /// Pages after which a crawl ends that has found nothing relevant at all.
    pub patience: u64,
    /// Links that are left out.
    pub filters: Filters,
    /// Threads that parse and geoparse.
    pub n_readers: usize,
    /// Product token that robots rules are matched against.
    pub agent: String,
    /// Visits after which a group is committed.
    pub commit_visits: usize,
    /// Time after which a group is committed, on the system clock.
    pub commit_after: Duration,
    /// Whether pages are archived. Without an archive damaged tables cannot be
    /// mended: left out only to measure the rest.
    pub archive: bool,
    /// Whether pages are read for places: left out only to measure the rest.
    pub geoparse: bool,
}

/// Links that are left out, each kind with a counter. An empty list leaves
/// nothing out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Country domains that are followed, in lower case; domains of no country
    /// always are.
    pub country_domains: Vec<String>,
    /// Languages of pages whose links are followed, in lower case; a page that
    /// does not declare one always is.
    pub languages: Vec<String>,
    /// File extensions that are not followed, in lower case, beside those that
    /// are never pages.
    pub extensions: Vec<String>,
}

impl Filters {
    /// Why a link on a page in some language is left out.
    pub fn refusal(&self, url: &CanonicalUrl, language: Option<&str>) -> Option<Refusal> {
        if self.leaves_out_language(language) {
            return Some(Refusal::ForeignLanguage);
        }
        if self.leaves_out_domain(url) {
            return Some(Refusal::ForeignDomain);
        }
        self.leaves_out_extension(url).then_some(Refusal::NotAPage)
    }

    fn leaves_out_language(&self, language: Option<&str>) -> bool {
        let Some(language) = language.filter(|_| !self.languages.is_empty()) else {
            return false;
        };
        // `de-at` is German.
        let main = language.split(['-', '_']).next().unwrap_or_default();
        self.languages
            .iter()
            .all(|known| !known.eq_ignore_ascii_case(main))
    }

    /// Two letters at the end of a name are a country.
    fn leaves_out_domain(&self, url: &CanonicalUrl) -> bool {
        let top = url.host().rsplit('.').next().unwrap_or_default();
        let is_country = top.len() == 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_country
            && !self.country_domains.is_empty()
            && self.country_domains.iter().all(|known| known != top)
    }

    fn leaves_out_extension(&self, url: &CanonicalUrl) -> bool {
        if self.extensions.is_empty() {
            return false;
        }
        let file = url.path().rsplit('/').next().unwrap_or_default();
        let extension = file.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| {
            let mut known = self.extensions.iter();
            known.any(|known| known.eq_ignore_ascii_case(extension))
        })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            n_pages: None,
            n_slots: 32,
            delay: Duration::from_secs(1),
            delay_factor: 5.0,
            longest_delay: Duration::from_secs(30),
            server_delay: Duration::from_millis(500),
            machine_connections: 1,
            policy: Policy::A,
            claims: false,
            max_depth: 5,
            sitemaps: true,
            max_tries: 3,
            retry_wait: Duration::from_secs(30),
            disk_reserve: 256 << 20,
            domain_budget: 10_000,
            budget_per_relevant: 100,
            patience: 100_000,
            filters: Filters::default(),
            n_readers: std::thread::available_parallelism().map_or(1, usize::from),
            agent: "Locavore".into(),
            commit_visits: 512,
            commit_after: Duration::from_secs(2),
            archive: true,
            geoparse: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str, language: Option<&str>) -> Option<Refusal> {
        let list = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let filters = Filters {
            country_domains: list(&["de"]),
            languages: list(&["de", "en"]),
            extensions: list(&["php3"]),
        };
        filters.refusal(&CanonicalUrl::parse(url).unwrap(), language)
    }

    #[test]
    fn other_countries_languages_and_extensions_are_left_out() {
        assert_eq!(refusal("http://a.de/", None), None);
        assert_eq!(refusal("http://a.com/x.html", Some("en-us")), None);
        assert_eq!(refusal("http://192.0.2.1/", Some("DE")), None);
        assert_eq!(refusal("http://a.fr/", None), Some(Refusal::ForeignDomain));
        let foreign = Some(Refusal::ForeignLanguage);
        assert_eq!(refusal("http://a.de/", Some("fr")), foreign);
        assert_eq!(
            refusal("http://a.de/b/c.PHP3", None),
            Some(Refusal::NotAPage)
        );
        assert_eq!(
            Filters::default().refusal(
                &CanonicalUrl::parse("http://a.fr/x.php3").unwrap(),
                Some("fr")
            ),
            None
        );
    }
}
