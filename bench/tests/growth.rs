//! Work grows with the input and not with its square, on inputs that mean harm.
//!
//! Counted, not timed: what is allocated is the same on every machine, and
//! whoever starts over at each byte usually collects something each time. Work
//! that allocates nothing escapes this; `cargo bench -p bench --bench geoparse`
//! times the same inputs at two sizes.

#![expect(unsafe_code, reason = "an allocator that counts has to be one")]

use bench::fuzz::TARGETS;
use bench::hostile::{DOCUMENTS, TEXTS};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static N_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SMALL: usize = 16 << 10;
const TIMES: usize = 4;

/// Buffers double as they grow, which may add a little to four times the
/// memory; a square would take sixteen.
const MAX_GROWTH: usize = 6;

fn allocated(run: fn(&[u8]), input: &str) -> usize {
    let before = N_BYTES.load(Ordering::Relaxed);
    run(input.as_bytes());
    N_BYTES.load(Ordering::Relaxed) - before
}

#[test]
fn four_times_the_input_takes_about_four_times_the_memory() {
    let mut wrong = Vec::new();
    for target in TARGETS {
        let is_text = matches!(target.name, "addresses" | "toponyms");
        let documents = DOCUMENTS.iter().filter(|input| input.target == target.name);
        let inputs = documents.chain(TEXTS.iter().filter(|_| is_text));
        for input in inputs {
            // What is made on first use does not count.
            (target.run)(input.of_size(100).as_bytes());
            let small = allocated(target.run, &input.of_size(SMALL));
            let large = allocated(target.run, &input.of_size(SMALL * TIMES));
            if large > small * MAX_GROWTH + SMALL {
                wrong.push(format!(
                    "{}, {}: {small} -> {large}",
                    target.name, input.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
