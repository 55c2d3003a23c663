//! An order with its parameters, as an experiment names it.
//!
//! An entry of `order` is a name, `"adaptive"`, or a table,
//! `{ name = "adaptive", steps = 1 }`. What a table leaves out is as the order
//! has it. Every variant has a label of its own, which is what trials, folders,
//! tables and plots call it.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::{self, Write};
use std::ops::RangeInclusive;
use strategy::order::{self, Entry};
use strategy::utility::{Form, Utility};

/// How many links back an order may learn; the 2009 paper found nothing beyond 3.
const STEPS: RangeInclusive<u32> = 1..=5;

/// An order and how it is set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OrderSpec {
    /// The order's own name.
    pub name: String,
    /// Links to look ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Pages of the training phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_pages: Option<u64>,
    /// What a link away from a relevant page leaves of its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay: Option<f64>,
    /// How topic and status are put together: `cobb-douglas` or `linear`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// What the topic counts against status: α.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elasticity: Option<f64>,
    /// The topicality that α adapts to: δ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topicality: Option<f64>,
    /// Pages of its trials, if more than those of the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
}

impl OrderSpec {
    /// An order as it is.
    pub fn plain(name: &str) -> OrderSpec {
        OrderSpec {
            name: name.to_owned(),
            steps: None,
            train_pages: None,
            decay: None,
            form: None,
            elasticity: None,
            topicality: None,
            pages: None,
        }
    }

    /// A name for people and files that tells variants apart:
    /// `adaptive-steps1-train100000`.
    pub fn label(&self) -> String {
        let mut label = self.name.clone();
        if let Some(steps) = self.steps {
            let _ = write!(label, "-steps{steps}");
        }
        if let Some(pages) = self.train_pages {
            let _ = write!(label, "-train{pages}");
        }
        if let Some(decay) = self.decay {
            let _ = write!(label, "-decay{decay}");
        }
        if let Some(form) = &self.form {
            let _ = write!(label, "-{form}");
        }
        if let Some(elasticity) = self.elasticity {
            let _ = write!(label, "-alpha{elasticity}");
        }
        if let Some(topicality) = self.topicality {
            let _ = write!(label, "-delta{topicality}");
        }
        label
    }

    /// The order of this name; none if there is no such order. Whoever gives
    /// orders settings hands `steps`, `train_pages` and `decay` on from here.
    pub(super) fn entry(&self) -> Option<&'static Entry> {
        order::by_name(&self.name)
    }

    /// How topic and status are weighed, for orders that do.
    pub(super) fn utility(&self) -> Utility {
        let usual = Utility::default();
        Utility {
            form: self
                .form
                .as_deref()
                .and_then(Form::named)
                .unwrap_or_default(),
            alpha: self.elasticity.unwrap_or(usual.alpha),
            delta: self.topicality,
            ..usual
        }
    }

    /// A parameter that the order does not listen to.
    fn unheard(&self) -> Option<&'static str> {
        let settings = self.entry()?.settings;
        let given = [
            ("steps", "--steps", self.steps.is_some()),
            ("train_pages", "--train-pages", self.train_pages.is_some()),
            ("decay", "--decay", self.decay.is_some()),
            ("form", "--utility", self.form.is_some()),
            ("elasticity", "--elasticity", self.elasticity.is_some()),
            ("topicality", "--topicality", self.topicality.is_some()),
        ];
        let mut given = given.into_iter().filter(|&(_, _, is_given)| is_given);
        let (key, ..) = given.find(|(_, flag, _)| !settings.contains(flag))?;
        Some(key)
    }

    /// What is impossible about it.
    pub(super) fn complaint(&self) -> Option<String> {
        if self.entry().is_none() {
            let known: Vec<&str> = order::ALL.iter().map(|entry| entry.name).collect();
            let known = known.join(", ");
            return Some(format!("no order named `{}`: {known}", self.name));
        }
        if let Some(key) = self.unheard() {
            return Some(format!("`{}` has no `{key}`", self.name));
        }
        if let Some(steps) = self.steps.filter(|steps| !STEPS.contains(steps)) {
            let (least, most) = (STEPS.start(), STEPS.end());
            return Some(format!(
                "`steps` is {steps}; from {least} to {most} will do"
            ));
        }
        let is_share = |decay: &f64| *decay > 0.0 && *decay < 1.0;
        if let Some(decay) = self.decay.filter(|decay| !is_share(decay)) {
            return Some(format!("`decay` is {decay}; it lies between 0 and 1"));
        }
        self.utility_complaint()
    }

    fn utility_complaint(&self) -> Option<String> {
        let is_form = |form: &&String| Form::named(form).is_some();
        if let Some(form) = self.form.as_ref().filter(|form| !is_form(form)) {
            let known: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
            let known = known.join(" or ");
            return Some(format!("`form` is `{form}`; it is {known}"));
        }
        for (key, value) in [
            ("elasticity", self.elasticity),
            ("topicality", self.topicality),
        ] {
            if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
                return Some(format!("`{key}` is {value}; it is between 0 and 1"));
            }
        }
        if self.elasticity.is_some() && self.topicality.is_some() {
            return Some("`elasticity` is fixed and `topicality` adapts it: give one".into());
        }
        if self.pages == Some(0) {
            return Some("`pages` is 0; a crawl needs at least one".into());
        }
        None
    }
}

