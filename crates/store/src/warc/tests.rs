use super::*;
use proptest::prelude::*;

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n";

fn exchange<'a>(head: &'a [u8], body: &'a [u8], metadata: &'a [(&'a str, String)]) -> Exchange<'a> {
    Exchange {
        url: "http://town.example/",
        at: Time(1_700_000_000_123),
        server: Some([93, 184, 216, 34].into()),
        request: b"GET / HTTP/1.1\r\nHost: town.example\r\n\r\n",
        response_head: head,
        body,
        truncated: false,
        metadata,
        packing: Packing::Gzip,
    }
}

/// The records of some members as text.
fn unpack(mut bytes: &[u8]) -> Vec<String> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let mut record = String::new();
        let (_, mut member) = one_member(&mut bytes).unwrap();
        member.read_to_string(&mut record).unwrap();
        drop(member);
        records.push(record.replace("\r\n", "\n"));
    }
    records
}

/// Puts a bundle where a crawl would and reads its response back.
fn write_and_read(bundle: &Bundle) -> Option<ArchivedResponse> {
    let packing = Packing::of(&bundle.bytes).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("warc")).unwrap();
    let mut bytes = warcinfo("locavore-00001.warc.gz", Time(0), packing, &Vec::new());
    let offset = bytes.len() as u64;
    bytes.extend_from_slice(&bundle.bytes);
    std::fs::write(files(dir.path(), packing).path(1), bytes).unwrap();
    let len = bundle.response_len;
    let file = 1;
    read_at(dir.path(), Shelf { file, offset, len }).unwrap()
}

#[test]
fn an_exchange_becomes_three_linked_records() {
    let metadata = [("because", "seed".to_owned())];
    let records = unpack(&Bundle::pack(&exchange(HEAD, b"hello", &metadata)).bytes);
    assert_eq!(
        records.concat(),
        "\
WARC/1.1
WARC-Type: response
WARC-Record-ID: <urn:uuid:20449a2c-41ac-5ff9-8f81-d91861e606d6>
WARC-Date: 2023-11-14T22:13:20.123Z
WARC-Target-URI: http://town.example/
WARC-IP-Address: 93.184.216.34
WARC-Block-Digest: sha1:3XHXHPCSMHLWDJVFHGMYGRYPOBD2V5NW
WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
Content-Type: application/http;msgtype=response
Content-Length: 116

HTTP/1.1 200 OK
X-Archive-Orig-Content-Encoding: gzip
X-Archive-Orig-Content-Length: 3
Content-Length: 5

hello

WARC/1.1
WARC-Type: request
WARC-Record-ID: <urn:uuid:bbc987dd-b50c-54ef-8bcf-21be1dcf70dc>
WARC-Date: 2023-11-14T22:13:20.123Z
WARC-Target-URI: http://town.example/
WARC-IP-Address: 93.184.216.34
WARC-Concurrent-To: <urn:uuid:20449a2c-41ac-5ff9-8f81-d91861e606d6>
WARC-Block-Digest: sha1:5ASWCKGFZD6VS6TSU5P6RTAURD5CV2JH
Content-Type: application/http;msgtype=request
Content-Length: 38

GET / HTTP/1.1
Host: town.example



WARC/1.1
WARC-Type: metadata
WARC-Record-ID: <urn:uuid:5f2652be-136f-5790-adc8-12c433e79405>
WARC-Date: 2023-11-14T22:13:20.123Z
WARC-Target-URI: http://town.example/
WARC-Concurrent-To: <urn:uuid:20449a2c-41ac-5ff9-8f81-d91861e606d6>
WARC-Block-Digest: sha1:6KAMUGVVMTXAKQQYZXBC27W5IBH3TNSB
Content-Type: application/warc-fields
Content-Length: 15

because: seed


"
    );
}

