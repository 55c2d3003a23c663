//! Host names: readable, and decodable without a table.
//!
//! The first label of every host ends in `-` and a token, which is the site's
//! number in disguise: shuffled, so that neighbours look unrelated. A host is
//! known if the number in its token leads to exactly this name. A token starts
//! with a digit, so that none reads as a city or a state (`la`, `tx`).

use super::dice::Dice;
use super::geography::Country;
use super::layout::{Role, SiteKind};
use super::site::Language;
use super::site::Site;
use super::words::german::GERMAN_TOPICS;
use super::words::{
    AGENCIES, BRAND_WORDS, CITY_BRANDS, DEPARTMENTS, FARM_TAILS, FORUM_TAILS, PLATFORMS, TOPICS,
    TOURISM_TAILS,
};
use super::{Tag, World};

/// Letters of a token after its first digit: no vowels, no words.
const LETTERS: &[u8; 28] = b"0123456789bcdfghjkmnpqrstvwz";

/// Under whose domain a site lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Housing {
    Own,
    /// The city's, with its other departments.
    City,
    /// A platform's, with blogs of all kinds.
    Platform,
    /// A group of companies'.
    Group,
}

/// How the host was written: the site's own way, or with `www.` too many or missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Own,
    Other,
}

impl World {
    /// The site that a host name belongs to.
    pub(crate) fn find_host(&self, host: &str) -> Option<(Site<'_>, Spelling)> {
        let (bare, www) = match host.strip_prefix("www.") {
            Some(bare) => (bare, true),
            None => (host, false),
        };
        let label = bare.split('.').next()?;
        let token = label.rsplit_once('-')?.1;
        let shuffled = decode(token)?;
        if shuffled >= self.layout.n_sites() {
            return None;
        }
        let site = self.site(self.tokens.backward(shuffled));
        let mut name = String::with_capacity(64);
        self.write_bare_host(site.number, site.role, &mut name);
        if name != bare {
            return None;
        }
        let spelling = match www == self.has_www(site.number, site.role) {
            true => Spelling::Own,
            false => Spelling::Other,
        };
        Some((site, spelling))
    }

    /// The host name in the site's own spelling.
    pub(crate) fn write_host(&self, number: u64, role: Role, out: &mut String) {
        if self.has_www(number, role) {
            out.push_str("www.");
        }
        self.write_bare_host(number, role, out);
    }

    /// Whether the city's name is in the host, and in the site's own name.
    pub(crate) fn names_city(&self, number: u64, role: Role) -> bool {
        let chance = match role.kind {
            SiteKind::Municipal => 850,
            SiteKind::University | SiteKind::Hospital => 0,
            SiteKind::News | SiteKind::Directory | SiteKind::Tourism => 450,
            _ => self.settings.city_in_host,
        };
        role.city.is_some() && self.dice(Tag::NamesCity, number, 0).chance(chance)
    }

