use super::*;
use insta::assert_snapshot;
use place::address::AddressFinder;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;

fn world(seed: u64, n_sites: u64) -> World {
    let settings = WorldSettings {
        seed,
        n_sites,
        ..WorldSettings::default()
    };
    World::new(settings, Gazetteer::built_in())
}

/// As many sites as the real web has: no test may depend on walking them.
static HUGE: LazyLock<World> = LazyLock::new(|| world(1, 1_000_000_000));
static SMALL: LazyLock<World> = LazyLock::new(|| world(1, 20_000));

fn url_of(world: &World, site: u64, page: u32) -> CanonicalUrl {
    let site = world.site(site);
    let mut text = String::from("http://");
    world.write_host(site.number, site.role, &mut text);
    site.write_path(page, &mut text);
    CanonicalUrl::parse(&text).unwrap()
}

fn parse(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).unwrap()
}

fn answer_to(world: &World, url: &CanonicalUrl) -> Option<Answer> {
    match world.answer(url).fetched {
        Fetched::Answer(answer) => Some(answer),
        _ => None,
    }
}

/// All references on a page, without a parser: the value of every `href`.
fn references(html: &[u8]) -> Vec<String> {
    let html = String::from_utf8_lossy(html).replace("HREF=", "href=\"");
    html.split("<a href=\"")
        .skip(1)
        .chain(html.split("<A href=\"").skip(1))
        .filter_map(|rest| rest.split(['"', '>']).next())
        .map(str::to_owned)
        .collect()
}

fn links(url: &CanonicalUrl, answer: &Answer) -> Vec<CanonicalUrl> {
    references(&answer.body)
        .iter()
        .filter_map(|reference| url.join(reference).ok())
        .collect()
}

/// Working sites of every kind, `n` of each.
fn sites_by_kind(world: &World, n: usize) -> HashMap<(SiteKind, bool), Vec<u64>> {
    let mut by_kind: HashMap<_, Vec<u64>> = HashMap::new();
    for number in 0..world.layout.n_sites() {
        let site = world.site(number);
        let list = by_kind
            .entry((site.role.kind, site.role.city.is_some()))
            .or_default();
        if list.len() < n && site.mood() == Mood::Answers {
            list.push(number);
        }
    }
    by_kind
}

#[test]
fn urls_look_like_urls() {
    let lines: Vec<String> = [
        10, 11, 12, 13, 18, 1_000, 1_900, 5_000, 5_001, 5_002, 9_003, 9_004,
    ]
    .iter()
    .map(|site| {
        let page = SMALL.site(*site).n_pages / 2;
        url_of(&SMALL, *site, page).to_string()
    })
    .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    http://www.anchorproperties-1471.com/fitness/new-story_6.htm
    http://patriothairsalons-1rg2.com/about/contact-1.html
    http://www.compasspets-8wp1.com/small-shelter.php?id=17
    http://www.juniper-banks-5d5.com/2/recent-teller/
    http://patriottribune-0tv1.com/2002/new-york-careful-cruise-12/
    http://publicworks-563.cityofauroraco.gov/bright-wine-list.php?id=309
    http://garcia-finder-9br.com/handmade-year-print.php?id=64
    http://police-811.stadt-dachau.de/praktisch-kueche.php?id=30
    http://fire-5d11.stadt-halberstadt.de/2009/sorgfaeltig-buch-81/
    http://housing-6h32.stadt-neumarkt-in-der-oberpfalz.de/30/typisch-geschaeft/
    http://keystoneauthority-4t42.gov/az/sun-city/index-672
    http://www.badgeroffice-678.gov/ri/warwick/index-288
    "#);
}

#[test]
fn a_page_is_the_same_whoever_asks() {
    let again = world(1, 20_000);
    let other = world(2, 20_000);
    for site in (0..20_000).step_by(997) {
        let url = url_of(&SMALL, site, 1);
        let (a, b) = (SMALL.answer(&url), again.answer(&url));
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
        assert!(matches!(other.answer(&url).fetched, Fetched::Unresolved));
    }
}

