//! What a settled half leaves: for each degree pattern, its matchings and their counts.
//!
//! The last row of a half ends in parts, one for each degree pattern. A state of a part is then no more
//! than the number of a matching and a count, packed in eight bytes. Where states were kept one
//! of a mirror pair, a pattern and its mirror image are laid together under the lesser of the two.
//!
//! Invariant: a pattern is listed once; counts are the true numbers of ways, not doubled by mirroring.
//! Cost: eight bytes a state; a look-up is a probe or two.
//! Source: `docs/design.md`, section 2.

use std::cmp::Ordering;

use crate::count::middle::half::collector::{Bucket, Reader, RecordWriter};
use crate::count::middle::half::turn::Turn;
use crate::count::middle::join::matching::{DENSE, matchings};
use crate::count::middle::join::pattern::{Middle, Pattern, pairs};
use crate::count::middle::storage::pages::{Item, Store};
use crate::run::threads;
use crate::run::watch::Halt;

/// A number of a matching in the low bits, a count above.
pub(in crate::count::middle) type Entry = u64;

/// A stretch of entries in one of the pieces.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    pattern: Pattern,
    piece: u32,
    length: u32,
    start: u64,
}

/// How patterns and entries are laid out.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Layout {
    pub(in crate::count::middle) middle: Middle,
    pub(in crate::count::middle) rank_bits: u32,
    /// Were states kept one of a mirror pair?
    pub(in crate::count::middle) mirrored: bool,
    /// The places that no link touches: a pattern and all that come of it agree there.
    pub(in crate::count::middle) steady: Pattern,
}

impl Layout {
    pub(in crate::count::middle) fn new(
        middle: Middle,
        mirrored: bool,
        links: &[(usize, usize)],
    ) -> Layout {
        let touched =
            links.iter().fold(0, |touched: u64, &(x, y)| touched | 3 << (2 * x) | 3 << (2 * y));
        // A cluster has its mirror image, so a place is steady only if its mirror image is.
        let steady = !(touched | middle.mirrored(touched)) & ((1 << (2 * middle.places())) - 1);
        Layout { middle, rank_bits: rank_bits(middle), mirrored, steady }
    }

    /// Of a pattern and its mirror image, the one that entries are listed under.
    fn lesser(&self, pattern: Pattern) -> Pattern {
        let image = self.middle.mirrored(pattern);
        if (image & self.steady, image) < (pattern & self.steady, pattern) {
            image
        } else {
            pattern
        }
    }

    /// Which of so many buckets a pattern belongs to, with all that share its steady digits or their mirror image.
    pub(in crate::count::middle) fn bucket(&self, pattern: Pattern, buckets: usize) -> usize {
        let digits = pattern & self.steady;
        let listed = if self.mirrored {
            digits.min(self.middle.mirrored(pattern) & self.steady)
        } else {
            digits
        };
        spread(listed) >> 8 & (buckets - 1)
    }
}

/// The patterns of a half, or of some of its buckets, with their entries.
#[derive(Debug)]
pub(in crate::count::middle) struct Kept {
    layout: Layout,
    pieces: Vec<Vec<Entry>>,
    stretches: Vec<Stretch>,
    clusters: Vec<Cluster>,
    /// For each cluster an open-addressed table of indices into the stretches, plus one.
    directory: Vec<u32>,
    /// The sum of all counts, both mirror images counted.
    mass: u128,
}

/// All patterns that agree at the steady places; what is asked for together lies together.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    steady: Pattern,
    start: usize,
    mask: usize,
}

/// A cluster, and which patterns with its steady digits are listed by their mirror image.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Opened<'a> {
    kept: &'a Kept,
    cluster: Cluster,
    images: Images,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Images {
    None,
    Some,
    All,
}

/// The entries of a pattern; `turned` when they stand for the mirror image.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Found<'a> {
    pub(in crate::count::middle) entries: &'a [Entry],
    pub(in crate::count::middle) turned: bool,
}

/// The bits that the number of any matching of the middle needs.
pub(in crate::count::middle) fn rank_bits(middle: Middle) -> u32 {
    matchings(middle.places() / 2).ilog2() + 1
}

/// Adds an entry, or several if the count is more than one can hold.
pub(in crate::count::middle) fn push_entry(
    entries: &mut Vec<Entry>,
    number: u64,
    count: u128,
    rank_bits: u32,
) {
    let most = u64::MAX >> rank_bits;
    let mut left = count;
    while left > u128::from(most) {
        entries.push(most << rank_bits | number);
        left -= u128::from(most);
    }
    if left > 0 {
        entries.push(u64::try_from(left).expect("at most the most") << rank_bits | number);
    }
}

