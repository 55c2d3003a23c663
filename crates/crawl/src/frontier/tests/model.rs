//! The frontier agrees with a plain list of URLs, whatever is done to both.
//!
//! The list has one right answer to everything, so agreeing with it also
//! means: same calls, same order.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Small enough for a few links to exceed them.
const BUDGET: u32 = 5;
const PER_RELEVANT: u32 = 2;

/// What a test does to the frontier and to the list beside it.
#[derive(Debug, Clone)]
enum Step {
    /// Links of one page: host, page, priority.
    Offer(Vec<(u8, u8, u8)>),
    Fetch,
    /// Fetches, and lets it land only after a crash.
    Hold,
    /// Fetches in vain; tried again after so many milliseconds.
    Retry(u64),
    /// A page of a host with an address.
    Reward(u8, u8),
    MarkDone(u8, u8),
    Commit,
    /// Ends well, or with a crash, which takes back all since the last commit.
    Reopen,
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let link = || (0..4_u8, 0..30_u8, 0..4_u8);
    let step = prop_oneof![
        10 => proptest::collection::vec(link(), 1..6).prop_map(Step::Offer),
        10 => Just(Step::Fetch),
        1 => Just(Step::Hold),
        2 => (0..40_u64).prop_map(Step::Retry),
        2 => (0..4_u8, 0..8_u8).prop_map(|(host, address)| Step::Reward(host, address)),
        1 => (0..4_u8, 0..30_u8).prop_map(|(host, page)| Step::MarkDone(host, page)),
        2 => Just(Step::Commit),
        1 => Just(Step::Reopen),
        1 => Just(Step::Crash),
    ];
    proptest::collection::vec(step, 1..120)
}

/// Two hosts to a domain.
fn address(host: u8, page: u8) -> String {
    format!("http://host{host}.domain{}.com/{page}", host % 2)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Hot,
    Cold,
    Retrying(Time),
    Held,
    Done,
}

#[derive(Debug, Clone)]
struct Known {
    url: String,
    host: u8,
    priority: u8,
    tries: u8,
    state: State,
}

/// All URLs in the order of their arrival.
#[derive(Clone, Default)]
struct Model {
    urls: Vec<Known>,
    n_hot: [u32; 2],
    addresses: [BTreeSet<u8>; 2],
    n_thaws: [u32; 2],
    now: Time,
}

impl Model {
    fn room(&self, domain: usize) -> bool {
        let budget = BUDGET * (1 + self.n_thaws[domain])
            + PER_RELEVANT * self.addresses[domain].len() as u32;
        self.n_hot[domain] < budget
    }

    fn find(&mut self, url: &str) -> Option<&mut Known> {
        self.urls.iter_mut().find(|known| known.url == url)
    }

    fn offer(&mut self, host: u8, page: u8, priority: u8) -> Offered {
        let (url, domain) = (address(host, page), usize::from(host % 2));
        if let Some(known) = self.find(&url) {
            let is_waiting = matches!(known.state, State::Hot | State::Cold);
            if is_waiting && priority > known.priority {
                known.priority = priority;
                return Offered::Raised;
            }
            return Offered::Known;
        }
        let is_hot = self.room(domain);
        self.n_hot[domain] += u32::from(is_hot);
        self.urls.push(Known {
            url,
            host,
            priority,
            tries: 0,
            state: if is_hot { State::Hot } else { State::Cold },
        });
        if is_hot { Offered::New } else { Offered::Cold }
    }

    /// The best URL in a state for which a condition holds.
    fn best(&self, state: State, is_meant: impl Fn(&Known) -> bool) -> Option<usize> {
        let meant = |(_, known): &(usize, &Known)| known.state == state && is_meant(known);
        let meant = self.urls.iter().enumerate().filter(meant);
        // Among equals the first to arrive.
        meant
            .max_by_key(|(idx, known)| (known.priority, std::cmp::Reverse(*idx)))
            .map(|(idx, _)| idx)
    }

    fn thaw(&mut self, domain: usize) {
        while self.room(domain) {
            let is_of = |known: &Known| usize::from(known.host % 2) == domain;
            let Some(idx) = self.best(State::Cold, is_of) else {
                return;
            };
            self.urls[idx].state = State::Hot;
            self.n_hot[domain] += 1;
        }
    }

    /// The next URL, held from now on.
    fn next(&mut self) -> Option<usize> {
        loop {
            for known in &mut self.urls {
                if matches!(known.state, State::Retrying(at) if at <= self.now) {
                    known.state = State::Hot;
                }
            }
            let held: Vec<u8> = (self.urls.iter())
                .filter(|known| known.state == State::Held)
                .map(|known| known.host)
                .collect();
            if let Some(idx) = self.best(State::Hot, |known| !held.contains(&known.host)) {
                self.urls[idx].state = State::Held;
                return Some(idx);
            }
            let due = self.urls.iter().filter_map(|known| match known.state {
                State::Retrying(at) => Some(at),
                _ => None,
            });
            if let Some(at) = due.min() {
                self.now = at;
                continue;
            }
            let domains: Vec<usize> = (0..2)
                .filter(|domain| self.urls.iter().any(|known| known.is_cold_in(*domain)))
                .collect();
            if !held.is_empty() || domains.is_empty() {
                return None;
            }
            for domain in domains {
                self.n_thaws[domain] += 1;
                self.thaw(domain);
            }
        }
    }

