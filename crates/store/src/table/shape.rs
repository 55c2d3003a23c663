//! How a table lies on disk, which depends on how it is used.

use fjall::CompressionType;
use fjall::KeyspaceCreateOptions;
use fjall::config::{
    BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PartitioningPolicy, PinningPolicy,
};

/// What a table is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A few entries, or some for each host.
    Plain,
    /// One short entry for each URL, looked up by its key; most are missed.
    Index,
    /// One row for each URL, in lines: the first of each is looked up, the
    /// next few are searched for.
    Line,
}

/// Write buffer of a table that grows with hosts at most.
const BUFFER: u64 = 8 << 20;
/// Write buffer of a table that grows with URLs. The larger it is, the less
/// often the same entries are written anew; two of them may be full at once.
const LARGE_BUFFER: u64 = 32 << 20;
/// One missed look-up in a hundred reads a block in vain.
const INDEX_FILTER: f32 = 10.0;
/// One in ten; whatever is looked up here is there, in one level of a few,
/// most often the last one, which needs no filter.
const LINE_FILTER: f32 = 5.0;

impl Shape {
    pub(super) fn options(self) -> KeyspaceCreateOptions {
        let options = KeyspaceCreateOptions::default()
            .index_block_partitioning_policy(PartitioningPolicy::all(false))
            .filter_block_partitioning_policy(PartitioningPolicy::all(false))
            .index_block_pinning_policy(PinningPolicy::all(true));
        match self {
            Shape::Plain => options
                .max_memtable_size(BUFFER)
                .data_block_compression_policy(CompressionPolicy::disabled()),
            // Fingerprints do not compress, and a filter that has to be read
            // first saves nothing.
            Shape::Index => options
                .max_memtable_size(LARGE_BUFFER)
                .filter_policy(filter(INDEX_FILTER))
                .filter_block_pinning_policy(PinningPolicy::all(true))
                .data_block_compression_policy(CompressionPolicy::disabled()),
            // Neighbours are of one host and often of one page.
            Shape::Line => options
                .max_memtable_size(LARGE_BUFFER)
                .expect_point_read_hits(true)
                .filter_policy(filter(LINE_FILTER))
                .filter_block_pinning_policy(PinningPolicy::all(true))
                .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4)),
        }
    }
}

fn filter(bits_per_key: f32) -> FilterPolicy {
    let bloom = BloomConstructionPolicy::BitsPerKey(bits_per_key);
    FilterPolicy::all(FilterPolicyEntry::Bloom(bloom))
}
