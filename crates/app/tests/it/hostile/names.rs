//! A name server that says what a test wants to hear.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::thread;

/// What it says about a name.
pub(crate) enum Said {
    At(Vec<Ipv4Addr>),
    NoName,
    Nothing,
}

/// Answers until the tests end; returns where it is.
pub(crate) fn name_server(answer: impl Fn(&str) -> Said + Send + 'static) -> SocketAddr {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((n_bytes, from)) = socket.recv_from(&mut buffer) {
            if let Some(reply) = reply(&buffer[..n_bytes], &answer) {
                let _ = socket.send_to(&reply, from);
            }
        }
    });
    at
}

const HEAD_LEN: usize = 12;
const NAME_ERROR: u8 = 3;
const TYPE_A: u8 = 1;

fn reply(query: &[u8], answer: impl Fn(&str) -> Said) -> Option<Vec<u8>> {
    let (name, is_for_address, end) = question(query);
    // That the root is there is known to everybody.
    let said = match name.is_empty() {
        true => Said::At(Vec::new()),
        false => answer(&name.to_ascii_lowercase()),
    };
    let (code, mut found) = match said {
        Said::At(found) => (0, found),
        Said::NoName => (NAME_ERROR, Vec::new()),
        Said::Nothing => return None,
    };
    if !is_for_address {
        found.clear();
    }
    let mut reply = query[..2].to_vec();
    let n_found = u8::try_from(found.len()).unwrap();
    reply.extend([0x81, 0x80 | code, 0, 1, 0, n_found, 0, 0, 0, 0]);
    reply.extend(&query[HEAD_LEN..end]);
    for address in found {
        // The name is the question's; the answer holds for an hour.
        reply.extend([0xC0, 12, 0, TYPE_A, 0, 1, 0, 0, 0x0E, 0x10, 0, 4]);
        reply.extend(address.octets());
    }
    Some(reply)
}

/// The name asked for, whether for its IPv4 addresses, and where the question ends.
fn question(query: &[u8]) -> (String, bool, usize) {
    let mut labels = Vec::new();
    let mut at = HEAD_LEN;
    while query[at] != 0 {
        let len = usize::from(query[at]);
        labels.push(String::from_utf8_lossy(&query[at + 1..=at + len]).into_owned());
        at += len + 1;
    }
    (labels.join("."), query[at + 2] == TYPE_A, at + 5)
}
