//! Encrypted connections: whom to trust, and HTTP/2.

use crate::net::{ask_page, read_request, serve_each, settings, show};
use bytes::Bytes;
use crawl::fetch::http::{Http, HttpSettings, Roots};
use crawl::fetch::{Fetched, Landing};
use h2::server::SendResponse;
use h2::{Reason, server};
use hyper::http::Response;
use insta::assert_snapshot;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;

/// A server's certificate, and a file in which it is the only root.
struct Identity {
    config: Arc<ServerConfig>,
    folder: TempDir,
}

impl Identity {
    fn new(names: &[&str], protocols: &[&str]) -> Identity {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Identity::of(
            &CertificateParams::new(names).expect("a working test server"),
            protocols,
        )
    }

    fn of(params: &CertificateParams, protocols: &[&str]) -> Identity {
        let key = KeyPair::generate().expect("a working test server");
        let certificate = params.self_signed(&key).expect("a working test server");
        let folder = tempfile::tempdir().expect("a working test server");
        std::fs::write(folder.path().join("roots.pem"), certificate.pem())
            .expect("a working test server");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a working test server");
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("a working test server")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a working test server");
        config.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        Identity {
            config: Arc::new(config),
            folder,
        }
    }

    /// Settings that trust this certificate and no other.
    fn trusted(&self) -> HttpSettings {
        HttpSettings {
            roots: Roots::File(self.folder.path().join("roots.pem")),
            ..settings()
        }
    }

    /// Answers every request in HTTP/1.1 with one page.
    fn serve_one(&self) -> u16 {
        let config = Arc::clone(&self.config);
        serve_each(move |stream, _| {
            let connection =
                ServerConnection::new(Arc::clone(&config)).expect("a working test server");
            let mut stream = StreamOwned::new(connection, stream);
            let mut request = [0; 4096];
            while stream.read(&mut request).is_ok_and(|n| n > 0) {
                let page = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret";
                let _ = stream.write_all(page).and_then(|()| stream.flush());
            }
        })
    }

    /// Answers requests in HTTP/2; `respond` is told how many came before.
    fn serve_two<F>(&self, respond: impl Fn(Stream, usize) -> F + Send + Sync + 'static) -> u16
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let config = Arc::clone(&self.config);
        serve_each(move |stream, _| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a working test server");
            runtime.block_on(attend_two(stream, Arc::clone(&config), &respond));
        })
    }
}

type Stream = SendResponse<Bytes>;

async fn attend_two<F: Future<Output = ()> + Send + 'static>(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    respond: &impl Fn(Stream, usize) -> F,
) {
    stream.set_nonblocking(true).expect("a working test server");
    let stream = tokio::net::TcpStream::from_std(stream).expect("a working test server");
    let Ok(stream) = TlsAcceptor::from(config).accept(stream).await else {
        return;
    };
    let Ok(mut connection) = server::handshake(stream).await else {
        return;
    };
    let mut nth = 0;
    while let Some(Ok((_request, stream))) = connection.accept().await {
        tokio::spawn(respond(stream, nth));
        nth += 1;
    }
}

fn ok() -> Response<()> {
    Response::builder()
        .header("content-type", "text/html")
        .body(())
        .expect("a working test server")
}

fn fetch(settings: HttpSettings, url: &str) -> Landing {
    ask_page(&Http::new(settings).expect("a working test server"), url)
}

#[test]
fn encrypted_page_comes_back() {
    let identity = Identity::new(&["127.0.0.1"], &["http/1.1"]);
    let port = identity.serve_one();
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"200 type=- location=- body=secret");
    assert_eq!(landing.server, Some("127.0.0.1".parse().unwrap()));
}