proptest! {
    #[test]
    fn every_url_of_a_billion_sites_leads_back_to_its_page(number in 0u64..1_000_000_000, at: u32) {
        let site = HUGE.site(number);
        let page = at % site.n_pages;
        let url = url_of(&HUGE, number, page);
        let (found, spelling) = HUGE.find_host(url.host()).unwrap();
        prop_assert_eq!((found.number, spelling), (number, Spelling::Own));
        prop_assert_eq!(found.find_path(url.path_and_query()), Target::Page(page));
    }

    #[test]
    fn any_path_has_an_answer_in_the_time_foreseen(site in 0u64..20_000, path in "[a-z0-9/?=.~-]{0,40}") {
        let front = url_of(&SMALL, site, FRONT);
        if let Ok(url) = front.join(&format!("/{path}")) {
            prop_assert_eq!(SMALL.answer(&url).took, SMALL.latency(&url));
        }
    }

    #[test]
    fn other_hosts_are_unknown(host in "[a-z][a-z0-9-]{0,20}\\.(com|org|gov)") {
        if let Ok(url) = CanonicalUrl::parse(&format!("http://{host}/")) {
            prop_assert!(matches!(HUGE.answer(&url).fetched, Fetched::Unresolved));
        }
    }
}

#[test]
fn the_time_foreseen_is_the_time_taken() {
    for site in (0..20_000).step_by(41) {
        let url = url_of(&SMALL, site, 1);
        assert_eq!(SMALL.answer(&url).took, SMALL.latency(&url));
    }
}

#[test]
fn every_page_of_a_site_is_reachable_from_its_front_page() {
    for (kind, list) in sites_by_kind(&SMALL, 4) {
        if kind.0 == SiteKind::OpenDirectory {
            continue;
        }
        for number in list {
            let site = SMALL.site(number);
            let mut seen = HashSet::from([FRONT]);
            let mut queue = VecDeque::from([FRONT]);
            while let Some(page) = queue.pop_front() {
                let sheet = site::page::write(site, page);
                for reference in references(sheet.html.as_bytes()) {
                    if let Target::Page(next) | Target::Moved(next) = site.find_path(&reference)
                        && seen.insert(next)
                    {
                        queue.push_back(next);
                    }
                }
            }
            assert_eq!(seen.len(), site.n_pages as usize, "{kind:?}");
        }
    }
}

#[test]
fn nearly_all_links_lead_to_pages() {
    let (mut n_links, mut n_pages, mut n_other) = (0, 0, 0);
    for list in sites_by_kind(&SMALL, 12).into_values() {
        for number in list {
            let url = url_of(&SMALL, number, FRONT);
            let Some(answer) = answer_to(&SMALL, &url).filter(|answer| answer.status == 200) else {
                continue;
            };
            for link in links(&url, &answer) {
                n_links += 1;
                match SMALL
                    .find(&link)
                    .map(|(site, _)| site.find_path(link.path_and_query()))
                {
                    Some(Target::Page(_)) => n_pages += 1,
                    _ => n_other += 1,
                }
            }
        }
    }
    assert!(n_links > 2_000, "{n_links} links");
    assert!(n_pages * 100 > n_links * 95, "{n_pages} of {n_links}");
    assert!(n_other > 0, "no dead links at all");
}

#[test]
fn pages_have_the_sizes_and_links_of_real_ones() {
    let mut outside = Vec::new();
    let mut n_pages = 0;
    for site in (0..20_000).step_by(37) {
        let site = SMALL.site(site);
        let sheet = site::page::write(site, site.n_pages / 2);
        let n_links = references(sheet.html.as_bytes()).len();
        n_pages += 1;
        if !(4_000..70_000).contains(&sheet.html.len()) || !(4..=150).contains(&n_links) {
            outside.push((site.role.kind, sheet.html.len(), n_links));
        }
    }
    assert!(outside.len() * 100 < n_pages * 2, "{outside:?}");
}

