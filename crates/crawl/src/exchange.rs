//! Hands links from node to node, within one process.
//!
//! Mailboxes are bounded: a full one sends the batch back, and the sender
//! keeps it until the receiver has caught up. The loop delivers before every
//! commit, so a link handed over is in the receiver's frontier by the time
//! the page it stood on is on record.

use crate::frontier::Offer;
use std::collections::VecDeque;
use strategy::roster::NodeId;

/// A batch of links for one node.
pub(crate) struct HandOver {
    pub(crate) to: NodeId,
    pub(crate) offers: Vec<Offer>,
}

/// Batches one mailbox holds at most.
const MAILBOX: usize = 256;

/// All mailboxes of one process.
pub(crate) struct Exchange {
    mailboxes: Vec<VecDeque<Vec<Offer>>>,
    n_waiting: usize,
}

impl Exchange {
    pub(crate) fn new(n_nodes: usize) -> Exchange {
        Exchange {
            mailboxes: (0..n_nodes).map(|_| VecDeque::new()).collect(),
            n_waiting: 0,
        }
    }

    /// Puts a batch into a mailbox, or gives it back when that is full.
    pub(crate) fn send(&mut self, hand_over: HandOver) -> Result<(), HandOver> {
        let mailbox = &mut self.mailboxes[usize::from(hand_over.to.0)];
        if mailbox.len() >= MAILBOX {
            return Err(hand_over);
        }
        mailbox.push_back(hand_over.offers);
        self.n_waiting += 1;
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.n_waiting == 0
    }

    /// The oldest batch of the first node that has one.
    pub(crate) fn receive(&mut self) -> Option<HandOver> {
        if self.n_waiting == 0 {
            return None;
        }
        self.n_waiting -= 1;
        self.mailboxes
            .iter_mut()
            .enumerate()
            .find_map(|(node_idx, mailbox)| {
                let offers = mailbox.pop_front()?;
                Some(HandOver {
                    to: NodeId(node_idx as u16),
                    offers,
                })
            })
    }
}