    fn mark_done(&mut self, host: u8, page: u8) {
        let (url, domain) = (address(host, page), usize::from(host % 2));
        match self.find(&url) {
            None => {
                self.urls.push(Known {
                    url,
                    host,
                    priority: 0,
                    tries: 0,
                    state: State::Done,
                });
                self.n_hot[domain] += 1;
            }
            Some(known) if known.state == State::Held => {}
            Some(known) => {
                let was_cold = known.state == State::Cold;
                known.state = State::Done;
                self.n_hot[domain] += u32::from(was_cold);
            }
        }
    }

    fn reopen(&mut self) {
        for known in &mut self.urls {
            if known.state == State::Held {
                known.state = State::Hot;
            }
        }
    }

    fn count(&self, is_meant: impl Fn(State) -> bool) -> u64 {
        let meant = self.urls.iter().filter(|known| is_meant(known.state));
        meant.count() as u64
    }
}

impl Known {
    fn is_cold_in(&self, domain: usize) -> bool {
        self.state == State::Cold && usize::from(self.host % 2) == domain
    }
}

fn settings() -> Settings {
    Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        domain_budget: BUDGET,
        budget_per_relevant: PER_RELEVANT,
        ..Settings::default()
    }
}

/// Both sides, and what they would go back to.
struct Contest {
    folder: TempDir,
    desk: Option<Desk>,
    model: Model,
    committed: Model,
}

impl Contest {
    fn desk(&mut self) -> &mut Desk {
        self.desk.as_mut().unwrap()
    }

    fn reopen(&mut self) {
        self.desk = None;
        let mut desk = Desk::open_with(&self.folder, &settings());
        desk.now = self.model.now;
        self.desk = Some(desk);
        self.model.reopen();
    }

    fn commit(&mut self) {
        self.desk().commit();
        self.committed = self.model.clone();
    }

    fn offer(&mut self, links: Vec<(u8, u8, u8)>) {
        let mut batch = self.desk().dir.batch();
        for (host, page, priority) in links {
            let offer = offer(&address(host, page), f32::from(priority) / 4.0);
            let offered = self.desk().frontier.offer(&mut batch, offer).unwrap();
            assert_eq!(offered, self.model.offer(host, page, priority));
        }
        self.desk().dir.apply(batch).unwrap();
    }

    /// The same ticket on both sides.
    fn next(&mut self) -> Option<(Ticket, usize)> {
        let ticket = self.desk().next();
        let idx = self.model.next();
        let expected = idx.map(|idx| &self.model.urls[idx]);
        let got = ticket.as_ref().map(|ticket| {
            let offer = &ticket.offer;
            (offer.url.as_str(), offer.tries)
        });
        assert_eq!(got, expected.map(|known| (known.url.as_str(), known.tries)));
        assert_eq!(self.desk.as_ref().unwrap().now, self.model.now);
        ticket.zip(idx)
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Offer(links) => self.offer(links),
            Step::Fetch => {
                if let Some((ticket, idx)) = self.next() {
                    self.desk().land(&ticket);
                    self.model.urls[idx].state = State::Done;
                }
            }
            Step::Hold => {
                self.next();
            }
            Step::Retry(pause) => {
                if let Some((ticket, idx)) = self.next() {
                    let at = Time(self.model.now.0 + pause);
                    self.desk().retry(&ticket, at);
                    let known = &mut self.model.urls[idx];
                    known.state = State::Retrying(at);
                    known.tries += 1;
                }
            }
            Step::Reward(host, found) => {
                self.desk().reward(&address(host, 0), u64::from(found));
                let domain = usize::from(host % 2);
                if self.model.addresses[domain].insert(found) {
                    self.model.thaw(domain);
                }
            }
            Step::MarkDone(host, page) => {
                self.desk().mark_done(&address(host, page));
                self.model.mark_done(host, page);
            }
            Step::Commit => self.commit(),
            Step::Reopen => {
                self.commit();
                self.reopen();
            }
            Step::Crash => {
                let now = self.model.now;
                self.model = self.committed.clone();
                self.model.now = now;
                self.reopen();
            }
        }
    }

    fn compare_counts(&mut self) {
        let model = &self.model;
        let frontier = &self.desk.as_ref().unwrap().frontier;
        assert_eq!(
            frontier.n_waiting(),
            model.count(|state| state == State::Hot)
        );
        assert_eq!(frontier.n_cold(), model.count(|state| state == State::Cold));
        let is_retrying = |state| matches!(state, State::Retrying(_));
        assert_eq!(frontier.n_retrying(), model.count(is_retrying));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn frontier_agrees_with_a_plain_list(steps in steps()) {
        let folder = TempDir::new().unwrap();
        let desk = Desk::open_with(&folder, &settings());
        let model = Model { now: desk.now, ..Model::default() };
        let committed = model.clone();
        let mut contest = Contest { folder, desk: Some(desk), model, committed };
        for step in steps {
            contest.step(step);
            contest.compare_counts();
        }
        // Crawling until nothing is left fetches everything, the cold included.
        contest.commit();
        contest.reopen();
        while let Some((ticket, idx)) = contest.next() {
            contest.desk().land(&ticket);
            contest.model.urls[idx].state = State::Done;
        }
        assert_eq!(contest.model.count(|state| state != State::Done), 0);
    }
}
