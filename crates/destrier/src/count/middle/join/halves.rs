//! Two halves ready to be joined, all at once or some buckets at a time.
//!
//! If both halves fit the memory they are read and joined in one go. Else their buckets are put together in groups,
//! two of which fit the memory once they are laid; mirror images are laid together group by group, and then every
//! group of the one half is met with every group of the other. A final pattern draws on one group only,
//! and so does its counterpart: each pair is joined when its two groups are in memory.
//!
//! Invariant: each pair of patterns is joined once, whatever the groups.
//! Cost: with k groups each is read (k + 1) / 2 times on the average.
//! Source: the block nested loop joins of databases.

use std::ops::Range;

use crate::count::middle::half::collector::{Bucket, Collector};
use crate::count::middle::join::kept::{Kept, Layout};
use crate::count::middle::join::link::{Linker, bound};
use crate::count::middle::join::pair::{Joined, Pair, Symmetries, join_all, pairs_of};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::report::Report;
use crate::count::middle::storage::pages::{Charge, Item, Store, Writer};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// What a half has left, bucket by bucket.
#[derive(Debug)]
pub(in crate::count::middle) struct Shelving {
    layout: Layout,
    buckets: Vec<Bucket>,
}

impl Shelving {
    /// Puts the harvests of all threads together; nothing if a count was too large to be kept.
    pub(in crate::count::middle) fn new(
        layout: Layout,
        harvests: Vec<Collector<'_>>,
    ) -> Result<Option<Shelving>, Halt> {
        let mut buckets: Vec<Bucket> = Vec::new();
        for collector in harvests {
            let Some(more) = collector.into_buckets()? else { return Ok(None) };
            buckets.resize_with(more.len(), Bucket::default);
            buckets.iter_mut().zip(more).for_each(|(bucket, more)| bucket.append(more));
        }
        Ok(Some(Shelving { layout, buckets }))
    }

    /// What each of so many buckets, or of those that go together there, costs to read and to lay.
    pub(in crate::count::middle) fn loads(&self, buckets: usize) -> Vec<u64> {
        let mut loads = vec![0; buckets];
        for (at, bucket) in self.buckets.iter().enumerate() {
            loads[at & (buckets - 1)] += cost(bucket);
        }
        loads
    }

    /// The bytes that it takes to write all buckets.
    pub(in crate::count::middle) fn written_size(&self) -> u64 {
        self.buckets.iter().map(|bucket| (24 + bucket.list.len() * size_of::<Item>()) as u64).sum()
    }

    /// Writes the buckets of others to their shares, and keeps its own.
    pub(in crate::count::middle) fn give(
        &mut self,
        owners: &[usize],
        own: usize,
        shares: &mut [Vec<u8>],
        store: &Store,
    ) -> Result<(), Halt> {
        for (at, bucket) in std::mem::take(&mut self.buckets).into_iter().enumerate() {
            let to = owners[at & (owners.len() - 1)];
            if to == own {
                self.buckets.push(bucket);
                continue;
            }
            for number in [bucket.entries, bucket.patterns, bucket.list.len()] {
                shares[to].extend_from_slice(&(number as u64).to_le_bytes());
            }
            for page in bucket.list.into_pages() {
                let page = store.take(page)?;
                shares[to].extend_from_slice(bytemuck::cast_slice(&page));
                store.give_back(page);
            }
        }
        Ok(())
    }

    /// Adds the buckets that another process wrote.
    pub(in crate::count::middle) fn take(
        &mut self,
        mut bytes: &[u8],
        store: &Store,
    ) -> Result<(), Halt> {
        while let Some((head, rest)) = bytes.split_first_chunk::<24>() {
            let numbers = head.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number));
            let mut numbers = numbers.map(|number| usize::try_from(number).expect("in memory"));
            let mut number = || numbers.next().expect("three numbers");
            let (entries, patterns, length) = (number(), number(), number());
            let (items, rest) = rest.split_at(length * size_of::<Item>());
            let mut writer = Writer::default();
            for item in items.as_chunks().0 {
                writer.push(Item::from_ne_bytes(*item), store)?;
            }
            self.buckets.push(Bucket { list: writer.finish(store)?, entries, patterns });
            bytes = rest;
        }
        Ok(())
    }

    /// Reads all buckets, and lays mirror images together.
    pub(in crate::count::middle) fn laid(self, store: &Store) -> Result<Kept, Halt> {
        Kept::read(self.layout, self.buckets, store)
    }

    fn held(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.list.held()).sum()
    }

    fn cost(&self) -> u64 {
        self.buckets.iter().map(cost).sum()
    }

    /// The buckets in groups, none of which costs more than this.
    fn grouped(self, most: u64, store: &Store) -> Result<Vec<Group>, Halt> {
        let mut groups: Vec<(u64, Vec<Bucket>)> = Vec::new();
        for mut bucket in self.buckets {
            store.send_away(&mut bucket.list)?;
            let bytes = cost(&bucket);
            if bytes > most {
                return Err(Halt::Memory);
            }
            match groups.last_mut() {
                Some((sum, buckets)) if *sum + bytes <= most => {
                    *sum += bytes;
                    buckets.push(bucket);
                }
                _ => groups.push((bytes, vec![bucket])),
            }
        }
        let layout = self.layout;
        let laid = groups.into_iter().map(|(bytes, buckets)| {
            let _charge = store.charge(bytes)?;
            let bucket = Kept::read(layout, buckets, store)?.write(store)?;
            Ok(Group { layout, bucket })
        });
        laid.collect()
    }
}

