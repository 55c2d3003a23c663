//! How links are assigned, as the plan keeps it.
//!
//! All of it decides who fetches what, so none of it may change on the way.
//! Files are kept by their absolute path.

use super::{agree_if_given, disagreement};
use crate::cli::AssigningArgs;
use crate::message;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use strategy::assign::{self, Entry, Policy};
use strategy::means;

/// Settings of the strategies; what is not set has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Assigning {
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mmdb: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overlap: Option<String>,
}

impl Assigning {
    /// Reads the flags; refuses those that the strategy does not listen to.
    pub(super) fn from_args(args: &AssigningArgs, assign: &str) -> anyhow::Result<Assigning> {
        if let Some(entry) = assign::by_name(assign) {
            refuse_deaf(args, entry)?;
        }
        let assigning = Assigning {
            window: args.window,
            alpha: args.alpha,
            beta: args.beta,
            model: absolute(args.model.as_ref())?,
            mmdb: absolute(args.mmdb.as_ref())?,
            policy: one_of("policy", &["a", "b"], args.policy.as_ref())?,
            overlap: one_of("overlap", &["none", "paper"], args.overlap.as_ref())?,
        };
        if assigning.policy() == Policy::B && assigning.overlap.as_deref() == Some("none") {
            return Err(anyhow!(
                "`--policy b` gives a link to several nodes, and each fetches it: leave out \
                 `--overlap none`"
            ));
        }
        Ok(assigning)
    }

    /// Whether nothing was set.
    pub(super) fn is_usual(&self) -> bool {
        *self == Assigning::default()
    }

    /// An error where what is asked for now is not what is kept.
    pub(super) fn resume(&self, args: &AssigningArgs) -> anyhow::Result<()> {
        agree_if_given("--window", &self.window(), args.window.as_ref())?;
        agree_if_given("--alpha", &self.alpha(), args.alpha.as_ref())?;
        agree_if_given("--beta", &self.beta(), args.beta.as_ref())?;
        agree_on_file("--model", self.model.as_ref(), args.model.as_ref())?;
        agree_on_file("--mmdb", self.mmdb.as_ref(), args.mmdb.as_ref())?;
        let or_usual = |kept: &Option<String>, usual: &str| -> String {
            kept.clone().unwrap_or_else(|| usual.to_owned())
        };
        let policy = or_usual(&self.policy, "a");
        agree_if_given("--policy", &policy, args.policy.as_ref())?;
        let overlap = or_usual(&self.overlap, "none");
        agree_if_given("--overlap", &overlap, args.overlap.as_ref())
    }

    pub(crate) fn window(&self) -> u16 {
        self.window.unwrap_or(means::WINDOW as u16)
    }

    pub(crate) fn alpha(&self) -> f64 {
        self.alpha.unwrap_or(means::ALPHA)
    }

    pub(crate) fn beta(&self) -> f64 {
        self.beta.unwrap_or(means::BETA)
    }

    pub(crate) fn policy(&self) -> Policy {
        match self.policy.as_deref() {
            Some("b") => Policy::B,
            _ => Policy::A,
        }
    }

    /// Whether URLs have to be claimed so that no two nodes fetch one page.
    pub(crate) fn needs_claims(&self, entry: &Entry) -> bool {
        let is_paper = self.overlap.as_deref() == Some("paper");
        self.policy() == Policy::A && !is_paper && !entry.by_url_alone
    }
}

/// A setting that nobody listens to is a mistake.
fn refuse_deaf(args: &AssigningArgs, entry: &Entry) -> anyhow::Result<()> {
    let given = [
        ("--window", args.window.is_some()),
        ("--alpha", args.alpha.is_some()),
        ("--beta", args.beta.is_some()),
        ("--model", args.model.is_some()),
        ("--mmdb", args.mmdb.is_some()),
    ];
    let mut given = given.into_iter().filter(|&(_, is_given)| is_given);
    let Some((flag, _)) = given.find(|(flag, _)| !entry.settings.contains(flag)) else {
        return Ok(());
    };
    let listens = |entry: &&&Entry| entry.settings.contains(&flag);
    let owner = assign::ALL.iter().find(listens);
    Err(anyhow!(
        "`{flag}` belongs to `--assign {}`, not to `{}`",
        owner.map_or("", |owner| owner.name),
        entry.name
    ))
}

