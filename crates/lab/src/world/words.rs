//! The vocabulary: topics, brand words and what sentences are built from.
//!
//! A table, not code. Some brand words are city names too (Phoenix, Aurora,
//! Lincoln): the real web is ambiguous in the same way.

/// What a site or a page is about, other than a place.
pub(crate) struct Topic {
    /// As a heading, in the plural.
    pub(crate) name: &'static str,
    /// In URLs.
    pub(crate) slug: &'static str,
    /// The last word of a company's name.
    pub(crate) trade: &'static str,
    /// Things it deals with.
    pub(crate) nouns: [&'static str; 10],
}

const fn topic(
    name: &'static str,
    slug: &'static str,
    trade: &'static str,
    nouns: [&'static str; 10],
) -> Topic {
    Topic {
        name,
        slug,
        trade,
        nouns,
    }
}

/// How many topics there are.
pub(crate) const N_TOPICS: usize = TOPICS.len();

#[rustfmt::skip]
pub(crate) static TOPICS: [Topic; 24] = [
    topic("Restaurants", "restaurants", "Grill", ["menu", "kitchen", "dinner", "chef", "table", "brunch", "recipe", "dessert", "wine list", "reservation"]),
    topic("Plumbers", "plumbers", "Plumbing", ["drain", "water heater", "pipe", "faucet", "leak", "sewer line", "repair", "valve", "boiler", "bathroom"]),
    topic("Lawyers", "lawyers", "Law Offices", ["case", "attorney", "settlement", "court", "claim", "contract", "hearing", "client", "appeal", "estate plan"]),
    topic("Dentists", "dentists", "Dental Care", ["crown", "cleaning", "implant", "filling", "smile", "appointment", "patient", "x-ray", "brace", "insurance plan"]),
    topic("Real Estate", "real-estate", "Realty", ["listing", "mortgage", "open house", "condo", "buyer", "seller", "inspection", "closing", "neighborhood", "backyard"]),
    topic("Hotels", "hotels", "Inn and Suites", ["room", "lobby", "suite", "guest", "breakfast", "pool", "conference room", "front desk", "weekend rate", "shuttle"]),
    topic("Auto Repair", "auto-repair", "Auto Service", ["brake", "engine", "oil change", "transmission", "tire", "alignment", "battery", "mechanic", "estimate", "warranty"]),
    topic("Florists", "florists", "Flowers", ["bouquet", "rose", "wedding", "arrangement", "delivery", "vase", "orchid", "wreath", "tulip", "centerpiece"]),
    topic("Schools", "schools", "Academy", ["classroom", "teacher", "student", "curriculum", "semester", "library", "enrollment", "tuition", "campus", "workshop"]),
    topic("Churches", "churches", "Fellowship", ["service", "choir", "parish", "sermon", "youth group", "food drive", "chapel", "pastor", "volunteer", "retreat"]),
    topic("Fitness", "fitness", "Athletic Club", ["workout", "trainer", "yoga class", "membership", "treadmill", "locker room", "schedule", "weight room", "coach", "challenge"]),
    topic("Hair Salons", "hair-salons", "Salon", ["haircut", "stylist", "color", "blow dry", "shampoo", "manicure", "chair", "walk-in", "product line", "gift card"]),
    topic("Pets", "pets", "Animal Clinic", ["puppy", "kitten", "vaccine", "groomer", "kennel", "leash", "adoption", "checkup", "shelter", "veterinarian"]),
    topic("Banks", "banks", "Credit Union", ["checking account", "loan", "branch", "rate", "teller", "credit card", "deposit", "statement", "advisor", "fee"]),
    topic("Museums", "museums", "Museum", ["exhibit", "gallery", "collection", "curator", "sculpture", "ticket", "tour", "archive", "lecture", "painting"]),
    topic("Books", "books", "Books", ["novel", "author", "chapter", "paperback", "shelf", "reading", "publisher", "review", "edition", "signing"]),
    topic("Music", "music", "Records", ["album", "concert", "guitar", "band", "stage", "drummer", "track", "studio", "festival", "lyric"]),
    topic("Photography", "photography", "Photo", ["camera", "lens", "portrait", "print", "album", "shutter", "tripod", "exposure", "session", "frame"]),
    topic("Travel", "travel", "Travel", ["flight", "itinerary", "cruise", "passport", "beach", "luggage", "tour guide", "fare", "resort", "road trip"]),
    topic("Gardening", "gardening", "Nursery", ["seedling", "compost", "lawn", "tomato", "hedge", "sprinkler", "soil", "perennial", "greenhouse", "mulch"]),
    topic("Computers", "computers", "Software", ["laptop", "server", "backup", "network", "keyboard", "upgrade", "download", "browser", "password", "support ticket"]),
    topic("Sports", "sports", "Sports", ["team", "season", "coach", "score", "league", "playoff", "tournament", "stadium", "referee", "roster"]),
    topic("Health", "health", "Medical Group", ["doctor", "clinic", "screening", "therapy", "prescription", "nurse", "diet", "symptom", "checkup", "specialist"]),
    topic("Furniture", "furniture", "Furniture", ["sofa", "mattress", "bookcase", "lamp", "recliner", "dresser", "cushion", "showroom", "oak table", "catalog"]),
];

#[rustfmt::skip]
pub(crate) static BRAND_WORDS: [&str; 64] = [
    "Lone Star", "Blue Sky", "Evergreen", "Summit", "Golden", "Silver Creek", "Pioneer", "Liberty",
    "Riverside", "Oak Hill", "Maple", "Cedar", "Sunrise", "Harbor", "Eagle", "Patriot",
    "First Choice", "Premier", "Heritage", "Main Line", "Lakeview", "Northside", "Westgate", "Parkway",
    "Phoenix", "Aurora", "Lincoln", "Madison", "Red Rock", "Bright", "Clear Water", "Granite",
    "Johnson", "Miller", "Garcia", "Nguyen", "Anderson", "Thompson", "Martinez", "Robinson",
    "Clark", "Lewis", "Walker", "Hall", "Young", "Allen", "King", "Wright",
    "Alpha", "Apex", "Beacon", "Compass", "Delta", "Fusion", "Keystone", "Magnolia",
    "Orchard", "Pinnacle", "Quality", "Reliable", "Stone", "Twin", "United", "Vista",
];

#[rustfmt::skip]
pub(crate) static ADJECTIVES: [&str; 40] = [
    "new", "local", "quiet", "popular", "careful", "friendly", "modern", "simple", "reliable", "seasonal",
    "annual", "early", "long", "short", "bright", "steady", "recent", "typical", "small", "large",
    "affordable", "complete", "regular", "practical", "familiar", "free", "extra", "useful", "honest", "busy",
    "open", "public", "private", "historic", "handmade", "original", "spare", "weekly", "careful", "proven",
];

#[rustfmt::skip]
pub(crate) static VERBS: [&str; 32] = [
    "improves", "replaces", "supports", "follows", "includes", "explains", "covers", "needs",
    "changes", "offers", "requires", "helps", "keeps", "finds", "brings", "shows",
    "takes", "starts", "holds", "makes", "protects", "describes", "reaches", "serves",
    "completes", "delivers", "compares", "reviews", "suggests", "prepares", "restores", "measures",
];

#[rustfmt::skip]
pub(crate) static GENERAL_NOUNS: [&str; 40] = [
    "idea", "question", "result", "week", "story", "project", "visitor", "reader", "answer", "family",
    "season", "detail", "price", "choice", "friend", "morning", "customer", "neighbor", "program", "plan",
    "report", "event", "member", "group", "day", "year", "photo", "letter", "reason", "problem",
    "office", "service", "number", "guide", "method", "budget", "weekend", "visit", "team", "update",
];

#[rustfmt::skip]
pub(crate) static OPENERS: [&str; 20] = [
    "In most cases", "Last year", "As a rule", "For many people", "After a while", "Without a doubt", "On most days",
    "By the end of the month", "At first", "From time to time", "According to our survey", "Once again", "In addition",
    "Before you decide", "When in doubt", "For this reason", "As always", "Over the years", "On the other hand", "To be fair",
];

#[rustfmt::skip]
pub(crate) static TAILS: [&str; 24] = [
    "and that makes a difference", "at no extra cost", "for the whole family", "in just a few days", "with great care",
    "because people ask for it", "as long as supplies last", "whatever the weather", "even on short notice",
    "if everything goes well", "and nobody has complained so far", "for more than twenty years", "in the usual way",
    "when the season starts", "with a little patience", "and we are proud of it", "unless you tell us otherwise",
    "just as we expected", "although opinions differ", "without any trouble", "to everyone's surprise",
    "which is good to know", "before the doors open", "as described below",
];

#[rustfmt::skip]
pub(crate) static DEPARTMENTS: [&str; 16] = [
    "Parks", "Library", "Public Works", "Police", "Fire", "Water", "Permits", "Housing",
    "Transit", "Courts", "Finance", "Planning", "Elections", "Health", "Airport", "Mayor",
];

#[rustfmt::skip]
pub(crate) static PUBLIC_BUILDINGS: [&str; 10] = [
    "Branch Library", "Recreation Center", "Fire Station", "Police Substation", "Senior Center",
    "Community Pool", "Health Clinic", "Service Center", "City Hall Annex", "Municipal Court",
];

#[rustfmt::skip]
pub(crate) static FIRST_NAMES: [&str; 24] = [
    "Mary", "James", "Patricia", "Robert", "Linda", "Michael", "Barbara", "David", "Susan", "Jose",
    "Karen", "Daniel", "Nancy", "Kevin", "Laura", "Brian", "Anna", "Eric", "Julia", "Carlos",
    "Emily", "Frank", "Grace", "Henry",
];

#[rustfmt::skip]
pub(crate) static LAST_NAMES: [&str; 24] = [
    "Smith", "Johnson", "Williams", "Brown", "Jones", "Garcia", "Miller", "Davis", "Rodriguez", "Lopez",
    "Wilson", "Moore", "Taylor", "Thomas", "Lee", "Perez", "White", "Harris", "Clark", "Ramirez",
    "Scott", "Green", "Baker", "Nelson",
];

#[rustfmt::skip]
/// Street names that nearly every city has, for where nothing better is known.
pub(crate) static STREETS: [&str; 20] = [
    "Main St", "Oak St", "Park Ave", "Maple Ave", "Washington St", "2nd St", "3rd St", "Elm St", "Cedar St",
    "Pine St", "1st St", "Walnut St", "Lake Rd", "Hill Rd", "Church St", "Center St", "Highland Ave",
    "Jackson St", "Franklin St", "River Rd",
];

/// Short suffixes as street lists write them, and their long form.
#[rustfmt::skip]
pub(crate) static SUFFIXES: [(&str, &str); 14] = [
    (" St", " Street"), (" Ave", " Avenue"), (" Blvd", " Boulevard"), (" Rd", " Road"), (" Dr", " Drive"),
    (" Ln", " Lane"), (" Ct", " Court"), (" Pl", " Place"), (" Pkwy", " Parkway"), (" Hwy", " Highway"),
    (" Ter", " Terrace"), (" Cir", " Circle"), (" Sq", " Square"), (" Trl", " Trail"),
];

/// Domains under which blogs of many people live.
#[rustfmt::skip]
pub(crate) static PLATFORMS: [&str; 8] = [
    "blogharbor.com", "journalspot.com", "typeroom.net", "diaryland.org",
    "writespace.com", "webnotes.net", "homepagers.com", "postbarn.com",
];
