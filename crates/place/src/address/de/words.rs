//! Words of German addresses, in plain letters.
//!
//! *Plain* is lower case, `ß` as `ss`, without accents: `Brücke` is `brucke`.

/// The post's letters of the sixteen Länder.
#[rustfmt::skip]
pub(super) const LANDS: &[&str] = &[
    "BB", "BE", "BW", "BY", "HB", "HE", "HH", "MV", "NI", "NW", "RP", "SH", "SL", "SN", "ST", "TH",
];

/// Their names, which may stand between city and country.
#[rustfmt::skip]
const LAND_NAMES: &[&str] = &[
    "badenwurttemberg", "bavaria", "bayern", "berlin", "brandenburg", "bremen", "hamburg", "hesse",
    "hessen", "lowersaxony", "mecklenburgvorpommern", "niedersachsen", "nordrheinwestfalen", "nrw",
    "rheinlandpfalz", "saarland", "sachsen", "sachsenanhalt", "saxony", "schleswigholstein",
    "thuringen", "thuringia",
];

const COUNTRIES: &[&str] = &["allemagne", "brd", "deutschland", "germany"];

/// Ends of street names that are seldom anything else.
#[rustfmt::skip]
const STREETS: &[&str] = &[
    "allee", "chaussee", "damm", "gasse", "gassle", "gasschen", "pfad", "platz", "promenade", "ring",
    "steig", "stieg", "str", "strasse", "strassle", "twiete", "ufer", "weg", "zeile",
];

/// Ends of street names that are also ends of other words.
#[rustfmt::skip]
const OTHER_STREETS: &[&str] = &[
    "acker", "anger", "aue", "bach", "berg", "bleiche", "bogen", "born", "breite", "brink", "bruch",
    "brucke", "brunnen", "buhl", "burg", "busch", "deich", "diek", "eck", "ecke", "esch", "feld",
    "felde", "fleet", "freiheit", "furt", "gang", "garten", "graben", "grund", "hafen", "hagen",
    "hain", "halde", "heide", "hof", "hofe", "hohe", "holz", "horst", "hugel", "insel", "kai", "kaje",
    "kamp", "kampe", "kehre", "koppel", "kuhle", "leite", "linden", "linie", "loh", "markt", "moor",
    "muhle", "pad", "padd", "park", "passage", "placken", "plan", "quai", "rain", "redder", "reihe", "rondell", "rott", "schanze",
    "schlag", "see", "siedlung", "siel", "stadtpl", "steg", "stein", "stiege", "strand", "tredde", "tal", "teich",
    "terrasse", "tief", "tor", "treppe", "trift", "wall", "wende", "werder", "wiese", "wiesen",
    "winkel", "zentrum",
];

/// First words of free-standing names: `Am Markt`, `Unter den Linden`.
#[rustfmt::skip]
const PREPOSITIONS: &[&str] = &[
    "achter", "achtern", "am", "an", "auf", "bei", "beim", "gegen", "hinter", "hinterm", "im", "in",
    "neben", "ob", "ober", "op", "to", "tom", "uber", "unter", "unterm", "up", "vor", "vorm",
    "zu", "zum", "zur", "zwischen",
];

/// Words after which a name goes on: `Platz der Republik`, `An der Alster`.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "am", "an", "auf", "bei", "beim", "das", "de", "dem", "den", "der", "des", "die", "im", "in",
    "und", "van", "vom", "von", "zu", "zum", "zur",
];

/// Adjectives before a street name, without their ending.
#[rustfmt::skip]
const ADJECTIVES: &[&str] = &[
    "alt", "ausser", "breit", "dritt", "erst", "gross", "hint", "hinter", "hoh", "inner", "klein", "krumm", "kurz",
    "lang", "mittler", "neu", "nordlich", "ober", "ostlich", "schmal", "schon", "sudlich", "tief",
    "unter", "vorder", "weiss", "westlich", "zweit", "grun", "rot", "schwarz", "hinterst", "link", "recht",
];

/// Words that end in `er` and are no adjectives of a city.
#[rustfmt::skip]
const NO_ADJECTIVES: &[&str] = &[
    "adler", "anwalter", "berater", "center", "eigentumer", "fuhrer", "handler", "inhaber", "keller", "kinder",
    "lager", "leiter", "macher", "makler", "meister", "partner", "planer", "sender", "sprecher",
    "theater", "trager", "vertreter", "verwalter", "zimmer", "treuhander", "burger", "betreiber",
];

/// What stands before a number and is no street.
#[rustfmt::skip]
const NO_STREETS: &[&str] = &[
    "ab", "abb", "abs", "absatz", "ag", "april", "art", "artikel", "august", "aufl", "auflage", "band", "bd", "blz",
    "bis", "ca", "dezember", "etwa", "eur", "euro", "ev", "fax", "februar", "fon", "gmbh", "hrb", "iban", "isbn",
    "januar", "juli", "juni", "kapitel", "kg", "konto", "kto", "mai", "marz", "mobil", "november",
    "oktober", "ohg", "platz", "postfach", "raum", "seit", "seite", "september", "stand", "tel",
    "telefax", "telefon", "tisch", "ug", "uhr", "und", "um", "vol", "von", "zimmer",
];

