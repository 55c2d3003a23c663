use super::*;
use crate::names::normalise;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::sync::LazyLock;

static READER: LazyLock<QuestionReader<'static>> =
    LazyLock::new(|| QuestionReader::new(Gazetteer::built_in()));

const AUGUSTA_MAINE: (f64, f64) = (44.31, -69.78);
const CHICAGO: (f64, f64) = (41.88, -87.63);

fn show(query: &str, question: &Question) -> String {
    let describe = |place: Option<PlaceId>| match place {
        Some(place) => Gazetteer::built_in().describe(place),
        None => "?".to_owned(),
    };
    let place = match &question.location {
        None => "-".to_owned(),
        Some(Location::Place(place)) => describe(Some(*place)),
        Some(Location::Address { place, text, .. }) => {
            format!("address `{text}` in {}", describe(*place))
        }
        Some(Location::Postcode { place, text, .. }) => {
            format!("code `{text}` in {}", describe(*place))
        }
    };
    let near = if question.is_near { "near " } else { "" };
    format!(
        "{query} => [{}] {near}{place} ({})",
        question.words, question.because
    )
}

fn read(query: &str) -> String {
    show(query, &READER.read(query, &Helps::NONE))
}

fn read_at(home: (f64, f64), query: &str) -> String {
    let helps = Helps {
        home: Some(home),
        ..Helps::NONE
    };
    show(query, &READER.read(query, &helps))
}

fn read_all(queries: &[&str]) -> String {
    let lines: Vec<String> = queries.iter().map(|query| read(query)).collect();
    lines.join("\n")
}