impl Kept {
    fn new(layout: Layout, pieces: Vec<Vec<Entry>>, stretches: Vec<Stretch>) -> Kept {
        let (clusters, directory) = (Vec::new(), Vec::new());
        Kept { layout, pieces, stretches, clusters, directory, mass: 0 }
    }

    /// Reads buckets, and lays mirror images together.
    pub(in crate::count::middle) fn read(
        layout: Layout,
        buckets: Vec<Bucket>,
        store: &Store,
    ) -> Result<Kept, Halt> {
        let read = threads::try_map(buckets, |bucket| Lists::read(bucket, store))?;
        let mut kept = Kept::new(layout, Vec::new(), Vec::new());
        for (piece, lists) in (0..).zip(read) {
            kept.pieces.push(lists.entries);
            kept.stretches.extend(lists.stretches.into_iter().map(|s| Stretch { piece, ..s }));
        }
        if layout.mirrored {
            kept.lay_mirror_images_together();
        }
        Ok(kept)
    }

    /// Reads a bucket that was written, and leaves it where it is.
    pub(in crate::count::middle) fn read_again(
        layout: Layout,
        bucket: &Bucket,
        store: &Store,
    ) -> Result<Kept, Halt> {
        let lists = Lists::show(bucket, store)?;
        Ok(Kept::new(layout, vec![lists.entries], lists.stretches))
    }

    /// Writes everything to one bucket, in the scratch file.
    pub(in crate::count::middle) fn write(self, store: &Store) -> Result<Bucket, Halt> {
        let mut writer = RecordWriter::default();
        for stretch in &self.stretches {
            writer.write(stretch.pattern, self.entries(stretch), store)?;
        }
        let mut bucket = writer.finish(store)?;
        store.send_away(&mut bucket.list)?;
        Ok(bucket)
    }

