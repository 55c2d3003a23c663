//! A web of hosts that know each other: what one says may name the others.
//!
//! Every host has a loopback address and a port of its own, so that to a
//! crawler each is another domain on another machine.

use crate::program::{Place, Run};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a host says to a path.
pub(crate) struct Say {
    status: &'static str,
    header: String,
    body: String,
}

impl Say {
    pub(crate) fn page(body: impl Into<String>) -> Say {
        Say {
            status: "200 OK",
            header: "Content-Type: text/html".into(),
            body: body.into(),
        }
    }

    pub(crate) fn rules(body: &str) -> Say {
        Say {
            header: "Content-Type: text/plain".into(),
            ..Say::page(body)
        }
    }

    pub(crate) fn missing() -> Say {
        Say {
            status: "404 Not Found",
            ..Say::page("")
        }
    }

    pub(crate) fn see(to: &str) -> Say {
        Say {
            status: "302 Found",
            header: format!("Location: {to}"),
            body: String::new(),
        }
    }
}

/// The hosts, served until the tests end.
pub(crate) struct Web {
    /// Scheme, address and port of each.
    pub(crate) origins: Vec<String>,
    heard: Arc<Mutex<Vec<(usize, String)>>>,
}

/// Tells what a host says: all origins, its number, and the path asked for.
type Script = dyn Fn(&[String], usize, &str) -> Say + Send + Sync;

impl Web {
    pub(crate) fn start(
        n_hosts: usize,
        script: impl Fn(&[String], usize, &str) -> Say + Send + Sync + 'static,
    ) -> Web {
        let address = |host: usize| [127, 0, 1 + (host / 200) as u8, 1 + (host % 200) as u8];
        Web::start_at((0..n_hosts).map(address), script)
    }

    /// The same at these addresses, of which some may be the same.
    pub(crate) fn start_at(
        addresses: impl Iterator<Item = [u8; 4]>,
        script: impl Fn(&[String], usize, &str) -> Say + Send + Sync + 'static,
    ) -> Web {
        let listen = |address| TcpListener::bind((Ipv4Addr::from(address), 0)).unwrap();
        let listeners: Vec<TcpListener> = addresses.map(listen).collect();
        let addresses = listeners.iter().map(|one| one.local_addr().unwrap());
        let origins: Vec<String> = addresses.map(|at| format!("http://{at}")).collect();
        let web = Web {
            origins: origins.clone(),
            heard: Arc::default(),
        };
        let script: Arc<Script> = Arc::new(script);
        for (host, listener) in listeners.into_iter().enumerate() {
            let (script, heard) = (script.clone(), web.heard.clone());
            let origins = origins.clone();
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let _ = serve(&stream, &mut |path| {
                        heard.lock().unwrap().push((host, path.to_owned()));
                        script(&origins, host, path)
                    });
                }
            });
        }
        web
    }

    /// Paths that a host was asked for, in order.
    pub(crate) fn heard(&self, host: usize) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        let paths = heard.iter().filter(|(by, _)| *by == host);
        paths.map(|(_, path)| path.clone()).collect()
    }

    /// A text about these hosts that is the same wherever they are served.
    pub(crate) fn without_origins(&self, text: &str) -> String {
        let origins = self.origins.iter().enumerate();
        origins.fold(text.to_owned(), |text, (host, origin)| {
            text.replace(&format!("{origin}/"), &format!("{host}:/"))
        })
    }

    /// Crawls from these hosts' front pages until nothing is left.
    pub(crate) fn crawl(&self, place: &Place, hosts: &[usize], more: &[&str]) -> Run {
        let seeds = hosts
            .iter()
            .map(|host| format!("{}/\n", self.origins[*host]));
        place.write("seeds.txt", &seeds.collect::<String>());
        let args = [
            "crawl",
            "Houston, TX",
            "--seeds",
            "seeds.txt",
            "--allow-private",
            "127.0.0.0/8",
            "--contact",
            "test@example.org",
            "--delay",
            "250ms",
            "--tries",
            "1",
            "--out",
            "c",
        ];
        place.run(&[&args[..], more].concat())
    }
}

fn serve(mut stream: &TcpStream, answer: &mut dyn FnMut(&str) -> Say) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let Say {
        status,
        header,
        body,
    } = answer(request.split(' ').nth(1).unwrap_or_default());
    write!(
        stream,
        "HTTP/1.1 {status}\r\nConnection: close\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    stream.shutdown(Shutdown::Write)?;
    stream.read_to_end(&mut Vec::new())?;
    Ok(())
}