#[test]
fn certificates_that_prove_nothing_are_untrusted() {
    let wrong_name = Identity::new(&["town.test"], &[]);
    let url = format!("https://127.0.0.1:{}/", wrong_name.serve_one());
    assert_snapshot!(show(&fetch(wrong_name.trusted(), &url)), @r#"Untrusted("the certificate is for another name")"#);

    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(2005, 5, 1);
    params.not_after = rcgen::date_time_ymd(2006, 5, 1);
    let expired = Identity::of(&params, &[]);
    let url = format!("https://127.0.0.1:{}/", expired.serve_one());
    assert_snapshot!(show(&fetch(expired.trusted(), &url)), @r#"Untrusted("the certificate has expired")"#);

    let unknown = Identity::new(&["127.0.0.1"], &[]);
    let url = format!("https://127.0.0.1:{}/", unknown.serve_one());
    for roots in [Roots::System, Roots::Bundled] {
        let landing = fetch(
            HttpSettings {
                roots,
                ..settings()
            },
            &url,
        );
        assert_eq!(
            show(&landing),
            r#"Untrusted("the certificate's issuer is unknown")"#
        );
    }
}

#[test]
fn hanging_up_during_the_handshake_is_an_outcome() {
    let port = serve_each(|mut stream, _| {
        let _ = stream.read(&mut [0; 100]);
    });
    let landing = fetch(settings(), &format!("https://127.0.0.1:{port}/"));
    assert!(
        matches!(
            landing.fetched,
            Fetched::Garbled(_) | Fetched::Unreachable(_)
        ),
        "{landing:?}"
    );
    let port = serve_each(|_stream, _| thread::sleep(Duration::from_secs(25)));
    let impatient = HttpSettings {
        connect_timeout: Duration::from_millis(200),
        ..settings()
    };
    let landing = fetch(impatient, &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"TimedOut");
}

#[test]
fn pages_come_over_one_connection_in_http_2() {
    let identity = Identity::new(&["127.0.0.1"], &["h2", "http/1.1"]);
    let (sender, served) = mpsc::channel();
    let port = identity.serve_two(move |mut stream, nth| {
        let sender = sender.clone();
        async move {
            let _ = sender.send(nth);
            let mut body = stream.send_response(ok(), false).unwrap();
            let _ = body.send_data(Bytes::from_static(b"<p>Por"), false);
            let _ = body.send_data(Bytes::from_static(b"to</p>"), true);
        }
    });
    let http = Http::new(identity.trusted()).unwrap();
    for _ in 0..3 {
        let landing = ask_page(&http, &format!("https://127.0.0.1:{port}/a?b"));
        assert_eq!(
            show(&landing),
            "200 type=text/html location=- body=<p>Porto</p>"
        );
        let Fetched::Answer(answer) = landing.fetched else {
            unreachable!()
        };
        let head = String::from_utf8_lossy(&answer.head);
        assert_eq!(head, "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n");
    }
    assert_eq!(served.try_iter().collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn reset_instead_of_an_answer_is_an_outcome() {
    let identity = Identity::new(&["127.0.0.1"], &["h2"]);
    let port = identity.serve_two(|mut stream, _| async move {
        stream.send_reset(Reason::INTERNAL_ERROR);
    });
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @r#"Garbled("stream error received: unexpected internal error encountered")"#);
}

#[test]
fn reset_in_the_middle_is_an_outcome() {
    let identity = Identity::new(&["127.0.0.1"], &["h2"]);
    let port = identity.serve_two(|mut stream, _| async move {
        let mut body = stream.send_response(ok(), false).unwrap();
        let _ = body.send_data(Bytes::from_static(b"half"), false);
        tokio::time::sleep(Duration::from_millis(50)).await;
        body.send_reset(Reason::ENHANCE_YOUR_CALM);
    });
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @r#"Garbled("stream error received: detected excessive load generating behavior")"#);
}

#[test]
fn connection_that_goes_away_in_the_middle_is_an_outcome() {
    let identity = Identity::new(&["127.0.0.1"], &["h2"]);
    let config = Arc::clone(&identity.config);
    let port = serve_each(move |stream, _| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            stream.set_nonblocking(true).unwrap();
            let stream = tokio::net::TcpStream::from_std(stream).unwrap();
            let stream = TlsAcceptor::from(Arc::clone(&config)).accept(stream).await;
            let mut connection = server::handshake(stream.unwrap()).await.unwrap();
            let (_request, mut stream) = connection.accept().await.unwrap().unwrap();
            let mut body: h2::SendStream<Bytes> = stream.send_response(ok(), false).unwrap();
            let _ = body.send_data(Bytes::from_static(b"half"), false);
            connection.abrupt_shutdown(Reason::INADEQUATE_SECURITY);
            while connection.accept().await.is_some() {}
        });
    });
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert!(
        matches!(
            landing.fetched,
            Fetched::Garbled(_) | Fetched::Unreachable(_)
        ),
        "{landing:?}"
    );
}

#[test]
fn endless_http_2_body_is_too_large_and_a_silent_one_times_out() {
    let identity = Identity::new(&["127.0.0.1"], &["h2"]);
    let port = identity.serve_two(|mut stream, _| async move {
        let mut body = stream.send_response(ok(), false).unwrap();
        loop {
            body.reserve_capacity(1000);
            let free = std::future::poll_fn(|cx| body.poll_capacity(cx)).await;
            if !matches!(free, Some(Ok(_))) {
                return;
            }
            let _ = body.send_data(Bytes::from_static(&[b'x'; 1000]), false);
        }
    });
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"TooLarge");
    let port = identity.serve_two(|stream, _| async move {
        let _silent = stream;
        tokio::time::sleep(Duration::from_secs(25)).await;
    });
    let impatient = HttpSettings {
        first_byte_timeout: Duration::from_millis(200),
        ..identity.trusted()
    };
    let landing = fetch(impatient, &format!("https://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"TimedOut");
}

#[test]
fn huge_http_2_head_is_an_outcome() {
    let identity = Identity::new(&["127.0.0.1"], &["h2"]);
    let port = identity.serve_two(|mut stream, _| async move {
        let mut head = ok();
        for n in 0..3000 {
            let name: hyper::header::HeaderName = format!("x-{n}").parse().unwrap();
            let value =
                hyper::header::HeaderValue::from_static("some forty bytes to make it larger still");
            head.headers_mut().insert(name, value);
        }
        let _ = stream.send_response(head, true);
        tokio::time::sleep(Duration::from_secs(5)).await;
    });
    let landing = fetch(identity.trusted(), &format!("https://127.0.0.1:{port}/"));
    assert!(
        matches!(landing.fetched, Fetched::Garbled(_)),
        "{landing:?}"
    );
}

#[test]
fn encrypted_page_comes_through_a_tunnel() {
    let identity = Identity::new(&["town.invalid"], &["http/1.1"]);
    let inside = identity.serve_one();
    let (sender, asked) = mpsc::channel();
    let proxy = serve_each(move |mut stream, _| {
        let _ = sender.send(read_request(&mut stream).unwrap_or_default());
        let mut server = TcpStream::connect(("127.0.0.1", inside)).unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n");
        let (mut from, mut to) = (stream.try_clone().unwrap(), server.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut from, &mut to));
        let _ = std::io::copy(&mut server, &mut stream);
    });
    let proxied = HttpSettings {
        proxy: Some(format!("http://127.0.0.1:{proxy}")),
        open_ranges: Vec::new(),
        ..identity.trusted()
    };
    let landing = fetch(proxied, "https://town.invalid/a");
    assert_snapshot!(show(&landing), @"200 type=- location=- body=secret");
    assert_eq!(landing.server, None);
    assert!(
        asked
            .recv()
            .unwrap()
            .starts_with("CONNECT town.invalid:443 ")
    );
}