#[test]
fn a_word_may_lead_to_a_place() {
    assert_snapshot!(read_all(&[
        "pizza restaurant in Lisbon",
        "schools in Athens",
        "things to do in Texas",
        "Restaurants in Oldenburg",
        "Zahnarzt bei Bremen",
        "Ferienwohnung in der Nähe von Cuxhaven",
        "hoteles cerca de Madrid",
        "hôtels à Paris",
        "HOTELS IN BERLIN",
        "hotels in nice",
        "hotels in bath",
        "pizza in new york city with terrace",
        "farmers market close to Portland",
        "museums in the bronx",
        "hotels in la",
        "bars in the Netherlands",
        "map of texas",
        "trains from hamburg",
        "hotels in Washington",
        "wine from Georgia",
    ]), @"
pizza restaurant in Lisbon => [pizza restaurant] Lisbon, Lisbon, Portugal (the best known of that name)
schools in Athens => [schools] Athens, Attica, Greece (the largest of that name)
things to do in Texas => [things to do] Texas, United States (the largest of that name)
Restaurants in Oldenburg => [Restaurants] Oldenburg, Lower Saxony, Germany (the largest of that name)
Zahnarzt bei Bremen => [Zahnarzt] near Bremen, Bremen, Germany (the best known of that name)
Ferienwohnung in der Nähe von Cuxhaven => [Ferienwohnung] near Cuxhaven, Lower Saxony, Germany (the only one of that name)
hoteles cerca de Madrid => [hoteles] near Madrid, Madrid, Spain (the best known of that name)
hôtels à Paris => [hôtels] Paris, Île-de-France, France (the best known of that name)
HOTELS IN BERLIN => [HOTELS] Berlin, Berlin, Germany (the best known of that name)
hotels in nice => [hotels] Nice, Provence-Alpes-Côte d'Azur, France (the largest of that name)
hotels in bath => [hotels] Bath, England, United Kingdom (the largest of that name)
pizza in new york city with terrace => [pizza with terrace] New York, New York, United States (the only one of that name)
farmers market close to Portland => [farmers market] near Portland, Oregon, United States (the largest of that name)
museums in the bronx => [museums] Bronx, New York, United States (the only one of that name)
hotels in la => [hotels] Los Angeles, California, United States (the largest of that name)
bars in the Netherlands => [bars] The Netherlands (the only one of that name)
map of texas => [map] Texas, United States (the largest of that name)
trains from hamburg => [trains] Hamburg, Hamburg, Germany (the best known of that name)
hotels in Washington => [hotels] Washington, District of Columbia, United States (the best known of that name)
wine from Georgia => [wine] Georgia, United States (the largest of that name)
");
}

fn suggested(query: &str, doubt: Doubt) -> String {
    let suggestions = READER.suggest(query, doubt).into_iter();
    let queries: Vec<String> = suggestions.map(|suggestion| suggestion.query).collect();
    queries.join("; ")
}

#[test]
fn hotels_near_chicgo_may_mean_chicago() {
    let led = |query| suggested(query, Doubt::Led);
    let anywhere = |query| suggested(query, Doubt::Anywhere);
    let suggestions = [
        led("hotels near Chicgo"),
        led("pizza in Huoston, please"),
        led("museums in san fransisco today"),
        led("Zahnarzt in Oldenbrug"),
        led("Hosuton restaurants"),
        anywhere("Hosuton restaurants"),
        anywhere("restaurants philadelpia"),
    ];
    assert_snapshot!(suggestions.join("\n"), @"
hotels near Chicago
pizza in Houston, please
museums in San Francisco today
Zahnarzt in Oldenburg

Houston restaurants
restaurants Philadelphia
");
}

#[test]
fn ordinary_words_behind_in_are_no_slips() {
    for query in [
        "dinner in bed",
        "hotels near airport",
        "a walk in winter",
        "hotels near Chicago",
        "in",
        "near \"Chicgo\"",
        "in 12345x",
    ] {
        assert_eq!(suggested(query, Doubt::Led), "", "{query}");
    }
    for query in ["cheap restaurants", "reading glasses", "", "pizza -frozen"] {
        assert_eq!(suggested(query, Doubt::Anywhere), "", "{query}");
    }
}

#[test]
fn a_state_at_the_end_says_where_the_city_at_the_start_is() {
    assert_snapshot!(read_all(&[
        "Athens city public schools Alabama",
        "Athens schools in Georgia",
        "Houston plumbers Texas",
        "reading glasses Pennsylvania",
        "houston astros texas",
        "Paris hotels Bavaria",
        "best texas bbq",
    ]), @"
Athens city public schools Alabama => [city public schools] Athens, Alabama, United States (the state is named)
Athens schools in Georgia => [schools] Athens, Georgia, United States (the state is named)
Houston plumbers Texas => [plumbers] Houston, Texas, United States (the state is named)
reading glasses Pennsylvania => [reading glasses] Pennsylvania, United States (the only one of that name)
houston astros texas => [houston astros] Texas, United States (the largest of that name)
Paris hotels Bavaria => [Paris hotels] Bavaria, Germany (the largest of that name)
best texas bbq => [best texas bbq] - (no place is named)
");
}

#[test]
fn a_state_or_country_decides() {
    assert_snapshot!(read_all(&[
        "athens ga hotels",
        "berlin NH",
        "hotels in berlin, new hampshire",
        "paris texas",
        "Athens, Alabama city public schools",
        "Houston, TX, USA plumbers",
        "oldenburg, de",
        "bremen germany hotels",
        "mobile alabama dentists",
        "reading pa",
        "orange ca",
        "buffalo ny wings",
        "portland OR",
        "portland me",
        "fort wayne in",
        "Springfield,IL",
        "best texas bbq",
        "turkey texas",
        "st. petersburg fl",
        "victoria bc",
        "hotels in washington dc",
    ]), @"
athens ga hotels => [hotels] Athens, Georgia, United States (the state is named)
berlin NH => [] Berlin, New Hampshire, United States (the state is named)
hotels in berlin, new hampshire => [hotels] Berlin, New Hampshire, United States (the state is named)
paris texas => [] Paris, Texas, United States (the state is named)
Athens, Alabama city public schools => [city public schools] Athens, Alabama, United States (the state is named)
Houston, TX, USA plumbers => [plumbers] Houston, Texas, United States (the state is named)
oldenburg, de => [] Oldenburg, Lower Saxony, Germany (the country is named)
bremen germany hotels => [hotels] Bremen, Bremen, Germany (the country is named)
mobile alabama dentists => [dentists] Mobile, Alabama, United States (the state is named)
reading pa => [] Reading, Pennsylvania, United States (the state is named)
orange ca => [] Orange, California, United States (the state is named)
buffalo ny wings => [wings] Buffalo, New York, United States (the state is named)
portland OR => [] Portland, Oregon, United States (the state is named)
portland me => [] Portland, Maine, United States (the state is named)
fort wayne in => [] Fort Wayne, Indiana, United States (the state is named)
Springfield,IL => [] Springfield, Illinois, United States (the state is named)
best texas bbq => [best texas bbq] - (no place is named)
turkey texas => [turkey] Texas, United States (the largest of that name)
st. petersburg fl => [] St. Petersburg, Florida, United States (the state is named)
victoria bc => [] Victoria, British Columbia, Canada (the state is named)
hotels in washington dc => [hotels] Washington, District of Columbia, United States (the state is named)
");
}

#[test]
fn a_name_alone_must_be_known_and_at_the_border() {
    assert_snapshot!(read_all(&[
        "Athens city public schools",
        "new york pizza",
        "pizza new york",
        "köln",
        "Sankt Petersburg",
        "springfield",
        "portland",
        "nyc pizza",
        "pizza TX",
        "jobs UK",
        "oldenburg hotels",
        "hotels vienna cheap",
        "cheap hotels vienna",
        "ukraine news",
        "new york times",
        "houston rockets tickets",
        "brussels sprouts",
        "university of houston",
        "hotels westerstede",
        "TX",
        "usa",
        "gold coast",
        "white house",
        "flights from berlin to paris",
    ]), @"
Athens city public schools => [city public schools] Athens, Attica, Greece (the largest of that name)
new york pizza => [pizza] New York, New York, United States (the best known of that name)
pizza new york => [pizza] New York, New York, United States (the best known of that name)
köln => [] Köln, North Rhine-Westphalia, Germany (the only one of that name)
Sankt Petersburg => [] Saint Petersburg, St.-Petersburg, Russia (the largest of that name)
springfield => [] Springfield, Missouri, United States (the largest of that name)
portland => [] Portland, Oregon, United States (the largest of that name)
nyc pizza => [pizza] New York, New York, United States (the only one of that name)
pizza TX => [pizza] Texas, United States (the only one of that name)
jobs UK => [jobs] United Kingdom (the largest of that name)
oldenburg hotels => [hotels] Oldenburg, Lower Saxony, Germany (the largest of that name)
hotels vienna cheap => [hotels vienna cheap] - (no place is named)
cheap hotels vienna => [cheap hotels] Vienna, Vienna, Austria (the best known of that name)
ukraine news => [news] Ukraine (the largest of that name)
new york times => [new york times] - (no place is named)
houston rockets tickets => [houston rockets tickets] - (no place is named)
brussels sprouts => [brussels sprouts] - (no place is named)
university of houston => [university of houston] - (no place is named)
hotels westerstede => [hotels] Westerstede, Lower Saxony, Germany (the only one of that name)
TX => [] Texas, United States (the only one of that name)
usa => [] United States (the largest of that name)
gold coast => [] Gold Coast, Queensland, Australia (the best known of that name)
white house => [white house] - (no place is named)
flights from berlin to paris => [flights from berlin] Paris, Île-de-France, France (the best known of that name)
");
}

#[test]
fn ordinary_words_are_no_places() {
    assert_snapshot!(read_all(&[
        "buffalo wings",
        "reading glasses",
        "mobile phones",
        "nice hotels",
        "bath tubs",
        "orange juice",
        "best of turkey recipes",
        "turkey recipes",
        "city tours",
        "car wash",
        "books in english",
        "men in black",
        "made in stock",
        "essen bestellen",
        "отели в Москве",
        "in the of",
        "",
        "  ",
        "jordan shoes",
        "victoria secret",
        "java developer",
        "michael jackson",
        "whitney houston songs",
    ]), @"
buffalo wings => [buffalo wings] - (no place is named)
reading glasses => [reading glasses] - (no place is named)
mobile phones => [mobile phones] - (no place is named)
nice hotels => [nice hotels] - (no place is named)
bath tubs => [bath tubs] - (no place is named)
orange juice => [orange juice] - (no place is named)
best of turkey recipes => [best of turkey recipes] - (no place is named)
turkey recipes => [turkey recipes] - (no place is named)
city tours => [city tours] - (no place is named)
car wash => [car wash] - (no place is named)
books in english => [books in english] - (no place is named)
men in black => [men in black] - (no place is named)
made in stock => [made in stock] - (no place is named)
essen bestellen => [essen bestellen] - (no place is named)
отели в Москве => [отели в Москве] - (no place is named)
in the of => [in the of] - (no place is named)
 => [] - (no place is named)
   => [] - (no place is named)
jordan shoes => [jordan shoes] - (no place is named)
victoria secret => [victoria secret] - (no place is named)
java developer => [java developer] - (no place is named)
michael jackson => [michael jackson] - (no place is named)
whitney houston songs => [whitney houston songs] - (no place is named)
");
}

#[test]
fn addresses_and_postal_codes_are_read() {
    assert_snapshot!(read_all(&[
        "plumber near 100 Milam Street, Houston",
        "plumber near 100 milam street houston",
        "plumber near 100 Milam Street, Houston, TX",
        "100 Milam Street, Houston, TX 77002",
        "Zahnarzt Lange Straße 12, 26122 Oldenburg",
        "zahnarzt lange straße 12 oldenburg",
        "hotels 26121",
        "dentist 77002",
        "dentist near 77002-1234",
        "26121 Oldenburg Hotels",
        "hotels in Houston TX 77002",
        "pizza 10115 berlin",
        "pizza 10115",
        "top 10 restaurants in houston",
        "99999 bottles",
    ]), @"
plumber near 100 Milam Street, Houston => [plumber] near address `100 Milam Street, Houston` in Houston, Texas, United States (the address is named, taken as the middle of Houston)
plumber near 100 milam street houston => [plumber] near address `100 milam street houston` in Houston, Texas, United States (the address is named, taken as the middle of Houston)
plumber near 100 Milam Street, Houston, TX => [plumber] near address `100 Milam Street, Houston, TX` in Houston, Texas, United States (the address is named, taken as the middle of Houston)
100 Milam Street, Houston, TX 77002 => [] address `100 Milam Street, Houston, TX 77002` in Houston, Texas, United States (the address is named, taken as the middle of 77002)
Zahnarzt Lange Straße 12, 26122 Oldenburg => [Zahnarzt] address `Lange Straße 12, 26122 Oldenburg` in Oldenburg, Lower Saxony, Germany (the address is named, taken as the middle of 26122)
zahnarzt lange straße 12 oldenburg => [zahnarzt] address `lange straße 12 oldenburg` in Oldenburg, Lower Saxony, Germany (the address is named, taken as the middle of Oldenburg)
hotels 26121 => [hotels] code `26121` in Oldenburg, Lower Saxony, Germany (the postal code is named)
dentist 77002 => [dentist] code `77002` in Houston, Texas, United States (the postal code is named)
dentist near 77002-1234 => [dentist] near code `77002-1234` in Houston, Texas, United States (the postal code is named)
26121 Oldenburg Hotels => [Hotels] code `26121 Oldenburg` in Oldenburg, Lower Saxony, Germany (the postal code is named)
hotels in Houston TX 77002 => [hotels] code `Houston TX 77002` in Houston, Texas, United States (the postal code is named)
pizza 10115 berlin => [pizza] code `10115 berlin` in Berlin, Berlin, Germany (the postal code is named)
pizza 10115 => [pizza] code `10115` in New York, New York, United States (the postal code is named)
top 10 restaurants in houston => [top 10 restaurants] Houston, Texas, United States (the largest of that name)
99999 bottles => [99999 bottles] - (no place is named)
");
}

#[test]
fn quotes_and_operators_are_left_alone() {
    assert_snapshot!(read_all(&[
        "\"hotels in berlin\"",
        "\"best pizza\" in berlin",
        "berlin \"new york\" pizza",
        "hotels \"in berlin",
        "hotels AND pools in berlin",
        "berlin OR hamburg hotels",
        "hotels -berlin",
        "hotel* in berlin -cheap",
        "hotels berlin, berlin",
        "hotels, berlin",
        "pizza near me",
        "restaurants nearby",
        "zahnarzt in meiner nähe",
    ]), @r#"
"hotels in berlin" => ["hotels in berlin"] - (no place is named)
"best pizza" in berlin => ["best pizza"] Berlin, Berlin, Germany (the best known of that name)
berlin "new york" pizza => ["new york" pizza] Berlin, Berlin, Germany (the best known of that name)
hotels "in berlin => [hotels] Berlin, Berlin, Germany (the best known of that name)
hotels AND pools in berlin => [hotels AND pools] Berlin, Berlin, Germany (the best known of that name)
berlin OR hamburg hotels => [berlin OR hamburg hotels] - (no place is named)
hotels -berlin => [hotels -berlin] - (no place is named)
hotel* in berlin -cheap => [hotel* -cheap] Berlin, Berlin, Germany (the best known of that name)
hotels berlin, berlin => [hotels] Berlin, Berlin, Germany (the state is named)
hotels, berlin => [hotels] Berlin, Berlin, Germany (the best known of that name)
pizza near me => [pizza] near - (it is near you)
restaurants nearby => [restaurants] near - (it is near you)
zahnarzt in meiner nähe => [zahnarzt] near - (it is near you)
"#);
}

#[test]
fn home_and_collection_decide_between_places_of_one_name() {
    assert_snapshot!(read_at(AUGUSTA_MAINE, "portland"), @"portland => [] Portland, Maine, United States (it is near you)");
    assert_snapshot!(read_at(AUGUSTA_MAINE, "pizza in lisbon"), @"pizza in lisbon => [pizza] Lisbon, Lisbon, Portugal (the best known of that name)");
    assert_snapshot!(read_at(AUGUSTA_MAINE, "pizza in paris"), @"pizza in paris => [pizza] Paris, Île-de-France, France (the best known of that name)");
    assert_snapshot!(read_at(CHICAGO, "springfield"), @"springfield => [] Springfield, Illinois, United States (it is near you)");
    assert_snapshot!(read_at(AUGUSTA_MAINE, "pizza waterville"), @"pizza waterville => [pizza] Waterville, Maine, United States (the largest of that name)");
    let massachusetts = Gazetteer::built_in().us_state("MA").expect("a state");
    let holds = |id: PlaceId| {
        let is_inside = Gazetteer::built_in()
            .chain(id)
            .any(|above| above == massachusetts);
        if is_inside { 5_000 } else { 20 }
    };
    let helps = Helps {
        home: None,
        holds: &holds,
    };
    let question = READER.read("springfield", &helps);
    assert_snapshot!(show("springfield", &question), @"springfield => [] Springfield, Massachusetts, United States (the collection has most pages there)");
    let others = question
        .alternatives
        .iter()
        .map(|&id| Gazetteer::built_in().describe(id));
    assert_snapshot!(others.collect::<Vec<_>>().join("\n"), @"
Springfield, Missouri, United States
Springfield, Illinois, United States
Springfield, Oregon, United States
Springfield, Ohio, United States
Springfield, Virginia, United States
");
    assert_snapshot!(show("schools in athens", &READER.read("schools in athens", &helps)), @"schools in athens => [schools] Athens, Attica, Greece (the largest of that name)");
}

#[test]
fn of_a_long_query_the_beginning_is_looked_at_and_all_is_kept() {
    let tail = "word ".repeat(2_000);
    let query = format!("hotels in berlin {tail}");
    let question = READER.read(&query, &Helps::NONE);
    assert_eq!(question.words, format!("hotels {}", tail.trim()));
    let late = format!("{tail}in berlin");
    assert_eq!(READER.read(&late, &Helps::NONE).words, late);
}

/// Words in normal form.
fn plain_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(normalise).collect()
}

proptest! {
    #[test]
    fn any_text_is_read(query in "\\PC{0,60}") {
        READER.read(&query, &Helps::NONE);
    }

    #[test]
    fn a_location_is_taken_out(parts in prop::collection::vec(prop::sample::select(vec![
        "berlin", "New York", "in", "near", "pizza", "hotels,", "TX", "77002", "Houston,", "athens",
        "ga", "100 Main Street", "of", "the", "york", "Lange Straße 12", "26122 Oldenburg", "or",
    ]), 0..8)) {
        let query = parts.join(" ");
        let question = READER.read(&query, &Helps::NONE);
        let tokens = Tokens::new(&query);
        let Some(found) = READER.find(&tokens, &Helps::NONE) else {
            prop_assert_eq!(question.words, query);
            return Ok(());
        };
        let own = plain_words(tokens.text(found.place));
        let left = plain_words(&question.words);
        prop_assert!(!left.windows(own.len()).any(|words| words == own), "{} => {}", query, question.words);
    }
}

#[test]
fn a_part_of_a_city_is_no_place_of_that_name_elsewhere() {
    assert_snapshot!(read("pizza near Downtown Houston"), @"pizza near Downtown Houston => [pizza] near Houston, Texas, United States (the largest of that name)");
    assert_snapshot!(read("pizza in central Berlin"), @"pizza in central Berlin => [pizza] Berlin, Berlin, Germany (the best known of that name)");
    assert_snapshot!(read("hotels in the heart of London"), @"hotels in the heart of London => [hotels] London, England, United Kingdom (the largest of that name)");
    assert_snapshot!(read("pizza in downtown"), @"pizza in downtown => [pizza in downtown] - (no place is named)");
    assert_snapshot!(read("hotels in Central Falls, RI"), @"hotels in Central Falls, RI => [hotels] Central Falls, Rhode Island, United States (the state is named)");
}

#[test]
fn an_institution_is_no_place_and_its_city_is_one() {
    assert_snapshot!(read("professor at University of Texas at Austin"), @"professor at University of Texas at Austin => [professor at University of Texas] Austin, Texas, United States (the largest of that name)");
    assert_snapshot!(read("hotels near University of Texas at Austin"), @"hotels near University of Texas at Austin => [hotels near University of Texas] Austin, Texas, United States (the largest of that name)");
    assert_snapshot!(read("law school at University of Michigan in Ann Arbor"), @"law school at University of Michigan in Ann Arbor => [law school at University of Michigan] Ann Arbor, Michigan, United States (the only one of that name)");
    assert_snapshot!(read("students at University of Houston"), @"students at University of Houston => [students at University of Houston] - (no place is named)");
}

#[test]
fn an_address_at_a_market_has_its_city() {
    assert_snapshot!(read("Am Markt 1, Oldenburg"), @"Am Markt 1, Oldenburg => [] address `Am Markt 1, Oldenburg` in Oldenburg, Lower Saxony, Germany (the address is named, taken as the middle of Oldenburg)");
}