#[test]
fn trouble_of_every_kind_occurs() {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut count = |what: String| *seen.entry(what).or_default() += 1;
    for number in 0..4_000 {
        let site = SMALL.site(number * 5);
        count(format!("{:?}", site.mood()));
        count(format!("robots {:?}", site.robots()));
        if site.mood() == Mood::Answers {
            let robots = url_of(&SMALL, number * 5, FRONT)
                .join("/robots.txt")
                .unwrap();
            let answer = answer_to(&SMALL, &robots).unwrap();
            count(format!("robots status {}", answer.status));
            count(format!("windows-1252 {}", site.is_windows_1252()));
            count(format!("broken {}", site.is_broken(FRONT)));
        }
    }
    // Whatever happens to one site in a hundred happens among four thousand.
    for what in [
        "Answers",
        "Hangs",
        "Refuses",
        "broken true",
        "robots Broken",
        "robots Closed",
        "robots Delay",
        "robots Folder",
        "robots Missing",
        "robots Open",
        "robots status 200",
        "robots status 404",
        "robots status 503",
        "windows-1252 true",
    ] {
        assert!(seen.contains_key(what), "no `{what}` in {seen:?}");
    }
}

#[test]
fn old_addresses_and_other_spellings_are_redirected() {
    let number = (0..20_000)
        .find(|number| {
            let site = SMALL.site(*number);
            site.mood() == Mood::Answers && site.n_pages > 5 && SMALL.has_www(*number, site.role)
        })
        .unwrap();
    let page = url_of(&SMALL, number, 3);
    let old = page.join("/node/3").unwrap();
    let moved = answer_to(&SMALL, &old).unwrap();
    assert_eq!(
        (moved.status, moved.location.as_deref()),
        (301, Some(page.as_str()))
    );
    let bare = parse(&page.as_str().replace("www.", ""));
    let moved = answer_to(&SMALL, &bare).unwrap();
    assert_eq!(
        (moved.status, moved.location.as_deref()),
        (301, Some(page.as_str()))
    );
    assert!(moved.head.ends_with(b"\r\n\r\n"));
    let gone = answer_to(&SMALL, &page.join("/no/such/page").unwrap()).unwrap();
    assert_eq!(gone.status, 404);
    let secure = parse(&page.as_str().replace("http://", "https://"));
    assert!(matches!(
        SMALL.answer(&secure).fetched,
        Fetched::Unreachable(_)
    ));
    let port = parse(
        &page
            .as_str()
            .replacen(page.host(), &format!("{}:8080", page.host()), 1),
    );
    assert!(matches!(SMALL.answer(&port).fetched, Fetched::Unresolved));
}

#[test]
fn servers_are_shared_and_stand_in_cities() {
    let mut by_server: HashMap<Ipv4Addr, u32> = HashMap::new();
    let (mut n_local, mut n_home) = (0, 0);
    for number in 0..20_000 {
        let site = SMALL.site(number);
        let server = SMALL.server(&site);
        *by_server.entry(server).or_default() += 1;
        let stands_in = SMALL.server_city(IpAddr::V4(server)).expect("in some city");
        if let Some(city) = site.role.city {
            n_local += 1;
            n_home += u32::from(SMALL.geography.cities[city].place == stands_in);
        }
    }
    assert!(by_server.len() < 10_000, "{} servers", by_server.len());
    assert!(
        n_home * 100 > n_local * 10 && n_home * 100 < n_local * 30,
        "{n_home} of {n_local}"
    );
}

#[test]
fn seeds_are_a_handful_of_directory_pages() {
    let targets = Targets::us_top100(Gazetteer::built_in());
    let seeds = SMALL.seeds(&targets);
    assert!((30..=52).contains(&seeds.len()), "{} seeds", seeds.len());
    for seed in &seeds {
        let answer = answer_to(&SMALL, seed).unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(SMALL.truth(seed).unwrap().addresses, []);
        assert!(links(seed, &answer).len() > 1, "{seed}");
    }
}

#[test]
fn homonyms_have_sites_of_their_own() {
    let cities = &SMALL.geography.cities;
    let named = |name: &str| {
        let list = cities.iter().filter(|city| city.name == name);
        let mut states: Vec<&str> = list.map(|city| city.state).collect();
        states.sort_unstable();
        states.join(" ")
    };
    assert_snapshot!(
        format!("{} | {}", named("Glendale"), named("Portland")),
        @"AZ CA NY | ME OR TX"
    );
}

