//! Street addresses: composed of a city's real streets, written in the ways people write them.

use crate::world::dice::Dice;
use crate::world::geography::{City, Country};
use crate::world::host::push_number;
use crate::world::institution::Institution;
use crate::world::words::SUFFIXES;

/// An address in one city.
pub(crate) struct Address<'w> {
    /// None where the street has it already.
    number: Option<u64>,
    street: &'w str,
    unit: Option<(&'static str, u64)>,
    zip: Option<&'w str>,
    city: &'w City,
    /// `Street` where the street list says `St`.
    long_suffix: bool,
}

impl<'w> Address<'w> {
    pub(crate) fn throw(city: &'w City, dice: &mut Dice) -> Address<'w> {
        if city.country == Country::De {
            return Address::throw_german(city, dice);
        }
        let number = match dice.below(3) {
            0 => dice.between(1, 99) * 100,
            1 => dice.between(10, 999),
            _ => dice.between(1000, 12_999),
        };
        let unit = dice.chance(300).then(|| {
            let name = dice.pick(&["Suite ", "Ste. ", "Suite ", "#", "Unit ", "Apt "]);
            (name, dice.between(1, 45) * 10)
        });
        Address {
            number: Some(number),
            street: dice.pick(city.streets),
            unit,
            zip: (!city.zips.is_empty())
                .then(|| city.zips[dice.below(city.zips.len() as u64) as usize].as_str()),
            city,
            long_suffix: dice.chance(350),
        }
    }

    fn throw_german(city: &'w City, dice: &mut Dice) -> Address<'w> {
        Address {
            number: Some(dice.between(1, 180)),
            street: dice.pick(city.streets),
            unit: None,
            zip: (!city.zips.is_empty())
                .then(|| city.zips[dice.below(city.zips.len() as u64) as usize].as_str()),
            city,
            long_suffix: false,
        }
    }

    /// A real one, which has its own city name and ZIP code.
    pub(crate) fn of(institution: &'w Institution, city: &'w City) -> Address<'w> {
        Address {
            number: None,
            street: institution.street,
            unit: None,
            zip: Some(institution.zip),
            city,
            long_suffix: false,
        }
    }

    /// `1200 Main St`, `Hauptstraße 12`
    fn write_street(&self, out: &mut String) {
        if self.city.country == Country::De {
            out.push_str(self.street);
            out.push(' ');
            push_number(self.number.unwrap_or(1), out);
            return;
        }
        if let Some(number) = self.number {
            push_number(number, out);
            out.push(' ');
        }
        let long = SUFFIXES
            .iter()
            .filter(|_| self.long_suffix)
            .find_map(|(short, long)| Some((self.street.strip_suffix(short)?, long)));
        match long {
            Some((stem, suffix)) => {
                out.push_str(stem);
                out.push_str(suffix);
            }
            None => out.push_str(self.street),
        }
    }

    /// `1200 Main Street, Suite 300`
    fn write_street_and_unit(&self, out: &mut String) {
        self.write_street(out);
        if let Some((name, number)) = self.unit {
            out.push_str(", ");
            out.push_str(name);
            push_number(number, out);
        }
    }

    /// `Houston, TX 77002`, `26121 Oldenburg`
    fn write_city(&self, out: &mut String) {
        if self.city.country == Country::De {
            if let Some(zip) = self.zip {
                out.push_str(zip);
                out.push(' ');
            }
            out.push_str(self.city.name);
            return;
        }
        out.push_str(self.city.name);
        out.push_str(", ");
        out.push_str(self.city.state);
        if let Some(zip) = self.zip {
            out.push(' ');
            out.push_str(zip);
        }
    }

    /// On one line of text.
    pub(crate) fn write_line(&self, out: &mut String) {
        self.write_street_and_unit(out);
        out.push_str(", ");
        self.write_city(out);
    }

    /// As a block of HTML, in the layout that a site keeps to.
    pub(crate) fn write_block(&self, layout: u64, out: &mut String) {
        match layout % 12 {
            0 | 1 => {
                out.push_str("<p class=\"address\">");
                self.write_line(out);
                out.push_str("</p>\n");
            }
            2 | 3 => {
                out.push_str("<address>");
                self.write_street_and_unit(out);
                out.push_str("<br>\n");
                self.write_city(out);
                out.push_str("</address>\n");
            }
            10 => {
                out.push_str("<table border=0><tr><td>Address</td><td>");
                self.write_street_and_unit(out);
                out.push_str("</td></tr>\n<tr><td>City</td><td>");
                self.write_city(out);
                out.push_str("</td></tr></table>\n");
            }
            4 | 5 => {
                out.push_str("<div class=\"adr\"><div class=\"street-address\">");
                self.write_street_and_unit(out);
                out.push_str("</div>\n<div class=\"locality\">");
                self.write_city(out);
                out.push_str("</div></div>\n");
            }
            6 | 7 => self.write_microdata(out),
            8 | 9 => {
                out.push_str("<table><tr><td>Address</td><td>");
                self.write_street_and_unit(out);
                out.push_str("</td><td>");
                self.write_city(out);
                out.push_str("</td></tr></table>\n");
            }
            _ => {
                out.push_str("<p>");
                self.write_street_and_unit(out);
                out.push_str(" in ");
                self.write_city(out);
                out.push_str(".</p>\n");
            }
        }
    }

    /// For machines alone.
    pub(crate) fn write_structured(&self, out: &mut String) {
        out.push_str(concat!(
            "<script type=\"application/ld+json\">{\"@context\":\"http://schema.org\",",
            "\"@type\":\"PostalAddress\",\"streetAddress\":\""
        ));
        self.write_street_and_unit(out);
        let parts = [
            ("addressLocality", self.city.name),
            ("addressRegion", self.city.state),
            ("postalCode", self.zip.unwrap_or_default()),
            (
                "addressCountry",
                match self.city.country {
                    Country::Us => "US",
                    Country::De => "DE",
                },
            ),
        ];
        for (name, value) in parts {
            out.push_str("\",\"");
            out.push_str(name);
            out.push_str("\":\"");
            out.push_str(value);
        }
        out.push_str("\"}</script>\n");
    }

    fn write_microdata(&self, out: &mut String) {
        out.push_str(concat!(
            "<div itemprop=\"address\" itemscope itemtype=\"http://schema.org/PostalAddress\">",
            "<span itemprop=\"streetAddress\">"
        ));
        self.write_street_and_unit(out);
        out.push_str("</span>, <span itemprop=\"addressLocality\">");
        out.push_str(self.city.name);
        out.push_str("</span>, <span itemprop=\"addressRegion\">");
        out.push_str(self.city.state);
        out.push_str("</span> ");
        if let Some(zip) = self.zip {
            out.push_str("<span itemprop=\"postalCode\">");
            out.push_str(zip);
            out.push_str("</span>");
        }
        out.push_str("</div>\n");
    }
}
