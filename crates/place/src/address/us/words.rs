//! Words of US addresses and their postal abbreviations.
//!
//! Street suffixes and unit designators are those of USPS Publication 28
//! (2017), with the spellings people also use. All tables are sorted by word.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// Street suffixes: written word, postal abbreviation.
#[rustfmt::skip]
const SUFFIXES: &[(&str, &str)] = &[
    ("ALLEY", "ALY"), ("ALLY", "ALY"), ("ALY", "ALY"), ("ANEX", "ANX"), ("ANX", "ANX"),
    ("ARC", "ARC"), ("ARCADE", "ARC"), ("AV", "AVE"), ("AVE", "AVE"), ("AVEN", "AVE"),
    ("AVENIDA", "AVE"), ("AVENU", "AVE"), ("AVENUE", "AVE"), ("AVN", "AVE"), ("BAY", "BAY"),
    ("BAYOU", "BYU"), ("BCH", "BCH"), ("BEACH", "BCH"), ("BEND", "BND"), ("BG", "BG"),
    ("BGS", "BGS"), ("BLDG", "BLDG"), ("BLF", "BLF"), ("BLFS", "BLFS"), ("BLUFF", "BLF"),
    ("BLUFFS", "BLFS"), ("BLV", "BLVD"), ("BLVD", "BLVD"), ("BLVDS", "BLVD"), ("BND", "BND"),
    ("BOTTOM", "BTM"), ("BOUL", "BLVD"), ("BOULEVARD", "BLVD"), ("BOULV", "BLVD"), ("BR", "BR"),
    ("BRANCH", "BR"), ("BRDGE", "BRG"), ("BRG", "BRG"), ("BRIDGE", "BRG"), ("BRK", "BRK"),
    ("BRKS", "BRKS"), ("BROOK", "BRK"), ("BROOKS", "BRKS"), ("BTM", "BTM"), ("BUILDING", "BLDG"),
    ("BURG", "BG"), ("BURGS", "BGS"), ("BVD", "BLVD"), ("BYP", "BYP"), ("BYPASS", "BYP"),
    ("BYU", "BYU"), ("CAMP", "CP"), ("CANYON", "CYN"), ("CAPE", "CPE"), ("CAUSEWAY", "CSWY"),
    ("CAUSWA", "CSWY"), ("CENTER", "CTR"), ("CENTERS", "CTRS"), ("CENTRE", "CTR"),
    ("CHASE", "CHASE"), ("CIR", "CIR"), ("CIRC", "CIR"), ("CIRCLE", "CIR"), ("CIRCLES", "CIRS"),
    ("CIRS", "CIRS"), ("CLB", "CLB"), ("CLF", "CLF"), ("CLFS", "CLFS"), ("CLIFF", "CLF"),
    ("CLIFFS", "CLFS"), ("CLUB", "CLB"), ("CMN", "CMN"), ("CMNS", "CMNS"), ("CNTR", "CTR"),
    ("COMMON", "CMN"), ("COMMONS", "CMNS"), ("COMPLEX", "CPLX"), ("CONCOURSE", "CONC"),
    ("COR", "COR"), ("CORNER", "COR"), ("CORNERS", "CORS"), ("CORS", "CORS"), ("COURSE", "CRSE"),
    ("COURT", "CT"), ("COURTS", "CTS"), ("COVE", "CV"), ("COVES", "CVS"), ("CP", "CP"),
    ("CPE", "CPE"), ("CRCL", "CIR"), ("CREEK", "CRK"), ("CRES", "CRES"), ("CRESCENT", "CRES"),
    ("CREST", "CRST"), ("CRK", "CRK"), ("CROSSING", "XING"), ("CROSSROAD", "XRD"),
    ("CROSSROADS", "XRDS"), ("CRSE", "CRSE"), ("CRSENT", "CRES"), ("CRSNT", "CRES"),
    ("CRST", "CRST"), ("CRT", "CT"), ("CSWY", "CSWY"), ("CT", "CT"), ("CTR", "CTR"),
    ("CTRS", "CTRS"), ("CTS", "CTS"), ("CURV", "CURV"), ("CURVE", "CURV"), ("CV", "CV"),
    ("CVS", "CVS"), ("CYN", "CYN"), ("DALE", "DL"), ("DAM", "DM"), ("DIVIDE", "DV"), ("DL", "DL"),
    ("DM", "DM"), ("DR", "DR"), ("DRIVE", "DR"), ("DRIVES", "DRS"), ("DRS", "DRS"), ("DRV", "DR"),
    ("DV", "DV"), ("EST", "EST"), ("ESTATE", "EST"), ("ESTATES", "ESTS"), ("ESTS", "ESTS"),
    ("EXPRESSWAY", "EXPY"), ("EXPWY", "EXPY"), ("EXPY", "EXPY"), ("EXT", "EXT"),
    ("EXTENSION", "EXT"), ("EXTENSIONS", "EXTS"), ("EXTS", "EXTS"), ("FALL", "FALL"),
    ("FALLS", "FLS"), ("FERRY", "FRY"), ("FIELD", "FLD"), ("FIELDS", "FLDS"), ("FLAT", "FLT"),
    ("FLATS", "FLTS"), ("FLD", "FLD"), ("FLDS", "FLDS"), ("FLS", "FLS"), ("FLT", "FLT"),
    ("FLTS", "FLTS"), ("FORD", "FRD"), ("FORDS", "FRDS"), ("FOREST", "FRST"), ("FORGE", "FRG"),
    ("FORGES", "FRGS"), ("FORK", "FRK"), ("FORKS", "FRKS"), ("FORT", "FT"), ("FRD", "FRD"),
    ("FRDS", "FRDS"), ("FREEWAY", "FWY"), ("FRG", "FRG"), ("FRGS", "FRGS"), ("FRK", "FRK"),
    ("FRKS", "FRKS"), ("FRST", "FRST"), ("FRWY", "FWY"), ("FRY", "FRY"), ("FT", "FT"),
    ("FWY", "FWY"), ("GARDEN", "GDN"), ("GARDENS", "GDNS"), ("GATE", "GATE"), ("GATEWAY", "GTWY"),
    ("GDN", "GDN"), ("GDNS", "GDNS"), ("GLEN", "GLN"), ("GLENS", "GLNS"), ("GLN", "GLN"),
    ("GLNS", "GLNS"), ("GREEN", "GRN"), ("GREENS", "GRNS"), ("GRN", "GRN"), ("GRNS", "GRNS"),
    ("GROVE", "GRV"), ("GROVES", "GRVS"), ("GRV", "GRV"), ("GRVS", "GRVS"), ("GTWY", "GTWY"),
    ("HALL", "HALL"), ("HARBOR", "HBR"), ("HARBORS", "HBRS"), ("HAVEN", "HVN"), ("HBR", "HBR"),
    ("HBRS", "HBRS"), ("HEIGHTS", "HTS"), ("HIGHWAY", "HWY"), ("HIGHWY", "HWY"), ("HILL", "HL"),
    ("HILLS", "HLS"), ("HIWAY", "HWY"), ("HIWY", "HWY"), ("HL", "HL"), ("HLS", "HLS"),
    ("HOLLOW", "HOLW"), ("HOLW", "HOLW"), ("HT", "HTS"), ("HTS", "HTS"), ("HVN", "HVN"),
    ("HWY", "HWY"), ("INLET", "INLT"), ("INLT", "INLT"), ("IS", "IS"), ("ISLAND", "IS"),
    ("ISLANDS", "ISS"), ("ISLE", "ISLE"), ("ISS", "ISS"), ("JCT", "JCT"), ("JCTS", "JCTS"),
    ("JUNCTION", "JCT"), ("JUNCTIONS", "JCTS"), ("KEY", "KY"), ("KEYS", "KYS"), ("KNL", "KNL"),
    ("KNLS", "KNLS"), ("KNOLL", "KNL"), ("KNOLLS", "KNLS"), ("KY", "KY"), ("KYS", "KYS"),
    ("LAKE", "LK"), ("LAKES", "LKS"), ("LAND", "LAND"), ("LANDING", "LNDG"),
    ("LANE", "LN"), ("LANES", "LN"), ("LCK", "LCK"), ("LCKS", "LCKS"), ("LDG", "LDG"), ("LF", "LF"),
    ("LGT", "LGT"), ("LGTS", "LGTS"), ("LIGHT", "LGT"), ("LIGHTS", "LGTS"), ("LK", "LK"),
    ("LKS", "LKS"), ("LN", "LN"), ("LNDG", "LNDG"), ("LOAF", "LF"), ("LOCK", "LCK"),
    ("LOCKS", "LCKS"), ("LODGE", "LDG"), ("LOOP", "LOOP"), ("MALL", "MALL"), ("MANOR", "MNR"),
    ("MANORS", "MNRS"), ("MDW", "MDW"), ("MDWS", "MDWS"), ("MEADOW", "MDW"), ("MEADOWS", "MDWS"),
    ("MEWS", "MEWS"), ("MILL", "ML"), ("MILLS", "MLS"), ("MISSION", "MSN"), ("ML", "ML"),
    ("MLS", "MLS"), ("MNR", "MNR"), ("MNRS", "MNRS"), ("MOTORWAY", "MTWY"), ("MOUNT", "MT"),
    ("MOUNTAIN", "MTN"), ("MOUNTAINS", "MTNS"), ("MSN", "MSN"), ("MT", "MT"), ("MTN", "MTN"),
    ("MTNS", "MTNS"), ("MTWY", "MTWY"), ("NCK", "NCK"), ("NECK", "NCK"), ("OPAS", "OPAS"),
    ("ORCH", "ORCH"), ("ORCHARD", "ORCH"), ("OVAL", "OVAL"), ("OVERPASS", "OPAS"), ("PARK", "PARK"),
    ("PARKE", "PARK"), ("PARKS", "PARK"), ("PARKWAY", "PKWY"), ("PARKWAYS", "PKWY"),
    ("PARKWY", "PKWY"), ("PASS", "PASS"), ("PASSAGE", "PSGE"), ("PATH", "PATH"), ("PIKE", "PIKE"),
    ("PINE", "PNE"), ("PINES", "PNES"), ("PK", "PIKE"), ("PKWY", "PKWY"), ("PKY", "PKWY"),
    ("PL", "PL"), ("PLAC", "PL"), ("PLACE", "PL"), ("PLAIN", "PLN"), ("PLAINS", "PLNS"),
    ("PLAZA", "PLZ"), ("PLN", "PLN"), ("PLNS", "PLNS"), ("PLZ", "PLZ"), ("PLZA", "PLZ"),
    ("PNE", "PNE"), ("PNES", "PNES"), ("POINT", "PT"), ("POINTE", "PT"), ("POINTS", "PTS"),
    ("PORT", "PRT"), ("PORTS", "PRTS"), ("PR", "PR"), ("PRAIRIE", "PR"), ("PROMENADE", "PROM"),
    ("PRT", "PRT"), ("PRTS", "PRTS"), ("PSGE", "PSGE"), ("PT", "PT"), ("PTS", "PTS"),
    ("PWY", "PKWY"), ("QUAY", "QUAY"), ("RADIAL", "RADL"), ("RADL", "RADL"), ("RAMP", "RAMP"),
    ("RANCH", "RNCH"), ("RAPID", "RPD"), ("RAPIDS", "RPDS"), ("RD", "RD"), ("RDG", "RDG"),
    ("RDGS", "RDGS"), ("RDS", "RDS"), ("REST", "RST"), ("RIDGE", "RDG"), ("RIDGES", "RDGS"),
    ("RIV", "RIV"), ("RIVER", "RIV"), ("RNCH", "RNCH"), ("ROAD", "RD"), ("ROADS", "RDS"),
    ("ROUTE", "RTE"), ("ROW", "ROW"), ("RPD", "RPD"), ("RPDS", "RPDS"), ("RST", "RST"),
    ("RTE", "RTE"), ("RUE", "RUE"), ("RUN", "RUN"), ("SHL", "SHL"), ("SHLS", "SHLS"),
    ("SHOAL", "SHL"), ("SHOALS", "SHLS"), ("SHORE", "SHR"), ("SHORES", "SHRS"), ("SHR", "SHR"),
    ("SHRS", "SHRS"), ("SKWY", "SKWY"), ("SKYWAY", "SKWY"), ("SMT", "SMT"), ("SPG", "SPG"),
    ("SPGS", "SPGS"), ("SPRING", "SPG"), ("SPRINGS", "SPGS"), ("SPUR", "SPUR"), ("SPURS", "SPUR"),
    ("SQ", "SQ"), ("SQR", "SQ"), ("SQS", "SQS"), ("SQU", "SQ"), ("SQUARE", "SQ"),
    ("SQUARES", "SQS"), ("ST", "ST"), ("STA", "STA"), ("STATION", "STA"), ("STR", "ST"),
    ("STRA", "STRA"), ("STRAVENUE", "STRA"), ("STREAM", "STRM"), ("STREET", "ST"),
    ("STREETS", "STS"), ("STRM", "STRM"), ("STRT", "ST"), ("STS", "STS"), ("SUMMIT", "SMT"),
    ("TER", "TER"), ("TERR", "TER"), ("TERRACE", "TER"), ("THROUGHWAY", "TRWY"),
    ("THRUWAY", "TRWY"), ("TOWER", "TWR"), ("TOWERS", "TWRS"), ("TOWNLINE", "TNLN"),
    ("TPK", "TPKE"), ("TPKE", "TPKE"), ("TR", "TRL"), ("TRACE", "TRCE"), ("TRACK", "TRAK"),
    ("TRAFFICWAY", "TRFY"), ("TRAIL", "TRL"), ("TRAILER", "TRLR"), ("TRAK", "TRAK"),
    ("TRCE", "TRCE"), ("TRFY", "TRFY"), ("TRL", "TRL"), ("TRLR", "TRLR"), ("TRNPK", "TPKE"),
    ("TRWY", "TRWY"), ("TUNL", "TUNL"), ("TUNNEL", "TUNL"), ("TURNPIKE", "TPKE"),
    ("TURNPK", "TPKE"), ("UN", "UN"), ("UNDERPASS", "UPAS"), ("UNION", "UN"), ("UNIONS", "UNS"),
    ("UNS", "UNS"), ("UPAS", "UPAS"), ("VALLEY", "VLY"), ("VALLEYS", "VLYS"), ("VIA", "VIA"),
    ("VIADUCT", "VIA"), ("VIEW", "VW"), ("VIEWS", "VWS"), ("VILLAGE", "VLG"), ("VILLAGES", "VLGS"),
    ("VILLE", "VL"), ("VIS", "VIS"), ("VISTA", "VIS"), ("VL", "VL"), ("VLG", "VLG"),
    ("VLGS", "VLGS"), ("VLY", "VLY"), ("VLYS", "VLYS"), ("VW", "VW"), ("VWS", "VWS"),
    ("WALK", "WALK"), ("WALKS", "WALK"), ("WALL", "WALL"), ("WAY", "WAY"), ("WAYS", "WAYS"),
    ("WELL", "WL"), ("WELLS", "WLS"), ("WHARF", "WHRF"), ("WL", "WL"), ("WLS", "WLS"),
    ("XING", "XING"), ("XRD", "XRD"), ("XRDS", "XRDS"),
];

