//! Made-up webs to crawl, and the measures of a crawl.
//!
//! A `world` answers for a whole web and stores none of it; `proxy` lets any
//! crawler fetch from it over a socket; `measure` computes what the papers
//! compare strategies by, from the visit log alone.

pub mod measure;
pub mod proxy;
pub mod world;