/// Parts of a house, between its number and the postal code.
#[rustfmt::skip]
const EXTRAS: &[&str] = &[
    "app", "appartement", "apartment", "aufgang", "bau", "block", "box", "buro", "dg", "eg", "eingang", "etage",
    "flugel", "geb", "gebaude", "halle", "haus", "hh", "hinterhaus", "hinterhof", "innenhof", "links", "mitte", "obergeschoss",
    "erdgeschoss", "dachgeschoss", "og", "ortsteil", "ot", "quergebaude", "raum", "rechts", "remise", "seitenflugel", "stock", "stockwerk",
    "trakt", "treppenhaus", "turm", "ug", "untergeschoss", "vh", "vorderhaus", "whg", "wohnung", "zi", "zimmer",
];

/// First words of names of cities in two words.
#[rustfmt::skip]
const CITY_FIRST: &[&str] = &[
    "alt", "bad", "burg", "deutsch", "gross", "hohen", "klein", "kloster", "markt", "neu", "nieder", "ober", "sankt", "schloss",
    "st", "stadt", "unter",
];

/// What follows a number and is no city.
#[rustfmt::skip]
const NO_CITIES: &[&str] = &[
    "aktien", "besucher", "einwohner", "eur", "euro", "exemplare", "fax", "fans", "follower", "frauen", "jahre", "kilometer",
    "kinder", "km", "kunden", "leser", "letzte", "manner", "meter", "menschen", "mitarbeiter", "mitglieder", "personen",
    "prozent", "quadratmeter", "stimmen", "stuck", "studenten", "studierende", "tel", "telefon", "tonnen", "uhr", "zuschauer",
];

/// Words that name the part that follows, before a colon: `PLZ/Ort: 26121 Oldenburg`.
const LABELS: &[&str] = &["ort", "plz", "plz/ort", "postleitzahl", "stadt", "wohnort"];

/// How sure a sign of a street the end of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// `Hauptstraße`: hardly anything else.
    Sure,
    /// `Staulinie`, `Kohlmarkt`: perhaps something else.
    Likely,
}

/// The ending of a name in one word; a word that is only an ending has none.
pub(super) fn ending(plain: &str) -> Option<Ending> {
    let ends = |list: &[&str]| {
        let mut heads = list.iter().filter_map(|end| plain.strip_suffix(end));
        heads.any(|head| head.trim_end_matches('-').len() > 1)
    };
    if ends(STREETS) {
        Some(Ending::Sure)
    } else if ends(OTHER_STREETS) {
        Some(Ending::Likely)
    } else {
        None
    }
}

/// Whether the word alone is a kind of street: `Straße`, `Weg`, `Markt`.
pub(super) fn kind(plain: &str) -> Option<Ending> {
    if STREETS.contains(&plain) {
        Some(Ending::Sure)
    } else if OTHER_STREETS.contains(&plain) {
        Some(Ending::Likely)
    } else {
        None
    }
}

pub(super) fn is_preposition(plain: &str) -> bool {
    PREPOSITIONS.contains(&plain)
}

pub(super) fn is_article(plain: &str) -> bool {
    ARTICLES.contains(&plain)
}

/// `Große`, `Alter`, `Oberen`; also `St.` and `Bad`, which begin names in two words.
pub(super) fn is_adjective(plain: &str) -> bool {
    let bare = ["e", "er", "es", "en", "em"]
        .iter()
        .find_map(|end| plain.strip_suffix(end));
    bare.is_some_and(|bare| ADJECTIVES.contains(&bare)) || matches!(plain, "st" | "sankt" | "bad")
}

/// `Bremer`, `Ammerländer`.
pub(super) fn is_of_a_city(plain: &str) -> bool {
    plain.len() > 3
        && plain.ends_with("er")
        && !NO_ADJECTIVES.iter().any(|word| plain.ends_with(word))
}

pub(super) fn is_no_street(plain: &str) -> bool {
    NO_STREETS.contains(&plain)
}

pub(super) fn is_extra(plain: &str) -> bool {
    EXTRAS.contains(&plain)
}

pub(super) fn begins_city(plain: &str) -> bool {
    CITY_FIRST.contains(&plain)
}

pub(super) fn is_no_city(plain: &str) -> bool {
    NO_CITIES.contains(&plain) || kind(plain).is_some()
}

pub(super) fn is_label(plain: &str) -> bool {
    LABELS.contains(&plain)
}

/// Whether the word, without hyphens, is a name of a Land.
pub(super) fn is_land(plain: &str) -> bool {
    LAND_NAMES.contains(&plain)
}

pub(super) fn is_country(plain: &str) -> bool {
    COUNTRIES.contains(&plain)
}
