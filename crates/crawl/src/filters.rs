//! Links that a user wants left out: by country domain, language and
//! extension.

use page::url::CanonicalUrl;
use store::visit::Refusal;

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
