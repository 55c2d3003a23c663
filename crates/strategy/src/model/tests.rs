use super::*;
use crate::testing::Stage;
use insta::assert_snapshot;
use proptest::prelude::*;

fn trained() -> (Stage, Model) {
    let stage = Stage::top100();
    let mut trainer = Trainer::new(&stage.targets, &stage.roster);
    for (id, target) in stage.targets.iter() {
        let text = format!("{0} news from {0} and {0}, {1}", target.city, target.state);
        trainer.learn(Label::Target(id), &text);
    }
    for _ in 0..5 {
        trainer.learn(Label::None, "engines and recipes and engines");
    }
    (stage, trainer.finish("2006-05-23"))
}

fn best(model: &Model, text: &str) -> String {
    match model.predict(text) {
        Some(prediction) => model.classes[prediction.best().0].name.clone(),
        None => "nothing known".to_owned(),
    }
}

#[test]
fn words_speak_for_the_share_they_were_learned_from() {
    let (_, model) = trained();
    assert_snapshot!(best(&model, "the HOUSTON weekly"), @"Cn4 Central");
    assert_snapshot!(best(&model, "Honolulu, Honolulu and Honolulu"), @"Cn5 Hawaii/Alaska");
    assert_snapshot!(best(&model, "engines"), @"none");
    assert_snapshot!(best(&model, "unheard of"), @"nothing known");
}

#[test]
fn a_model_survives_being_written_down() {
    let (_, model) = trained();
    let text = model.to_text();
    assert_snapshot!(text.lines().take(5).collect::<Vec<_>>().join("\n"), @r"
    locavore classifier 2
    made 2006-05-23
    class 5 none
    class 33 Cn1 Eastern
    class 22 Cn2 Pacific
    ");
    assert_eq!(Model::from_text(&text), Ok(model));
}

#[test]
fn the_same_pages_make_the_same_model() {
    assert_eq!(trained().1.to_text(), trained().1.to_text());
}

#[test]
fn what_is_no_model_is_named() {
    let refusal = |text: &str| Model::from_text(text).unwrap_err().to_string();
    assert_snapshot!(refusal("{}"), @"not a model made by `locavore train`");
    assert_snapshot!(refusal("locavore classifier 7\n"), @"a model of format 7; this version reads format 2");
    assert_snapshot!(refusal("locavore classifier 2\nmade x\nclass 1 none\nword a x"), @"damaged in line 4");
}

#[test]
fn a_model_cut_short_is_damaged() {
    let text = trained().1.to_text();
    let is_damaged = |text: &str| matches!(Model::from_text(text), Err(ModelError::Garbled { .. }));
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    assert!(!is_damaged(&text[..ends[ends.len() - 1]]));
    // The first lines alone are no model at all.
    for &end in &ends[4..ends.len() - 1] {
        assert!(is_damaged(&text[..end]), "cut at {end}");
    }
    let without_targets = text.lines().filter(|line| !line.starts_with("target 2 "));
    let without_targets: Vec<&str> = without_targets.collect();
    assert!(is_damaged(&without_targets.join("\n")));
}

#[test]
fn a_model_for_something_else_is_refused_with_a_city() {
    let (stage, model) = trained();
    let gazetteer = Gazetteer::built_in();
    let check = |wishes: &str, n_nodes| {
        let targets = Targets::parse(gazetteer, &[wishes.to_owned()]).unwrap();
        let roster = Roster::split(gazetteer, &targets, n_nodes).unwrap();
        model.nodes(&targets, &roster).unwrap_err().to_string()
    };
    assert_snapshot!(check("Waco, TX", 1), @"trained for other targets: it does not know `Waco, TX`");
    assert_snapshot!(check("Houston, TX", 1), @"trained for other targets: `Washington, DC` is none of this crawl's");
    assert_snapshot!(check("us-top100", 5), @"trained for another split of the targets: there `Atlanta, GA` and `Washington, DC` belong to one node");
    let nodes = model.nodes(&stage.targets, &stage.roster).unwrap();
    assert_eq!(nodes, [1, 2, 3, 4, 5].map(NodeId));
    // Other targets are shared out otherwise too, which says nothing.
    assert_snapshot!(check("Houston, TX; Dallas, TX", 3), @"trained for other targets: `Washington, DC` is none of this crawl's");
    assert_snapshot!(check("us-top100; Portland, ME", 6), @"trained for other targets: it does not know `Portland, ME`");
}

proptest! {
    #[test]
    fn no_text_makes_reading_a_model_panic(lines in prop::collection::vec("(class|target|words?|made|x) [0-9a-z ]{0,12}", 0..8)) {
        let _ = Model::from_text(&format!("locavore classifier 2\n{}", lines.join("\n")));
    }
}