#[test]
fn a_world_of_impossible_numbers_still_answers() {
    let mut settings = WorldSettings {
        n_sites: u64::MAX,
        min_population: u32::MAX,
        local_sites: 5_000,
        size_exponent: 0,
        max_pages: 0,
        min_bytes: 0,
        max_bytes: 0,
        sites_per_server: 0,
        robots_missing: u32::MAX,
        link_same_city: u32::MAX,
        link_into_local: u32::MAX,
        ..WorldSettings::default()
    };
    for n_sites in [0, 1, u64::MAX] {
        settings.n_sites = n_sites;
        let world = World::new(settings.clone(), Gazetteer::built_in());
        let seeds = world.all_seeds();
        assert_eq!(answer_to(&world, &seeds[0]).unwrap().status, 200);
        let last = world.layout.n_sites() - 1;
        let url = url_of(&world, last, FRONT);
        assert!(
            world
                .find(&url)
                .is_some_and(|(site, _)| site.number == last)
        );
        let _ = world.answer(&url);
    }
}

/// Breadth first from the seeds, as an all-knowing observer sees it.
#[test]
fn few_pages_of_a_general_crawl_have_an_address() {
    let targets = Targets::us_top100(Gazetteer::built_in());
    let wanted: HashSet<PlaceId> = targets.list().iter().map(|target| target.place).collect();
    let mut queue: VecDeque<CanonicalUrl> = SMALL.seeds(&targets).into();
    let mut seen: HashSet<CanonicalUrl> = queue.iter().cloned().collect();
    let (mut n_pages, mut n_geo) = (0, 0);
    while let Some(url) = queue.pop_front()
        && n_pages < 12_000
    {
        let Some(answer) = answer_to(&SMALL, &url) else {
            continue;
        };
        if let Some(location) = answer.location.as_deref().map(parse)
            && seen.insert(location.clone())
        {
            queue.push_back(location);
        }
        let Some(truth) = SMALL.truth(&url).filter(|_| answer.status == 200) else {
            continue;
        };
        n_pages += 1;
        n_geo += u32::from(truth.addresses.iter().any(|place| wanted.contains(place)));
        for link in links(&url, &answer) {
            if seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
    }
    let per_mille = n_geo * 1000 / n_pages;
    assert!(
        (2..100).contains(&per_mille),
        "{per_mille} of a thousand pages"
    );
}

/// What the made-up web writes, the parser and the address finder read.
#[test]
fn addresses_written_are_addresses_found() {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let finder = AddressFinder::new(gazetteer, &targets);
    let wanted: HashSet<PlaceId> = targets.list().iter().map(|target| target.place).collect();
    let (mut n_written, mut n_found, mut n_both) = (0, 0, 0);
    let mut missed = Vec::new();
    for number in (0..SMALL.layout.n_sites()).step_by(3) {
        let url = url_of(&SMALL, number, site::CONTACT);
        let Some(answer) = answer_to(&SMALL, &url).filter(|answer| answer.status == 200) else {
            continue;
        };
        let page = page::html::read(&answer.body, &url, answer.content_type.as_deref());
        let entities = finder.find(&page.text);
        let mut found: Vec<PlaceId> = entities
            .iter()
            .map(|entity| targets.list()[entity.target.0 as usize].place)
            .collect();
        let truth = SMALL.truth(&url).unwrap();
        let written = truth
            .addresses
            .iter()
            .filter(|place| wanted.contains(place));
        n_found += found.len();
        for place in written {
            n_written += 1;
            match found.iter().position(|known| known == place) {
                Some(at) => {
                    n_both += 1;
                    found.swap_remove(at);
                }
                None => missed.push(url.clone()),
            }
        }
    }
    assert!(n_written > 100, "{n_written} addresses");
    // Two of twelve layouts are hard: a label between street and city, and
    // `1200 Main St in Houston, TX`.
    assert!(
        n_both * 100 >= n_written * 78 && n_both * 100 >= n_found * 98,
        "{n_written} written, {n_found} found, {n_both} both; missed for example {:?}",
        missed.first()
    );
}
