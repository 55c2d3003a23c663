//! Which link is next, and which are left out, as the plan keeps it.
//!
//! None of it may change on the way: links that wait were judged by it. A
//! model of another crawl is a start, and read once.

use super::weighing::Weighing;
use super::{agree, agree_if_given};
use crate::cli::OrderingArgs;
use anyhow::anyhow;
use crawl::filters::Filters;
use serde::{Deserialize, Serialize};
use strategy::means::{self, Means};
use strategy::order::{self, Entry};

/// Settings of the orders and filters; what is not set has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Ordering {
    #[serde(skip_serializing_if = "Option::is_none")]
    decay: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    train_pages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_correlation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_focus: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) whois: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    country_domains: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    languages: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skip_extensions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) patience: Option<u64>,
    #[serde(skip_serializing_if = "Weighing::is_usual")]
    pub(crate) weighing: Weighing,
}

impl Ordering {
    /// Reads the flags; refuses those that the order does not listen to.
    pub(super) fn from_args(args: &OrderingArgs, order: &str) -> anyhow::Result<Ordering> {
        if let Some(entry) = order::by_name(order) {
            refuse_deaf(args, entry)?;
        }
        Ok(Ordering {
            decay: args.decay,
            steps: args.steps,
            train_pages: args.train_pages,
            seed: args.order_seed,
            model: super::assigning::absolute(args.order_model.as_ref())?,
            min_correlation: args.min_correlation,
            min_focus: args.min_focus,
            whois: super::assigning::absolute(args.whois.as_ref())?,
            country_domains: args.country_domains.clone(),
            languages: args.languages.clone(),
            skip_extensions: args.skip_extensions.clone(),
            slots: args.slots,
            patience: args.patience,
            weighing: Weighing::from_args(&args.weighing)?,
        })
    }

    /// Whether nothing was set.
    pub(super) fn is_usual(&self) -> bool {
        *self == Ordering::default()
    }

    /// An error where what is asked for now is not what is kept.
    pub(super) fn resume(&mut self, args: &OrderingArgs) -> anyhow::Result<()> {
        agree_if_given("--decay", &self.decay(), args.decay.as_ref())?;
        agree_if_given("--steps", &self.steps(), args.steps.as_ref())?;
        agree_if_given(
            "--train-pages",
            &self.train_pages(),
            args.train_pages.as_ref(),
        )?;
        agree_if_given(
            "--order-seed",
            &self.seed.unwrap_or(0),
            args.order_seed.as_ref(),
        )?;
        super::assigning::agree_on_file(
            "--order-model",
            self.model.as_ref(),
            args.order_model.as_ref(),
        )?;
        let or = |kept: Option<f64>, usual: f64| kept.unwrap_or(usual);
        let correlation = or(self.min_correlation, means::MIN_CORRELATION);
        agree_if_given(
            "--min-correlation",
            &correlation,
            args.min_correlation.as_ref(),
        )?;
        let focus = or(self.min_focus, means::MIN_FOCUS);
        agree_if_given("--min-focus", &focus, args.min_focus.as_ref())?;
        super::assigning::agree_on_file("--whois", self.whois.as_ref(), args.whois.as_ref())?;
        let lists = [
            (
                "--country-domains",
                &self.country_domains,
                &args.country_domains,
            ),
            ("--languages", &self.languages, &args.languages),
            (
                "--skip-extensions",
                &self.skip_extensions,
                &args.skip_extensions,
            ),
        ];
        for (flag, kept, asked) in lists {
            agree(flag, kept, asked, asked.is_empty())?;
        }
        self.weighing.resume(&args.weighing)?;
        self.slots = args.slots.or(self.slots);
        self.patience = args.patience.or(self.patience);
        Ok(())
    }

    fn decay(&self) -> f64 {
        self.decay.unwrap_or(means::DECAY)
    }

    fn steps(&self) -> u8 {
        self.steps.unwrap_or(means::STEPS as u8)
    }

    fn train_pages(&self) -> u64 {
        self.train_pages.unwrap_or(means::TRAIN_PAGES)
    }

    /// What the order is built from.
    pub(crate) fn equip<'a>(&self, usual: Means<'a>) -> Means<'a> {
        Means {
            decay: self.decay(),
            steps: self.steps().into(),
            train_pages: self.train_pages(),
            order_seed: self.seed.unwrap_or(0),
            min_correlation: self.min_correlation.unwrap_or(means::MIN_CORRELATION),
            min_focus: self.min_focus.unwrap_or(means::MIN_FOCUS),
            utility: self.weighing.utility(),
            ..usual
        }
    }

    pub(crate) fn filters(&self) -> Filters {
        Filters {
            country_domains: self.country_domains.clone(),
            languages: self.languages.clone(),
            extensions: self.skip_extensions.clone(),
        }
    }

    /// Languages of pages whose links are followed; none: all.
    pub(crate) fn languages(&self) -> &[String] {
        &self.languages
    }

    pub(crate) fn n_slots(&self) -> Option<usize> {
        self.slots.map(usize::from)
    }
}

/// A setting that nobody listens to is a mistake.
fn refuse_deaf(args: &OrderingArgs, entry: &Entry) -> anyhow::Result<()> {
    let weighing = &args.weighing;
    let given = [
        ("--decay", args.decay.is_some()),
        ("--steps", args.steps.is_some()),
        ("--train-pages", args.train_pages.is_some()),
        ("--order-seed", args.order_seed.is_some()),
        ("--order-model", args.order_model.is_some()),
        ("--min-correlation", args.min_correlation.is_some()),
        ("--min-focus", args.min_focus.is_some()),
        ("--whois", args.whois.is_some()),
        ("--utility", weighing.utility.is_some()),
        ("--elasticity", weighing.elasticity.is_some()),
        ("--topicality", weighing.topicality.is_some()),
        ("--geography", weighing.geography.is_some()),
    ];
    let mut given = given.into_iter().filter(|&(_, is_given)| is_given);
    let Some((flag, _)) = given.find(|(flag, _)| !entry.settings.contains(flag)) else {
        return Ok(());
    };
    let listeners = order::ALL
        .iter()
        .filter(|entry| entry.settings.contains(&flag));
    let listeners: Vec<String> = listeners
        .map(|entry| format!("--order {}", entry.name))
        .collect();
    Err(anyhow!(
        "`{flag}` belongs to {}, not to `{}`",
        crate::message::list(&listeners, "or"),
        entry.name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: u8) -> OrderingArgs {
        OrderingArgs {
            steps: Some(steps),
            ..OrderingArgs::default()
        }
    }

    #[test]
    fn a_setting_that_nobody_listens_to_is_refused() {
        let error = Ordering::from_args(&steps(2), "distance").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`--steps` belongs to `--order adaptive`"),
            "{error}"
        );
        assert!(Ordering::from_args(&steps(2), "adaptive").is_ok());
    }

    #[test]
    fn a_resumed_crawl_keeps_what_it_was_started_with() {
        let mut kept = Ordering::from_args(&steps(2), "adaptive").unwrap();
        assert!(kept.resume(&OrderingArgs::default()).is_ok());
        assert!(kept.resume(&steps(2)).is_ok());
        let error = kept.resume(&steps(3)).unwrap_err().to_string();
        assert_eq!(
            error,
            "this crawl was started with --steps `2`, not `3`: choose another `--out`"
        );
    }
}
