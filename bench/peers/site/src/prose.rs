//! Sentences that read like a local paper's, the same for the same dice.
//!
//! Not Markov chains of anything: patterns filled with words, with names,
//! figures and punctuation about as often as English news has them.

/// A small generator of numbers (SplitMix64): the same start, the same pages.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(host: usize, page: usize) -> Dice {
        Dice((host as u64) << 32 ^ page as u64 ^ 0x5eed_0f10_ca10)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const NOUNS: [&str; 48] = [
    "council",
    "library",
    "bridge",
    "market",
    "school",
    "budget",
    "harbor",
    "garden",
    "museum",
    "station",
    "permit",
    "theater",
    "orchard",
    "festival",
    "hospital",
    "highway",
    "bakery",
    "committee",
    "neighborhood",
    "survey",
    "concert",
    "playground",
    "workshop",
    "river",
    "church",
    "factory",
    "farmer",
    "teacher",
    "volunteer",
    "resident",
    "engineer",
    "visitor",
    "season",
    "project",
    "meeting",
    "street",
    "proposal",
    "department",
    "building",
    "exhibition",
    "team",
    "newspaper",
    "kitchen",
    "trail",
    "shelter",
    "reservoir",
    "courthouse",
    "clinic",
];

const ADJECTIVES: [&str; 32] = [
    "new",
    "local",
    "annual",
    "historic",
    "public",
    "quiet",
    "popular",
    "former",
    "small",
    "regional",
    "modern",
    "careful",
    "independent",
    "busy",
    "wooden",
    "generous",
    "temporary",
    "early",
    "narrow",
    "remarkable",
    "ordinary",
    "patient",
    "bright",
    "municipal",
    "seasonal",
    "shared",
    "abandoned",
    "restored",
    "affordable",
    "volunteer-run",
    "long-awaited",
    "reliable",
];

const VERBS: [&str; 28] = [
    "opened",
    "approved",
    "repaired",
    "visited",
    "discussed",
    "planned",
    "celebrated",
    "replaced",
    "announced",
    "organized",
    "welcomed",
    "described",
    "supported",
    "delayed",
    "surveyed",
    "painted",
    "rebuilt",
    "considered",
    "reviewed",
    "measured",
    "funded",
    "hosted",
    "closed",
    "expanded",
    "defended",
    "admired",
    "inspected",
    "remembered",
];

const OPENINGS: [&str; 16] = [
    "On Monday",
    "Last spring",
    "After a long debate",
    "For the third year in a row",
    "Despite the rain",
    "According to the report",
    "With help from neighbors",
    "In the afternoon",
    "Since the renovation",
    "During the summer months",
    "By the end of the week",
    "To everyone's surprise",
    "As in earlier years",
    "Thanks to a grant",
    "Before the vote",
    "At the request of parents",
];

const ENDINGS: [&str; 16] = [
    "and nobody complained",
    "as planned",
    "for the first time in decades",
    "which pleased most of the audience",
    "without further delay",
    "near the old mill",
    "at a cost that few had expected",
    "because the roof had leaked for years",
    "while work on the other side continues",
    "and more is to come",
    "in spite of doubts",
    "so that trains can run again",
    "until the end of October",
    "behind the town hall",
    "with music and free coffee",
    "after the children had gone home",
];

const FIRST: [&str; 20] = [
    "Maria", "James", "Aisha", "Robert", "Linda", "Carlos", "Susan", "David", "Grace", "Thomas",
    "Elena", "Michael", "Ruth", "Daniel", "Hannah", "Victor", "Nora", "Peter", "Irene", "Samuel",
];

const LAST: [&str; 20] = [
    "Alvarez", "Baker", "Chen", "Dawson", "Ellis", "Foster", "Garcia", "Hughes", "Ivanov",
    "Jensen", "Keller", "Lopez", "Murphy", "Nguyen", "Olsen", "Porter", "Quinn", "Reyes",
    "Schmidt", "Turner",
];

const STREETS: [&str; 16] = [
    "Main St",
    "Oak Ave",
    "Washington Blvd",
    "Lake Dr",
    "Maple Ave",
    "Market St",
    "Church St",
    "Park Ave",
    "Elm St",
    "Sunset Blvd",
    "Westheimer Rd",
    "Highland Ave",
    "Pine St",
    "Center St",
    "Franklin St",
    "Jefferson Ave",
];

/// Cities with a ZIP code of theirs.
const CITIES: [(&str, &str, &str); 16] = [
    ("Houston", "TX", "77002"),
    ("Dallas", "TX", "75201"),
    ("Austin", "TX", "78701"),
    ("Chicago", "IL", "60601"),
    ("Denver", "CO", "80202"),
    ("Seattle", "WA", "98101"),
    ("Portland", "OR", "97204"),
    ("Boston", "MA", "02108"),
    ("Atlanta", "GA", "30303"),
    ("Phoenix", "AZ", "85004"),
    ("San Diego", "CA", "92101"),
    ("Columbus", "OH", "43215"),
    ("Memphis", "TN", "38103"),
    ("Baltimore", "MD", "21202"),
    ("Tucson", "AZ", "85701"),
    ("Omaha", "NE", "68102"),
];

/// A city's name.
pub(crate) fn city(dice: &mut Dice) -> &'static str {
    CITIES[dice.below(CITIES.len())].0
}

/// A person's name.
pub(crate) fn person(dice: &mut Dice) -> String {
    format!("{} {}", dice.pick(&FIRST), dice.pick(&LAST))
}

/// A street address, city, state and ZIP code.
pub(crate) fn address(dice: &mut Dice) -> (String, &'static str, &'static str, &'static str) {
    let street = format!("{} {}", 100 + dice.below(8900), dice.pick(&STREETS));
    let (city, state, zip) = CITIES[dice.below(CITIES.len())];
    (street, city, state, zip)
}

/// A headline.
pub(crate) fn title(dice: &mut Dice) -> String {
    let (adjective, noun) = (dice.pick(&ADJECTIVES), dice.pick(&NOUNS));
    let (verb, other) = (dice.pick(&VERBS), dice.pick(&NOUNS));
    let mut title = format!("{adjective} {noun} {verb} the {other}");
    title[..1].make_ascii_uppercase();
    title
}

/// A sentence of some fifteen words.
pub(crate) fn sentence(dice: &mut Dice) -> String {
    let (opening, ending) = (dice.pick(&OPENINGS), dice.pick(&ENDINGS));
    let (adjective, noun) = (dice.pick(&ADJECTIVES), dice.pick(&NOUNS));
    let (verb, other) = (dice.pick(&VERBS), dice.pick(&NOUNS));
    match dice.below(6) {
        0 => format!("{opening}, the {adjective} {noun} {verb} the {other} {ending}."),
        1 => {
            let who = person(dice);
            format!(
                "“The {noun} {verb} our {other} {ending},” said {who}, who has run the {adjective} {other} since {}.",
                1960 + dice.below(60)
            )
        }
        2 => format!(
            "{opening}, {} people {verb} the {adjective} {noun} in {} {ending}.",
            12 + dice.below(4000),
            city(dice)
        ),
        3 => format!(
            "The {other}’s {adjective} {noun} was {verb} {ending}; a second {noun} follows."
        ),
        4 => format!("It is the {adjective} {noun}, not the {other}, that was {verb} {ending}."),
        _ => format!(
            "{opening}, a {noun} &amp; its {adjective} {other} were {verb} {ending} for ${},{:03}.",
            1 + dice.below(90),
            dice.below(1000)
        ),
    }
}
