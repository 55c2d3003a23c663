//! Host names: readable, and decodable without a table.
//!
//! The first label of every host ends in `-` and a token, which is the site's
//! number in disguise: shuffled, so that neighbours look unrelated. A host is
//! known if the number in its token leads to exactly this name. A token starts
//! with a digit, so that none reads as a city or a state (`la`, `tx`).

use super::dice::Dice;
use super::layout::{Role, SiteKind};
use super::site::Site;
use super::words::{BRAND_WORDS, DEPARTMENTS, LAST_NAMES, PLATFORMS, TOPICS};
use super::{Tag, World};

/// Letters of a token after its first digit: no vowels, no words.
const LETTERS: &[u8; 28] = b"0123456789bcdfghjkmnpqrstvwz";

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
            SiteKind::News | SiteKind::Directory => 450,
            _ => self.settings.city_in_host,
        };
        role.city.is_some() && self.dice(Tag::NamesCity, number, 0).chance(chance)
    }

    pub(super) fn has_www(&self, number: u64, role: Role) -> bool {
        role.kind != SiteKind::Municipal && self.dice(Tag::Www, number, 0).chance(600)
    }

    fn write_bare_host(&self, number: u64, role: Role, out: &mut String) {
        let mut dice = self.dice(Tag::Host, number, 0);
        let token = |out: &mut String| encode(self.tokens.forward(number), out);
        match role.kind {
            SiteKind::OpenDirectory => {
                out.push_str("opendirectory-");
                token(out);
                out.push_str(".org");
            }
            SiteKind::Municipal => {
                push_squashed(dice.pick(&DEPARTMENTS), out);
                out.push('-');
                token(out);
                self.write_city_domain(number, role, out);
            }
            SiteKind::Blog if dice.chance(600) => {
                match role.city.filter(|_| self.names_city(number, role)) {
                    Some(city) => out.push_str(&self.geography.cities[city].squashed),
                    None => push_squashed(dice.pick(&LAST_NAMES), out),
                }
                push_squashed(dice.pick(&TOPICS[role.topic].nouns), out);
                out.push('-');
                token(out);
                out.push('.');
                out.push_str(dice.pick(&PLATFORMS));
            }
            SiteKind::Business if role.city.is_none() && dice.chance(150) => {
                out.push_str(dice.pick(&[
                    "support",
                    "store",
                    "careers",
                    "news",
                    "investors",
                    "help",
                ]));
                out.push('-');
                token(out);
                self.write_company_domain(role, out);
            }
            _ => self.write_own_domain(number, role, &mut dice, out),
        }
    }

    /// Departments of one city share its domain.
    fn write_city_domain(&self, number: u64, role: Role, out: &mut String) {
        let city = role.city.map(|city| &self.geography.cities[city]);
        match city {
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
    fn write_company_domain(&self, role: Role, out: &mut String) {
        let group = role.rank / 200;
        let mut dice = self.dice(Tag::Company, group, 0);
        out.push('.');
        push_squashed(dice.pick(&BRAND_WORDS), out);
        out.push_str("group");
        push_number(group, out);
        out.push_str(".com");
    }

    fn write_own_domain(&self, number: u64, role: Role, dice: &mut Dice, out: &mut String) {
        let topic = &TOPICS[role.topic];
        let named = role.city.filter(|_| self.names_city(number, role));
        let first = match named {
            Some(city) => {
                let city = &self.geography.cities[city];
                match dice.chance(500) {
                    true => city.squashed.as_str(),
                    false => city.slug.as_str(),
                }
            }
            None => dice.pick(&BRAND_WORDS),
        };
        push_squashed_keeping_hyphens(first, out);
        let second = match role.kind {
            SiteKind::News => dice.pick(&["news", "herald", "tribune", "times", "post"]),
            SiteKind::Directory => {
                dice.pick(&["pages", "guide", "finder", "directory", "listings"])
            }
            _ if dice.chance(700) => topic.slug,
            _ => dice.pick(&topic.nouns),
        };
        if dice.chance(300) {
            out.push('-');
        }
        push_squashed(second, out);
        out.push('-');
        encode(self.tokens.forward(number), out);
        out.push_str(match dice.below(100) {
            0..70 => ".com",
            70..82 => ".org",
            82..94 => ".net",
            _ => ".us",
        });
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
    if !first.is_ascii_digit() || rest.len() > 12 {
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

fn push_squashed_keeping_hyphens(text: &str, out: &mut String) {
    out.extend(
        text.chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
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
        fn a_token_is_a_number(value in 0u64..1 << 50) {
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
