//! Threads that stand in for ranks: the whole of it runs in one process, for tests.
//!
//! Each rank is a thread with a channel; to post a packet is to put it into the other's channel. What a
//! rank does cannot tell the difference, but for its speed.
//!
//! Invariant: the same as of any wire.
//! Cost: one copy a packet.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::post::Post;
use crate::wire::Wire;

struct Thread {
    rank: usize,
    most: usize,
    doors: Vec<Sender<(usize, Vec<u8>)>>,
    inbox: Receiver<(usize, Vec<u8>)>,
}

impl Wire for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.doors.len()
    }

    fn host(&self) -> String {
        "threads".to_owned()
    }

    fn most(&self) -> usize {
        self.most
    }

    fn post(&mut self, to: usize, packet: &[u8]) {
        assert!(packet.len() <= self.most, "a packet is no longer than allowed");
        // A rank that has ended hears no more.
        let _ = self.doors[to].send((self.rank, packet.to_vec()));
    }

    fn poll(&mut self) -> Option<(usize, Vec<u8>)> {
        self.inbox.try_recv().ok()
    }

    fn abort(&self) -> ! {
        panic!("rank {} brings the team down", self.rank)
    }
}

/// Runs a team of threads, each as a rank; gives what each returned.
///
/// # Panics
/// When a rank does.
pub fn team<R: Send>(ranks: usize, run: impl Fn(Post) -> R + Sync) -> Vec<R> {
    team_with(ranks, usize::MAX, run)
}

/// The same with packets of at most so many bytes.
///
/// # Panics
/// When a rank does.
pub fn team_with<R: Send>(ranks: usize, most: usize, run: impl Fn(Post) -> R + Sync) -> Vec<R> {
    let (doors, inboxes): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        let members: Vec<_> = inboxes
            .into_iter()
            .enumerate()
            .map(|(rank, inbox)| {
                let wire = Thread { rank, most, doors: doors.clone(), inbox };
                let run = &run;
                scope.spawn(move || run(Post::new(Box::new(wire))))
            })
            .collect();
        members.into_iter().map(|member| member.join().expect("no rank panics")).collect()
    })
}
