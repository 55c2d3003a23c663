//! Sorts more lines than memory holds, by their bytes.
//!
//! Lines are collected up to a limit, sorted and set aside in a file; in the
//! end all files are merged. The files have no names, so that nothing is left
//! behind whatever happens.

use anyhow::Context;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes of lines held in memory.
const MOST_HELD: usize = 64 << 20;

/// Lines on their way to being sorted; each ends in a line feed.
pub(super) struct Sorter {
    folder: PathBuf,
    held: Vec<Vec<u8>>,
    n_held: usize,
    most_held: usize,
    runs: Vec<File>,
}

impl Sorter {
    /// Sets aside in that folder what memory does not hold.
    pub(super) fn new(folder: PathBuf) -> Sorter {
        Sorter {
            folder,
            held: Vec::new(),
            n_held: 0,
            most_held: MOST_HELD,
            runs: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, line: String) -> anyhow::Result<()> {
        self.n_held += line.len() + size_of::<Vec<u8>>();
        self.held.push(line.into_bytes());
        if self.n_held >= self.most_held {
            self.set_aside()?;
        }
        Ok(())
    }

    fn set_aside(&mut self) -> anyhow::Result<()> {
        self.held.sort_unstable();
        let run = write_run(&self.folder, self.runs.len(), &self.held)
            .with_context(|| format!("cannot sort in `{}`", self.folder.display()))?;
        self.runs.push(run);
        self.held.clear();
        self.n_held = 0;
        Ok(())
    }

    /// All lines in order.
    pub(super) fn finish(mut self) -> anyhow::Result<Merge> {
        self.held.sort_unstable();
        let mut sources: Vec<Source> = Vec::new();
        for run in self.runs {
            sources.push(Source::Run(BufReader::new(run)));
        }
        sources.push(Source::Held(self.held.into_iter()));
        let mut merge = Merge {
            sources,
            next: BinaryHeap::new(),
        };
        for source_idx in 0..merge.sources.len() {
            merge.advance(source_idx)?;
        }
        Ok(merge)
    }
}

/// A file that has no name any more, with the lines in it.
fn write_run(folder: &Path, run_idx: usize, lines: &[Vec<u8>]) -> io::Result<File> {
    let name = format!(".locavore-sort-{}-{run_idx}", std::process::id());
    let path = folder.join(name);
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    let mut writer = BufWriter::new(file);
    for line in lines {
        writer.write_all(line)?;
    }
    let mut file = writer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

enum Source {
    Run(BufReader<File>),
    Held(std::vec::IntoIter<Vec<u8>>),
}

impl Source {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Source::Held(lines) => Ok(lines.next()),
            Source::Run(run) => {
                let mut line = Vec::new();
                let n_read = run.read_until(b'\n', &mut line)?;
                Ok((n_read > 0).then_some(line))
            }
        }
    }
}

/// Sorted lines, smallest first.
pub(super) struct Merge {
    sources: Vec<Source>,
    /// The next line of every source that has one.
    next: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl Merge {
    fn advance(&mut self, source_idx: usize) -> anyhow::Result<()> {
        let line = self.sources[source_idx].next();
        if let Some(line) = line.context("cannot read back what was sorted")? {
            self.next.push(Reverse((line, source_idx)));
        }
        Ok(())
    }
}

impl Iterator for Merge {
    type Item = anyhow::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((line, source_idx)) = self.next.pop()?;
        Some(self.advance(source_idx).map(|()| line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_sorted_however_little_memory_there_is() {
        // A scatter of numbers without order and with repeats.
        let lines: Vec<String> = (0..1000u32)
            .map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761) % 700))
            .collect();
        let mut expected: Vec<Vec<u8>> = lines.iter().map(|line| line.clone().into()).collect();
        expected.sort();
        let folder = tempfile::tempdir().unwrap();
        for most_held in [1, 500, MOST_HELD] {
            let mut sorter = Sorter::new(folder.path().to_path_buf());
            sorter.most_held = most_held;
            for line in &lines {
                sorter.push(line.clone()).unwrap();
            }
            let sorted: Vec<Vec<u8>> = sorter.finish().unwrap().map(Result::unwrap).collect();
            assert_eq!(sorted, expected);
        }
        let left_behind = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left_behind, 0);
    }

    #[test]
    fn nothing_sorted_is_nothing() {
        assert!(Sorter::new(".".into()).finish().unwrap().next().is_none());
    }
}