    /// Writes everything for other processes: how many patterns, each with the number of its entries, and the entries.
    pub(in crate::count::middle) fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 16 * self.stretches.len() + 8 * self.len());
        bytes.extend_from_slice(&(self.stretches.len() as u64).to_le_bytes());
        for stretch in &self.stretches {
            bytes.extend_from_slice(&stretch.pattern.to_le_bytes());
            bytes.extend_from_slice(&u64::from(stretch.length).to_le_bytes());
        }
        for stretch in &self.stretches {
            bytes.extend_from_slice(bytemuck::cast_slice(self.entries(stretch)));
        }
        bytes
    }

    /// Reads what several processes wrote; no pattern comes from two of them.
    pub(in crate::count::middle) fn read_all(layout: Layout, shares: Vec<Vec<u8>>) -> Kept {
        let mut kept = Kept::new(layout, Vec::new(), Vec::new());
        for (piece, share) in (0..).zip(shares) {
            let (words, _) = share.as_chunks();
            let mut words = words.iter().map(|word| u64::from_ne_bytes(*word));
            let mut start = 0;
            let patterns = words.next().unwrap_or(0);
            for _ in 0..patterns {
                let pattern = words.next().expect("a pattern");
                let length = words.next().expect("a number of entries");
                let own = u32::try_from(length).expect("a pattern has few states");
                kept.stretches.push(Stretch { pattern, piece, length: own, start });
                start += length;
            }
            kept.pieces.push(words.collect());
        }
        kept
    }

    /// Makes the entries ready to be looked up.
    pub(in crate::count::middle) fn indexed(mut self) -> Kept {
        let Layout { middle, rank_bits, mirrored, .. } = self.layout;
        let mass = |stretch: &Stretch| {
            let is_pair = mirrored && middle.mirrored(stretch.pattern) != stretch.pattern;
            let counts = self.entries(stretch).iter().map(|&entry| u128::from(entry >> rank_bits));
            counts.sum::<u128>() * if is_pair { 2 } else { 1 }
        };
        let masses = threads::map(self.stretches.chunks(1 << 12), |stretches| {
            stretches.iter().map(mass).sum::<u128>()
        });
        self.mass = masses.into_iter().sum();
        self.index();
        self
    }

    /// The bytes that are held.
    pub(in crate::count::middle) fn bytes(&self) -> u64 {
        let entries: usize = self.pieces.iter().map(Vec::capacity).sum();
        (entries * size_of::<Entry>()
            + self.stretches.capacity() * size_of::<Stretch>()
            + self.clusters.capacity() * size_of::<Cluster>()
            + self.directory.capacity() * size_of::<u32>()) as u64
    }

    fn entries(&self, stretch: &Stretch) -> &[Entry] {
        let start = usize::try_from(stretch.start).expect("in memory");
        &self.pieces[stretch.piece as usize][start..start + stretch.length as usize]
    }

    fn lay_mirror_images_together(&mut self) {
        let middle = self.layout.middle;
        let mut sorted = std::mem::take(&mut self.stretches);
        let lesser = |stretch: &Stretch| self.layout.lesser(stretch.pattern);
        threads::sort_unstable_by_key(&mut sorted, |stretch| (lesser(stretch), stretch.pattern));
        let mut groups: Vec<&[Stretch]> = Vec::new();
        let mut rest = &sorted[..];
        while let Some(first) = rest.first() {
            let size = if rest.len() > 1 && lesser(&rest[1]) == lesser(first) { 2 } else { 1 };
            let (group, later) = rest.split_at(size);
            groups.push(group);
            rest = later;
        }
        let share = groups.len().div_ceil(32 * threads::count()).max(1);
        let laid = threads::map(groups.chunks(share).enumerate(), |(piece, groups)| {
            let mut entries = Vec::new();
            let mut stretches = Vec::new();
            let mut accumulator = Accumulator::default();
            for group in groups {
                let pattern = lesser(&group[0]);
                let start = entries.len();
                for stretch in *group {
                    let number_mask = (1 << self.layout.rank_bits) - 1;
                    let own = stretch.pattern == pattern;
                    let image = stretch.pattern != pattern || middle.mirrored(pattern) == pattern;
                    let turn = Turn::mirror(middle, stretch.pattern);
                    for &entry in self.entries(stretch) {
                        let number = entry & number_mask;
                        let count = u128::from(entry >> self.layout.rank_bits);
                        if own {
                            accumulator.add(pairs(pattern), number, count);
                        }
                        if image {
                            accumulator.add(pairs(pattern), turn.apply(number), count);
                        }
                    }
                }
                accumulator.drain(|number, twice| {
                    debug_assert!(twice % 2 == 0, "mirror images have equal counts");
                    push_entry(&mut entries, number, twice / 2, self.layout.rank_bits);
                });
                let length =
                    u32::try_from(entries.len() - start).expect("a pattern has few states");
                let piece = u32::try_from(piece).expect("few pieces");
                stretches.push(Stretch { pattern, piece, length, start: start as u64 });
            }
            entries.shrink_to_fit();
            (entries, stretches)
        });
        self.pieces.clear();
        for (entries, stretches) in laid {
            self.pieces.push(entries);
            self.stretches.extend(stretches);
        }
    }

    fn index(&mut self) {
        let steady = self.layout.steady;
        threads::sort_unstable_by_key(&mut self.stretches, |stretch| {
            (stretch.pattern & steady, stretch.pattern)
        });
        for (at, stretch) in self.stretches.iter().enumerate() {
            let digits = stretch.pattern & steady;
            if self.clusters.last().is_none_or(|cluster| cluster.steady != digits) {
                let same =
                    self.stretches[at..].partition_point(|other| other.pattern & steady == digits);
                let size = (2 * same).next_power_of_two();
                let start = self.directory.len();
                self.clusters.push(Cluster { steady: digits, start, mask: size - 1 });
                self.directory.resize(start + size, 0);
            }
            let own = self.clusters.last().expect("one was pushed");
            let table = &mut self.directory[own.start..];
            let mut slot = spread(stretch.pattern) & own.mask;
            while table[slot] != 0 {
                slot = (slot + 1) & own.mask;
            }
            table[slot] = u32::try_from(at + 1).expect("fewer than 2^32 patterns");
        }
    }

    /// The cluster of all patterns that agree with this one at the steady places.
    pub(in crate::count::middle) fn open(&self, pattern: Pattern) -> Option<Opened<'_>> {
        let digits = pattern & self.layout.steady;
        let mirrored = self.layout.middle.mirrored(pattern) & self.layout.steady;
        let (digits, images) = match (self.layout.mirrored, digits.cmp(&mirrored)) {
            (false, _) | (true, Ordering::Less) => (digits, Images::None),
            (true, Ordering::Equal) => (digits, Images::Some),
            (true, Ordering::Greater) => (mirrored, Images::All),
        };
        let at = self.clusters.binary_search_by_key(&digits, |cluster| cluster.steady).ok()?;
        Some(Opened { kept: self, cluster: self.clusters[at], images })
    }

    /// All patterns with entries, mirror images too.
    pub(in crate::count::middle) fn patterns(&self) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> =
            self.stretches.iter().map(|stretch| stretch.pattern).collect();
        if self.layout.mirrored {
            patterns.extend(
                self.stretches.iter().map(|stretch| self.layout.middle.mirrored(stretch.pattern)),
            );
        }
        threads::sort_unstable_by_key(&mut patterns, |&pattern| pattern);
        patterns.dedup();
        patterns
    }

    /// The sum of all counts.
    pub(in crate::count::middle) fn mass(&self) -> u128 {
        self.mass
    }

    pub(in crate::count::middle) fn middle(&self) -> Middle {
        self.layout.middle
    }

    /// The places that no link touches.
    pub(in crate::count::middle) fn steady(&self) -> Pattern {
        self.layout.steady
    }

    pub(in crate::count::middle) fn rank_bits(&self) -> u32 {
        self.layout.rank_bits
    }

    /// How many entries are held.
    pub(in crate::count::middle) fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }
}