/// Unit designators: written word, postal abbreviation.
#[rustfmt::skip]
const UNITS: &[(&str, &str)] = &[
    ("AP", "APT"), ("APARTMENT", "APT"), ("APT", "APT"), ("BASEMENT", "BSMT"), ("BAY", "BAY"),
    ("BLD", "BLDG"), ("BLDG", "BLDG"), ("BLG", "BLDG"), ("BOOTH", "BOOTH"), ("BSMT", "BSMT"),
    ("BUILDING", "BLDG"), ("DEPARTMENT", "DEPT"), ("DEPT", "DEPT"), ("FL", "FL"), ("FLOOR", "FL"),
    ("FLR", "FL"), ("FRNT", "FRNT"), ("FRONT", "FRNT"), ("HANGAR", "HNGR"), ("HANGER", "HNGR"),
    ("HNGR", "HNGR"), ("KEY", "KEY"), ("LBBY", "LBBY"), ("LEVEL", "LVL"), ("LOBBY", "LBBY"),
    ("LOT", "LOT"), ("LOWER", "LOWR"), ("LOWR", "LOWR"), ("LVL", "LVL"), ("MAILSTOP", "MS"),
    ("MC", "MS"), ("MS", "MS"), ("NO", "#"), ("OFC", "OFC"), ("OFFICE", "OFC"), ("PENTHOUSE", "PH"),
    ("PH", "PH"), ("PIER", "PIER"), ("PMB", "PMB"), ("REAR", "REAR"), ("RM", "RM"), ("ROOM", "RM"),
    ("SIDE", "SIDE"), ("SITE", "SITE"), ("SLIP", "SLIP"), ("SP", "SPC"), ("SPACE", "SPC"),
    ("SPC", "SPC"), ("STE", "STE"), ("STES", "STE"), ("STOP", "STOP"), ("STORE", "STORE"),
    ("SUIT", "STE"), ("SUITE", "STE"), ("SUITES", "STE"), ("TOWER", "TWR"), ("TRAILER", "TRLR"),
    ("TRLR", "TRLR"), ("UNIT", "UNIT"), ("UNITS", "UNIT"), ("UPPER", "UPPR"), ("UPPR", "UPPR"),
    ("WING", "WING"),
];

