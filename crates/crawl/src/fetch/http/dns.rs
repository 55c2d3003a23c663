//! From a name to the addresses that may be connected to.
//!
//! The system's name servers and its hosts file are asked, through a resolver
//! of our own: thousands of lookups wait at once without a thread each, and
//! answers say how long they hold. A name is looked up as it stands; the
//! system's search domains would lead a link to `http://intranet/` inside.
//!
//! Private addresses are taken out before anything is remembered, and a
//! connection goes to the very addresses that were checked.

mod directory;

pub(super) use directory::{Directory, Finding};

use super::budget::{Crowded, Sockets};
use super::outage::Outlook;
use crate::fetch::Territory;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RecordType};
use hickory_resolver::system_conf::read_system_conf;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// For one question to one name server; there are two attempts.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Questions under way at once over one socket to a name server.
const MAX_QUESTIONS: usize = 1024;

/// How long a look-up waits that found no descriptor free.
const NAP: Duration = Duration::from_millis(200);

/// Looks names up, once per name and time to live.
pub(super) struct Names {
    resolver: Option<TokioResolver>,
    directory: Arc<Directory>,
    outlook: Arc<Outlook>,
    sockets: Arc<Sockets>,
}

impl Names {
    /// Asks one name server, or those of the system. Never fails: a machine
    /// without name servers can still reach addresses.
    pub(super) fn new(
        server: Option<SocketAddr>,
        directory: Arc<Directory>,
        outlook: Arc<Outlook>,
        sockets: Arc<Sockets>,
    ) -> Names {
        let (config, options) = match server {
            Some(server) => (only(server), ResolverOpts::default()),
            None => system(),
        };
        let provider = TokioRuntimeProvider::default();
        let resolver = TokioResolver::builder_with_config(config, provider)
            .with_options(tuned(options))
            .build();
        Names {
            resolver: resolver.ok(),
            directory,
            outlook,
            sockets,
        }
    }

    /// Where a host is, from the directory or the name servers.
    pub(super) async fn find(&self, host: &str) -> Result<Finding, Crowded> {
        if let Some(finding) = self.directory.find(host, Instant::now()) {
            return Ok(finding);
        }
        let _berth = self.sockets.look_up().await;
        // Somebody may have found it while others had their turn.
        if let Some(finding) = self.directory.find(host, Instant::now()) {
            return Ok(finding);
        }
        self.look_up(host).await
    }

    /// The same for whoever is going to act on it.
    pub(super) async fn tell(&self, host: &str) -> Result<Finding, Crowded> {
        let finding = self.find(host).await?;
        self.directory.told(host, Instant::now());
        Ok(finding)
    }

    /// Finds out where a host is before that is needed, however long it takes.
    pub(super) async fn find_ahead(&self, host: &str) {
        while self.find(host).await.is_err() {
            sleep(NAP).await;
        }
        self.directory.end(host);
    }

    async fn look_up(&self, host: &str) -> Result<Finding, Crowded> {
        let Some(resolver) = &self.resolver else {
            return Ok(self.directory.enter_failure(host, Finding::NoAnswer));
        };
        let Ok(mut name) = Name::from_ascii(host) else {
            return Ok(self.directory.enter_failure(host, Finding::NoName));
        };
        name.set_fqdn(true);
        let finding = match resolver.lookup_ip(name).await {
            Ok(lookup) => {
                let found: Vec<IpAddr> = lookup.iter().collect();
                self.directory.enter(host, &found, lookup.valid_until())
            }
            Err(error) if is_crowded(&error) => return Err(Crowded),
            Err(error) => self.directory.enter_failure(host, failure(&error)),
        };
        self.outlook.heard_of_name(&finding);
        Ok(finding)
    }

    /// Whether an address may be connected to.
    pub(super) fn admits(&self, ip: IpAddr, territory: Territory) -> bool {
        self.directory.admits(ip, territory)
    }

    /// Whether name servers do not even tell where the root of all names is.
    pub(super) async fn are_silent(&self) -> bool {
        let Some(resolver) = &self.resolver else {
            return true;
        };
        match resolver.lookup(Name::root(), RecordType::NS).await {
            Ok(_) | Err(NetError::Dns(_)) => false,
            // Nobody was asked.
            Err(error) => !is_crowded(&error),
        }
    }
}

fn is_crowded(error: &NetError) -> bool {
    matches!(error, NetError::Io(error) if Crowded::explains(error))
}

/// Whether the name servers know that there is nothing, or could not say.
fn failure(error: &NetError) -> Finding {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(nothing))
            if matches!(
                nothing.response_code,
                ResponseCode::NXDomain | ResponseCode::NoError
            ) =>
        {
            Finding::NoName
        }
        _ => Finding::NoAnswer,
    }
}

fn only(server: SocketAddr) -> ResolverConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = server.port();
        connection
    });
    let server = NameServerConfig::new(server.ip(), true, connections.to_vec());
    ResolverConfig::from_name_servers(vec![server])
}

/// Without a usable configuration the name server is this machine, as the C library has it.
fn system() -> (ResolverConfig, ResolverOpts) {
    let (config, options) = read_system_conf().unwrap_or_default();
    if config.name_servers().is_empty() {
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 53));
        return (only(local), options);
    }
    (config, options)
}

fn tuned(mut options: ResolverOpts) -> ResolverOpts {
    // Where both work nothing is gained by IPv6, and where it is broken every
    // host would cost a timeout.
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.timeout = TIMEOUT;
    options.attempts = 1;
    options.max_active_requests = MAX_QUESTIONS;
    options.try_tcp_on_error = true;
    // The directory remembers.
    options.cache_size = 0;
    options
}
