//! What ranks are joined by: packets of bytes, from one rank to another.
//!
//! All that the rest asks of MPI is here: who am I, how many are we, send a packet, look for one, bring
//! everything down. MPI is one transport, threads that stand in for ranks are another, so every
//! protocol is tested without MPI, and used with it, as it is written.
//!
//! Invariant: packets from one rank to another arrive complete and in the order in which they were posted.
//! Cost: that of the transport.

/// The way of a rank to the others. One thread of the rank has it.
pub trait Transport {
    /// Which rank this is, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// The name of the machine.
    fn host(&self) -> String;

    /// The most bytes of a packet: MPI counts them with a C `int`.
    fn most(&self) -> usize;

    /// Posts a packet. It may wait for the other rank to take it, and takes in what comes meanwhile, so
    /// two ranks that send to each other do not wait for ever.
    fn send(&mut self, to: usize, packet: &[u8]);

    /// The next packet that has arrived, and from whom; nothing if there is none just now.
    fn poll(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Ends all ranks at once: something has failed here, and has been said.
    fn abort(&self) -> !;
}