/// States: name or press abbreviation, two letters.
#[rustfmt::skip]
const STATES: &[(&str, &str)] = &[
    ("ALA", "AL"), ("ALABAMA", "AL"), ("ALASKA", "AK"), ("ARIZ", "AZ"), ("ARIZONA", "AZ"),
    ("ARK", "AR"), ("ARKANSAS", "AR"), ("CALIF", "CA"), ("CALIFORNIA", "CA"), ("COLO", "CO"),
    ("COLORADO", "CO"), ("CONN", "CT"), ("CONNECTICUT", "CT"), ("DELAWARE", "DE"),
    ("DISTRICT OF COLUMBIA", "DC"), ("FLA", "FL"), ("FLORIDA", "FL"), ("GEORGIA", "GA"),
    ("GUAM", "GU"), ("HAWAII", "HI"), ("IDAHO", "ID"), ("ILL", "IL"), ("ILLINOIS", "IL"),
    ("IND", "IN"), ("INDIANA", "IN"), ("IOWA", "IA"), ("KAN", "KS"), ("KANSAS", "KS"),
    ("KENTUCKY", "KY"), ("LOUISIANA", "LA"), ("MAINE", "ME"), ("MARYLAND", "MD"), ("MASS", "MA"),
    ("MASSACHUSETTS", "MA"), ("MICH", "MI"), ("MICHIGAN", "MI"), ("MINN", "MN"),
    ("MINNESOTA", "MN"), ("MISS", "MS"), ("MISSISSIPPI", "MS"), ("MISSOURI", "MO"),
    ("MONTANA", "MT"), ("N CAROLINA", "NC"), ("N DAKOTA", "ND"), ("NEB", "NE"), ("NEBR", "NE"),
    ("NEBRASKA", "NE"), ("NEV", "NV"), ("NEVADA", "NV"), ("NEW HAMPSHIRE", "NH"),
    ("NEW JERSEY", "NJ"), ("NEW MEXICO", "NM"), ("NEW YORK", "NY"), ("NORTH CAROLINA", "NC"),
    ("NORTH DAKOTA", "ND"), ("OHIO", "OH"), ("OKLA", "OK"), ("OKLAHOMA", "OK"), ("ORE", "OR"),
    ("OREG", "OR"), ("OREGON", "OR"), ("PENN", "PA"), ("PENNA", "PA"), ("PENNSYLVANIA", "PA"),
    ("PUERTO RICO", "PR"), ("RHODE ISLAND", "RI"), ("S CAROLINA", "SC"), ("S DAKOTA", "SD"),
    ("SOUTH CAROLINA", "SC"), ("SOUTH DAKOTA", "SD"), ("TENN", "TN"), ("TENNESSEE", "TN"),
    ("TEX", "TX"), ("TEXAS", "TX"), ("UTAH", "UT"), ("VERMONT", "VT"), ("VIRGIN ISLANDS", "VI"),
    ("VIRGINIA", "VA"), ("W VIRGINIA", "WV"), ("WASH", "WA"), ("WASHINGTON", "WA"),
    ("WEST VIRGINIA", "WV"), ("WIS", "WI"), ("WISCONSIN", "WI"), ("WYOMING", "WY"),
];

