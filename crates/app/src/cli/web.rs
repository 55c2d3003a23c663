//! `--web`, which takes any number of files.

use super::CrawlArgs;
use crate::plan::{is_archive_name, is_named, looks_like_file};

/// Places after `--web` are places: `crawl --web lab "Houston, TX"`, although
/// a flag that takes several values takes all it can get.
///
/// Behind a web with a name nothing is a file because there happens to be one:
/// `crawl --web lab texas` means the state, beside a folder `texas` too. What
/// can only be meant as a file stays, and the plan refuses it.
pub(super) fn give_back_places(args: &mut CrawlArgs) {
    let is_file = match args.web.first() {
        Some(web) if is_named(web) => is_archive_name,
        _ => looks_like_file,
    };
    let is_web = |(value_idx, value): &(usize, String)| *value_idx == 0 || is_file(value);
    let values = std::mem::take(&mut args.web).into_iter().enumerate();
    let (webs, places): (Vec<_>, Vec<_>) = values.partition(is_web);
    args.web = webs.into_iter().map(|(_, web)| web).collect();
    let places = places.into_iter().map(|(_, place)| place.trim().to_owned());
    args.places.extend(places);
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, Command};
    use super::*;
    use clap::Parser;

    fn read(args: &[&str]) -> (Vec<String>, Vec<String>) {
        let cli = Cli::parse_from([&["locavore", "crawl"], args].concat());
        let Command::Crawl(mut args) = cli.command else {
            panic!("a crawl");
        };
        give_back_places(&mut args);
        (args.web, args.places)
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_folder_named_like_a_place_is_no_web() {
        // Tests run in the crate's folder, which has one of this name.
        let lab = (owned(&["lab"]), owned(&["tests"]));
        assert_eq!(read(&["--web", "lab", "tests"]), lab);
        assert_eq!(read(&["--web", "a.warc", "tests"]).0.len(), 2);
        assert_eq!(read(&["--web", "lab", "a.warc"]).0.len(), 2);
    }

    #[test]
    fn places_may_stand_before_and_after_webs() {
        let lab = (owned(&["lab"]), owned(&["Houston, TX"]));
        assert_eq!(read(&["Houston, TX", "--web", "lab"]), lab);
        assert_eq!(read(&["--web", "lab", "Houston, TX"]), lab);
        let two = (
            owned(&["a.warc.gz", "b.warc"]),
            owned(&["Irvine, CA", "Texas"]),
        );
        assert_eq!(
            read(&["Irvine, CA", "--web", "a.warc.gz", "b.warc", "Texas"]),
            two
        );
        assert_eq!(
            read(&[
                "Irvine, CA",
                "Texas",
                "--web",
                "a.warc.gz",
                "--web",
                "b.warc"
            ]),
            two
        );
    }
}
