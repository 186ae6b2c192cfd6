//! Threads that stand in for ranks: the whole of it runs in one process, for tests.
//!
//! Each rank is a thread with a channel; to send a packet is to put it into the other's channel. What a
//! rank does cannot tell the difference, but for its speed.
//!
//! Invariant: the same as of any transport.
//! Cost: one copy a packet.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::messages::{Kind, Messages};
use crate::transport::Transport;

struct Thread {
    rank: usize,
    most: usize,
    /// Does the news that a rank was halted reach rank 0?
    tells_halts: bool,
    senders: Vec<Sender<(usize, Vec<u8>)>>,
    receiver: Receiver<(usize, Vec<u8>)>,
}

impl Transport for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn host(&self) -> String {
        "threads".to_owned()
    }

    fn most(&self) -> usize {
        self.most
    }

    fn send(&mut self, to: usize, packet: &[u8]) {
        assert!(packet.len() <= self.most, "a packet is no longer than allowed");
        // News of a halt has a kind and no length.
        if !self.tells_halts && to == 0 && packet == [Kind::Halt as u8, 0, 0, 0, 0, 0, 0, 0, 0] {
            return;
        }
        // A rank that has ended hears no more.
        let _ = self.senders[to].send((self.rank, packet.to_vec()));
    }

    fn poll(&mut self) -> Option<(usize, Vec<u8>)> {
        self.receiver.try_recv().ok()
    }

    fn abort(&self) -> ! {
        panic!("rank {} brings all ranks down", self.rank)
    }
}

/// Runs this many threads, each as a rank; gives what each returned.
///
/// # Panics
/// When a rank does.
pub fn ranks_on_threads<R: Send>(ranks: usize, run: impl Fn(Messages) -> R + Sync) -> Vec<R> {
    joined(ranks, usize::MAX, true, run)
}

/// The same where the news that a rank was halted never reaches rank 0, as if it were always overtaken.
///
/// # Panics
/// When a rank does.
pub fn ranks_without_news<R: Send>(ranks: usize, run: impl Fn(Messages) -> R + Sync) -> Vec<R> {
    joined(ranks, usize::MAX, false, run)
}

/// The same with packets of at most this many bytes.
///
/// # Panics
/// When a rank does.
pub fn ranks_with<R: Send>(
    ranks: usize,
    most: usize,
    run: impl Fn(Messages) -> R + Sync,
) -> Vec<R> {
    joined(ranks, most, true, run)
}

fn joined<R: Send>(
    ranks: usize,
    most: usize,
    tells_halts: bool,
    run: impl Fn(Messages) -> R + Sync,
) -> Vec<R> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        let members: Vec<_> = receivers
            .into_iter()
            .enumerate()
            .map(|(rank, receiver)| {
                let senders = senders.clone();
                let transport = Thread { rank, most, tells_halts, senders, receiver };
                let run = &run;
                scope.spawn(move || run(Messages::new(Box::new(transport))))
            })
            .collect();
        members.into_iter().map(|member| member.join().expect("no rank panics")).collect()
    })
}
