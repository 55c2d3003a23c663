//! What is forgotten or read back changes no answer, and no host is asked too soon.

use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

#[test]
fn a_million_hosts_do_not_fill_memory() {
    let mut door = door();
    door.room = 64;
    door.reopen(None);
    for n in 0..1000 {
        let page = format!("http://h{n}.example.com/x");
        door.open_host(&page, (n % 200) as u8, n * 1000);
        if n % 10 == 0 {
            door.save();
        }
    }
    let n_kept = door.gate.n_in_memory();
    assert!(n_kept.iter().all(|n_kept| *n_kept < 100), "{n_kept:?}");
    let now = 1_000_000;
    assert_eq!(door.ask("http://h3.example.com/x", now), "fetch");
    assert_eq!(
        door.ask("http://h999.example.com/x", now - 1),
        "not before 1000000"
    );
}

#[test]
fn an_origin_whose_rules_are_under_way_is_not_forgotten() {
    let mut door = door();
    door.room = 2;
    door.reopen(None);
    door.ask(A, 0);
    for n in 0..20 {
        door.open_host(&format!("http://h{n}.example.com/x"), n, 0);
        door.save();
    }
    let rules = "User-agent: *\nDisallow: /x\n";
    door.robots(A, A_ROBOTS, &from(99, answered(200, rules)), 500);
    assert_eq!(door.ask(A, 2000), "refused Forbidden { line: 2 }");
}

/// One step: time passes, a URL is asked about, and what was asked lands.
#[derive(Debug, Clone)]
struct Step {
    pause: u64,
    page: &'static str,
    fetched: Fetched,
    took: u64,
    machine: u8,
}

fn step() -> impl Strategy<Value = Step> {
    let pauses = vec![
        0,
        300,
        1000,
        5000,
        60_000,
        HOUR,
        7 * HOUR,
        25 * HOUR,
        170 * HOUR,
    ];
    let pages = vec![A, "http://a.example.com/y", "https://a.example.com/x", B, C];
    let fetched = vec![
        answered(200, "User-agent: *\nDisallow: /x\n"),
        answered(200, "User-agent: *\nCrawl-delay: 7\n"),
        answered(200, ""),
        answered(404, ""),
        answered(301, "http://b.example.com/robots.txt"),
        answered(500, ""),
        answered_with(429, "Retry-After: 100", ""),
        answered_with(503, "Retry-After: 200000", ""),
        answered(429, ""),
        Fetched::TimedOut,
        Fetched::TimedOut,
        Fetched::Unresolved,
        Fetched::Unreachable("closed".into()),
        Fetched::TooLarge,
        Fetched::PrivateAddress,
    ];
    (
        prop::sample::select(pauses),
        prop::sample::select(pages),
        prop::sample::select(fetched),
        prop::sample::select(vec![0, 20, 700, 9000]),
        0..3_u8,
    )
        .prop_map(|(pause, page, fetched, took, machine)| Step {
            pause,
            page,
            fetched,
            took,
            machine,
        })
}

/// Asks, lands, and says what was answered.
fn walk(door: &mut Door, step: &Step, now: u64) -> (String, u64) {
    let answer = door.ask(step.page, now);
    let landing = Landing {
        took: Duration::from_millis(step.took),
        ..from(step.machine, step.fetched.clone())
    };
    let landed = now + step.took;
    let free_at = match answer.split_once(' ') {
        None => door.page(step.page, &landing, landed),
        Some(("robots", asked)) => door.robots(step.page, asked, &landing, landed),
        _ => 0,
    };
    (answer, free_at)
}

/// The least that is owed to a host, worked out anew.
#[derive(Default)]
struct Owed {
    free_at: HashMap<String, u64>,
    crawl_delay: HashMap<String, u64>,
}

impl Owed {
    fn check(&self, asked: &CanonicalUrl, now: u64) {
        let free_at = self.free_at.get(asked.host()).copied().unwrap_or(0);
        assert!(
            now >= free_at,
            "{asked} is asked at {now}, not at {free_at}"
        );
    }

    fn landed(&mut self, wanted: &CanonicalUrl, asked: &CanonicalUrl, step: &Step, now: u64) {
        let mut owed = self
            .crawl_delay
            .get(asked.host())
            .copied()
            .unwrap_or(0)
            .max(1000);
        if let Fetched::Answer(answer) = &step.fetched {
            let is_rules = asked.path() == "/robots.txt";
            if is_rules && answer.body.ends_with(b"Crawl-delay: 7\n") && answer.status == 200 {
                self.crawl_delay.insert(wanted.host().into(), 7000);
                let free_at = self.free_at.entry(wanted.host().into()).or_default();
                *free_at = (*free_at).max(now + 7000);
            }
            let retry_after = answer.header("retry-after");
            owed = owed.max(retry_after.map_or(0, |value| value.parse::<u64>().unwrap() * 1000));
        }
        if matches!(
            step.fetched,
            Fetched::Answer(_) | Fetched::TooLarge | Fetched::TimedOut
        ) {
            owed = owed.max((5 * step.took).min(30_000));
        }
        let free_at = self.free_at.entry(asked.host().into()).or_default();
        *free_at = (*free_at).max(now + owed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn hosts_are_never_asked_too_soon_and_nothing_depends_on_memory(
        steps in prop::collection::vec(step(), 1..120)
    ) {
        let (mut plain, mut forgetful, mut reopened) = (door(), door(), door());
        forgetful.room = 2;
        forgetful.reopen(None);
        let mut owed = Owed::default();
        let mut now = 1_000_000;
        for step in &steps {
            now += step.pause;
            let said = walk(&mut plain, step, now);
            prop_assert_eq!(&walk(&mut forgetful, step, now), &said);
            prop_assert_eq!(&walk(&mut reopened, step, now), &said);
            prop_assert_eq!(plain.gate.n_parked(), reopened.gate.n_parked());
            forgetful.save();
            reopened.reopen(None);
            let wanted = url(step.page);
            let asked = match said.0.split_once(' ') {
                None => wanted.clone(),
                Some(("robots", asked)) => url(asked),
                _ => continue,
            };
            owed.check(&wanted, now);
            owed.check(&asked, now);
            now += step.took;
            owed.landed(&wanted, &asked, step, now);
        }
    }
}
