//! Redirects in circles, to nowhere, and to what is behind the crawler.

use super::server::{Site, Talk};
use std::io;

pub(crate) fn sites() -> Vec<Site> {
    vec![
        Site::new("to-itself", |talk| {
            let here = talk.path.clone();
            redirect(talk, &here)
        }),
        Site::new("to-and-fro", |talk| {
            let is_there = talk.path.ends_with("/there");
            redirect(
                talk,
                if is_there {
                    "/to-and-fro"
                } else {
                    "/to-and-fro/there"
                },
            )
        }),
        Site::new("on-and-on", |talk| {
            let next = format!("/on-and-on/{}", talk.n_before + 1);
            redirect(talk, &next)
        }),
        Site::new("to-nowhere", |talk| redirect(talk, "")),
        Site::new("without-location", |talk| {
            talk.answer("302 Found", &[], b"")
        }),
        Site::new("to-a-megabyte", |talk| {
            redirect(talk, &format!("/{}", "a".repeat(1 << 20)))
        }),
        Site::new("to-four-kilobytes", |talk| {
            redirect(talk, &format!("/{}", "a".repeat(4 << 10)))
        }),
        Site::new("to-file", |talk| redirect(talk, "file:///etc/passwd")),
        Site::new("to-javascript", |talk| {
            redirect(talk, "javascript:alert(1)")
        }),
        Site::new("to-data", |talk| redirect(talk, "data:text/html,<p>Hello")),
        Site::new("to-ftp", |talk| redirect(talk, "ftp://ftp.example.org/")),
        Site::new("to-metadata", |talk| {
            redirect(talk, "http://169.254.169.254/latest/meta-data/")
        }),
        Site::new("to-metadata-as-ipv6", |talk| {
            redirect(talk, "http://[::ffff:169.254.169.254]/")
        }),
        Site::new("to-inside-in-decimal", |talk| {
            redirect(talk, "http://167772161/in-decimal")
        }),
        Site::new("to-inside-in-hexadecimal", |talk| {
            redirect(talk, "//0x0a000002/in-hexadecimal")
        }),
        Site::new("to-inside-in-octal", |talk| {
            redirect(talk, "http://012.0.0.3/in-octal")
        }),
        Site::new("to-inside-in-short", |talk| {
            redirect(talk, "http://10.4/in-short")
        }),
        Site::new("to-inside-behind-a-name", |talk| {
            redirect(talk, "http://www.example.org@10.0.0.5/behind-a-name")
        }),
    ]
}

fn redirect(talk: &mut Talk, to: &str) -> io::Result<()> {
    let location = format!("Location: {to}");
    talk.answer("302 Found", &[&location], b"")
}