/// The bytes that reading a bucket and laying mirror images together takes: an entry and its image, a pattern's
/// places in the lists, and the patterns that links make of it.
fn cost(bucket: &Bucket) -> u64 {
    16 * bucket.entries as u64 + 300 * bucket.patterns as u64
}

/// Some buckets with mirror images laid together, in the scratch file.
#[derive(Debug)]
struct Group {
    layout: Layout,
    bucket: Bucket,
}

/// A half, or a group of one, in memory, and the patterns that can come of it.
#[derive(Debug)]
pub(in crate::count::middle) struct Loaded<'s> {
    kept: Kept,
    reachable: Vec<Pattern>,
    _charge: Charge<'s>,
}

impl<'s> Loaded<'s> {
    pub(in crate::count::middle) fn new(
        kept: Kept,
        links: &[(usize, usize)],
        store: &'s Store,
    ) -> Loaded<'s> {
        let kept = kept.indexed();
        let reachable = Linker::new(&kept, links).reachable();
        let bytes = kept.bytes() + (reachable.capacity() * size_of::<Pattern>()) as u64;
        Loaded { kept, reachable, _charge: store.charge_anyway(bytes) }
    }

    fn whole(
        shelving: Shelving,
        links: &[(usize, usize)],
        store: &'s Store,
    ) -> Result<Loaded<'s>, Halt> {
        let kept = Kept::read(shelving.layout, shelving.buckets, store)?;
        Ok(Loaded::new(kept, links, store))
    }

    /// How many entries it has.
    pub(in crate::count::middle) fn len(&self) -> usize {
        self.kept.len()
    }

    /// How many patterns can come of it.
    pub(in crate::count::middle) fn patterns(&self) -> usize {
        self.reachable.len()
    }

    fn again(
        group: &Group,
        links: &[(usize, usize)],
        store: &'s Store,
    ) -> Result<Loaded<'s>, Halt> {
        let kept = Kept::read_again(group.layout, &group.bucket, store)?;
        Ok(Loaded::new(kept, links, store))
    }
}

/// The two halves of a slice; the lower one is left out where it is the upper one upside down.
#[derive(Debug)]
pub(in crate::count::middle) struct Halves<'a> {
    pub(in crate::count::middle) top: Shelving,
    pub(in crate::count::middle) bottom: Option<Shelving>,
    pub(in crate::count::middle) links: &'a [(usize, usize)],
    pub(in crate::count::middle) symmetries: Symmetries,
    pub(in crate::count::middle) store: &'a Store,
}

impl Halves<'_> {
    /// Joins all wanted pairs. Nothing if 128 bits cannot hold a pair's sum.
    pub(in crate::count::middle) fn join(
        self,
        is_wanted: impl Fn(Pattern) -> bool + Sync,
        (report, watch): (Report, &Watch),
    ) -> Result<Option<Joined>, Halt> {
        let Halves { top, bottom, links, symmetries, store } = self;
        store.trim();
        let held = top.held() + bottom.as_ref().map_or(0, Shelving::held);
        let room = (store.left() + held).min(store.limit());
        let needs = top.cost() + bottom.as_ref().map_or(0, Shelving::cost);
        let table = Table { links: links.to_vec(), symmetries };
        if needs <= room {
            let upper = Loaded::whole(top, links, store)?;
            let lower = bottom.map(|half| Loaded::whole(half, links, store)).transpose()?;
            let below = lower.as_ref().unwrap_or(&upper);
            let joined = table.meet(&upper, below, &is_wanted, (report, watch))?;
            let kept = upper.len() + lower.as_ref().map_or(0, Loaded::len);
            return Ok(joined.map(|joined| Joined { kept: kept as u64, ..joined }));
        }
        // A group is laid by itself; then it takes less than half of that, and two are met.
        let most = room / 5 * 3;
        let upper = top.grouped(most, store)?;
        let lower = bottom.map(|half| half.grouped(most, store)).transpose()?;
        table.meet_groups(&upper, lower.as_deref(), store, &is_wanted, (report, watch))
    }
}

