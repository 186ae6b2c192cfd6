//! MPI itself: the transport between processes, how they find each other, and how they fall together.
//!
//! One thread of each rank calls MPI, the main one. A packet is sent without waiting for the other
//! side; until MPI has it, whatever comes in is taken in. A panic anywhere in a rank aborts the communicator, with
//! a message that names the rank, so that no other rank waits for it for ever. On one machine Open MPI is not left
//! to look for networks.
//!
//! Invariant: no packet is longer than what a C `int` counts.
//! Cost: a probe of MPI at each look for packets.
//! Source: rsmpi; the pitfalls in `docs/mpi.md`.

use std::collections::VecDeque;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

use mpi::environment::Universe;
use mpi::point_to_point::{Destination as _, MatchedReceiveVec as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::{Rank, Tag, Threading};

use crate::messages::Messages;
use crate::transport::Transport;

/// The exit code of a job that has failed.
const FAILED: i32 = 2;

/// All our packets have this tag.
const TAG: Tag = 1;

/// The most bytes of a packet: half of what MPI can count.
const MOST: usize = 1 << 30;

/// This process among the ranks, while it lasts.
pub struct Process {
    universe: Universe,
    neighbours: usize,
}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Process {} of {}", self.rank(), self.size())
    }
}

/// Where all ranks run on one machine, starts this program over with Open MPI's own transport, unless the user has
/// chosen one: Open MPI looks for fast networks otherwise, for 0.2 s, which one machine does not need.
pub fn spare_the_network() {
    let value = |name: &str| std::env::var(name).ok();
    if !is_on_one_machine(value) || std::env::var_os(TRANSPORT).is_some() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Returns only if it fails, and then nothing has changed.
        let _ =
            Command::new(program).args(std::env::args_os().skip(1)).env(TRANSPORT, "ob1").exec();
    }
}

/// Open MPI's parameter for how messages travel.
const TRANSPORT: &str = "OMPI_MCA_pml";

/// Does Open MPI's launcher say that there are several ranks, all of them here?
fn is_on_one_machine(value: impl Fn(&str) -> Option<String>) -> bool {
    let number = |name| value(name).and_then(|text| text.parse::<usize>().ok());
    let (all, here) = (number("OMPI_COMM_WORLD_SIZE"), number("OMPI_COMM_WORLD_LOCAL_SIZE"));
    all.is_some_and(|all| all > 1) && all == here
}

impl Process {
    /// Joins the other ranks. A panic brings all of them down from now on.
    ///
    /// # Errors
    /// With advice, when MPI cannot be used, or the launcher belongs to another MPI.
    pub fn take() -> Result<Process, String> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)
            .ok_or("MPI has been started already in this process")?;
        let world = universe.world();
        if world.size() == 1
            && let Some((name, processes)) = launched()
        {
            let library = mpi::environment::library_version().unwrap_or_default();
            let library = library.split([',', '\n']).next().unwrap_or("an unknown MPI").trim();
            return Err(format!(
                "the launcher started {processes} processes ({name}), but each of them is alone: this program \
                 was built with {library}; start it with that MPI's own mpirun, or under Slurm \
                 with `srun --mpi=pmix`"
            ));
        }
        let neighbours = world.split_shared(world.rank()).size();
        let process = Process { universe, neighbours: usize::try_from(neighbours).unwrap_or(1) };
        fall_together(&process);
        Ok(process)
    }

    /// Which rank this is.
    #[must_use]
    pub fn rank(&self) -> usize {
        usize::try_from(self.universe.world().rank()).unwrap_or(0)
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::try_from(self.universe.world().size()).unwrap_or(1)
    }

    /// How many ranks there are on this machine.
    #[must_use]
    pub fn neighbours(&self) -> usize {
        self.neighbours
    }

    /// The messages of this rank.
    #[must_use]
    pub fn messages(&self) -> Messages {
        Messages::new(Box::new(Line { world: self.universe.world(), arrived: VecDeque::new() }))
    }
}

/// The number of processes that a launcher says it has started, if that is more than one.
fn launched() -> Option<(&'static str, usize)> {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"].into_iter().find_map(|name| {
        let processes = std::env::var(name).ok()?.parse().ok()?;
        (processes > 1).then_some((name, processes))
    })
}

/// The rank that the launcher gave to this process, known before MPI begins; 0 speaks where each is alone.
#[must_use]
pub fn launched_rank() -> u32 {
    let ranks = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"];
    let rank = ranks.into_iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    rank.unwrap_or(0)
}

/// A panic says where it was, and on the main thread ends all ranks at once. On another thread the
/// main one, which looks after all of them, does so within a millisecond.
fn fall_together(process: &Process) {
    let (rank, host) = (process.rank(), mpi::environment::processor_name().unwrap_or_default());
    let main = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("destrier-mpi: rank {rank} on {host} failed, and the job with it: {info}");
        if std::thread::current().id() == main {
            SimpleCommunicator::world().abort(FAILED);
        }
    }));
}

struct Line {
    world: SimpleCommunicator,
    arrived: VecDeque<(usize, Vec<u8>)>,
}

impl Transport for Line {
    fn rank(&self) -> usize {
        usize::try_from(self.world.rank()).unwrap_or(0)
    }

    fn size(&self) -> usize {
        usize::try_from(self.world.size()).unwrap_or(1)
    }

    fn host(&self) -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }

    fn most(&self) -> usize {
        MOST
    }

    fn send(&mut self, to: usize, packet: &[u8]) {
        let Line { world, arrived } = self;
        let to = world.process_at_rank(Rank::try_from(to).expect("ranks are counted by MPI"));
        mpi::request::scope(|scope| {
            let mut request = to.immediate_send_with_tag(scope, packet, TAG);
            let mut tries = 0_u32;
            while let Err(pending) = request.test() {
                request = pending;
                while let Some(packet) = probe(world) {
                    arrived.push_back(packet);
                    tries = 0;
                }
                // The other side may be computing on the same core.
                tries += 1;
                if tries > 64 {
                    std::thread::sleep(Duration::from_micros(50));
                }
            }
        });
    }

    fn poll(&mut self) -> Option<(usize, Vec<u8>)> {
        self.arrived.pop_front().or_else(|| probe(&self.world))
    }

    fn abort(&self) -> ! {
        self.world.abort(FAILED)
    }
}

/// The next packet, if one has arrived.
fn probe(world: &SimpleCommunicator) -> Option<(usize, Vec<u8>)> {
    let any = world.any_process();
    let come = any.immediate_matched_probe_with_tag(TAG)?;
    let (packet, status) = come.matched_receive_vec::<u8>();
    Some((usize::try_from(status.source_rank()).unwrap_or(0), packet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_machine_is_told_by_the_launcher() {
        let told = |all: &'static str, here: &'static str| {
            is_on_one_machine(|name| {
                let value = if name == "OMPI_COMM_WORLD_SIZE" { all } else { here };
                (!value.is_empty()).then(|| value.to_owned())
            })
        };
        assert!(told("2", "2") && told("16", "16"));
        assert!(
            !told("4", "2") && !told("1", "1") && !told("", "") && !told("2", "") && !told("", "2")
        );
    }
}
