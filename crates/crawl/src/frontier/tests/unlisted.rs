//! Hosts without a place in memory.

use super::*;

const BUDGET: u32 = 10;

fn settings() -> Settings {
    Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        domain_budget: BUDGET,
        budget_per_relevant: 1,
        ..Settings::default()
    }
}

fn made_up(host: u32) -> String {
    format!("http://h{host}.wild.example/")
}

#[test]
fn made_up_hosts_of_a_domain_over_its_budget_take_no_place_in_memory() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open_with(&folder, &settings());
    for host in 0..1000 {
        let expected = match host < BUDGET {
            true => Offered::New,
            false => Offered::Cold,
        };
        assert_eq!(desk.offer(&made_up(host), 0.5), expected);
    }
    assert_eq!(desk.frontier.n_hosts(), BUDGET as usize);
    assert_eq!(desk.frontier.n_cold(), 990);
    assert_eq!(desk.offer(&made_up(500), 0.4), Offered::Known);
    assert_eq!(desk.offer(&made_up(501), 0.9), Offered::Raised);
    assert_eq!(desk.frontier.n_cold(), 990);
    desk.commit();
    drop(desk);
    let mut desk = Desk::open_with(&folder, &settings());
    assert_eq!(desk.frontier.n_hosts(), BUDGET as usize);
    assert_eq!(desk.offer(&made_up(502), 0.4), Offered::Known);
    desk.reward(&made_up(0), 17);
    assert_eq!(desk.frontier.n_hosts(), BUDGET as usize + 1);
    let next = desk.next().unwrap();
    assert_eq!(next.offer.url.as_str(), made_up(501), "the best was thawed");
    desk.land(&next);
    assert_eq!(
        desk.offer(&made_up(501), 1.0),
        Offered::Known,
        "and is done"
    );
    // Another page of a host that has become known, and one of a host that has not.
    assert_eq!(
        desk.offer(&format!("{}x", made_up(501)), 0.9),
        Offered::Cold
    );
    assert_eq!(
        desk.offer(&format!("{}x", made_up(600)), 0.8),
        Offered::Cold
    );
    let rest = desk.drain();
    assert_eq!(rest.len(), 1001, "nothing is lost, nothing comes twice");
    let urls: std::collections::HashSet<&String> = rest.iter().collect();
    assert_eq!(urls.len(), 1001);
}

#[test]
fn a_page_that_was_cold_with_an_unlisted_host_is_done_once() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open_with(&folder, &settings());
    for host in 0..20 {
        desk.offer(&made_up(host), 0.5);
    }
    desk.mark_done(&made_up(15));
    assert_eq!(desk.frontier.n_cold(), 9);
    assert_eq!(desk.offer(&made_up(15), 1.0), Offered::Known);
    let rest = desk.drain();
    assert_eq!(rest.len(), 19);
    assert!(!rest.contains(&made_up(15)));
}
