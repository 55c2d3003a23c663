//! Topic and importance, as the plan keeps them.
//!
//! Files are kept by their absolute path and by what was in them: a topic that
//! was trained again is another topic.

use super::assigning::absolute;
use super::{agree_if_given, disagreement};
use crate::cli::WeighingArgs;
use crate::topics;
use anyhow::anyhow;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use strategy::utility::{self, Form, Utility};

/// What pages should be about, and how that is weighed; what is not set has
/// its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Weighing {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) topic: Option<Kept>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Kept>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) traffic: Option<Kept>,
    #[serde(skip_serializing_if = "Option::is_none")]
    utility: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elasticity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    topicality: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapt_window: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapt_step: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geography: Option<f64>,
}

/// Something that is read from a file, or made by a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    /// Absolute path, or a name that is none.
    pub(crate) what: String,
    /// A hash of its content, once it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

impl Kept {
    fn file(path: Option<&PathBuf>) -> anyhow::Result<Option<Kept>> {
        let what = absolute(path)?;
        Ok(what.map(|what| Kept {
            what,
            content: None,
        }))
    }

    /// A ready topic is known by its name; anything else is a path where there
    /// is something under it.
    fn topic(topic: Option<&String>) -> anyhow::Result<Option<Kept>> {
        match topic {
            Some(topic) if is_path(topic) => Kept::file(Some(&PathBuf::from(topic))),
            topic => Ok(topic.map(|topic| Kept {
                what: topic.clone(),
                content: None,
            })),
        }
    }

    /// Notes what was read; an error where it was something else before.
    pub(crate) fn check(&mut self, flag: &str, content: &[u8]) -> anyhow::Result<()> {
        let content = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(content));
        match &self.content {
            Some(kept) if *kept != content => Err(anyhow!(
                "`{flag} {}` is not what it was when this crawl was started: choose another `--out`",
                self.what
            )),
            _ => {
                self.content = Some(content);
                Ok(())
            }
        }
    }
}

/// `restaurants/` is a folder, `restaurants` a ready topic, also where there is
/// such a folder: crawls are called like their topics.
fn is_path(topic: &str) -> bool {
    let is_ready = topic == topics::GEOGRAPHY || lab::topics::names().any(|name| name == topic);
    !is_ready && (topic.contains('/') || Path::new(topic).exists())
}

impl Weighing {
    /// Reads the flags.
    pub(super) fn from_args(args: &WeighingArgs) -> anyhow::Result<Weighing> {
        let unknown = |name: &&String| Form::named(name).is_none();
        if let Some(name) = args.utility.as_ref().filter(unknown) {
            let names = Form::ALL.map(|form| form.name().to_owned());
            let names = crate::message::list(&names, "or");
            return Err(anyhow!("no utility named `{name}`: {names}"));
        }
        Ok(Weighing {
            topic: Kept::topic(args.topic.as_ref())?,
            status: Kept::file(args.status.as_ref())?,
            traffic: Kept::file(args.traffic.as_ref())?,
            utility: args.utility.clone(),
            elasticity: args.elasticity,
            topicality: args.topicality,
            adapt_window: args.adapt_window,
            adapt_step: args.adapt_step,
            geography: args.geography,
        })
    }

    /// Whether nothing was set.
    pub(super) fn is_usual(&self) -> bool {
        *self == Weighing::default()
    }

    /// An error where what is asked for now is not what is kept.
    pub(super) fn resume(&self, args: &WeighingArgs) -> anyhow::Result<()> {
        let asked = Weighing::from_args(args)?;
        let files = [
            ("--topic", &self.topic, &asked.topic),
            ("--status", &self.status, &asked.status),
            ("--traffic", &self.traffic, &asked.traffic),
        ];
        for (flag, kept, asked) in files {
            agree_on(flag, kept.as_ref(), asked.as_ref())?;
        }
        let form = |utility: Utility| utility.form.name().to_owned();
        let usual = self.utility();
        agree_if_given("--utility", &form(usual), asked.utility.as_ref())?;
        if args.elasticity.is_some() != self.elasticity.is_some() && args.elasticity.is_some() {
            super::refuse_if_given("--elasticity", self.topicality.is_some())?;
        }
        if args.topicality.is_some() {
            super::refuse_if_given("--topicality", self.topicality.is_none())?;
        }
        agree_if_given("--elasticity", &usual.alpha, args.elasticity.as_ref())?;
        let delta = usual.delta.unwrap_or_default();
        agree_if_given("--topicality", &delta, args.topicality.as_ref())?;
        let window = usual.window as u32;
        agree_if_given("--adapt-window", &window, args.adapt_window.as_ref())?;
        agree_if_given("--adapt-step", &usual.step, args.adapt_step.as_ref())?;
        agree_if_given("--geography", &usual.geography, args.geography.as_ref())
    }

    /// How the order weighs.
    pub(crate) fn utility(&self) -> Utility {
        let form = self.utility.as_deref().and_then(Form::named);
        let window = self.adapt_window.map(|window| window as usize);
        Utility {
            form: form.unwrap_or_default(),
            alpha: self.elasticity.unwrap_or(utility::ALPHA),
            delta: self.topicality,
            window: window.unwrap_or(utility::WINDOW),
            step: self.adapt_step.unwrap_or(utility::STEP),
            geography: self.geography.unwrap_or(0.0),
        }
    }
}

fn agree_on(flag: &str, kept: Option<&Kept>, asked: Option<&Kept>) -> anyhow::Result<()> {
    match (kept, asked) {
        (_, None) => Ok(()),
        (Some(kept), Some(asked)) if kept.what == asked.what => Ok(()),
        (Some(kept), Some(asked)) => Err(disagreement(flag, &kept.what, &asked.what)),
        (None, Some(_)) => super::refuse_if_given(flag, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(topicality: Option<f64>) -> WeighingArgs {
        WeighingArgs {
            topic: Some("restaurants".into()),
            topicality,
            ..WeighingArgs::default()
        }
    }

    #[test]
    fn a_resumed_crawl_keeps_what_it_was_started_with() {
        let kept = Weighing::from_args(&args(Some(0.7))).unwrap();
        assert_eq!(kept.utility().delta, Some(0.7));
        assert!(kept.resume(&WeighingArgs::default()).is_ok());
        assert!(kept.resume(&args(Some(0.7))).is_ok());
        let refusal = |args: WeighingArgs| kept.resume(&args).unwrap_err().to_string();
        assert_eq!(
            refusal(args(Some(0.8))),
            "this crawl was started with --topicality `0.7`, not `0.8`: choose another `--out`"
        );
        let other = WeighingArgs {
            topic: Some("geography".into()),
            ..WeighingArgs::default()
        };
        assert_eq!(
            refusal(other),
            "this crawl was started with --topic `restaurants`, not `geography`: choose another `--out`"
        );
        let fixed = WeighingArgs {
            elasticity: Some(0.5),
            ..WeighingArgs::default()
        };
        assert_eq!(
            refusal(fixed),
            "this crawl was started without `--elasticity`: choose another `--out`"
        );
    }

    #[test]
    fn another_content_is_noticed() {
        let mut kept = Kept {
            what: "x.topic".into(),
            content: None,
        };
        assert!(kept.check("--topic", b"one").is_ok());
        assert!(kept.check("--topic", b"one").is_ok());
        let error = kept.check("--topic", b"two").unwrap_err().to_string();
        assert!(
            error.starts_with("`--topic x.topic` is not what it was"),
            "{error}"
        );
    }
}
