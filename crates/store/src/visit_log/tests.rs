use super::*;
use crate::crawl_dir::Damage;
use crate::visit::sample;
use proptest::prelude::*;
use std::fs;

const GROUPS: [u32; 4] = [3, 1, 5, 2];
const N_VISITS: u64 = 11;

/// Writes committed groups as the store does; gives where each group ends.
fn write_log(path: &Path, first_seq: u64) -> Vec<u64> {
    let (mut bytes, mut ends, mut seq) = (Vec::new(), Vec::new(), first_seq);
    for n_visits in GROUPS {
        let mut frames = Vec::new();
        let first_seq = seq;
        for _ in 0..n_visits {
            push_frame(&sample(seq), &mut frames);
            seq += 1;
        }
        let len = frames.len() as u64;
        let header = GroupHeader {
            first_seq,
            n_visits,
            len,
        };
        bytes.extend_from_slice(&header.encode());
        bytes.extend_from_slice(&frames);
        ends.push(bytes.len() as u64);
    }
    fs::write(path, bytes).unwrap();
    ends
}

/// A crawl folder with a log of one or two files.
fn folder(n_files: u32) -> (tempfile::TempDir, Vec<u64>) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("crawl.json"), "{}").unwrap();
    fs::create_dir(dir.path().join("visits")).unwrap();
    let mut ends = Vec::new();
    for number in 1..=n_files {
        ends = write_log(
            &files(dir.path()).path(number),
            u64::from(number - 1) * N_VISITS,
        );
    }
    (dir, ends)
}

fn read(dir: &Path) -> (Vec<u64>, Vec<Damage>) {
    let mut reader = VisitReader::open(dir).unwrap();
    let mut seqs = Vec::new();
    for visit in reader.by_ref() {
        assert_eq!(visit, sample(visit.seq), "a wrong record");
        assert!(
            seqs.last().is_none_or(|&last| last < visit.seq),
            "a record twice"
        );
        seqs.push(visit.seq);
    }
    (seqs, reader.damage().to_vec())
}

fn what(dir: &Path, damage: &[Damage]) -> String {
    let show = |damage: &Damage| {
        let file = damage.file.strip_prefix(dir).unwrap();
        format!("{}: {}", file.display(), damage.what)
    };
    damage.iter().map(show).collect::<Vec<_>>().join("; ")
}

#[test]
fn visits_come_back_as_they_were() {
    let (dir, _) = folder(2);
    let (seqs, damage) = read(dir.path());
    assert_eq!(seqs, (0..22).collect::<Vec<_>>());
    assert_eq!(damage, []);
}

#[test]
fn a_reader_can_begin_anywhere() {
    let (dir, _) = folder(2);
    for seq in 0..24 {
        let mut reader = VisitReader::open_at(dir.path(), seq).unwrap();
        let seqs: Vec<_> = reader.by_ref().map(|visit| visit.seq).collect();
        assert_eq!(seqs, (seq..22).collect::<Vec<_>>());
        assert_eq!(reader.damage(), []);
    }
}

#[test]
fn every_cut_loses_only_what_is_behind_it() {
    let (dir, ends) = folder(1);
    let path = files(dir.path()).path(1);
    let bytes = fs::read(&path).unwrap();
    for cut in 0..bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let (seqs, damage) = read(dir.path());
        let n_whole = ends.iter().filter(|&&end| end <= cut as u64).count();
        let n_kept: u32 = GROUPS[..n_whole].iter().sum();
        assert!(seqs.len() >= n_kept as usize, "cut at {cut}");
        assert_eq!(
            seqs,
            (0..seqs.len() as u64).collect::<Vec<_>>(),
            "cut at {cut}"
        );
        let is_clean = cut == 0 || ends.contains(&(cut as u64));
        assert_eq!(damage.is_empty(), is_clean, "cut at {cut}: {damage:?}");
    }
}

#[test]
fn every_flipped_byte_costs_at_most_its_own_visit() {
    let (dir, ends) = folder(1);
    let path = files(dir.path()).path(1);
    let mut bytes = fs::read(&path).unwrap();
    let last_group = ends[ends.len() - 2] as usize;
    for at in 0..bytes.len() {
        let flip = 1 << (at % 8);
        bytes[at] ^= flip;
        fs::write(&path, &bytes).unwrap();
        let (seqs, damage) = read(dir.path());
        // Nothing follows the last header, so its group stays hidden.
        let least = if at < last_group { 10 } else { 9 };
        assert!(seqs.len() >= least, "byte {at}: {} visits", seqs.len());
        assert!(!damage.is_empty(), "byte {at}");
        bytes[at] ^= flip;
    }
}

#[test]
fn a_missing_file_is_named_and_passed() {
    let (dir, _) = folder(3);
    fs::remove_file(files(dir.path()).path(2)).unwrap();
    let (seqs, damage) = read(dir.path());
    assert_eq!(seqs, (0..11).chain(22..33).collect::<Vec<_>>());
    assert_eq!(
        what(dir.path(), &damage),
        "visits/visits-00002.log: is missing: 11 visits lost, those after them kept"
    );
}