#[test]
fn the_same_exchange_gives_the_same_bytes_and_another_other_ids() {
    let bundle = Bundle::pack(&exchange(HEAD, b"hello", &[]));
    assert_eq!(bundle, Bundle::pack(&exchange(HEAD, b"hello", &[])));
    let id = |bundle: &Bundle| unpack(&bundle.bytes)[0].lines().nth(2).map(str::to_owned);
    let later = Exchange {
        at: Time(1_700_000_000_124),
        ..exchange(HEAD, b"hello", &[])
    };
    assert_ne!(id(&bundle), id(&Bundle::pack(&later)));
    assert_ne!(
        id(&bundle),
        id(&Bundle::pack(&exchange(HEAD, b"hallo", &[])))
    );
}

#[test]
fn a_body_left_out_is_said_in_the_response_only() {
    let exchange = Exchange {
        truncated: true,
        ..exchange(HEAD, b"", &[])
    };
    let bundle = Bundle::pack(&exchange);
    let is_truncated: Vec<_> = unpack(&bundle.bytes)
        .iter()
        .map(|record| record.contains("\nWARC-Truncated: unspecified\n"))
        .collect();
    assert_eq!(is_truncated, [true, false, false]);
    assert_eq!(write_and_read(&bundle).unwrap().body, b"");
}

fn earlier() -> RefersTo {
    RefersTo {
        url: "http://town.example/first".to_owned(),
        at: Time(1_600_000_000_000),
        digest: Some(notation::sha1(b"hello")),
    }
}

#[test]
fn a_copy_becomes_a_revisit_with_its_head_alone() {
    let exchange = exchange(HEAD, b"hello", &[]);
    let bundle = Bundle::pack_revisit(&exchange, &earlier(), Profile::IdenticalPayloadDigest);
    assert_eq!(bundle.digest(), Bundle::pack(&exchange).digest());
    let records = unpack(&bundle.bytes);
    assert_eq!(records.len(), 3);
    assert_eq!(
        records[0],
        "\
WARC/1.1
WARC-Type: revisit
WARC-Record-ID: <urn:uuid:1cfefed1-15e1-5880-9e9e-2a9b8fa081d1>
WARC-Date: 2023-11-14T22:13:20.123Z
WARC-Target-URI: http://town.example/
WARC-IP-Address: 93.184.216.34
WARC-Block-Digest: sha1:YCKCYZIG2LNEI5KD3TS7IU3FF2PINKS2
WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest
WARC-Refers-To-Target-URI: http://town.example/first
WARC-Refers-To-Date: 2020-09-13T12:26:40.000Z
WARC-Truncated: length
Content-Type: application/http;msgtype=response
Content-Length: 111

HTTP/1.1 200 OK
X-Archive-Orig-Content-Encoding: gzip
X-Archive-Orig-Content-Length: 3
Content-Length: 5



"
    );
    let read = write_and_read(&bundle).unwrap();
    assert_eq!((read.status, read.body), (200, Vec::new()));
    assert_eq!(read.refers_to, Some(earlier()));
}

#[test]
fn an_unchanged_page_becomes_a_revisit_that_nothing_was_cut_from() {
    let head = b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n";
    let exchange = exchange(head, b"", &[]);
    let bundle = Bundle::pack_revisit(&exchange, &earlier(), Profile::ServerNotModified);
    let records = unpack(&bundle.bytes);
    assert!(
        records[0].contains(
            "\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\n"
        )
    );
    assert!(!records[0].contains("WARC-Truncated"));
    assert!(!records[0].contains("\nContent-Length: 0\n"), "of no body");
    let read = write_and_read(&bundle).unwrap();
    assert_eq!((read.status, read.refers_to), (304, Some(earlier())));
    assert_eq!(read.head, head);
}

#[test]
fn a_response_is_read_back_with_its_decoded_length() {
    let response = write_and_read(&Bundle::pack(&exchange(HEAD, b"hello", &[]))).unwrap();
    assert_eq!(response.status, 200);
    assert_eq!(response.body, b"hello");
    assert_eq!(
        String::from_utf8(response.head).unwrap(),
        "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Encoding: gzip\r\n\
         X-Archive-Orig-Content-Length: 3\r\nContent-Length: 5\r\n\r\n"
    );
}

