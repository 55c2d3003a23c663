//! Checks that the crates' arrows point down and heavy dependencies keep their owners.
//!
//! Only the manifests are read, so the check takes no build. Normal, dev- and
//! build-dependencies count alike: a test that reaches upwards is a knot too.

use anyhow::Context;
use std::fmt;
use std::path::Path;

/// Which of our crates each of our crates may use. `bench` and `xtask` are free.
const ARROWS: &[(&str, &[&str])] = &[
    ("place", &[]),
    ("page", &[]),
    ("learn", &[]),
    ("store", &[]),
    ("strategy", &["place", "page", "learn"]),
    ("crawl", &["strategy", "place", "page", "store"]),
    ("search", &["place", "page", "store", "strategy"]),
    (
        "lab",
        &[
            "place", "page", "learn", "store", "strategy", "crawl", "search",
        ],
    ),
    (
        "app",
        &[
            "place", "page", "learn", "store", "strategy", "crawl", "search", "lab",
        ],
    ),
];

/// The crates that may name a heavy dependency: one, or two that use different halves of it.
const OWNERS: &[(&str, &[&str])] = &[
    ("fst", &["place"]),
    ("ruzstd", &["place"]),
    ("chardetng", &["page"]),
    ("encoding_rs", &["page"]),
    ("html5gum", &["page"]),
    ("psl", &["page"]),
    ("url", &["page"]),
    ("h3o", &["place"]),
    ("fjall", &["store"]),
    // Archives; bodies from the web.
    ("flate2", &["store", "crawl"]),
    ("brotli-decompressor", &["store", "crawl"]),
    ("hickory-resolver", &["crawl"]),
    ("maxminddb", &["crawl"]),
    ("rustls", &["crawl"]),
    ("tokio-rustls", &["crawl"]),
    ("tantivy", &["search"]),
    // The client; the server.
    ("hyper", &["crawl", "lab"]),
    ("axum", &["app"]),
    ("clap", &["app"]),
    ("ratatui", &["app"]),
    ("tower-http", &["app"]),
    ("utoipa", &["app"]),
];

/// Heavy dependencies that somebody else's tests may use: the server that
/// `app` is tested with speaks TLS.
const FOR_TESTS: &[(&str, &str)] = &[("rustls", "app")];

/// One line of a manifest that breaks the rules.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    manifest: String,
    dependency: String,
    rule: Rule,
}

#[derive(Debug, PartialEq, Eq)]
enum Rule {
    Upward,
    NotOwner { owners: &'static [&'static str] },
    UnknownCrate,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint {
            manifest,
            dependency,
            rule,
        } = self;
        match rule {
            Rule::Upward => write!(
                f,
                "`{manifest}` may not use `{dependency}`: the arrow points upwards or sideways"
            ),
            Rule::NotOwner { owners } => write!(
                f,
                "`{manifest}` may not use `{dependency}`: only `{}` may",
                owners.join("` and `")
            ),
            Rule::UnknownCrate => write!(
                f,
                "`{manifest}` has no place among the arrows: give it one in `xtask/src/arrows.rs`"
            ),
        }
    }
}

