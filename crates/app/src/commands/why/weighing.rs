//! What a link was worth to an order that weighs topic against importance:
//! the utility of the page it stands on, and what that is made of.

use super::Crawl;
use serde_json::{Value, json};
use store::crawl_dir::VisitReader;
use store::visit::Visit;
use strategy::order;
use strategy::utility::{Form, Worth};

/// The utility of a page, and what it is made of.
pub(super) struct Weighed {
    /// The page.
    url: String,
    worth: Worth,
    /// Where it counts.
    geography: Option<f32>,
    alpha: f32,
    form: Form,
    value: f32,
}

/// Whether a crawl's order weighs topic against importance.
pub(super) fn weighs(crawl: &Crawl<'_>) -> bool {
    let entry = order::by_name(&crawl.plan.order);
    entry.is_some_and(|entry| entry.settings.contains(&"--elasticity"))
}

/// What the link was worth that led to a visit; none for seeds, and for what
/// was found on no page.
pub(super) fn of_visit(crawl: &Crawl<'_>, visit: &Visit) -> Option<Weighed> {
    let from = visit.from.as_ref().filter(|_| weighs(crawl))?;
    let is_page = |other: &Visit| other.url == *from && other.is_page();
    let page = VisitReader::open(crawl.dir).ok()?.find(is_page)?;
    let geography = visit.trail.as_ref()?.clues.get(2).copied();
    Weighed::of_page(crawl, &page, geography.map(f32::from_bits))
}

/// The same for a link that waits, on a page that has it.
pub(super) fn of_waiting(crawl: &Crawl<'_>, on: &Visit) -> Option<Weighed> {
    let counts = crawl.plan.ordering.weighing.utility().geography > 0.0;
    match weighs(crawl) && !counts {
        true => Weighed::of_page(crawl, on, None),
        false => None,
    }
}

impl Weighed {
    fn of_page(crawl: &Crawl<'_>, page: &Visit, geography: Option<f32>) -> Option<Weighed> {
        let worth = Worth {
            topicality: page.topicality?,
            status: page.importance?,
            geography: geography.unwrap_or(0.5),
        };
        let utility = crawl.plan.ordering.weighing.utility();
        let alpha = page.alpha?;
        Some(Weighed {
            url: page.url.clone(),
            worth,
            geography: geography.filter(|_| utility.geography > 0.0),
            alpha,
            form: utility.form,
            value: utility.of(worth, f64::from(alpha)),
        })
    }

    /// `0.612: topicality 0.71, importance 0.53, α 0.55 (cobb-douglas), of http://…`
    pub(super) fn text(&self) -> String {
        let Worth {
            topicality, status, ..
        } = self.worth;
        let geography = self.geography.map(|it| format!(", geography {it:.3}"));
        format!(
            "{:.3}: topicality {topicality:.3}, importance {status:.3}{}, α {:.3} ({}), of {}",
            self.value,
            geography.unwrap_or_default(),
            self.alpha,
            self.form.name(),
            self.url
        )
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "value": self.value,
            "form": self.form.name(),
            "page": self.url,
            "topicality": self.worth.topicality,
            "importance": self.worth.status,
            "geography": self.geography,
            "alpha": self.alpha,
        })
    }
}

/// What a page was found to be worth itself; none in a crawl without a topic.
pub(super) fn worth_of(visit: &Visit) -> Option<String> {
    let topicality = visit.topicality?;
    let importance = visit.importance.map(|it| format!(", importance {it:.3}"));
    let alpha = visit.alpha.map(|it| format!(", α {it:.3}"));
    Some(format!(
        "topicality {topicality:.3}{}{}",
        importance.unwrap_or_default(),
        alpha.unwrap_or_default()
    ))
}
