//! Names and addresses: where they lead, and that they never lead inside.

use crate::net::{ask, ask_page, fetch_with, read_request, serve_each, settings, show, url};
use crawl::fetch::http::{Http, HttpSettings};
use crawl::fetch::{Fetched, Fetcher, Machine, Outage, Request, Whom};
use insta::assert_snapshot;
use page::url::CanonicalUrl;
use std::io::Write;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// What a tiny name server says to a question.
enum Said {
    Addresses(Vec<IpAddr>),
    Code(u8),
    Nothing,
}

fn addresses(texts: &[&str]) -> Said {
    let parsed = texts.iter().map(|text| text.parse().expect("an address"));
    Said::Addresses(parsed.collect())
}

/// A name server that answers from a function of the name and of how often it
/// was asked for IPv4 addresses before; returns where it is, and every name it was asked for.
fn name_server(
    answer: impl Fn(&str, usize) -> Said + Send + 'static,
) -> (SocketAddr, Receiver<String>) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let at = socket.local_addr().expect("bound");
    let (sender, asked) = mpsc::channel();
    thread::spawn(move || {
        let mut n_asked = 0;
        let mut buffer = [0; 1500];
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            let (name, is_four, end) = question(&buffer[..len]);
            let said = answer(&name, n_asked);
            if is_four {
                n_asked += 1;
                let _ = sender.send(name);
            }
            if let Some(reply) = reply(&buffer[..end], &said, is_four) {
                let _ = socket.send_to(&reply, from);
            }
        }
    });
    (at, asked)
}

/// The name asked for, whether for IPv4, and where the question ends.
fn question(query: &[u8]) -> (String, bool, usize) {
    let mut labels = Vec::new();
    let mut at = 12;
    while query[at] != 0 {
        let len = usize::from(query[at]);
        labels.push(String::from_utf8_lossy(&query[at + 1..=at + len]).into_owned());
        at += len + 1;
    }
    (labels.join("."), query[at + 2] == 1, at + 5)
}

fn reply(query: &[u8], said: &Said, is_four: bool) -> Option<Vec<u8>> {
    let (code, found) = match said {
        Said::Addresses(found) => (0, &found[..]),
        Said::Code(code) => (*code, &[][..]),
        Said::Nothing => return None,
    };
    let found: Vec<&IpAddr> = found.iter().filter(|ip| ip.is_ipv4() == is_four).collect();
    let mut reply = query[..2].to_vec();
    reply.extend([0x81, 0x80 | code, 0, 1, 0, found.len() as u8, 0, 0, 0, 0]);
    reply.extend(&query[12..]);
    for ip in found {
        // The name is the question's; one second to live.
        reply.extend([0xC0, 12, 0, if is_four { 1 } else { 28 }, 0, 1, 0, 0, 0, 1]);
        match ip {
            IpAddr::V4(ip) => {
                reply.extend([0, 4]);
                reply.extend(ip.octets());
            }
            IpAddr::V6(ip) => {
                reply.extend([0, 16]);
                reply.extend(ip.octets());
            }
        }
    }
    Some(reply)
}

/// Answers every request with the address it came to.
fn serve_address(address: &str) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind((address, 0)).expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = sender.send(read_request(&mut stream).unwrap_or_default());
            let at = stream.local_addr().expect("connected").ip().to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                at.len()
            );
            let _ = stream.write_all((head + &at).as_bytes());
        }
    });
    (port, requests)
}

fn with_names(dns: SocketAddr, open: &[&str]) -> HttpSettings {
    HttpSettings {
        dns: Some(dns),
        open_ranges: open
            .iter()
            .map(|range| range.parse().expect("a range"))
            .collect(),
        ..settings()
    }
}

#[test]
fn no_notation_of_an_address_leads_inside() {
    let (dns, _) = name_server(|_, _| addresses(&["127.0.0.1"]));
    let http = Http::new(with_names(dns, &[])).unwrap();
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0x7F.0x0.0x0.0x1",
        "0177.0.0.1",
        "017700000001",
        "00000177.1",
        "127.0.0.1.",
        "%31%32%37.0.0.1",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "１２７.0.0.1",
        "0",
        "0.0.0.0",
        "0x0",
        "10.0.0.1",
        "0xa.1",
        "172.16.0.1",
        "192.168.0.1",
        "3232235521",
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "169.254.43518",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.2.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::]",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0000::ffff:a9fe:a9fe]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::1]",
        "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::1]",
        "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
        "[2001:db8::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[ff02::1]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "printer.localhost",
        "inside.test",
    ] {
        // What is no URL is refused before it gets here.
        let Ok(url) = CanonicalUrl::parse(&format!("http://{host}/")) else {
            continue;
        };
        let landing = ask_page(&http, url.as_str());
        assert!(
            matches!(landing.fetched, Fetched::PrivateAddress),
            "{host}: {landing:?}"
        );
        assert_eq!(landing.server, None, "{host}");
    }
}