/// Words of street names that are written in two ways.
#[rustfmt::skip]
const NAME_WORDS: &[(&str, &str)] = &[
    ("AND", "&"), ("DOCTOR", "DR"), ("EIGHTH", "8TH"), ("ELEVENTH", "11TH"), ("FIFTH", "5TH"),
    ("FIRST", "1ST"), ("FORT", "FT"), ("FOURTH", "4TH"), ("MOUNT", "MT"), ("NINTH", "9TH"),
    ("SAINT", "ST"), ("SECOND", "2ND"), ("SEVENTH", "7TH"), ("SIXTH", "6TH"), ("TENTH", "10TH"),
    ("THIRD", "3RD"), ("TWELFTH", "12TH"),
];

/// Streets of one word that need no suffix.
#[rustfmt::skip]
const WITHOUT_SUFFIX: &[&str] = &[
    "BOARDWALK", "BOWERY", "BROADWAY", "EMBARCADERO", "ESPLANADE", "PROMENADE", "STRAND",
];

/// First words of street names that need no suffix: `Camino Real`, `Via Bella`.
#[rustfmt::skip]
const STREET_FIRST: &[&str] = &[
    "ALAMEDA", "AVENIDA", "BOULEVARD", "CALLE", "CALLEJON", "CAMINITO", "CAMINO", "CARRETERA",
    "CORTE", "MONTE", "PASEO", "PLACITA", "RANCHO", "RUE", "VIA", "VISTA",
];