fn one_of(what: &str, names: &[&str], asked: Option<&String>) -> anyhow::Result<Option<String>> {
    let Some(name) = asked else {
        return Ok(None);
    };
    if names.contains(&name.as_str()) {
        return Ok(Some(name.clone()));
    }
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let names = message::list(&names, "or");
    Err(anyhow!("no {what} named `{name}`: {names}"))
}

pub(super) fn agree_on_file(
    what: &str,
    kept: Option<&String>,
    asked: Option<&PathBuf>,
) -> anyhow::Result<()> {
    let asked = absolute(asked)?;
    match (kept, asked) {
        (_, None) => Ok(()),
        (Some(kept), Some(asked)) if *kept == asked => Ok(()),
        (Some(kept), Some(asked)) => Err(disagreement(what, kept, &asked)),
        (None, Some(_)) => super::refuse_if_given(what, true),
    }
}

/// The plan is kept as text, so its paths have to be some.
pub(super) fn absolute(path: Option<&PathBuf>) -> anyhow::Result<Option<String>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let absolute =
        std::path::absolute(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let text = absolute.into_os_string().into_string();
    let text = text.map_err(|path| anyhow!("`{}` is not UTF-8", path.display()))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(args: &AssigningArgs, assign: &str) -> String {
        Assigning::from_args(args, assign).unwrap_err().to_string()
    }

    #[test]
    fn a_setting_that_nobody_listens_to_is_refused() {
        let args = AssigningArgs {
            window: Some(4),
            ..AssigningArgs::default()
        };
        assert!(Assigning::from_args(&args, "anchor").is_ok());
        assert_eq!(
            refusal(&args, "url"),
            "`--window` belongs to `--assign anchor`, not to `url`"
        );
    }

    #[test]
    fn policy_b_overlaps_by_definition() {
        let args = AssigningArgs {
            policy: Some("b".into()),
            overlap: Some("none".into()),
            ..AssigningArgs::default()
        };
        assert_eq!(
            refusal(&args, "anchor"),
            "`--policy b` gives a link to several nodes, and each fetches it: leave out \
             `--overlap none`"
        );
    }

    #[test]
    fn claims_are_for_strategies_that_do_not_go_by_the_url() {
        let needs = |assign: &str, overlap: Option<&str>, policy: Option<&str>| {
            let assigning = Assigning {
                overlap: overlap.map(Into::into),
                policy: policy.map(Into::into),
                ..Assigning::default()
            };
            assigning.needs_claims(assign::by_name(assign).unwrap())
        };
        assert!(needs("anchor", None, None) && needs("ip", Some("none"), Some("a")));
        assert!(!needs("url", None, None) && !needs("hash", None, None));
        assert!(!needs("anchor", Some("paper"), None) && !needs("content", None, Some("b")));
    }

    #[test]
    fn a_resumed_crawl_keeps_what_it_was_started_with() {
        let kept = Assigning {
            window: Some(4),
            policy: Some("b".into()),
            ..Assigning::default()
        };
        let ask = |args: AssigningArgs| kept.resume(&args).map_err(|error| error.to_string());
        assert_eq!(ask(AssigningArgs::default()), Ok(()));
        let window = |window| AssigningArgs {
            window: Some(window),
            ..AssigningArgs::default()
        };
        assert_eq!(ask(window(4)), Ok(()));
        assert_eq!(
            ask(window(5)).unwrap_err(),
            "this crawl was started with --window `4`, not `5`: choose another `--out`"
        );
    }
}
