//! Messages of any length over packets of a bounded one, and how many there were.
//!
//! A message begins with its kind and its length. What fits goes in one packet; the rest follows in as many as
//! it takes, cut below the 2 GiB that MPI can count. Shares, which exchanges of many bytes use, are set
//! aside by sender, so that a rank which is one round ahead does not disturb the others.
//!
//! Invariant: from each rank, messages come complete and in the order in which they were sent.
//! Cost: nine bytes a message; a long one is not copied to be sent.

use std::collections::VecDeque;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::transport::Transport;

/// What a message is about; its bytes are the sender's and the receiver's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// From rank 0: a job begins.
    Job,
    /// From rank 0: a task of the job.
    Task,
    /// From rank 0: no more tasks.
    Over,
    /// From rank 0: stop at once. To rank 0: a signal asks us to stop.
    Halt,
    /// To rank 0: ready for this many tasks.
    Ready,
    /// To rank 0: a task's answer.
    Answer,
    /// To all: a better bound.
    Bound,
    /// To all: a share of an exchange.
    Share,
    /// From rank 0: the run is over. To rank 0: what it took here.
    Quit,
}

/// The kinds by their numbers.
const KINDS: [Kind; 9] = [
    Kind::Job,
    Kind::Task,
    Kind::Over,
    Kind::Halt,
    Kind::Ready,
    Kind::Answer,
    Kind::Bound,
    Kind::Share,
    Kind::Quit,
];

/// A message that has arrived.
#[derive(Debug)]
pub struct Message {
    /// From whom.
    pub from: usize,
    /// What it is about.
    pub kind: Kind,
    /// What it says.
    pub body: Vec<u8>,
}

impl Message {
    /// Reads what the message says. Ranks run the same program, so it can be read.
    ///
    /// # Panics
    /// When ranks run different programs.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self) -> T {
        postcard::from_bytes(&self.body).unwrap_or_else(|error| {
            let Message { from, kind, .. } = self;
            panic!("rank {from} speaks another language ({kind:?}: {error}); do all ranks run the same program?")
        })
    }
}

/// How much was sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Messages sent.
    pub sent: u64,
    /// Bytes sent, heads of messages included.
    pub bytes_sent: u64,
    /// Messages received.
    pub received: u64,
    /// Bytes received.
    pub bytes_received: u64,
}

/// The messages of a rank, in and out.
pub struct Messages {
    transport: Box<dyn Transport>,
    /// For each rank, the message that is on its way in several packets.
    partial: Vec<Option<(Kind, Vec<u8>, usize)>>,
    received: VecDeque<Message>,
    shares: Vec<VecDeque<Vec<u8>>>,
    traffic: Traffic,
}

impl std::fmt::Debug for Messages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Messages of rank {} of {}", self.rank(), self.size())
    }
}

/// Kind and length.
const HEAD: usize = 9;

/// Longer messages are not copied behind their head.
const SHORT: usize = 1 << 16;

impl Messages {
    /// The messages of a rank.
    ///
    /// # Panics
    /// When a packet is too short for the head of a message.
    #[must_use]
    pub fn new(transport: Box<dyn Transport>) -> Messages {
        assert!(transport.most() >= HEAD, "a packet holds a head");
        let size = transport.size();
        Messages {
            transport,
            partial: (0..size).map(|_| None).collect(),
            received: VecDeque::new(),
            shares: (0..size).map(|_| VecDeque::new()).collect(),
            traffic: Traffic::default(),
        }
    }

    /// Which rank this is.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// The name of the machine.
    #[must_use]
    pub fn host(&self) -> String {
        self.transport.host()
    }

