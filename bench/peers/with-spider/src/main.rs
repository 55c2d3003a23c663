//! The `spider` crate as its manual has it: one crawl over all hosts, pages
//! received and dropped, robots rules obeyed.
//!
//! `with-spider SEED CONCURRENCY`

use spider::website::Website;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seed = args.next().ok_or("with-spider SEED CONCURRENCY")?;
    let concurrency = args.next().and_then(|text| text.parse().ok());
    let mut website = Website::new(&seed);
    website
        .with_respect_robots_txt(true)
        .with_external_domains(Some(std::iter::once("*".to_owned())))
        .with_depth(0)
        .with_delay(0)
        .with_concurrency_limit(concurrency);
    let mut pages = website.subscribe(1024);
    let counting = tokio::spawn(async move {
        let mut n_pages = 0_u64;
        loop {
            match pages.recv().await {
                Ok(_page) => n_pages += 1,
                Err(tokio::sync::broadcast::error::RecvError::Lagged(n_missed)) => {
                    n_pages += n_missed;
                }
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return n_pages,
            }
        }
    });
    website.crawl().await;
    website.unsubscribe();
    eprintln!("{} pages", counting.await?);
    Ok(())
}