/// Words before the number of a road.
#[rustfmt::skip]
const ROADS: &[&str] = &[
    "AUTOROUTE", "AVE", "AVENUE", "CO", "COUNTY", "CR", "FARM", "FM", "HIGHWAY", "HWY", "I", "IH",
    "INTERSTATE", "LOOP", "M", "MARKET", "OLD", "RANCH", "RD", "RM", "ROAD", "ROUTE", "RR", "RT",
    "RTE", "SCR", "SH", "SR", "ST", "STATE", "TO", "US", "USH",
];

/// Suffixes that are seldom anything else.
#[rustfmt::skip]
const STREETS: &[&str] = &[
    "ALY", "AVE", "BLVD", "BYP", "CIR", "CRES", "CSWY", "CT", "CV", "DR", "EXPY", "FWY", "HWY",
    "LN", "LOOP", "PARK", "PIKE", "PKWY", "PL", "PLZ", "RD", "ROW", "RTE", "SQ", "ST", "TER", "TPKE", "TRCE",
    "TRL", "WALK", "WAY", "XING",
];

/// Directions: written word, postal abbreviation.
#[rustfmt::skip]
const DIRECTIONS: &[(&str, &str)] = &[
    ("E", "E"), ("EAST", "E"), ("N", "N"), ("NE", "NE"), ("NO", "N"), ("NORTH", "N"),
    ("NORTHEAST", "NE"), ("NORTHWEST", "NW"), ("NW", "NW"), ("S", "S"), ("SE", "SE"), ("SO", "S"),
    ("SOUTH", "S"), ("SOUTHEAST", "SE"), ("SOUTHWEST", "SW"), ("SW", "SW"), ("W", "W"),
    ("WEST", "W"),
];