    /// What went through so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// The other ranks.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank();
        (0..self.size()).filter(move |&rank| rank != own)
    }

    /// Brings all ranks down.
    pub fn abort(&self) -> ! {
        self.transport.abort()
    }

    /// Sends a message.
    pub fn send(&mut self, to: usize, kind: Kind, body: &[u8]) {
        self.traffic.sent += 1;
        self.traffic.bytes_sent += (HEAD + body.len()) as u64;
        let mut head = [0; HEAD];
        head[0] = kind as u8;
        head[1..].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let first =
            if body.len() <= SHORT { body.len().min(self.transport.most() - HEAD) } else { 0 };
        let (first, rest) = body.split_at(first);
        if first.is_empty() {
            self.transport.send(to, &head);
        } else {
            self.transport.send(to, &[&head, first].concat());
        }
        for packet in rest.chunks(self.transport.most()) {
            self.transport.send(to, packet);
        }
    }

    /// Sends something that is written down first.
    ///
    /// # Panics
    /// Never: what we send can be written.
    pub fn send_to<T: Serialize>(&mut self, to: usize, kind: Kind, what: &T) {
        self.send(to, kind, &written(what));
    }

    /// Sends the same to all others.
    pub fn send_all<T: Serialize>(&mut self, kind: Kind, what: &T) {
        let body = written(what);
        for to in self.others() {
            self.send(to, kind, &body);
        }
    }

    /// The next message, if one has arrived; shares apart.
    pub fn receive(&mut self) -> Option<Message> {
        self.take_in();
        self.received.pop_front()
    }

    /// The next share from a rank, if it has arrived.
    pub fn share_from(&mut self, from: usize) -> Option<Vec<u8>> {
        self.take_in();
        self.shares[from].pop_front()
    }

    fn take_in(&mut self) {
        while let Some((from, packet)) = self.transport.poll() {
            let (kind, body, length) = match self.partial[from].take() {
                // A long message comes in one packet behind its head, which is not copied again.
                Some((kind, body, length)) if body.is_empty() && packet.len() == length => {
                    (kind, packet, length)
                }
                Some((kind, mut body, length)) => {
                    body.reserve_exact(length - body.len());
                    body.extend_from_slice(&packet);
                    (kind, body, length)
                }
                None => {
                    let length = packet[1..HEAD].try_into().map_or(0, u64::from_le_bytes);
                    let length = usize::try_from(length).expect("a message fits the memory");
                    let kind = KINDS[usize::from(packet[0])];
                    (kind, packet[HEAD..].to_vec(), length)
                }
            };
            if body.len() < length {
                self.partial[from] = Some((kind, body, length));
                continue;
            }
            self.traffic.received += 1;
            self.traffic.bytes_received += (HEAD + length) as u64;
            if kind == Kind::Share {
                self.shares[from].push_back(body);
            } else {
                self.received.push_back(Message { from, kind, body });
            }
        }
    }
}

fn written<T: Serialize>(what: &T) -> Vec<u8> {
    postcard::to_stdvec(what).expect("our messages can be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::ranks_with;

    #[test]
    fn kinds_are_read_as_they_are_sent() {
        for (number, kind) in (0..).zip(KINDS) {
            assert_eq!(kind as u8, number);
        }
    }

    #[test]
    fn long_messages_are_cut_and_put_together_again() {
        for most in [HEAD, HEAD + 1, 16, 1000, 1 << 20] {
            let lengths = [0, 1, 7, 8, 1000, 70_000, 200_001];
            ranks_with(3, most, |mut messages| {
                let rank = messages.rank();
                let body = |rank: usize, length: usize| -> Vec<u8> {
                    (0..length)
                        .map(|at| u8::try_from((at * 31 + rank * 7) % 251).unwrap_or(0))
                        .collect()
                };
                for to in messages.others() {
                    for length in lengths {
                        messages.send(to, Kind::Answer, &body(rank, length));
                        messages.send(to, Kind::Share, &body(rank + 100, length));
                    }
                }
                let mut seen = vec![0; messages.size()];
                while seen.iter().sum::<usize>() < 2 * lengths.len() {
                    if let Some(message) = messages.receive() {
                        let length = lengths[seen[message.from]];
                        assert_eq!(message.body, body(message.from, length));
                        seen[message.from] += 1;
                    }
                }
                for from in messages.others() {
                    for length in lengths {
                        let share_from = loop {
                            if let Some(share) = messages.share_from(from) {
                                break share;
                            }
                        };
                        assert_eq!(share_from, body(from + 100, length));
                    }
                }
                assert_eq!(messages.traffic().sent, 4 * lengths.len() as u64);
                assert_eq!(messages.traffic().bytes_sent, messages.traffic().bytes_received);
            });
        }
    }
}