/// How halves, or groups of them, are met.
#[derive(Debug)]
pub(in crate::count::middle) struct Table {
    pub(in crate::count::middle) links: Vec<(usize, usize)>,
    pub(in crate::count::middle) symmetries: Symmetries,
}

impl Table {
    /// Meets all groups with all groups.
    fn meet_groups(
        &self,
        upper: &[Group],
        lower: Option<&[Group]>,
        store: &Store,
        is_wanted: &(impl Fn(Pattern) -> bool + Sync),
        (report, watch): (Report, &Watch),
    ) -> Result<Option<Joined>, Halt> {
        let load = |group: &Group| Loaded::again(group, &self.links, store);
        let groups = upper.iter().chain(lower.into_iter().flatten());
        let kept = groups.map(|group| group.bucket.entries as u64).sum();
        let mut sum = Joined { kept, ..Joined::default() };
        let count = |one: usize| lower.map_or(upper.len() - one, <[Group]>::len);
        let meetings: usize = (0..upper.len()).map(count).sum();
        let mut met = 0;
        for (one, group) in upper.iter().enumerate() {
            let above = load(group)?;
            for other in 0..count(one) {
                let telling = (report.stretch(met, meetings), watch);
                met += 1;
                let below = match lower {
                    Some(lower) => Some(load(&lower[other])?),
                    None if other > 0 => Some(load(&upper[one + other])?),
                    None => None, // a group with itself
                };
                let mut joined = vec![self.meet(
                    &above,
                    below.as_ref().unwrap_or(&above),
                    is_wanted,
                    telling,
                )?];
                if let Some(below) = below.filter(|_| lower.is_none()) {
                    joined.push(self.meet(&below, &above, is_wanted, telling)?);
                }
                for joined in joined {
                    let Some(joined) = joined else { return Ok(None) };
                    sum.sum += joined.sum;
                    sum.pairs += joined.pairs;
                }
            }
        }
        Ok(Some(sum))
    }

    /// Joins the pairs whose upper pattern comes from the one and whose lower pattern from the other.
    fn meet(
        &self,
        upper: &Loaded<'_>,
        lower: &Loaded<'_>,
        is_wanted: &(impl Fn(Pattern) -> bool + Sync),
        telling: (Report, &Watch),
    ) -> Result<Option<Joined>, Halt> {
        self.join(&self.pairs(upper, lower, is_wanted), upper, lower, telling)
    }

    /// The wanted pairs, in an order that depends on nothing else.
    fn pairs(
        &self,
        upper: &Loaded<'_>,
        lower: &Loaded<'_>,
        is_wanted: impl Fn(Pattern) -> bool + Sync,
    ) -> Vec<Pair> {
        self.some_pairs(0..upper.reachable.len(), upper, lower, is_wanted)
    }

    /// Those of the wanted pairs that some of the upper patterns have, by number; in the same order.
    pub(in crate::count::middle) fn some_pairs(
        &self,
        stretch: Range<usize>,
        upper: &Loaded<'_>,
        lower: &Loaded<'_>,
        is_wanted: impl Fn(Pattern) -> bool + Sync,
    ) -> Vec<Pair> {
        let reachable = [&upper.reachable[stretch], &lower.reachable[..]];
        let mut pairs = pairs_of(reachable, &self.symmetries, is_wanted);
        self.put_in_order(&mut pairs, upper);
        pairs
    }

    /// Pairs that read the same clusters come together.
    pub(in crate::count::middle) fn put_in_order(&self, pairs: &mut [Pair], upper: &Loaded<'_>) {
        let (steady, middle) = (upper.kept.steady(), self.symmetries.middle);
        threads::sort_unstable_by_key(pairs, |pair| {
            (pair.upper & steady, middle.completed(pair.upper) & steady, pair.upper)
        });
    }

    /// Joins pairs of patterns.
    pub(in crate::count::middle) fn join(
        &self,
        pairs: &[Pair],
        upper: &Loaded<'_>,
        lower: &Loaded<'_>,
        telling: (Report, &Watch),
    ) -> Result<Option<Joined>, Halt> {
        let fits =
            |kept: &Kept| bound(kept, self.links.len()).is_some_and(|bound| bound >> 64 == 0);
        let above = Linker::new(&upper.kept, &self.links);
        let below = Linker::new(&lower.kept, &self.links);
        let middle = self.symmetries.middle;
        if fits(&upper.kept) && fits(&lower.kept) {
            join_all::<u64>(pairs, &above, &below, middle, telling)
        } else {
            join_all::<u128>(pairs, &above, &below, middle, telling)
        }
    }
}