#[test]
fn name_that_changes_its_mind_is_connected_to_where_it_was_checked() {
    // 127.0.0.2 stands for a public machine, 127.0.0.1 for a private one.
    let (port, requests) = serve_address("0.0.0.0");
    let (dns, asked) = name_server(|_, n_asked| match n_asked {
        0 => addresses(&["127.0.0.2"]),
        _ => addresses(&["127.0.0.1"]),
    });
    let rebound = format!("http://rebind.test:{port}/");
    let http = Http::new(with_names(dns, &["127.0.0.2"])).unwrap();
    for _ in 0..3 {
        let landing = ask_page(&http, &rebound);
        assert_eq!(show(&landing), "200 type=- location=- body=127.0.0.2");
        assert_eq!(landing.server, Some("127.0.0.2".parse().unwrap()));
    }
    assert_eq!(asked.try_iter().count(), 1, "one lookup serves all three");
    // Somebody who looks it up anew is led inside, and does not go.
    let landing = fetch_with(with_names(dns, &["127.0.0.2"]), &rebound);
    assert_snapshot!(show(&landing), @"PrivateAddress");
    assert_eq!(requests.try_iter().count(), 3, "nobody else was asked");
}

#[test]
fn redirect_inside_is_refused_when_it_is_followed() {
    let (dns, _) = name_server(|_, _| addresses(&["127.0.0.2"]));
    let (inside, requests) = serve_address("127.0.0.1");
    let listener = TcpListener::bind("127.0.0.2:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        read_request(&mut stream);
        let answer = format!(
            "HTTP/1.1 302 Found\r\nLocation: http://127.1:{inside}/\r\nContent-Length: 0\r\n\r\n"
        );
        let _ = stream.write_all(answer.as_bytes());
    });
    let http = Http::new(with_names(dns, &["127.0.0.2"])).unwrap();
    let start = url(&format!("http://town.test:{port}/"));
    let landing = ask_page(&http, start.as_str());
    let Fetched::Answer(answer) = landing.fetched else {
        panic!("{landing:?}")
    };
    let next = start.join(&answer.location.unwrap()).unwrap();
    assert_snapshot!(show(&ask_page(&http, next.as_str())), @"PrivateAddress");
    assert_eq!(requests.try_iter().count(), 0);
}

#[test]
fn private_addresses_of_a_name_are_passed_over() {
    let (port, _) = serve_address("127.0.0.3");
    let (dns, _) = name_server(|_, _| addresses(&["10.0.0.1", "::1", "127.0.0.3"]));
    let landing = fetch_with(
        with_names(dns, &["127.0.0.3"]),
        &format!("http://mixed.test:{port}/"),
    );
    assert_snapshot!(show(&landing), @"200 type=- location=- body=127.0.0.3");
}

#[test]
fn next_address_is_tried_when_one_does_not_answer() {
    let (port, _) = serve_address("127.0.0.5");
    // Nobody listens on the first.
    let (dns, _) = name_server(|_, _| addresses(&["127.0.0.4", "127.0.0.5"]));
    let landing = fetch_with(
        with_names(dns, &["127.0.0.0/8"]),
        &format!("http://two.test:{port}/"),
    );
    assert_snapshot!(show(&landing), @"200 type=- location=- body=127.0.0.5");
    assert_eq!(landing.server, Some("127.0.0.5".parse().unwrap()));
}

#[test]
fn only_the_address_that_was_permitted_is_connected_to() {
    let (port, requests) = serve_address("127.0.0.5");
    // Nobody listens on the first.
    let (dns, _) = name_server(|_, _| addresses(&["127.0.0.4", "127.0.0.5"]));
    let http = Http::new(with_names(dns, &["127.0.0.4", "127.0.0.5"])).unwrap();
    let ask = |whom| {
        let request = Request {
            whom,
            ..Request::page(&url(&format!("http://two.test:{port}/")))
        };
        show(&ask(&http, &request))
    };
    let only = |text: &str| Whom::Only(text.parse().unwrap());
    assert!(ask(only("127.0.0.4")).starts_with("Unreachable("));
    assert_snapshot!(ask(only("127.0.0.6")), @"PrivateAddress");
    assert_snapshot!(ask(Whom::Nobody), @r#"Again("its address was not known yet")"#);
    assert_eq!(requests.try_iter().count(), 0);
    assert_snapshot!(ask(only("127.0.0.5")), @"200 type=- location=- body=127.0.0.5");
    assert_eq!(requests.try_iter().count(), 1);
}

#[test]
fn name_with_only_a_long_address_is_reached() {
    let Ok(listener) = TcpListener::bind("[::1]:0") else {
        // A machine without IPv6.
        return;
    };
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nsix");
    });
    let (dns, _) = name_server(|_, _| addresses(&["::1"]));
    let landing = fetch_with(
        with_names(dns, &["::1"]),
        &format!("http://six.test:{port}/"),
    );
    assert_snapshot!(show(&landing), @"200 type=- location=- body=six");
    assert_eq!(landing.server, Some("::1".parse().unwrap()));
}