#[test]
fn what_is_not_there_is_none_and_no_error() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("warc")).unwrap();
    let shelf = Shelf {
        file: 1,
        offset: 0,
        len: 9,
    };
    assert_eq!(read_at(dir.path(), shelf).unwrap(), None);
    let info = warcinfo(
        "locavore-00001.warc.gz",
        Time(0),
        Packing::Gzip,
        &Vec::new(),
    );
    std::fs::write(files(dir.path(), Packing::Gzip).path(1), &info).unwrap();
    let shelf = Shelf {
        file: 1,
        offset: 0,
        len: info.len() as u32,
    };
    assert_eq!(read_at(dir.path(), shelf).unwrap(), None);
    assert_eq!(
        read_at(
            dir.path(),
            Shelf {
                offset: u64::MAX,
                ..shelf
            }
        )
        .ok()
        .flatten(),
        None
    );
}

/// Bytes of a member that unpacks to nothing, of a given length.
pub(super) fn padding(packing: Packing, len: usize) -> Vec<u8> {
    match packing {
        // An extra field of any length; fields are of 64 KiB at most.
        Packing::Gzip => {
            let gzip = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255];
            let end = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            let n_extra = len - gzip.len() - 2 - end.len();
            let extra = u16::try_from(n_extra).unwrap().to_le_bytes();
            [&gzip[..], &extra, &vec![0; n_extra], &end].concat()
        }
        Packing::Zstd => {
            let n_bytes = u32::try_from(len - 8).unwrap().to_le_bytes();
            [&b"\x50\x2a\x4d\x18"[..], &n_bytes, &vec![0; len - 8]].concat()
        }
    }
}

#[test]
fn members_are_followed_across_the_end_of_a_buffer() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.warc");
    for packing in Packing::ALL {
        for n_bytes in 8186..=8194 {
            let bundle = Bundle::pack(&Exchange {
                packing,
                ..exchange(HEAD, b"hello", &[])
            });
            let bytes = [padding(packing, n_bytes), bundle.bytes].concat();
            std::fs::write(&path, &bytes).unwrap();
            let end = end_of_members(&path, 0).unwrap();
            assert_eq!(end, bytes.len() as u64, "{packing:?} {n_bytes}");
        }
    }
}

#[test]
fn every_file_says_who_wrote_it_and_that_robots_are_obeyed() {
    let [info] = unpack(&warcinfo(
        "locavore-00001.warc.gz",
        Time(0),
        Packing::Gzip,
        &Vec::new(),
    ))
    .try_into()
    .unwrap();
    for line in [
        "WARC-Type: warcinfo",
        "WARC-Date: 1970-01-01T00:00:00.000Z",
        "WARC-Filename: locavore-00001.warc.gz",
        "robots: obey",
    ] {
        assert!(info.contains(line), "{line}");
    }
}

proptest! {
    #[test]
    fn any_body_is_read_back(
        body in prop::collection::vec(any::<u8>(), 0..60_000),
        packing in prop::sample::select(&Packing::ALL),
    ) {
        let exchange = Exchange { packing, ..exchange(HEAD, &body, &[]) };
        let response = write_and_read(&Bundle::pack(&exchange)).unwrap();
        prop_assert_eq!(response.body, body);
    }

    #[test]
    fn any_head_leaves_the_body_alone(
        head in prop::collection::vec(prop::sample::select(b"HT/1 :\r\n\r\n\xffcontent-length".to_vec()), 0..80),
    ) {
        let response = write_and_read(&Bundle::pack(&exchange(&head, b"\r\n\r\nbody", &[]))).unwrap();
        prop_assert_eq!(response.body, b"\r\n\r\nbody");
    }

    #[test]
    fn damaged_members_never_panic(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        packing in prop::sample::select(&Packing::ALL),
    ) {
        let exchange = Exchange { packing, ..exchange(HEAD, b"hello hello", &[]) };
        let mut bundle = Bundle::pack(&exchange);
        let whole = read_member(&bundle.bytes[..bundle.response_len as usize]);
        let at = at.index(bundle.response_len as usize);
        bundle.bytes[at] = byte;
        let read = read_member(&bundle.bytes[..bundle.response_len as usize]);
        prop_assert!(read.is_none() || read == whole);
    }
}
