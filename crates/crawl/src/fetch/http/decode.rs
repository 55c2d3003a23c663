//! Undoes how a body was compressed for the way, piece by piece and never without bounds.
//!
//! A few kilobytes can unpack to gigabytes, so what comes out is limited in
//! size and in proportion to what went in. And servers lie: some name an
//! encoding and send plain text, which is noticed by its first bytes and taken
//! as it is.
//!
//! A stream that breaks off or turns bad keeps what was decoded until then,
//! as browsers show it: the server packs the same page the same way the next
//! time. Only when nothing at all came out is it an error.

mod brotli;
mod inflate;
mod zstd;

use brotli::Brotli;
use inflate::Inflate;
use zstd::Zstd;

/// Up to here anything goes: no page of a few kilobytes is worth a doubt.
const FREE: usize = 1 << 20;

/// Beyond that, how many bytes may come out of one. Pages compress to a tenth
/// or a twentieth, tables of zeros in HTML to a fiftieth.
const MAX_RATIO: usize = 100;

/// A body compressed twice happens where a server packs packed files; more is an attack.
const MAX_LAYERS: usize = 2;

/// Bytes that are needed to tell compressed from plain.
const MIN_START: usize = 16;

/// Why decoding has to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// More comes out than may.
    TooMuch,
    /// What goes in makes no sense; which encoding it should have been.
    Corrupt(&'static str),
    /// Too many encodings on top of each other.
    TooDeep,
}

/// One way of compressing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Undoes one encoding.
enum Layer {
    Inflate(Inflate),
    Brotli(Box<Brotli>),
    Zstd(Box<Zstd>),
}

/// What comes out of a layer, and how much may.
#[derive(Debug, Default)]
struct Sink {
    bytes: Vec<u8>,
    limit: usize,
}

/// A body on its way in.
pub(super) struct Decoder {
    /// Outermost first, as they are to be undone.
    encodings: Vec<Encoding>,
    /// Chosen when the first bytes are there; empty for a plain body.
    layers: Option<Vec<Layer>>,
    /// The first bytes, until there are enough of them.
    start: Vec<u8>,
    n_in: usize,
    /// What has gone from one layer to the next.
    n_between: usize,
    max: usize,
    sink: Sink,
}

/// Whether a value of `Content-Encoding` names an encoding that a [`Decoder`] undoes.
pub(super) fn is_undone(value: &str) -> bool {
    let mut tokens = value.split(',');
    tokens.any(|token| Encoding::parse(token.trim()).is_some())
}

