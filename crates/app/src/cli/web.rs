//! `--web`, which takes any number of files.

use super::CrawlArgs;
use crate::plan::looks_like_file;

/// Places after `--web` are places: `crawl --web lab "Houston, TX"`, although
/// a flag that takes several values takes all it can get.
pub(super) fn give_back_places(args: &mut CrawlArgs) {
    let is_web = |(value_idx, value): &(usize, String)| *value_idx == 0 || looks_like_file(value);
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