/// Reads every `crates/*/Cargo.toml` below the root.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Complaint>> {
    let crates = root.join("crates");
    let folders = std::fs::read_dir(&crates)
        .with_context(|| format!("cannot read `{}`", crates.display()))?;
    let mut names = Vec::new();
    for folder in folders {
        names.push(folder?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut complaints = Vec::new();
    for name in names {
        let manifest = crates.join(&name).join("Cargo.toml");
        if !manifest.is_file() {
            continue;
        }
        let text = std::fs::read_to_string(&manifest)
            .with_context(|| format!("cannot read `{}`", manifest.display()))?;
        let table: toml::Table = text
            .parse()
            .with_context(|| format!("cannot parse `{}`", manifest.display()))?;
        complaints.extend(check_manifest(&name, &table));
    }
    Ok(complaints)
}

fn check_manifest(name: &str, manifest: &toml::Table) -> Vec<Complaint> {
    let complaint = |dependency: &str, rule| Complaint {
        manifest: format!("crates/{name}/Cargo.toml"),
        dependency: dependency.to_owned(),
        rule,
    };
    let Some((_, below)) = ARROWS.iter().find(|(known, _)| *known == name) else {
        return vec![complaint("", Rule::UnknownCrate)];
    };
    let mut complaints = Vec::new();
    let mut found = dependencies(manifest, &["dev-dependencies"]);
    found.retain(|dependency| !FOR_TESTS.contains(&(dependency.as_str(), name)));
    found.extend(dependencies(
        manifest,
        &["dependencies", "build-dependencies"],
    ));
    found.sort();
    found.dedup();
    for dependency in found {
        let ours = ARROWS.iter().any(|(known, _)| *known == dependency);
        if ours && !below.contains(&dependency.as_str()) {
            complaints.push(complaint(&dependency, Rule::Upward));
        }
        if let Some((_, owners)) = OWNERS.iter().find(|(heavy, _)| *heavy == dependency)
            && !owners.contains(&name)
        {
            complaints.push(complaint(&dependency, Rule::NotOwner { owners }));
        }
    }
    complaints
}

/// Names of all packages a manifest lists in these sections, also under
/// another name or for one platform.
fn dependencies(manifest: &toml::Table, sections: &[&str]) -> Vec<String> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let platform_tables = platforms
        .into_iter()
        .flatten()
        .filter_map(|(_, value)| value.as_table());
    let mut names = Vec::new();
    for table in std::iter::once(manifest).chain(platform_tables) {
        for section in sections {
            let section = table.get(*section).and_then(toml::Value::as_table);
            for (name, how) in section.into_iter().flatten() {
                let package = how.get("package").and_then(toml::Value::as_str);
                names.push(package.unwrap_or(name).to_owned());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn complaints(name: &str, manifest: &str) -> String {
        let found = check_manifest(name, &manifest.parse().unwrap());
        found
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn this_repository_keeps_its_arrows() {
        let wrong = check(&crate::root()).unwrap();
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn an_upward_arrow_is_named_with_its_manifest() {
        assert_snapshot!(complaints("place", "[dependencies]\nstore.workspace = true\nthiserror = '2'"),
            @"`crates/place/Cargo.toml` may not use `store`: the arrow points upwards or sideways");
        assert_snapshot!(complaints("crawl", "[dev-dependencies]\nlab.workspace = true"),
            @"`crates/crawl/Cargo.toml` may not use `lab`: the arrow points upwards or sideways");
        assert_snapshot!(complaints("crawl", "[dependencies]\nstore.workspace = true"), @"");
    }

    #[test]
    fn a_heavy_dependency_has_its_owners_whatever_it_is_called() {
        assert_snapshot!(complaints("learn", "[dependencies]\nfst = '0.4'"),
            @"`crates/learn/Cargo.toml` may not use `fst`: only `place` may");
        assert_snapshot!(complaints("app", "[target.'cfg(unix)'.dependencies]\naddress = { package = 'url', version = '2' }"),
            @"`crates/app/Cargo.toml` may not use `url`: only `page` may");
        assert_snapshot!(complaints("place", "[dependencies]\nfst = '0.4'"), @"");
        assert_snapshot!(complaints("store", "[dependencies]\nhyper = '1'"),
            @"`crates/store/Cargo.toml` may not use `hyper`: only `crawl` and `lab` may");
    }

    #[test]
    fn what_tests_may_use_the_program_may_not() {
        assert_snapshot!(complaints("app", "[dev-dependencies]\nrustls = '0.23'"), @"");
        assert_snapshot!(complaints("app", "[dependencies]\nrustls = '0.23'"),
            @"`crates/app/Cargo.toml` may not use `rustls`: only `crawl` may");
    }

    #[test]
    fn a_new_crate_must_be_given_its_arrows() {
        assert_snapshot!(complaints("utils", ""),
            @"`crates/utils/Cargo.toml` has no place among the arrows: give it one in `xtask/src/arrows.rs`");
    }
}
