//! Made-up webs to crawl, and the measures of a crawl.
//!
//! A `world` answers for a whole web and stores none of it; `proxy` lets any
//! crawler fetch from it over a socket; `measure` computes what the papers
//! compare strategies by, from the visit log alone, and `published` what they
//! found; `plot` draws both. The proxy's log of requests
//! (`access`) and the visit log together show whether a crawl was polite and
//! lost nothing (`audit`), also on a bad disk (`wear`).

pub mod access;
pub mod audit;
pub mod experiment;
pub mod exploration;
pub mod measure;
pub mod observe;
pub mod plot;
pub mod proxy;
pub mod published;
pub mod relevance;
pub mod shelves;
pub mod siege;
pub mod topics;
pub mod traffic;
pub mod wear;
pub mod world;

mod servers;