impl Decoder {
    /// Decodes what the values of `Content-Encoding` say, up to `max` bytes.
    /// `len` is how many are announced.
    pub(super) fn new<'a>(
        values: impl Iterator<Item = &'a str>,
        max: usize,
        len: usize,
    ) -> Result<Decoder, Trouble> {
        let mut encodings: Vec<Encoding> = values
            .flat_map(|value| value.split(','))
            .filter_map(|token| Encoding::parse(token.trim()))
            .collect();
        if encodings.len() > MAX_LAYERS {
            return Err(Trouble::TooDeep);
        }
        // Listed in the order in which they were applied.
        encodings.reverse();
        let layers = encodings.is_empty().then(Vec::new);
        let expected = if encodings.is_empty() { len } else { 4 * len };
        let sink = Sink {
            bytes: Vec::with_capacity(expected.min(max).min(FREE)),
            limit: max,
        };
        Ok(Decoder {
            encodings,
            layers,
            start: Vec::new(),
            n_in: 0,
            n_between: 0,
            max,
            sink,
        })
    }

    /// Takes the next piece of the body. After trouble nothing more is taken.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<(), Trouble> {
        self.n_in += piece.len();
        self.sink.limit = self.max.min(FREE.max(self.n_in.saturating_mul(MAX_RATIO)));
        if self.layers.is_some() {
            return self.decode(piece);
        }
        self.start.extend_from_slice(piece);
        if self.start.len() < MIN_START {
            return Ok(());
        }
        self.begin()
    }

    /// The end of the body.
    pub(super) fn finish(&mut self) -> Result<(), Trouble> {
        if self.layers.is_none() && !self.start.is_empty() {
            self.begin()?;
        }
        let layers = self.layers.iter().flatten();
        let unfinished = layers
            .zip(&self.encodings)
            .find(|(layer, _)| !layer.is_done());
        match unfinished {
            Some((_, encoding)) => Err(Trouble::Corrupt(encoding.name())),
            None => Ok(()),
        }
    }

    /// What has come out so far, never more than the most.
    pub(super) fn decoded(&self) -> &[u8] {
        let end = self.sink.bytes.len().min(self.max);
        &self.sink.bytes[..end]
    }

    /// What has come out.
    pub(super) fn into_decoded(mut self) -> Vec<u8> {
        self.sink.bytes.truncate(self.max);
        self.sink.bytes
    }

    fn begin(&mut self) -> Result<(), Trouble> {
        let start = std::mem::take(&mut self.start);
        // Inner layers are believed if the outer one is: their bytes are not here yet.
        let is_encoded = self
            .encodings
            .first()
            .is_some_and(|encoding| encoding.may_begin_with(&start));
        let layers = match is_encoded {
            true => self
                .encodings
                .iter()
                .enumerate()
                .map(|(nth, &encoding)| Layer::new(encoding, if nth == 0 { &start } else { &[] }))
                .collect(),
            false => Vec::new(),
        };
        self.layers = Some(layers);
        self.decode(&start)
    }

    fn decode(&mut self, piece: &[u8]) -> Result<(), Trouble> {
        let (layers, sink) = (
            self.layers.as_deref_mut().unwrap_or_default(),
            &mut self.sink,
        );
        match layers {
            [] => sink.put(piece),
            [layer] => layer.push(piece, sink),
            [outer, inner, ..] => {
                // All pieces count together: the inner layer may read without
                // end and give nothing.
                let mut between = Sink {
                    bytes: Vec::new(),
                    limit: sink.limit.saturating_sub(self.n_between),
                };
                // What came through before the trouble is still good.
                let trouble = outer.push(piece, &mut between);
                self.n_between += between.bytes.len();
                inner.push(&between.bytes, sink)?;
                trouble
            }
        }
    }
}

impl Encoding {
    /// Names that are no encoding, such as `utf-8` or `none`, say nothing.
    fn parse(token: &str) -> Option<Encoding> {
        let known = [
            ("gzip", Encoding::Gzip),
            ("x-gzip", Encoding::Gzip),
            ("deflate", Encoding::Deflate),
            ("br", Encoding::Brotli),
            ("zstd", Encoding::Zstd),
        ];
        let found = known
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(token));
        found.map(|(_, encoding)| encoding)
    }

    fn name(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip",
            Encoding::Deflate => "deflate",
            Encoding::Brotli => "br",
            Encoding::Zstd => "zstd",
        }
    }

    /// Whether a body with this start can be so encoded. Where there is no
    /// signature, sixteen bytes of plain ASCII are proof enough against it.
    fn may_begin_with(self, start: &[u8]) -> bool {
        match self {
            Encoding::Gzip => inflate::is_gzip(start),
            Encoding::Zstd => zstd::is_zstd(start),
            Encoding::Deflate | Encoding::Brotli => {
                let is_ascii = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
                let start = &start[..start.len().min(MIN_START)];
                start.len() < 4 || !start.iter().all(is_ascii)
            }
        }
    }
}

impl Layer {
    fn new(encoding: Encoding, start: &[u8]) -> Layer {
        match encoding {
            Encoding::Gzip => Layer::Inflate(Inflate::gzip()),
            Encoding::Deflate => Layer::Inflate(Inflate::deflate(start)),
            Encoding::Brotli => Layer::Brotli(Box::default()),
            Encoding::Zstd => Layer::Zstd(Box::default()),
        }
    }

    fn push(&mut self, piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        match self {
            Layer::Inflate(layer) => layer.push(piece, sink),
            Layer::Brotli(layer) => layer.push(piece, sink),
            Layer::Zstd(layer) => layer.push(piece, sink),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Layer::Inflate(layer) => layer.is_done(),
            Layer::Brotli(layer) => layer.is_done(),
            Layer::Zstd(layer) => layer.is_done(),
        }
    }
}

impl Sink {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        // One byte beyond the limit is enough to show that there is more.
        let room = (self.limit + 1).saturating_sub(self.bytes.len());
        let taken = &bytes[..bytes.len().min(room)];
        self.bytes.extend_from_slice(taken);
        self.check()
    }

    fn check(&self) -> Result<(), Trouble> {
        if self.bytes.len() > self.limit {
            return Err(Trouble::TooMuch);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
