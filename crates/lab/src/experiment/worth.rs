//! Crawls for topics, compared: measures and tables.

use super::claims::write;
use super::measures::{Measure, Number, exact};
use super::ordering::OrderSpec;
use super::{Group, Outcome, Summary, Table};
use crate::measure::Worth;
use crate::plot::Estimate;
use strategy::utility::Form;

/// A measure that the paper on collaborative crawling knows nothing of.
const fn measure(name: &'static str, title: &'static str, ours: Number) -> Measure {
    exact(name, title, ours, |_| None)
}

/// What crawls for topics are compared by.
pub const WORTH_MEASURES: [Measure; 8] = [
    Measure {
        error: |report| report.worth.as_ref()?.average_topicality_error,
        ..measure("average_topicality", "Average topicality", |report| {
            report.worth.as_ref()?.average_topicality
        })
    },
    measure("true_topicality", "True topicality", |report| {
        report.worth.as_ref()?.true_topicality
    }),
    measure(
        "estimated_topicality",
        "Topicality by the crawl's own classifier",
        |report| report.worth.as_ref()?.estimated_topicality,
    ),
    measure("average_status", "Average status", |report| {
        report.worth.as_ref()?.average_status
    }),
    measure("estimated_status", "Status as estimated", |report| {
        report.worth.as_ref()?.estimated_status
    }),
    measure("sites", "Sites", |report| {
        report.worth.as_ref().map(|worth| worth.sites as f64)
    }),
    measure("reliability", "Reliability", |report| {
        report.worth.as_ref()?.reliability
    }),
    measure("alpha", "Mean α", |report| report.worth.as_ref()?.alpha),
];

/// What a way to order links is called.
pub(super) fn name_of(spec: &OrderSpec) -> String {
    let mut name = match spec.name.as_str() {
        "utility" => String::new(),
        "inlinks" => "in-links, ".to_owned(),
        other => format!("{other}, "),
    };
    let utility = spec.utility();
    if utility.form == Form::Linear {
        name.push_str("linear, ");
    }
    match utility.delta {
        Some(delta) => name.push_str(&format!("δ = {delta}")),
        None => name.push_str(&format!("α = {}", utility.alpha)),
    }
    name
}

/// The variants of an experiment, each with its trials.
pub(super) struct Field<'a> {
    groups: &'a [Group],
    orders: &'a [OrderSpec],
}

impl<'a> Field<'a> {
    pub(super) fn new(groups: &'a [Group], orders: &'a [OrderSpec]) -> Field<'a> {
        Field { groups, orders }
    }

    pub(super) fn of(summary: &'a Summary) -> Field<'a> {
        Field::new(&summary.groups, &summary.orders)
    }

    fn find(&self, is_meant: impl Fn(&OrderSpec) -> bool) -> Option<&'a Group> {
        let label = self.orders.iter().find(|spec| is_meant(spec))?.label();
        self.groups.iter().find(|group| group.order == label)
    }

    /// Crawls with a fixed elasticity; with 0 and 1 both forms are the same.
    pub(super) fn fixed(&self, form: Form, alpha: f64) -> Option<&'a Group> {
        let is_either = alpha == 0.0 || alpha == 1.0;
        let of = |form: Form| {
            self.find(|spec| {
                let utility = spec.utility();
                spec.name == "utility"
                    && utility.delta.is_none()
                    && utility.form == form
                    && utility.alpha == alpha
            })
        };
        of(form).or_else(|| Form::ALL.into_iter().filter(|_| is_either).find_map(of))
    }

    /// Crawls that adapt to a topicality, by this order.
    pub(super) fn adaptive(&self, order: &str, delta: f64) -> Option<&'a Group> {
        self.find(|spec| {
            let utility = spec.utility();
            spec.name == order && utility.delta == Some(delta) && utility.form == Form::CobbDouglas
        })
    }

    /// Elasticities that were run with a form, ascending.
    pub(super) fn alphas(&self, form: Form) -> Vec<f64> {
        let mut alphas: Vec<f64> = self
            .orders
            .iter()
            .filter(|spec| spec.name == "utility")
            .map(OrderSpec::utility)
            .filter(|utility| utility.delta.is_none())
            .map(|utility| utility.alpha)
            .filter(|alpha| self.fixed(form, *alpha).is_some())
            .collect();
        alphas.sort_by(f64::total_cmp);
        alphas.dedup();
        alphas
    }

    /// Topicalities that crawls by this order adapted to, ascending.
    pub(super) fn deltas(&self, order: &str) -> Vec<f64> {
        let deltas = self.orders.iter().filter(|spec| spec.name == order);
        let mut deltas: Vec<f64> = deltas.filter_map(|spec| spec.utility().delta).collect();
        deltas.sort_by(f64::total_cmp);
        deltas.dedup();
        deltas
    }

    /// Every group with its name, in the order of the file.
    pub(super) fn named(&self) -> Vec<(String, &'a Group)> {
        let groups = self.orders.iter().filter_map(|spec| {
            let label = spec.label();
            let group = self.groups.iter().find(|group| group.order == label)?;
            Some((name_of(spec), group))
        });
        groups.collect()
    }
}

/// The mean of something over topics.
pub(super) fn mean(group: &Group, of: impl Fn(&Outcome) -> Option<f64>) -> Option<Estimate> {
    let values: Vec<f64> = group.outcomes.iter().filter_map(of).collect();
    Estimate::of(&values)
}

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), write)
}

/// The variants side by side, after as many pages as all have and after more.
pub(super) fn tables(summary: &Summary) -> Vec<Table> {
    let field = Field::of(summary);
    let mut header = vec!["Variant".to_owned()];
    header.extend(WORTH_MEASURES.map(|measure| measure.title.to_owned()));
    header.push("topics".into());
    let row = |(name, group): &(String, &Group)| {
        let mut row = vec![name.clone()];
        let measures = WORTH_MEASURES.iter();
        row.extend(measures.map(|measure| show(group.mean(measure.ours))));
        row.push(group.outcomes.len().to_string());
        row
    };
    let named = field.named();
    let mut tables = vec![Table {
        title: format!("After {} pages", summary.pages),
        header,
        rows: named.iter().map(row).collect(),
    }];
    tables.extend(long_table(summary, &named));
    tables
}

/// What was fetched beyond, where anything was.
fn long_table(summary: &Summary, named: &[(String, &Group)]) -> Option<Table> {
    type Number = fn(&Worth) -> Option<f64>;
    let columns: [(&str, Number); 5] = [
        ("Average topicality", |worth| worth.average_topicality),
        ("True topicality", |worth| worth.true_topicality),
        ("Average status", |worth| worth.average_status),
        ("Sites", |worth| Some(worth.sites as f64)),
        ("Reliability", |worth| worth.reliability),
    ];
    let mut header = vec!["Variant".to_owned(), "pages".to_owned()];
    header.extend(columns.iter().map(|(title, _)| (*title).to_owned()));
    let row = |(name, group): &(String, &Group)| {
        group.outcomes.iter().find(|one| one.long.is_some())?;
        let spec = summary
            .orders
            .iter()
            .find(|spec| spec.label() == group.order)?;
        let mut row = vec![name.clone(), spec.pages?.to_string()];
        let values = columns
            .iter()
            .map(|(_, of)| show(mean(group, |outcome| of(outcome.long.as_ref()?))));
        row.extend(values);
        Some(row)
    };
    let rows: Vec<Vec<String>> = named.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        title: "After all pages of longer crawls".into(),
        header,
        rows,
    })
}
