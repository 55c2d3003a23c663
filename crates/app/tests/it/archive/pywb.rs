//! A replay server over a folder of collections, for the length of a test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running `wayback`; stopped when dropped.
pub(super) struct Wayback {
    child: Child,
    port: u16,
}

impl Wayback {
    /// Starts it on a free port and waits until it answers.
    pub(super) fn start(program: &Path, folder: &Path) -> Wayback {
        // It takes no port 0: one that was free a moment ago has to do.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let child = Command::new(program)
            .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
            .arg("--directory")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut wayback = Wayback { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = wayback.child.try_wait().unwrap();
            assert!(ended.is_none(), "wayback ended: {ended:?}");
            assert!(start.elapsed() < Duration::from_secs(120), "no answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        wayback
    }

    /// Status and body of an answer.
    pub(super) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }
}

impl Drop for Wayback {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
