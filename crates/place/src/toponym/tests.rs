use super::*;
use crate::address::Addresses;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::sync::LazyLock;

static TOPONYMS: LazyLock<Toponyms<'static>> =
    LazyLock::new(|| Toponyms::new(Gazetteer::built_in()));

fn show(text: &str, mentions: &[Mention]) -> String {
    let gazetteer = Gazetteer::built_in();
    let show = |mention: &Mention| {
        let name = &text[mention.span.clone()];
        format!("{name} = {}", gazetteer.describe(mention.place))
    };
    mentions.iter().map(show).collect::<Vec<_>>().join("; ")
}

fn read(text: &str) -> String {
    show(text, &TOPONYMS.find(text, &Context::default()))
}

#[test]
fn names_in_plain_sentences_are_found() {
    assert_snapshot!(read("She moved from Hamburg to Houston in 1998."), @"Hamburg = Hamburg, Hamburg, Germany; Houston = Houston, Texas, United States");
    assert_snapshot!(read("The storm reached São Paulo and Zürich."), @"São Paulo = São Paulo, São Paulo, Brazil; Zürich = Zürich, Zurich, Switzerland");
    assert_snapshot!(read("“China is far,” he said in St. Louis."), @"China = China; St. Louis = St. Louis, Missouri, United States");
}

#[test]
fn people_companies_and_teams_are_no_places() {
    assert_snapshot!(read("We saw Paris Hilton at a party."), @"");
    assert_snapshot!(read("Lunch was at New York Fries again."), @"");
    assert_snapshot!(read("The Houston Rockets won by two points."), @"");
    assert_snapshot!(read("Senator Lincoln met George Washington there."), @"");
    assert_snapshot!(read("The meeting began on Monday. It ends in March."), @"");
}

#[test]
fn what_follows_decides_between_homonyms() {
    assert_snapshot!(read("The mayor of Albany, Georgia, spoke."), @"Albany = Albany, Georgia, United States; Georgia = Georgia, United States");
    assert_snapshot!(read("The mayor of Albany, N.Y., spoke."), @"Albany = Albany, New York, United States; N.Y. = New York, United States");
    assert_snapshot!(read("A fire in Paris, Texas, spread."), @"Paris = Paris, Texas, United States; Texas = Texas, United States");
    assert_snapshot!(read("They met in Albany, Georgia, then in Albany, New York."), @"Albany = Albany, Georgia, United States; Georgia = Georgia, United States; Albany = Albany, New York, United States; New York = New York, United States");
}

#[test]
fn the_rest_of_the_page_decides_between_homonyms() {
    assert_snapshot!(read("Police in Springfield said so. The Illinois capital lies between Decatur and Peoria."), @"Springfield = Springfield, Illinois, United States; Illinois = Illinois, United States; Decatur = Decatur, Illinois, United States; Peoria = Peoria, Illinois, United States");
    assert_snapshot!(read("Police in Springfield said so. Chicopee and Holyoke in Massachusetts agreed."), @"Springfield = Springfield, Massachusetts, United States; Chicopee = Chicopee, Massachusetts, United States; Holyoke = Holyoke, Massachusetts, United States; Massachusetts = Massachusetts, United States");
}

#[test]
fn one_small_town_does_not_move_the_capitals() {
    assert_snapshot!(read("Our London office is open. Our Paris office is closed. We also have a shop in Vienna, Virginia."), @"London = London, England, United Kingdom; Paris = Paris, Île-de-France, France; Vienna = Vienna, Virginia, United States; Virginia = Virginia, United States");
    assert_snapshot!(read("He came from Paris, Texas, and flew on to London."), @"Paris = Paris, Texas, United States; Texas = Texas, United States; London = London, England, United Kingdom");
}

#[test]
fn rivers_and_seas_are_places_too() {
    assert_snapshot!(read("They rowed up the Thames in London."), @"Thames = Thames River, England, United Kingdom; London = London, England, United Kingdom");
    assert_snapshot!(read("Ships cross the Mediterranean Sea and the North Sea."), @"Mediterranean Sea = Mediterranean Sea; North Sea = North Sea");
}

#[test]
fn peoples_and_adjectives_name_their_place() {
    assert_snapshot!(read("A Texan and two Germans saw the French president."), @"Texan = Texas, United States; Germans = Germany; French = France");
    assert_snapshot!(read("The U.S. and the UK sent help to W.Va. and Minn. towns."), @"U.S. = United States; UK = United Kingdom; W.Va. = West Virginia, United States; Minn. = Minnesota, United States");
}

#[test]
fn addresses_are_left_alone() {
    let text = "Visit us at 500 Houston Street, Dallas, TX 75202 today.";
    let addresses = Addresses::new(Gazetteer::built_in()).find(text);
    let context = Context {
        addresses: &addresses,
        ..Context::default()
    };
    assert_snapshot!(show(text, &TOPONYMS.find(text, &context)), @"");
}

#[test]
fn the_host_says_where_a_page_is_from() {
    let text = "Das Rathaus in Halle ist heute geschlossen.";
    let found = |host| {
        let context = Context {
            host,
            ..Context::default()
        };
        show(text, &TOPONYMS.find(text, &context))
    };
    assert_snapshot!(found("www.halle.de"), @"Halle = Halle (Saale), Saxony-Anhalt, Germany");
}

#[test]
fn written_weights_are_read_back() {
    let weights = Weights::parse(LEARNED);
    assert_eq!(
        Weights::parse(&weights.to_text()).to_text(),
        weights.to_text()
    );
    assert!(
        weights
            .part(Part::Local)
            .iter()
            .any(|&weight| weight != 0.0)
    );
}

proptest! {
    #[test]
    fn mentions_lie_in_order_in_the_text(text in "(Paris|New York|St\\.|’s|,|Georgia|\\n|é|the| ){0,30}") {
        let mut end = 0;
        for mention in TOPONYMS.find(&text, &Context::default()) {
            prop_assert!(mention.span.start >= end);
            end = mention.span.end;
            prop_assert!(text.get(mention.span).is_some());
            prop_assert!((0.0..=1.0).contains(&mention.confidence));
        }
    }
}
