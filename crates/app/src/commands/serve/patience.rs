//! A connection that is closed when what is sent to it is not taken.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// So long a reader may take for the next part of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of that part. Less than this is taken at once on any connection.
const PART: usize = 256 << 10;

/// Reads and writes as the stream below, but waits for nobody for ever.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Runs while the other side does not take what is written.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Bytes taken since it runs.
    n_taken: usize,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S) -> Patient<S> {
        Patient::with(stream, PATIENCE)
    }

    fn with(stream: S, patience: Duration) -> Patient<S> {
        Patient {
            stream,
            patience,
            waiting: None,
            n_taken: 0,
        }
    }

    fn judge(
        &mut self,
        written: Poll<io::Result<usize>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(n_bytes)) => {
                self.n_taken += n_bytes;
                if self.n_taken >= PART {
                    self.rest();
                }
                written
            }
            Poll::Ready(Err(_)) => written,
            Poll::Pending => {
                let patience = self.patience;
                let waiting = self
                    .waiting
                    .get_or_insert_with(|| Box::pin(sleep(patience)));
                ready!(waiting.as_mut().poll(cx));
                Poll::Ready(Err(ErrorKind::TimedOut.into()))
            }
        }
    }

    /// Everything so far was taken.
    fn rest(&mut self) {
        self.waiting = None;
        self.n_taken = 0;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.judge(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Comes after the last byte of what there was to write.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if flushed.is_ready() {
            self.rest();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::io::Read;
    use std::net::{TcpListener, TcpStream};

    /// Writes so many bytes to the other end of a real socket.
    fn write(n_bytes: usize, here: TcpStream) -> io::Result<()> {
        here.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let stream = tokio::net::TcpStream::from_std(here)?;
            let mut patient = Patient::with(stream, Duration::from_millis(300));
            let mut left = n_bytes;
            while left > 0 {
                let part = vec![0; left.min(1 << 16)];
                left -= poll_fn(|cx| Pin::new(&mut patient).poll_write(cx, &part)).await?;
            }
            Ok(())
        })
    }

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (listener.accept().unwrap().0, there)
    }

    #[test]
    fn who_reads_is_waited_for_and_who_does_not_is_hung_up_on() {
        let (here, mut there) = pair();
        let reading = std::thread::spawn(move || there.read_to_end(&mut Vec::new()));
        write(32 << 20, here).unwrap();
        assert_eq!(reading.join().unwrap().unwrap(), 32 << 20);
        let (here, _there) = pair();
        let never = write(32 << 20, here).unwrap_err();
        assert_eq!(never.kind(), ErrorKind::TimedOut);
    }
}
