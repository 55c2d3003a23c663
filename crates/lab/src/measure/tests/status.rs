//! Status locality on graphs whose answers can be worked out by hand.

use super::*;

fn locality(visits: &[Visit]) -> StatusLocality {
    measure(visits).status_locality.unwrap()
}

fn pairs(of: &[StatusPairs]) -> Vec<u64> {
    of.iter().map(|pairs| pairs.pairs).collect()
}

/// Pages that link to one other at most, so that paths are what they are.
fn tree(links: &[(&str, &str)]) -> Vec<Visit> {
    let link = |(from, to): &(&str, &str)| match *to {
        "" => page(from),
        to => page(from).linking(to, 0),
    };
    links.iter().map(link).collect()
}

#[test]
fn ranks_of_in_links_are_compared_along_links() {
    let [a0, a1, a2] = ["http://a.com/0", "http://a.com/1", "http://a.com/2"];
    let [b3, b4, b5, b6] = ["3", "4", "5", "6"].map(|n| format!("http://b.com/{n}"));
    let locality = locality(&tree(&[
        (a0, ""),
        (a1, a0),
        (a2, a0),
        (&b3, a0),
        (&b4, a1),
        (&b5, a1),
        (&b6, a2),
    ]));
    // In-links are 3, 2, 1 and none. Starts 2 1 0 0 0 0 against 3 3 3 2 2 1:
    // ranks 6 5 2.5 2.5 2.5 2.5 and 5 5 5 2.5 2.5 1, so ρ = 9 ÷ √(12.5 · 15).
    assert_eq!(show(locality.anywhere[0].rho), "0.6573");
    assert_eq!(pairs(&locality.anywhere), [6, 3, 0]);
    assert_eq!(pairs(&locality.within), [2, 0, 0]);
    assert_eq!(pairs(&locality.across), [4, 3, 0]);
    // All that start two links away are linked to by nobody.
    assert_eq!(locality.anywhere[1].rho, None);
    assert_eq!(locality.random.pairs, 7);
}

#[test]
fn what_a_shorter_path_leads_to_is_nearer() {
    let url = |n: u64| format!("http://a.com/{n}");
    // A chain with a short cut from its start to its third page.
    let mut chain: Vec<Visit> = (0..5)
        .map(|n| page(&url(n)).linking(&url(n + 1), 0))
        .collect();
    chain[0] = chain[0].clone().linking(&url(2), 0);
    // One link: 0-1, 0-2, 1-2, 2-3, 3-4 by four starts. Two: 0-3, 1-3, 2-4.
    // Three: 0-4 and 1-4.
    assert_eq!(pairs(&locality(&chain).anywhere), [4, 3, 2]);
}

#[test]
fn links_of_pages_that_were_downloaded_count_and_each_once() {
    let hub = page("http://a.com/hub");
    let fan = |n: u64| {
        page(&format!("http://b.com/{n}"))
            .linking("http://a.com/hub", 0)
            .linking("http://a.com/hub", 0)
            .linking("http://a.com/never", 0)
    };
    let mut visits = vec![hub, fan(1), fan(2)];
    let once = locality(&visits);
    visits.push(fan(2).by(1));
    assert_eq!(locality(&visits), once);
    assert_eq!(pairs(&once.anywhere), [2, 0, 0]);
}

#[test]
fn a_log_without_pages_has_none() {
    assert_eq!(measure(&[]).status_locality, None);
    let alone = locality(&[page("http://a.com/")]);
    assert_eq!((alone.random.rho, alone.random.p), (None, None));
}

#[test]
fn errors_shrink_with_pairs_and_with_likeness() {
    let error = |rho, pairs| {
        let some = StatusPairs {
            rho: Some(rho),
            p: None,
            pairs,
        };
        show(some.error())
    };
    assert_eq!(error(0.0, 10_003), "0.0100");
    assert_eq!(error(0.5, 10_003), "0.0080");
    assert_eq!(error(0.5, 3), "none");
}