#[test]
fn failed_lookups_are_remembered() {
    let (dns, asked) = name_server(|name, _| match name {
        "gone.test" => Said::Code(3),
        "empty.test" => addresses(&[]),
        _ => Said::Code(2),
    });
    let http = Http::new(with_names(dns, &[])).unwrap();
    for name in ["gone.test", "empty.test"] {
        for _ in 0..3 {
            let landing = ask_page(&http, &format!("http://{name}/"));
            assert_eq!(show(&landing), "Unresolved");
        }
    }
    for _ in 0..3 {
        let landing = ask_page(&http, "http://broken.test/");
        assert_eq!(
            show(&landing),
            r#"Unreachable("its name servers do not answer")"#
        );
    }
    let mut asked: Vec<String> = asked.try_iter().collect();
    // A broken server is asked again, but not for every page.
    asked.dedup();
    assert_eq!(asked, ["gone.test", "empty.test", "broken.test"]);
}

#[test]
fn fetches_wait_while_no_name_server_answers() {
    let is_silent = Arc::new(AtomicBool::new(false));
    let (port, _) = serve_address("127.0.0.6");
    let (dns, _) = name_server({
        let is_silent = Arc::clone(&is_silent);
        move |_, _| match is_silent.load(Ordering::Relaxed) {
            true => Said::Nothing,
            false => addresses(&["127.0.0.6"]),
        }
    });
    let http = Http::new(with_names(dns, &["127.0.0.6"])).unwrap();
    let page_of = |name: &str| format!("http://{name}.test:{port}/");
    assert!(show(&ask_page(&http, &page_of("first"))).starts_with("200 "));
    assert_eq!(http.outage(), None);
    is_silent.store(true, Ordering::Relaxed);
    let (sender, landings) = mpsc::channel();
    let names: Vec<String> = (0..6).map(|nth| format!("town-{nth}")).collect();
    for name in &names {
        let sender = sender.clone();
        let request = Request::page(&url(&page_of(name)));
        http.fetch(&request, Box::new(move |landing| _ = sender.send(landing)));
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    while http.outage().is_none() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(http.outage(), Some(Outage::NoNameServer));
    is_silent.store(false, Ordering::Relaxed);
    let shown = || show(&landings.recv_timeout(Duration::from_secs(60)).unwrap());
    let shown: Vec<String> = names.iter().map(|_| shown()).collect();
    // The first few may land before it is clear that it is not their fault.
    let n_well = shown
        .iter()
        .filter(|shown| shown.starts_with("200 "))
        .count();
    assert!(n_well >= 4, "{shown:?}");
    assert_eq!(http.outage(), None);
}

#[test]
fn silent_name_server_does_not_hold_a_fetch_for_ever() {
    let (dns, _) = name_server(|_, _| Said::Nothing);
    let impatient = HttpSettings {
        timeout: Duration::from_millis(300),
        ..with_names(dns, &[])
    };
    assert_snapshot!(show(&fetch_with(impatient, "http://slow.test/")), @"TimedOut");
}

#[test]
fn names_are_looked_up_as_they_stand() {
    let (dns, asked) = name_server(|_, _| Said::Code(3));
    let http = Http::new(with_names(dns, &[])).unwrap();
    for host in ["intranet", "a_b.test", "xn--caf-dma.test"] {
        let landing = ask_page(&http, &format!("http://{host}/"));
        assert_eq!(show(&landing), "Unresolved");
        assert_eq!(asked.try_iter().collect::<Vec<_>>(), [host]);
    }
}

#[test]
fn machine_is_looked_up_once_and_then_known() {
    let (dns, asked) = name_server(|name, _| match name {
        "inside.test" => addresses(&["10.0.0.1"]),
        _ => addresses(&["127.0.0.9"]),
    });
    let http = Http::new(with_names(dns, &["127.0.0.9"])).unwrap();
    let town = url("http://town.test/");
    let inside = url("http://inside.test/");
    let literal = url("http://127.0.0.9:81/");
    let there = Machine::At("127.0.0.9".parse().unwrap());
    assert_eq!(http.machine(&literal), there);
    assert_eq!(http.machine(&town), Machine::Sought);
    assert_eq!(http.machine(&inside), Machine::Sought);
    let deadline = Instant::now() + Duration::from_secs(20);
    let is_sought = |url| http.machine(url) == Machine::Sought;
    while (is_sought(&town) || is_sought(&inside)) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(http.machine(&town), there);
    assert_eq!(http.machine(&inside), Machine::Unknown);
    let n_asked = asked.try_iter().filter(|name| name == "town.test").count();
    assert!(n_asked <= 2, "for IPv4 and IPv6 addresses: {n_asked}");
}

#[test]
fn hosts_of_the_system_are_honoured() {
    let (dns, asked) = name_server(|_, _| Said::Code(3));
    let port = serve_each(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
    });
    let landing = fetch_with(
        with_names(dns, &["127.0.0.0/8", "::1"]),
        &format!("http://localhost:{port}/"),
    );
    assert_snapshot!(show(&landing), @"204 type=- location=- body=");
    assert_eq!(asked.try_iter().count(), 0, "nobody was asked for it");
}