/// House numbers in words.
const NUMBER_WORDS: &[&str] = &["ONE", "TWO", "THREE", "TEN", "TWELVE"];

/// Small words inside the names of streets, buildings and cities.
#[rustfmt::skip]
const SMALL_WORDS: &[&str] = &[
    "&", "AND", "AT", "DE", "DEL", "DU", "EL", "LA", "LAS", "LOS", "OF", "ON", "THE", "VAN", "Y",
];

/// States whose two letters are a word, or in a text often something else.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "AL", "AS", "CO", "DE", "HI", "ID", "IN", "LA", "MA", "ME", "MO", "MS", "OH", "OK", "OR", "PA",
];

/// Abbreviations in the names of cities, and what they stand for, in normal form.
#[rustfmt::skip]
const CITY_WORDS: &[(&str, &str)] = &[
    ("bch", "beach"), ("cty", "city"), ("e", "east"), ("fls", "falls"), ("gdns", "gardens"),
    ("grv", "grove"), ("hbr", "harbor"), ("hgts", "heights"), ("hls", "hills"),
    ("hts", "heights"), ("jct", "junction"), ("lk", "lake"), ("n", "north"), ("pk", "park"),
    ("pt", "point"), ("s", "south"), ("spg", "spring"), ("spgs", "springs"), ("sprgs", "springs"),
    ("sta", "station"), ("twp", "township"), ("vlg", "village"), ("vly", "valley"), ("w", "west"),
];

fn look_up(table: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    let at = table
        .binary_search_by(|(known, _)| (*known).cmp(word))
        .ok()?;
    Some(table[at].1)
}

/// All that is known of one word of an address.
///
/// Every word is looked up once, when it is cut out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// Postal abbreviation of a street suffix.
    pub(super) suffix: Option<&'static str>,
    /// Postal abbreviation of a unit designator.
    pub(super) unit: Option<&'static str>,
    /// Postal abbreviation of a direction.
    pub(super) direction: Option<&'static str>,
    /// The usual writing in the name of a street: `5TH` of `FIFTH`.
    pub(super) name: Option<&'static str>,
    flags: u16,
}

