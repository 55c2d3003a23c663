//! A served crawl and somebody who asks it, one connection for each question.

use crate::program::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};

/// The folder `c`, served until this is dropped.
pub(super) struct Server {
    pub(super) child: Child,
    pub(super) address: String,
    /// Kept open: a server that nobody reads ends.
    _stderr: BufReader<ChildStderr>,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Server {
    pub(super) fn start(place: &Place, more: &[&str]) -> Server {
        let args = ["serve", "c", "--address", "127.0.0.1:0"];
        let mut child = place.start(&[&args[..], more].concat());
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("answering on http://") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "no address");
        }
        let address = line.trim().split("http://").nth(1).unwrap().to_owned();
        Server {
            child,
            address,
            _stderr: stderr,
        }
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    pub(super) fn get_with(&self, path: &str, headers: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}", self.address);
        self.ask(&head, "")
    }

    pub(super) fn post(&self, path: &str, json: &str) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n",
            self.address,
            json.len()
        );
        self.ask(&head, json)
    }

    /// Sends a request as it is, but for the end of its head.
    pub(super) fn ask(&self, head: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{head}Connection: close\r\n\r\n").unwrap();
        // A body that is too long is not heard to its end.
        let _ = stream.write_all(body.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    pub(super) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// It is refused with a message that says this.
    pub(super) fn refused(&self, status: u16, what: &str) {
        let error = self.json(status)["error"].as_str().unwrap().to_owned();
        assert!(error.contains(what), "{error}");
    }
}