/// The table; named apart so that an unknown key is told by its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderTable {
    name: String,
    steps: Option<u32>,
    train_pages: Option<u64>,
    decay: Option<f64>,
    form: Option<String>,
    elasticity: Option<f64>,
    topicality: Option<f64>,
    pages: Option<u64>,
}

struct OrderVisitor;

impl<'de> Visitor<'de> for OrderVisitor {
    type Value = OrderSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an order's name, or a table with `name` and parameters")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<OrderSpec, E> {
        Ok(OrderSpec::plain(name))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OrderSpec, A::Error> {
        let OrderTable {
            name,
            steps,
            train_pages,
            decay,
            form,
            elasticity,
            topicality,
            pages,
        } = OrderTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(OrderSpec {
            name,
            steps,
            train_pages,
            decay,
            form,
            elasticity,
            topicality,
            pages,
        })
    }
}

impl<'de> Deserialize<'de> for OrderSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OrderSpec, D::Error> {
        deserializer.deserialize_any(OrderVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct File {
        order: Vec<OrderSpec>,
    }

    fn labels(list: &str) -> Result<Vec<String>, String> {
        let file: Result<File, _> = toml::from_str(&format!("order = {list}"));
        let file = file.map_err(|error| error.message().to_owned())?;
        Ok(file.order.iter().map(OrderSpec::label).collect())
    }

    #[test]
    fn variants_have_labels_of_their_own() {
        let list = r#"["breadth", {name = "adaptive", steps = 1},
            {name = "adaptive", steps = 3, train_pages = 100_000},
            {name = "distance", decay = 0.25}, {name = "focus"}]"#;
        assert_eq!(
            labels(list).unwrap(),
            [
                "breadth",
                "adaptive-steps1",
                "adaptive-steps3-train100000",
                "distance-decay0.25",
                "focus"
            ]
        );
    }

    #[test]
    fn topics_against_status_have_labels_too() {
        let list = r#"[{name = "utility", elasticity = 0.25},
            {name = "utility", form = "linear", elasticity = 0.5},
            {name = "inlinks", topicality = 0.7, pages = 20_000}]"#;
        assert_eq!(
            labels(list).unwrap(),
            [
                "utility-alpha0.25",
                "utility-linear-alpha0.5",
                "inlinks-delta0.7"
            ]
        );
        let complaint = |spec: OrderSpec| spec.complaint().unwrap_or_default();
        let utility = || OrderSpec::plain("utility");
        assert_eq!(complaint(utility()), "");
        let odd = OrderSpec {
            form: Some("cubic".into()),
            ..utility()
        };
        assert_eq!(
            complaint(odd),
            "`form` is `cubic`; it is cobb-douglas or linear"
        );
        let large = OrderSpec {
            topicality: Some(7.0),
            ..utility()
        };
        assert_eq!(complaint(large), "`topicality` is 7; it is between 0 and 1");
        let both = OrderSpec {
            elasticity: Some(0.5),
            topicality: Some(0.7),
            ..utility()
        };
        assert!(complaint(both).starts_with("`elasticity` is fixed"));
        let deaf = OrderSpec {
            elasticity: Some(0.5),
            ..OrderSpec::plain("breadth")
        };
        assert_eq!(complaint(deaf), "`breadth` has no `elasticity`");
    }

    #[test]
    fn an_unknown_key_is_told_by_its_name() {
        let complaint = labels(r#"[{name = "adaptive", depth = 3}]"#).unwrap_err();
        assert!(complaint.contains("unknown field `depth`"), "{complaint}");
        let complaint = labels(r#"[{steps = 3}]"#).unwrap_err();
        assert!(complaint.contains("missing field `name`"), "{complaint}");
        let complaint = labels("[3]").unwrap_err();
        assert!(
            complaint.contains("an order's name, or a table"),
            "{complaint}"
        );
    }

    #[test]
    fn impossible_parameters_are_refused() {
        let complaint = |spec: OrderSpec| spec.complaint().unwrap_or_default();
        let adaptive = || OrderSpec::plain("adaptive");
        assert_eq!(complaint(adaptive()), "");
        let deaf = OrderSpec {
            steps: Some(2),
            ..OrderSpec::plain("breadth")
        };
        assert_eq!(complaint(deaf), "`breadth` has no `steps`");
        let steps = OrderSpec {
            steps: Some(6),
            ..adaptive()
        };
        assert_eq!(complaint(steps), "`steps` is 6; from 1 to 5 will do");
        for decay in [0.0, 1.0, -0.5, f64::NAN] {
            let spec = OrderSpec {
                decay: Some(decay),
                ..adaptive()
            };
            assert!(complaint(spec).starts_with("`decay` is"));
        }
    }
}