const SMALL: u16 = 1;
const ROAD: u16 = 1 << 1;
const BEGINS_STREET: u16 = 1 << 2;
const NEEDS_NO_SUFFIX: u16 = 1 << 3;
const STATE: u16 = 1 << 4;
const STREET: u16 = 1 << 5;
const STANDS_ALONE: u16 = 1 << 6;
const NUMBER: u16 = 1 << 7;
const BEGINS_BOX: u16 = 1 << 8;
const NO_NAME: u16 = 1 << 9;

impl Meaning {
    /// Of a word nobody knows.
    pub(super) const NONE: &'static Meaning = &Meaning {
        suffix: None,
        unit: None,
        direction: None,
        name: None,
        flags: 0,
    };

    /// What a word in capitals means.
    pub(super) fn of(word: &str) -> &'static Meaning {
        // `MASSACHUSETTS` is the longest one.
        if word.len() > 13 || word.starts_with(|c: char| c.is_ascii_digit()) {
            return Meaning::NONE;
        }
        MEANINGS.get(word).unwrap_or(Meaning::NONE)
    }

    fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// `of`, `the` and the like.
    pub(super) fn is_small(&self) -> bool {
        self.has(SMALL)
    }

    /// Whether a road's number may follow.
    pub(super) fn is_road(&self) -> bool {
        self.has(ROAD)
    }

    /// Whether a name that begins so needs no suffix.
    pub(super) fn begins_street(&self) -> bool {
        self.has(BEGINS_STREET)
    }

    /// Whether a street of this one name has no suffix.
    pub(super) fn needs_no_suffix(&self) -> bool {
        self.has(NEEDS_NO_SUFFIX)
    }

    /// A state's name or two letters.
    pub(super) fn is_state(&self) -> bool {
        self.has(STATE)
    }

    /// Whether it is a suffix that is seldom anything else.
    pub(super) fn is_street(&self) -> bool {
        self.has(STREET)
    }

    /// Designators that stand alone: `PENTHOUSE`, `REAR`.
    pub(super) fn stands_alone(&self) -> bool {
        self.has(STANDS_ALONE)
    }

    /// A house number: `ONE`.
    pub(super) fn is_number(&self) -> bool {
        self.has(NUMBER)
    }

    /// Whether no street has it in its name.
    pub(super) fn is_no_name(&self) -> bool {
        self.has(NO_NAME)
    }

    /// Whether a post box may begin so.
    pub(super) fn begins_box(&self) -> bool {
        self.has(BEGINS_BOX)
    }
}

static MEANINGS: LazyLock<HashMap<&'static str, Meaning, BuildHasherDefault<WordHasher>>> =
    LazyLock::new(|| {
        let mut meanings = HashMap::with_capacity_and_hasher(1024, BuildHasherDefault::default());
        let mut note = |word: &'static str, change: &dyn Fn(&mut Meaning)| {
            change(meanings.entry(word).or_insert(*Meaning::NONE));
        };
        for &(word, suffix) in SUFFIXES {
            let street = if STREETS.contains(&suffix) { STREET } else { 0 };
            note(word, &|meaning| {
                meaning.suffix = Some(suffix);
                meaning.flags |= street;
            });
        }
        for &(word, unit) in UNITS.iter().chain(&[("#", "#")]) {
            let flags = unit_flags(unit);
            note(word, &|meaning| {
                meaning.unit = Some(unit);
                meaning.flags |= flags;
            });
        }
        for &(word, direction) in DIRECTIONS {
            note(word, &|meaning| meaning.direction = Some(direction));
        }
        for &(word, name) in NAME_WORDS {
            note(word, &|meaning| meaning.name = Some(name));
        }
        for &(name, code) in STATES {
            for word in [name, code] {
                note(word, &|meaning| meaning.flags |= STATE);
            }
        }
        let lists = [
            (SMALL_WORDS, SMALL),
            (ROADS, ROAD),
            (STREET_FIRST, BEGINS_STREET),
            (WITHOUT_SUFFIX, NEEDS_NO_SUFFIX),
            (NUMBER_WORDS, NUMBER),
            (&["P", "PO", "POB", "POBOX", "POST"], BEGINS_BOX),
            (&["BOX", "FOR", "FROM", "IN", "TO", "WITH"], NO_NAME),
        ];
        for (list, flag) in lists {
            for word in list {
                note(word, &|meaning| meaning.flags |= flag);
            }
        }
        meanings
    });

fn unit_flags(unit: &str) -> u16 {
    match unit {
        "STE" | "APT" | "#" | "UNIT" | "RM" => NO_NAME,
        "BSMT" | "FRNT" | "LBBY" | "LOWR" | "OFC" | "PH" | "REAR" | "SIDE" | "UPPR" => STANDS_ALONE,
        _ => 0,
    }
}