    /// The word a site is known by, in its host and in its name.
    pub(crate) fn brand_word(&self, number: u64) -> &'static str {
        let mut dice = self.dice(Tag::Brand, number, 0);
        match dice.chance(self.settings.city_brands) {
            true => dice.pick(&CITY_BRANDS),
            false => dice.pick(&BRAND_WORDS),
        }
    }

    /// What follows that word, by kind.
    pub(crate) fn brand_tail(&self, number: u64, role: Role) -> &'static str {
        let mut dice = self.dice(Tag::Brand, number, 1);
        match role.kind {
            SiteKind::Municipal => dice.pick(&DEPARTMENTS),
            SiteKind::News => dice.pick(&["Herald", "Tribune", "Times", "Post", "News"]),
            SiteKind::Directory | SiteKind::Guide => {
                dice.pick(&["Pages", "Guide", "Finder", "Listings"])
            }
            SiteKind::Tourism => dice.pick(&TOURISM_TAILS),
            SiteKind::RealEstate => dice.pick(&["Realty", "Homes", "Properties"]),
            SiteKind::Forum => dice.pick(&FORUM_TAILS),
            SiteKind::LinkFarm => dice.pick(&FARM_TAILS),
            SiteKind::Government => dice.pick(&AGENCIES),
            SiteKind::University => "University",
            SiteKind::Hospital => "Hospital",
            _ if self.language(number, role) == Language::German => GERMAN_TOPICS[role.topic].trade,
            _ => TOPICS[role.topic].trade,
        }
    }

    fn housing(&self, number: u64, role: Role) -> Housing {
        let mut dice = self.dice(Tag::Housing, number, 0);
        let pages = &self.settings.pages;
        match role.kind {
            SiteKind::Municipal => Housing::City,
            SiteKind::Blog if dice.chance(pages.platform_blogs) => Housing::Platform,
            SiteKind::Business if role.city.is_none() && dice.chance(pages.group_sites) => {
                Housing::Group
            }
            _ => Housing::Own,
        }
    }

    pub(super) fn has_www(&self, number: u64, role: Role) -> bool {
        self.housing(number, role) == Housing::Own && self.dice(Tag::Www, number, 0).chance(600)
    }

    fn write_bare_host(&self, number: u64, role: Role, out: &mut String) {
        let mut dice = self.dice(Tag::Host, number, 0);
        let housing = self.housing(number, role);
        match housing {
            Housing::Own => self.write_own_name(number, role, &mut dice, out),
            Housing::City => push_squashed(self.brand_tail(number, role), out),
            Housing::Platform => {
                match role.city.filter(|_| self.names_city(number, role)) {
                    Some(city) => out.push_str(&self.geography.cities[city].squashed),
                    None => push_squashed(self.brand_word(number), out),
                }
                push_squashed(dice.pick(&TOPICS[role.topic].nouns), out);
            }
            Housing::Group => {
                out.push_str(dice.pick(&["support", "store", "careers", "news", "investors"]));
            }
        }
        out.push('-');
        encode(self.tokens.forward(number), out);
        match housing {
            Housing::Own => out.push_str(match dice.below(100) {
                _ if role.kind == SiteKind::University => ".edu",
                _ if role.kind == SiteKind::Government => ".gov",
                0..85 if self.language(number, role) == Language::German => ".de",
                0..70 => ".com",
                70..82 => ".org",
                82..94 => ".net",
                _ => ".us",
            }),
            Housing::City => self.write_city_domain(number, role, out),
            Housing::Platform => {
                out.push('.');
                out.push_str(dice.pick(&PLATFORMS));
            }
            Housing::Group => self.write_group_domain(role, out),
        }
    }

    /// Departments of one city share its domain.
    fn write_city_domain(&self, number: u64, role: Role, out: &mut String) {
        let city = role.city.map(|city| &self.geography.cities[city]);
        match city {
            Some(city) if city.country == Country::De => {
                out.push_str(".stadt-");
                match self.names_city(number, role) {
                    true => out.push_str(&city.slug),
                    false => out.push_str("verwaltung"),
                }
                out.push_str(".de");
                return;
            }
            Some(city) if self.names_city(number, role) => {
                out.push_str(".cityof");
                out.push_str(&city.squashed);
                push_squashed(city.state, out);
            }
            Some(city) => {
                out.push_str(".metro");
                push_squashed(city.state, out);
                out.push_str("services");
            }
            None => out.push_str(".publicservices"),
        }
        out.push_str(".gov");
    }

    /// Neighbouring companies of no place share a group's domain.
    fn write_group_domain(&self, role: Role, out: &mut String) {
        let group = role.rank / 200;
        let mut dice = self.dice(Tag::Group, group, 0);
        out.push('.');
        push_squashed(dice.pick(&BRAND_WORDS), out);
        out.push_str("group");
        push_number(group, out);
        out.push_str(".com");
    }

    /// What stands before the token in a domain of the site's own.
    fn write_own_name(&self, number: u64, role: Role, dice: &mut Dice, out: &mut String) {
        let topic = &TOPICS[role.topic];
        if let Some((city, nth)) = self.layout.institution(role) {
            let name = self.geography.cities[city].institutions[nth].name;
            out.extend(
                name.split(' ')
                    .filter_map(|word| word.chars().next())
                    .filter(char::is_ascii_alphabetic)
                    .map(|c| c.to_ascii_lowercase()),
            );
            return;
        }
        match role.city.filter(|_| self.names_city(number, role)) {
            Some(city) => {
                let city = &self.geography.cities[city];
                out.push_str(if dice.chance(500) {
                    &city.squashed
                } else {
                    &city.slug
                });
            }
            None if role.kind == SiteKind::OpenDirectory => out.push_str("open"),
            None => push_squashed(self.brand_word(number), out),
        }
        if dice.chance(300) {
            out.push('-');
        }
        let second = match role.kind {
            SiteKind::OpenDirectory => "directory",
            SiteKind::Business | SiteKind::Shop | SiteKind::Blog | SiteKind::Chain => {
                match dice.chance(700) {
                    true => topic.slug,
                    false => dice.pick(&topic.nouns),
                }
            }
            _ => self.brand_tail(number, role),
        };
        push_squashed(second, out);
    }
}

fn encode(value: u64, out: &mut String) {
    out.push(char::from(b'0' + (value % 10) as u8));
    let mut rest = value / 10;
    while rest > 0 {
        out.push(char::from(LETTERS[(rest % LETTERS.len() as u64) as usize]));
        rest /= LETTERS.len() as u64;
    }
}

fn decode(token: &str) -> Option<u64> {
    let (first, rest) = token.as_bytes().split_first()?;
    if !first.is_ascii_digit() || rest.len() > 13 {
        return None;
    }
    let mut value: u64 = 0;
    for letter in rest.iter().rev() {
        let digit = LETTERS.iter().position(|known| known == letter)? as u64;
        value = value
            .checked_mul(LETTERS.len() as u64)?
            .checked_add(digit)?;
    }
    value.checked_mul(10)?.checked_add(u64::from(first - b'0'))
}

/// Lower case, letters and digits only.
pub(crate) fn push_squashed(text: &str, out: &mut String) {
    out.extend(
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase()),
    );
}

/// Decimal digits, without the cost of `format!`.
pub(crate) fn push_number(number: u64, out: &mut String) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_token_is_a_number(value: u64) {
            let mut token = String::new();
            encode(value, &mut token);
            prop_assert_eq!(decode(&token), Some(value));
        }

        #[test]
        fn any_token_is_read_or_refused(token in ".{0,20}") {
            let _ = decode(&token);
        }

        #[test]
        fn digits_are_those_of_format(number: u64) {
            let mut text = String::new();
            push_number(number, &mut text);
            prop_assert_eq!(text, number.to_string());
        }
    }
}
