//! Names under which this machine may be asked.
//!
//! A page from elsewhere whose name was made to mean this machine is read by a
//! browser as if it were ours. It still sends its own name.

use std::net::SocketAddr;

/// Names by which this machine calls itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether a `Host` header means who listens on this address.
pub(crate) fn is_own(host: &str, address: SocketAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let is_own = OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(name));
    is_own || host == address.to_string()
}

/// What is said to others.
pub(crate) fn refusal(host: &str, address: SocketAddr) -> String {
    format!("`{host}` is not a name of this machine: ask for `{address}`")
}