#[test]
fn what_is_lost_at_the_end_is_told_as_it_is() {
    let (dir, _) = folder(1);
    let path = files(dir.path()).path(1);
    let bytes = fs::read(&path).unwrap();
    let told = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (seqs, damage) = read(dir.path());
        (seqs.len(), what(dir.path(), &damage))
    };
    let file = "visits/visits-00001.log: damaged after record";
    assert_eq!(
        told(&bytes[..100]),
        (
            0,
            format!("{file} 0: at least 3 visits lost, nothing after them")
        )
    );
    assert_eq!(
        told(&bytes[..bytes.len() - 1]),
        (
            10,
            format!("{file} 10: at least 1 visit lost, nothing after it")
        )
    );
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(
        told(&flipped),
        (10, format!("{file} 10: 1 visit lost, nothing after it"))
    );
    flipped[HEADER_LEN + 20] ^= 1;
    assert_eq!(
        told(&flipped),
        (
            9,
            format!(
                "{file} 0: 1 visit lost, those after it kept; {file} 10: 1 visit lost, nothing after it"
            )
        )
    );
    assert_eq!(
        told(&[7; 40]),
        (0, format!("{file} 0: unreadable from there on"))
    );
}

#[test]
fn a_missing_log_is_told_where_a_reader_can_know() {
    let (dir, _) = folder(2);
    fs::remove_file(files(dir.path()).path(1)).unwrap();
    let (seqs, damage) = read(dir.path());
    assert_eq!(seqs, (11..22).collect::<Vec<_>>());
    assert_eq!(
        what(dir.path(), &damage),
        "visits/visits-00001.log: is missing: 11 visits lost, those after them kept"
    );
    fs::remove_dir_all(dir.path().join("visits")).unwrap();
    // A crawl that is only just being created looks like this.
    assert_eq!(read(dir.path()), (vec![], vec![]));
    fs::create_dir(dir.path().join("tables")).unwrap();
    let (seqs, damage) = read(dir.path());
    assert!(seqs.is_empty());
    assert_eq!(
        what(dir.path(), &damage),
        "visits: is missing, and all visits with it"
    );
}

#[test]
fn a_reader_waits_at_zeros_and_goes_on() {
    let (dir, ends) = folder(1);
    let path = files(dir.path()).path(1);
    let bytes = fs::read(&path).unwrap();
    let start = ends[2] as usize;
    let mut hidden = bytes.clone();
    hidden[start..start + HEADER_LEN].fill(0);
    fs::write(&path, &hidden).unwrap();
    let mut reader = VisitReader::open(dir.path()).unwrap();
    assert_eq!(reader.by_ref().count(), 9);
    // Replaced, as after a crash and a restart.
    fs::remove_file(&path).unwrap();
    assert_eq!(reader.by_ref().count(), 0);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(
        reader.by_ref().map(|visit| visit.seq).collect::<Vec<_>>(),
        [9, 10]
    );
    assert_eq!(reader.damage(), []);
}

#[test]
fn newer_layouts_are_reported_and_passed() {
    let (dir, _) = folder(0);
    let mut frames = Vec::new();
    for seq in 0..3 {
        let mut payload = wire::encode(&sample(seq));
        if seq == 1 {
            payload[0] = 9;
        }
        let len = payload.len() as u32;
        frames.push(FRAME_MAGIC);
        frames.extend(len.to_le_bytes());
        frames.extend(checksum(len, &payload).to_le_bytes());
        frames.extend(payload);
    }
    let header = GroupHeader {
        first_seq: 0,
        n_visits: 3,
        len: frames.len() as u64,
    };
    let bytes = [header.encode().as_slice(), &frames].concat();
    fs::write(files(dir.path()).path(1), bytes).unwrap();
    let (seqs, damage) = read(dir.path());
    assert_eq!(seqs, [0, 2]);
    assert_eq!(
        what(dir.path(), &damage),
        "visits/visits-00001.log: damaged after record 2: the visit before was written by a newer version (9)"
    );
}

proptest! {
    #[test]
    fn garbage_never_panics_and_never_is_a_record(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..30),
        cut in any::<prop::sample::Index>(),
    ) {
        let (dir, _) = folder(2);
        let path = files(dir.path()).path(1);
        let mut bytes = fs::read(&path).unwrap();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()));
        fs::write(&path, &bytes).unwrap();
        let (seqs, _) = read(dir.path());
        // The second file is whole, whatever became of the first.
        prop_assert!(seqs.ends_with(&(11..22).collect::<Vec<_>>()));
    }

    #[test]
    fn random_payloads_never_panic(payload in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = wire::decode(&payload);
        let _ = wire::seq(&payload);
        let _ = GroupHeader::decode(&payload);
        let _ = frame_at(&payload, 0);
    }
}
