use super::*;
use page::html;
use page::url::CanonicalUrl;
use proptest::prelude::*;

fn page(text: &str) -> Page {
    let url = CanonicalUrl::parse("http://town.example/").unwrap();
    html::read(format!("<html lang=en-US><p>{text}").as_bytes(), &url, None)
}

/// Pages that differ in a word, beside those of their topic.
fn pages(text: &str, n_pages: usize) -> Vec<Page> {
    (0..n_pages)
        .map(|n| page(&format!("{text} story{n}")))
        .collect()
}

fn restaurants() -> Topic {
    let positives = pages("The menu of the kitchen has a dinner and a dessert", 20);
    let negatives = pages(
        "The engine of the car needs an oil change and a mechanic",
        30,
    );
    Topic::train("restaurants", &positives, &negatives).unwrap()
}

#[test]
fn pages_on_the_topic_are_told_from_others() {
    let topic = restaurants();
    let on = topic.topicality(&page("Our kitchen serves dinner until ten"));
    let off = topic.topicality(&page("The mechanic looks after your engine"));
    let unknown = topic.topicality(&page("Москва"));
    assert!(on > 0.6 && off < 0.4, "{on} {off}");
    assert!(off < unknown && unknown < on, "{unknown}");
    assert_eq!(topic.language(), Some("en"));
    assert_eq!(topic.n_examples(), (20, 30));
}

#[test]
fn topicality_is_the_sigmoid_of_the_margin() {
    let topic = restaurants();
    let page = page("kitchen");
    let margin = topic.svm.margin(&topic.idf.weigh(&Bag::of(&page).terms));
    let by_hand = 1.0 / (1.0 + (-margin).exp());
    assert!((topic.topicality(&page) - by_hand).abs() < 1e-6);
    for x in [f32::MIN, -100.0, 0.0, 100.0, f32::MAX] {
        assert!(sigmoid(x) > 0.0 && sigmoid(x) < 1.0, "{x}");
    }
}

#[test]
fn examples_that_were_held_out_say_how_well_it_is_learned() {
    let mut trainer = Trainer::default();
    for page in pages("menu kitchen dinner", 40) {
        trainer.learn(&page, true);
    }
    for page in pages("engine oil mechanic", 30) {
        trainer.learn(&page, false);
    }
    let confusion = trainer.evaluate().unwrap();
    assert_eq!(confusion.n_examples(), 8 + 6);
    assert_eq!(
        (confusion.precision(), confusion.recall()),
        (Some(1.0), Some(1.0))
    );
    let mixed = Confusion {
        true_positives: 6,
        false_positives: 2,
        true_negatives: 9,
        false_negatives: 3,
    };
    assert_eq!(
        (mixed.precision(), mixed.recall()),
        (Some(0.75), Some(6.0 / 9.0))
    );
    assert_eq!(mixed.accuracy(), Some(0.75));
    assert!((mixed.f1().unwrap() - 12.0 / 17.0).abs() < 1e-12);
    assert_eq!(Confusion::default().f1(), None);
}

#[test]
fn too_little_to_learn_from_says_how_much_is_needed() {
    let refusal = |n_positive, n_negative| {
        let (positives, negatives) = (pages("menu", n_positive), pages("oil", n_negative));
        Topic::train("x", &positives, &negatives)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(0, 0),
        "no examples: a topic needs at least 10 of each side"
    );
    assert_eq!(
        refusal(12, 0),
        "all 12 examples are positive: a topic needs at least 10 of each side"
    );
    assert_eq!(
        refusal(3, 40),
        "a topic needs at least 10 positive examples, got 3"
    );
    assert_eq!(
        refusal(40, 9),
        "a topic needs at least 10 negative examples, got 9"
    );
}

#[test]
fn a_topic_survives_being_written_down() {
    let topic = restaurants();
    let bytes = topic.to_bytes();
    assert_eq!(Topic::from_bytes(&bytes), Ok(topic));
    let refusal = |bytes: &[u8]| Topic::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(refusal(b"PK"), "not a topic made by `locavore train topic`");
    assert_eq!(
        refusal(b"locavore topic 7\n"),
        "a topic of format 7; this version reads format 1"
    );
    for cut in [20, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(refusal(&bytes[..cut]), "a damaged topic", "cut at {cut}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(refusal(&longer), "a damaged topic");
}

#[test]
fn the_same_pages_make_the_same_topic() {
    assert_eq!(restaurants().to_bytes(), restaurants().to_bytes());
}

proptest! {
    #[test]
    fn no_bytes_make_reading_a_topic_panic(rest in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Topic::from_bytes(&[b"locavore topic 1\nname x\nlanguage -\n", &rest[..]].concat());
        let lines = b"locavore topic 1\nname x\nlanguage -\nexamples 1 2\ntables 9 4000000000\n";
        let _ = Topic::from_bytes(&[lines, &rest[..]].concat());
    }
}