/// Hashes short words: most words of a text are looked up once.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut eight = [0; 8];
            eight[..chunk.len()].copy_from_slice(chunk);
            let mixed = (self.0 ^ u64::from_le_bytes(eight)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.0 = mixed ^ mixed >> 32;
        }
    }

    /// The end of a string, which says nothing new.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Where the words of each first letter begin in a table, and its end.
const fn letter_starts(table: &[(&str, &str)]) -> [u16; 27] {
    let mut starts = [0; 27];
    let mut idx = 0;
    while idx < table.len() {
        let letter = (table[idx].0.as_bytes()[0] - b'A') as usize;
        starts[letter + 1] += 1;
        idx += 1;
    }
    let mut letter = 0;
    while letter < 26 {
        starts[letter + 1] += starts[letter];
        letter += 1;
    }
    starts
}

/// Two letters of a state written out, in capitals.
pub(super) fn state_by_name(name: &str) -> Option<&'static str> {
    look_up(STATES, name)
}

/// The state's two letters, if that is what they are.
pub(super) fn state_by_code(code: &str) -> Option<&'static str> {
    let &[first, second] = code.as_bytes() else {
        return None;
    };
    let (row, column) = (first.wrapping_sub(b'A'), second.wrapping_sub(b'A'));
    if row < 26 && column < 26 {
        STATE_CODES[row as usize][column as usize]
    } else {
        None
    }
}

/// Codes by their two letters.
static STATE_CODES: [[Option<&str>; 26]; 26] = {
    let mut codes = [[None; 26]; 26];
    let mut idx = 0;
    while idx < STATES.len() {
        let code = STATES[idx].1;
        let letters = code.as_bytes();
        codes[(letters[0] - b'A') as usize][(letters[1] - b'A') as usize] = Some(code);
        idx += 1;
    }
    codes
};

/// Whether any state's name begins with these three letters, the first a capital.
pub(super) fn begins_state([first, second, third]: [u8; 3]) -> bool {
    let letter = |byte: u8| byte.to_ascii_uppercase().wrapping_sub(b'A');
    match (first.wrapping_sub(b'A'), letter(second), letter(third)) {
        (row @ 0..26, column @ 0..26, bit @ 0..26) => {
            STATE_STARTS[row as usize][column as usize] >> bit & 1 == 1
        }
        // `N Carolina`
        (_, _, _) => second == b' ' && matches!(first, b'N' | b'S' | b'W'),
    }
}

/// One bit for every third letter, by first and second.
static STATE_STARTS: [[u32; 26]; 26] = {
    let mut starts = [[0; 26]; 26];
    let mut idx = 0;
    while idx < STATES.len() {
        let name = STATES[idx].0.as_bytes();
        if name[1] != b' ' {
            let row = (name[0] - b'A') as usize;
            starts[row][(name[1] - b'A') as usize] |= 1 << (name[2] - b'A');
        }
        idx += 1;
    }
    starts
};

static STATE_LETTERS: [u16; 27] = letter_starts(STATES);

/// States whose names begin with a capital, longest first.
pub(super) fn states_with(first: u8) -> impl Iterator<Item = (&'static str, &'static str)> {
    let letter = usize::from(first.wrapping_sub(b'A')).min(25);
    let range = STATE_LETTERS[letter] as usize..STATE_LETTERS[letter + 1] as usize;
    STATES[range].iter().rev().copied()
}

/// Whether the state's two letters are better not read in small letters.
pub(super) fn is_english(code: &str) -> bool {
    ENGLISH.contains(&code)
}

/// `ONE`, in any case.
pub(super) fn is_number_word(word: &[u8]) -> bool {
    NUMBER_WORDS
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// The usual writing of a word in a city's name, in normal form.
pub(super) fn city_word(word: &str) -> &str {
    // Abbreviations are short.
    if word.len() > 5 {
        return word;
    }
    look_up(CITY_WORDS, word).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_without_repeats() {
        for table in [SUFFIXES, UNITS, STATES, NAME_WORDS, CITY_WORDS, DIRECTIONS] {
            assert!(table.is_sorted_by(|a, b| a.0 < b.0));
        }
        assert_eq!(Meaning::of("BOULEVARD").suffix, Some("BLVD"));
        assert_eq!(state_by_name("NEW YORK"), Some("NY"));
    }
}
