#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bench::fuzz::fuzz_sitemap(data));
