//! The vocabulary: topics, brand words and names; what sentences are built
//! from lies with each language.
//!
//! A table, not code. Some brand words are city names too (Phoenix, Aurora,
//! Lincoln): the real web is ambiguous in the same way.

pub(crate) mod english;
pub(crate) mod french;
pub(crate) mod german;
pub(crate) mod lexicon;
pub(crate) mod spanish;

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
pub(crate) static TOPICS: [Topic; 37] = [
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
    topic("Electricians", "electricians", "Electric", ["wiring", "outlet", "breaker", "lighting", "generator", "panel", "fuse", "rewiring", "ceiling fan", "safety check"]),
    topic("Child Care", "child-care", "Learning Center", ["toddler", "playground", "nap time", "preschool", "snack", "caregiver", "story hour", "infant room", "parent", "activity"]),
    topic("Insurance", "insurance", "Insurance", ["policy", "premium", "coverage", "deductible", "agent", "claim form", "quote", "liability", "renewal", "policyholder"]),
    topic("Weddings", "weddings", "Bridal", ["bride", "gown", "reception", "cake", "invitation", "groom", "ceremony", "planner", "veil", "banquet hall"]),
    topic("Jobs", "jobs", "Staffing", ["resume", "interview", "salary", "employer", "opening", "recruiter", "shift", "internship", "job fair", "application"]),
    topic("Movies", "movies", "Cinema", ["film", "director", "trailer", "actor", "screening room", "popcorn", "matinee", "premiere", "soundtrack", "script"]),
    topic("Games", "games", "Games", ["player", "level", "console", "puzzle", "dice", "board game", "high score", "quest", "controller", "tournament bracket"]),
    topic("Cooking", "cooking", "Kitchen", ["oven", "flour", "spice", "casserole", "skillet", "marinade", "broth", "garlic", "cookbook", "baking dish"]),
    topic("Genealogy", "genealogy", "Family History", ["ancestor", "census record", "family tree", "surname", "cemetery", "birth certificate", "pedigree", "immigrant", "descendant", "parish register"]),
    topic("Science", "science", "Laboratory", ["experiment", "microscope", "theory", "telescope", "specimen", "hypothesis", "molecule", "measurement", "researcher", "journal"]),
    topic("Motorcycles", "motorcycles", "Cycle", ["helmet", "rider", "exhaust", "throttle", "sidecar", "chrome", "saddlebag", "rally", "handlebar", "clutch"]),
    topic("Crafts", "crafts", "Craft Supply", ["yarn", "quilt", "needle", "bead", "fabric", "pattern", "stencil", "knitting", "glue gun", "ribbon"]),
    topic("Investing", "investing", "Capital", ["stock", "dividend", "portfolio", "bond", "broker", "market", "fund", "interest", "retirement", "share price"]),
];

#[rustfmt::skip]
pub(crate) static BRAND_WORDS: [&str; 96] = [
    "Lone Star", "Blue Sky", "Evergreen", "Summit", "Golden", "Silver Creek", "Pioneer", "Liberty",
    "Oak Hill", "Maple", "Cedar", "Sunrise", "Harbor", "Eagle", "Patriot", "Bluebird",
    "First Choice", "Premier", "Heritage", "Main Line", "Lakeview", "Northside", "Westgate", "Parkway",
    "Red Rock", "Bright", "Clear Water", "Granite", "Copper", "Ironwood", "Wildflower", "Lantern",
    "Johnson", "Miller", "Garcia", "Nguyen", "Anderson", "Thompson", "Martinez", "Robinson",
    "Clark", "Lewis", "Walker", "Hall", "Young", "Allen", "King", "Wright",
    "Alpha", "Apex", "Beacon", "Compass", "Delta", "Fusion", "Keystone", "Magnolia",
    "Orchard", "Pinnacle", "Quality", "Reliable", "Stone", "Twin", "United", "Vista",
    "Anchor", "Badger", "Canyon", "Dolphin", "Ember", "Falcon", "Glacier", "Hearth",
    "Indigo", "Juniper", "Kestrel", "Lighthouse", "Meadow", "Nimbus", "Otter", "Pebble",
    "Quartz", "Raven", "Sparrow", "Timber", "Umbra", "Velvet", "Willow", "Xenon",
    "Yellowstone", "Zephyr", "Crimson", "Driftwood", "Echo", "Firefly", "Gemini", "Halo",
];

/// Brand words that are names of cities too.
#[rustfmt::skip]
pub(crate) static CITY_BRANDS: [&str; 12] = [
    "Phoenix", "Aurora", "Lincoln", "Madison", "Riverside", "Columbus", "Jackson", "Arlington", "Lexington", "Plano",
    "Cleveland", "Richmond",
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

/// Streets that nearly every German city has.
#[rustfmt::skip]
pub(crate) static GERMAN_STREETS: [&str; 30] = [
    "Hauptstraße", "Bahnhofstraße", "Schulstraße", "Gartenstraße", "Dorfstraße", "Bergstraße", "Birkenweg", "Lindenstraße",
    "Kirchstraße", "Waldstraße", "Ringstraße", "Schillerstraße", "Goethestraße", "Am Markt", "Mühlenweg", "Wiesenweg",
    "Rosenweg", "Feldstraße", "Jahnstraße", "Buchenweg", "Friedhofstraße", "Mozartstraße", "Lange Straße", "Poststraße",
    "Mittelweg", "Industriestraße", "Am Bahnhof", "Blumenstraße", "Breslauer Straße", "Kastanienallee",
];

#[rustfmt::skip]
pub(crate) static GERMAN_LAST_NAMES: [&str; 24] = [
    "Müller", "Schmidt", "Schneider", "Fischer", "Weber", "Meyer", "Wagner", "Becker", "Schulz", "Hoffmann", "Koch", "Bauer",
    "Richter", "Klein", "Wolf", "Neumann", "Schwarz", "Braun", "Hofmann", "Janßen", "Peters", "Gerdes", "Behrens", "Kruse",
];

#[rustfmt::skip]
pub(crate) static GERMAN_FIRST_NAMES: [&str; 16] = [
    "Anna", "Peter", "Sabine", "Michael", "Petra", "Thomas", "Ute", "Andreas", "Monika", "Stefan", "Heike", "Jürgen",
    "Claudia", "Wolfgang", "Julia", "Jan",
];

/// Last words of forum and link-farm names, and of travel sites.
#[rustfmt::skip]
pub(crate) static FORUM_TAILS: [&str; 6] = ["Forum", "Board", "Talk", "Community", "Answers", "Boards"];
#[rustfmt::skip]
pub(crate) static FARM_TAILS: [&str; 6] = ["Best Links", "Top Sites", "Web Ring", "Deals 4U", "Search Now", "Link Exchange"];
#[rustfmt::skip]
pub(crate) static TOURISM_TAILS: [&str; 6] = ["Visitors Bureau", "Travel Guide", "Attractions", "Tours", "Getaways", "Visitor Guide"];
#[rustfmt::skip]
pub(crate) static AGENCIES: [&str; 10] = [
    "Agency", "Bureau", "Commission", "Administration", "Service", "Authority", "Department", "Board", "Office", "Council",
];
#[rustfmt::skip]
pub(crate) static SIGHTS: [&str; 16] = [
    "Art Museum", "Zoo", "Botanical Garden", "Old Town", "Science Center", "Riverwalk", "Theater", "Arena", "Aquarium",
    "Historic House", "Farmers Market", "Lighthouse", "Brewery", "Concert Hall", "Ball Park", "Memorial",
];