impl<'a> Opened<'a> {
    /// The entries of a pattern of this cluster, if it has any.
    #[inline]
    pub(in crate::count::middle) fn get(&self, pattern: Pattern) -> Option<Found<'a>> {
        let listed = match self.images {
            Images::None => pattern,
            Images::Some => self.kept.layout.lesser(pattern),
            Images::All => self.kept.layout.middle.mirrored(pattern),
        };
        let table =
            &self.kept.directory[self.cluster.start..=self.cluster.start + self.cluster.mask];
        let mut slot = spread(listed) & self.cluster.mask;
        loop {
            let at = table[slot];
            if at == 0 {
                return None;
            }
            let stretch = &self.kept.stretches[at as usize - 1];
            if stretch.pattern == listed {
                return Some(Found {
                    entries: self.kept.entries(stretch),
                    turned: listed != pattern,
                });
            }
            slot = (slot + 1) & self.cluster.mask;
        }
    }
}

/// What has been read of a bucket.
struct Lists {
    reader: Reader,
    entries: Vec<Entry>,
    stretches: Vec<Stretch>,
}

impl Lists {
    /// Reads a bucket and gives its pages back one by one.
    fn read(bucket: Bucket, store: &Store) -> Result<Lists, Halt> {
        let mut lists = Lists::with_room_for(&bucket);
        for page in bucket.list.into_pages() {
            let page = store.take(page)?;
            lists.take(&page);
            store.give_back(page);
        }
        Ok(lists)
    }

    /// Reads a bucket that stays.
    fn show(bucket: &Bucket, store: &Store) -> Result<Lists, Halt> {
        let mut lists = Lists::with_room_for(bucket);
        for page in bucket.list.pages() {
            store.show(page, |items| lists.take(items))?;
        }
        Ok(lists)
    }

    fn with_room_for(bucket: &Bucket) -> Lists {
        Lists {
            reader: Reader::default(),
            entries: Vec::with_capacity(bucket.entries),
            stretches: Vec::with_capacity(bucket.patterns),
        }
    }

    fn take(&mut self, items: &[Item]) {
        let stretches = &mut self.stretches;
        let head = |pattern, length, entries: &mut Vec<Entry>| {
            let length = u32::try_from(length).expect("a pattern has few states");
            stretches.push(Stretch { pattern, piece: 0, length, start: entries.len() as u64 });
        };
        self.reader.read(items, head, &mut self.entries);
    }
}

fn spread(pattern: Pattern) -> usize {
    usize::try_from(pattern.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33).expect("31 bits")
}

/// A accumulator to add up counts by number, quick to clear.
#[derive(Debug, Default)]
struct Accumulator {
    dense: Vec<u128>,
    touched: Vec<u32>,
    loose: Vec<(u64, u128)>,
}

impl Accumulator {
    fn add(&mut self, pairs: usize, number: u64, count: u128) {
        if pairs > DENSE {
            self.loose.push((number, count));
            return;
        }
        let at = usize::try_from(number).expect("a number of a level");
        if self.dense.len() <= at {
            self.dense.resize(usize::try_from(matchings(pairs)).expect("few"), 0);
        }
        if self.dense[at] == 0 {
            self.touched.push(u32::try_from(at).expect("few"));
        }
        self.dense[at] += count;
    }

    fn drain(&mut self, mut each: impl FnMut(u64, u128)) {
        for &at in &self.touched {
            each(u64::from(at), std::mem::take(&mut self.dense[at as usize]));
        }
        self.touched.clear();
        self.loose.sort_unstable_by_key(|&(number, _)| number);
        for group in self.loose.chunk_by(|a, b| a.0 == b.0) {
            each(group[0].0, group.iter().map(|&(_, count)| count).sum());
        }
        self.loose.clear();
    }
}
