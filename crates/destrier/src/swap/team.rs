//! The processes that share a search from both ends, or this one alone.
//!
//! Each position belongs to the process that its hash names. Layers are expanded where their positions are; what comes
//! of it goes to its owners. Whatever decides how the search goes on (is a layer empty, is the memory used up, is the
//! time up, have the sides met) is asked of all, so that all do the same.
//!
//! Invariant: all processes of a team make the same calls in the same order.
//! Cost: three messages to each other process for every batch of positions, and the positions themselves.
//! Source: hash-distributed search (Evett, Hendler, Mahanti and Nau 1995; Kishimoto, Fukunaga and Botea 2009).

use super::key::Key;
use super::sorted::Failure;
use crate::run::share::Peers;
use crate::run::watch::Halt;

/// The processes that share a search.
#[derive(Default)]
pub(super) struct Team<'p>(Option<&'p mut dyn Peers>);

impl<'p> Team<'p> {
    /// With these peers.
    pub(super) fn of(peers: &'p mut dyn Peers) -> Self {
        Self(Some(peers))
    }

    /// Is there only this process?
    pub(super) fn is_alone(&self) -> bool {
        self.0.is_none()
    }

    /// Does this process speak for all?
    pub(super) fn is_first(&self) -> bool {
        self.0.as_ref().is_none_or(|peers| peers.rank() == 0)
    }

    /// Does the position with this hash belong to this process?
    pub(super) fn owns(&self, hash: u64) -> bool {
        self.0.as_ref().is_none_or(|peers| owner(hash, peers.size()) == peers.rank())
    }

    /// The numbers of all, in order of rank.
    fn numbers(&mut self, own: Option<u64>) -> Vec<Option<u64>> {
        let Some(peers) = &mut self.0 else { return vec![own] };
        let own = own.map_or(Vec::new(), |own| own.to_le_bytes().to_vec());
        let number = |share: Vec<u8>| share.try_into().map(u64::from_le_bytes).ok();
        peers.share(own).into_iter().map(number).collect()
    }

    /// The sum over all.
    pub(super) fn sum(&mut self, own: u64) -> u64 {
        self.numbers(Some(own)).into_iter().flatten().sum()
    }

    /// Is it so anywhere?
    pub(super) fn any(&mut self, here: bool) -> bool {
        self.sum(u64::from(here)) > 0
    }

    /// The least of what there is.
    pub(super) fn least(&mut self, own: Option<u16>) -> Option<u16> {
        let least = self.numbers(own.map(u64::from)).into_iter().flatten().min();
        least.and_then(|least| u16::try_from(least).ok())
    }

    /// The least of the numbers of all; `None` where one has none.
    pub(super) fn least_of_all(&mut self, own: Option<u64>) -> Option<u64> {
        self.numbers(own).into_iter().min().flatten()
    }

    /// The greatest of the numbers of all.
    pub(super) fn greatest(&mut self, own: u16) -> u16 {
        self.least(Some(u16::MAX - own)).map_or(own, |least| u16::MAX - least)
    }

    /// The first position that one of them has.
    pub(super) fn first<K: Key>(&mut self, own: Option<K>) -> Option<K> {
        let Some(peers) = &mut self.0 else { return own };
        let mut bytes = Vec::new();
        if let Some(own) = own {
            own.write(&mut bytes);
        }
        peers.share(bytes).iter().find_map(|share| read(share).next())
    }

    /// A halt anywhere is a halt for all.
    pub(super) fn agreed<T>(&mut self, result: Result<T, Halt>) -> Result<T, Halt> {
        // Ranks that are told to stop because another has stopped say that they were asked to.
        const WHY: [Halt; 5] =
            [Halt::Deadline, Halt::Nodes, Halt::GaveUp, Halt::Memory, Halt::Asked];
        if self.is_alone() {
            return result;
        }
        let own = result.as_ref().err().and_then(|halt| WHY.iter().position(|why| why == halt));
        let own = own.and_then(|number| u16::try_from(number).ok());
        let halt = self.least(own).and_then(|number| WHY.get(usize::from(number)).copied());
        halt.map_or(result, Err)
    }

    /// The same for work with files, whose failures keep their names where they happen.
    pub(super) fn agreed_in_files<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        let own = match &result {
            Ok(_) => Ok(()),
            Err(Failure::Halt(halt)) => Err(*halt),
            Err(Failure::File(..)) => Err(Halt::Memory),
        };
        let all = self.agreed(own);
        let result = result?;
        all?;
        Ok(result)
    }

    /// Sends positions to their owners, and gets those that belong here.
    pub(super) fn deal<K: Key>(&mut self, keys: impl Iterator<Item = K>) -> Vec<K> {
        let Some(peers) = &mut self.0 else { return keys.collect() };
        let mut shares = vec![Vec::new(); peers.size()];
        for key in keys {
            key.write(&mut shares[owner(key.mix(), peers.size())]);
        }
        peers.exchange(shares).iter().flat_map(|share| read(share)).collect()
    }
}

/// The process that the position with this hash belongs to. Shards and slots are named by other bits.
fn owner(hash: u64, size: usize) -> usize {
    usize::try_from((hash >> 24 & 0xFFFF_FFFF) % size as u64).expect("less than the size")
}

fn read<K: Key>(bytes: &[u8]) -> impl Iterator<Item = K> + '_ {
    bytes.chunks_exact(K::BYTES).map(K::read)
}
