use super::*;
use crate::fetch::{Machine, Reply};
use insta::assert_snapshot;
use place::gazetteer::{Gazetteer, PlaceId};
use std::time::Duration;
use strategy::assign;
use strategy::means::{Locate, Means};
use strategy::order::{self, Order};

/// Landings are handed to the reader here, so nobody is asked.
struct Nobody;

impl Fetcher for Nobody {
    fn fetch(&self, _request: &Request, _reply: Reply) {}

    fn foresee(&self, _url: &CanonicalUrl) -> Option<Duration> {
        None
    }

    fn machine(&self, _url: &CanonicalUrl) -> Machine {
        Machine::Unknown
    }

    fn request_head(&self, _request: &Request) -> Vec<u8> {
        Vec::new()
    }
}

/// All servers stand in one city.
struct OneCity(PlaceId);

impl Locate for OneCity {
    fn locate(&self, _server: IpAddr) -> Option<PlaceId> {
        Some(self.0)
    }
}

pub(crate) fn breadth() -> Order {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 1).unwrap();
    (order::by_name("breadth").unwrap().build)(&Means::new(&targets, &roster)).unwrap()
}

pub(crate) fn reader(assign: &str, policy: Policy) -> Reader {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 5).unwrap();
    let mut means = Means::new(&targets, &roster);
    means.servers = Some(Arc::new(OneCity(targets.list()[0].place)));
    let places = targets.list().iter().map(|target| target.place);
    let geonameids: Vec<u32> = places.map(|place| gazetteer.geonameid(place)).collect();
    Reader {
        fetcher: Arc::new(Nobody),
        evaluator: None,
        appraiser: None,
        assign: (assign::by_name(assign).unwrap().build)(&means).unwrap(),
        eye: breadth().eye,
        policy,
        by_geonameid: geonameids
            .iter()
            .copied()
            .zip((0..).map(TargetId))
            .collect(),
        geonameids,
        targets,
        roster,
        agent: "Locavore".to_owned(),
        packing: Packing::default(),
        archive: false,
    }
}

/// Node 3 asks, because of a link about the target with number 7.
pub(crate) fn read(
    reader: &Reader,
    errand: Errand,
    status: u16,
    body: &'static str,
) -> Box<Reading> {
    let url = CanonicalUrl::parse("http://a.example/").unwrap();
    let mission = Mission {
        flight: 0,
        node: NodeId(3),
        request: Request::of(&url, errand),
        at: Time(0),
        because: String::new(),
        from: None,
        target: Some(reader.geonameids[7]),
        hops: 0,
    };
    let answer = Answer {
        status,
        head: Vec::new(),
        content_type: Some("text/xml".to_owned()),
        location: Some("http://a.example/houston".to_owned()),
        body: body.into(),
    };
    let landing = Landing {
        fetched: Fetched::Answer(answer),
        server: None,
        took: Duration::ZERO,
        recorded: None,
    };
    reader.read(&mission, landing, Stopwatch::start())
}

fn show(reading: &Reading) -> String {
    let assignments = reading.found.links.iter().flat_map(FoundLink::assignments);
    let show = |assignment: Assignment| {
        let target = assignment.target.map(|target| target.0);
        format!("{} {target:?} {}", assignment.node.0, assignment.because)
    };
    assignments.map(show).collect::<Vec<_>>().join("; ")
}

const SITEMAP: &str = "<urlset><url><loc>http://a.example/houston</loc></url></urlset>";

fn signposts(assign: &str) -> String {
    let reader = reader(assign, Policy::B);
    let redirect = show(&read(&reader, Errand::Page, 301, ""));
    let sitemap = show(&read(&reader, Errand::Sitemap, 200, SITEMAP));
    assert_eq!(redirect, sitemap);
    redirect
}

#[test]
fn what_a_strategy_sees_nothing_on_stays_where_it_was_found() {
    assert_snapshot!(signposts("content"), @"3 Some(7) where it was found");
    assert_snapshot!(signposts("anchor"), @"3 Some(7) where it was found");
    assert_snapshot!(signposts("ip"), @"3 Some(7) where it was found");
}

#[test]
fn what_a_strategy_knows_by_the_url_or_the_server_goes_there() {
    let by_url = signposts("url");
    assert!(by_url.ends_with("city in the URL"), "{by_url}");
    assert_snapshot!(signposts("hash"), @"1 None hash of the URL");
    let url = CanonicalUrl::parse("http://a.example/").unwrap();
    let to_b = || signpost(&url, url.join("/b").unwrap());
    let unnamed = reader("url", Policy::A).assign_signpost(
        Origin::nowhere(NodeId(3)),
        to_b(),
        &mut Stopwatch::start(),
    );
    assert_eq!(unnamed.links[0].assignment.node, NodeId(0));
    let reader = reader("ip", Policy::A);
    let origin = Origin {
        server: Some([192, 0, 2, 1].into()),
        ..Origin::nowhere(NodeId(3))
    };
    let found = reader.assign_signpost(origin, to_b(), &mut Stopwatch::start());
    assert_eq!(found.links[0].assignment.target, Some(TargetId(0)));
}

#[test]
fn seeds_and_pages_without_a_name_are_general() {
    let reader = reader("content", Policy::A);
    let seed = CanonicalUrl::parse("http://a.example/").unwrap();
    assert_eq!(reader.assign_seed(&seed)[0].node, reader.roster.general());
    let page = read(&reader, Errand::Page, 200, "<a href='/b'>b</a>");
    let nodes: Vec<u16> = page
        .found
        .links
        .iter()
        .map(|link| link.assignment.node.0)
        .collect();
    assert_eq!(nodes, [0]);
}
