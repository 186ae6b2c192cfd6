//! Sets of positions in files: sorted, so that duplicates are found by merging and not by looking up.
//!
//! A set is a few files, one for each shard of the hash, so that threads share the work. A file has its positions in
//! rising order. Each is written as the number of leading bytes that it shares with the one before it, and the bytes
//! behind those; after the last one come their number and a checksum.
//!
//! Invariant: a file that was read to its end without an error has the positions that were written, each once.
//! Cost: 5 to 9 bytes for a position of 8 or 16; a merge reads and writes in one stream, with a small buffer for each file.
//! Source: Korf, delayed duplicate detection, 2003; Knuth, *The Art of Computer Programming* 3, 5.4.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::key::Key;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// The files of a set.
pub(super) const FILES: usize = 16;
/// The buffer of a file that is read or written, in bytes.
const BUFFER: usize = 1 << 16;
/// About as many files may be open at once.
const OPEN: usize = 512;
/// Positions between two looks at the watch.
const STRIDE: u64 = 1 << 16;
/// What stands in the place of a number of shared bytes after the last position.
const END: u8 = u8::MAX;

/// Why work with files stopped.
#[derive(Debug)]
pub(super) enum Failure {
    Halt(Halt),
    File(PathBuf, io::Error),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// Names the file in an error.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.to_owned();
    move |error| Failure::File(path, error)
}

/// The file that the position with this hash goes to.
pub(super) fn file_of(hash: u64) -> usize {
    (hash >> 60) as usize
}

/// A sorted set of positions in files.
#[derive(Clone, Debug)]
pub(super) struct Sorted<K> {
    stem: PathBuf,
    pub(super) len: u64,
    of: PhantomData<K>,
}

impl<K: Key> Sorted<K> {
    fn path(stem: &Path, file: usize) -> PathBuf {
        let mut name = stem.as_os_str().to_owned();
        name.push(format!("-{file:x}"));
        name.into()
    }

    /// Puts positions into files, dealt out by [`file_of`]; they come out sorted, each once. A set that is soon merged
    /// need not outlive a power cut.
    pub(super) fn write(
        stem: PathBuf,
        buckets: &mut [Vec<K>],
        watch: &Watch,
    ) -> Result<Self, Failure> {
        let write = |(file, bucket): (usize, &mut Vec<K>)| {
            bucket.sort_unstable();
            bucket.dedup();
            let mut writer = Writer::new(Self::path(&stem, file))?;
            bucket.iter().try_for_each(|&key| writer.put(key))?;
            writer.finish(false)
        };
        let files = buckets.iter_mut().enumerate();
        let counts = watch.on_threads(|| threads::try_map(files, write))?;
        Ok(Self { stem, len: counts.into_iter().sum(), of: PhantomData })
    }

    /// The set that an earlier run has written.
    pub(super) fn open(stem: PathBuf) -> Result<Self, Failure> {
        let count = |file| {
            let path = Self::path(&stem, file);
            let mut bytes = [0; 8];
            let mut file = File::open(&path).map_err(at(&path))?;
            file.seek(SeekFrom::End(-16)).map_err(at(&path))?;
            file.read_exact(&mut bytes).map_err(at(&path))?;
            Ok::<u64, Failure>(u64::from_le_bytes(bytes))
        };
        let counts = (0..FILES).map(count).collect::<Result<Vec<u64>, Failure>>()?;
        Ok(Self { stem, len: counts.into_iter().sum(), of: PhantomData })
    }

    /// All positions, file by file.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<K, Failure>> + '_ {
        (0..FILES).flat_map(|file| {
            let (reader, failed) = match self.reader(file) {
                Ok(reader) => (Some(reader), None),
                Err(error) => (None, Some(Err(error))),
            };
            failed.into_iter().chain(reader.into_iter().flatten())
        })
    }

    fn reader(&self, file: usize) -> Result<Reader<K>, Failure> {
        Reader::new(Self::path(&self.stem, file))
    }

    /// What is in any of the `runs` and in none of the sets `without`, as a set of its own.
    pub(super) fn merge(
        stem: PathBuf,
        runs: &[Self],
        without: &[&Self],
        watch: &Watch,
    ) -> Result<Self, Failure> {
        let merge = |file: usize| {
            if let Some(halt) = watch.halted() {
                return Err(halt.into());
            }
            let mut merged = Merge::of(runs, file)?;
            let mut without = (without.iter())
                .map(|set| Ok(set.reader(file)?.peekable()))
                .collect::<Result<Vec<_>, Failure>>()?;
            let mut writer = Writer::new(Self::path(&stem, file))?;
            let mut seen = 0;
            while let Some(key) = merged.next()? {
                seen += 1;
                if seen % STRIDE == 0
                    && let Some(halt) = watch.halted()
                {
                    return Err(halt.into());
                }
                let mut old = false;
                for set in &mut without {
                    while set.next_if(|next| next.as_ref().is_ok_and(|&next| next < key)).is_some()
                    {
                    }
                    old |= match set.peek() {
                        Some(Ok(next)) => *next == key,
                        Some(Err(_)) => {
                            return Err(set.next().and_then(Result::err).expect("seen"));
                        }
                        None => false,
                    };
                }
                if !old {
                    writer.put(key)?;
                }
            }
            // Checksums are at the ends.
            without.into_iter().flatten().try_for_each(|key| key.map(drop))?;
            writer.finish(true)
        };
        // Few files are open at once, however many runs and threads there are.
        let groups = (OPEN / (runs.len() + without.len() + 1)).clamp(1, FILES);
        let group = |group| (group..FILES).step_by(groups).map(merge).sum::<Result<u64, Failure>>();
        let counts = watch.on_threads(|| threads::try_map(0..groups, group))?;
        Ok(Self { stem, len: counts.into_iter().sum(), of: PhantomData })
    }

    /// A position that is in both sets.
    pub(super) fn common(&self, other: &Self, watch: &Watch) -> Result<Option<K>, Failure> {
        let search = |file| other.reader(file).and_then(|keys| self.first_of(file, keys));
        let found = watch.on_threads(|| threads::try_map(0..FILES, search))?;
        Ok(found.into_iter().flatten().next())
    }

    /// A position that is in this set, and in these buckets, which get sorted.
    pub(super) fn common_with(
        &self,
        buckets: &mut [Vec<K>],
        watch: &Watch,
    ) -> Result<Option<K>, Failure> {
        let search = |(file, bucket): (usize, &mut Vec<K>)| {
            bucket.sort_unstable();
            self.first_of(file, bucket.iter().map(|&key| Ok(key)))
        };
        let files = buckets.iter_mut().enumerate();
        let found = watch.on_threads(|| threads::try_map(files, search))?;
        Ok(found.into_iter().flatten().next())
    }

    /// The first of these rising positions that is in a file.
    fn first_of(
        &self,
        file: usize,
        keys: impl Iterator<Item = Result<K, Failure>>,
    ) -> Result<Option<K>, Failure> {
        let mut here = self.reader(file)?;
        let mut next = here.next().transpose()?;
        for key in keys {
            let key = key?;
            while next.is_some_and(|next| next < key) {
                next = here.next().transpose()?;
            }
            if next == Some(key) {
                return Ok(Some(key));
            }
        }
        // What was read is only known to be right at the end.
        here.try_for_each(|key| key.map(drop))?;
        Ok(None)
    }

    /// What the files take, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let size = |file| fs::metadata(Self::path(&self.stem, file)).map_or(0, |file| file.len());
        (0..FILES).map(size).sum()
    }

    /// Removes the files; one that cannot be removed goes with the folder.
    pub(super) fn remove(self) {
        for file in 0..FILES {
            let _ = fs::remove_file(Self::path(&self.stem, file));
        }
    }
}

/// The bytes of a position, the highest first: neighbours in the order begin alike.
fn bytes_of<K: Key>(key: K, into: &mut Vec<u8>) {
    into.clear();
    key.write(into);
    into.reverse();
}

/// Each step can be undone, so one changed hash always changes the sum.
fn add_up(sum: u64, hash: u64) -> u64 {
    (sum.rotate_left(1) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

struct Writer<K> {
    path: PathBuf,
    file: BufWriter<File>,
    before: Vec<u8>,
    bytes: Vec<u8>,
    count: u64,
    sum: u64,
    of: PhantomData<K>,
}

impl<K: Key> Writer<K> {
    fn new(path: PathBuf) -> Result<Self, Failure> {
        let file = File::create(&path).map_err(at(&path))?;
        let file = BufWriter::with_capacity(BUFFER, file);
        let (before, bytes) = (vec![0; K::BYTES], Vec::with_capacity(K::BYTES));
        Ok(Self { path, file, before, bytes, count: 0, sum: 0, of: PhantomData })
    }

    fn put(&mut self, key: K) -> Result<(), Failure> {
        bytes_of(key, &mut self.bytes);
        let shared = self.bytes.iter().zip(&self.before).take_while(|(a, b)| a == b).count();
        let number = u8::try_from(shared).expect("a key has at most 112 bytes");
        self.file.write_all(&[number]).map_err(at(&self.path))?;
        self.file.write_all(&self.bytes[shared..]).map_err(at(&self.path))?;
        std::mem::swap(&mut self.before, &mut self.bytes);
        self.count += 1;
        self.sum = add_up(self.sum, key.mix());
        Ok(())
    }

    /// Ends the file, and has it outlive a power cut if that is wanted. How many positions does it have?
    fn finish(self, lasting: bool) -> Result<u64, Failure> {
        let Self { path, mut file, count, sum, .. } = self;
        let mut end = vec![END];
        end.extend(count.to_le_bytes());
        end.extend(sum.to_le_bytes());
        file.write_all(&end).map_err(at(&path))?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error).map_err(at(&path))?;
        if lasting {
            file.sync_data().map_err(at(&path))?;
        }
        Ok(count)
    }
}

struct Reader<K> {
    path: PathBuf,
    /// `None` after the end, and after an error.
    file: Option<BufReader<File>>,
    bytes: Vec<u8>,
    key: Vec<u8>,
    count: u64,
    sum: u64,
    of: PhantomData<K>,
}

impl<K: Key> Reader<K> {
    fn new(path: PathBuf) -> Result<Self, Failure> {
        let file = File::open(&path).map_err(at(&path))?;
        let file = Some(BufReader::with_capacity(BUFFER, file));
        let (bytes, key) = (vec![0; K::BYTES], Vec::with_capacity(K::BYTES));
        Ok(Self { path, file, bytes, key, count: 0, sum: 0, of: PhantomData })
    }

    fn read(&mut self) -> io::Result<Option<K>> {
        let Some(file) = &mut self.file else { return Ok(None) };
        let damaged = || Err(io::Error::new(ErrorKind::InvalidData, "the file is damaged"));
        let mut shared = [0];
        file.read_exact(&mut shared)?;
        if shared == [END] {
            let mut end = [0; 16];
            file.read_exact(&mut end)?;
            let is_right =
                end[..8] == self.count.to_le_bytes() && end[8..] == self.sum.to_le_bytes();
            self.file = None;
            return if is_right { Ok(None) } else { damaged() };
        }
        let Some(rest) = self.bytes.get_mut(usize::from(shared[0])..) else { return damaged() };
        file.read_exact(rest)?;
        self.key.clear();
        self.key.extend(self.bytes.iter().rev());
        let key = K::read(&self.key);
        self.count += 1;
        self.sum = add_up(self.sum, key.mix());
        Ok(Some(key))
    }
}

impl<K: Key> Iterator for Reader<K> {
    type Item = Result<K, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read().map_err(|error| {
            self.file = None;
            Failure::File(self.path.clone(), error)
        });
        read.transpose()
    }
}

/// The positions of several files in rising order, each once.
struct Merge<K> {
    readers: Vec<Reader<K>>,
    heads: BinaryHeap<Reverse<(K, usize)>>,
}

impl<K: Key> Merge<K> {
    fn of(runs: &[Sorted<K>], file: usize) -> Result<Self, Failure> {
        let readers =
            runs.iter().map(|run| run.reader(file)).collect::<Result<Vec<_>, Failure>>()?;
        let mut merge = Self { heads: BinaryHeap::with_capacity(readers.len()), readers };
        (0..merge.readers.len()).try_for_each(|reader| merge.pull(reader))?;
        Ok(merge)
    }

    fn pull(&mut self, reader: usize) -> Result<(), Failure> {
        if let Some(key) = self.readers[reader].next().transpose()? {
            self.heads.push(Reverse((key, reader)));
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<K>, Failure> {
        let Some(Reverse((key, reader))) = self.heads.pop() else { return Ok(None) };
        self.pull(reader)?;
        while let Some(&Reverse((same, reader))) = self.heads.peek()
            && same == key
        {
            self.heads.pop();
            self.pull(reader)?;
        }
        Ok(Some(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set_of(stem: PathBuf, keys: impl Iterator<Item = u64>) -> Sorted<u64> {
        let mut buckets = vec![Vec::new(); FILES];
        keys.for_each(|key| buckets[file_of(key.mix())].push(key));
        Sorted::write(stem, &mut buckets, &Watch::unlimited()).unwrap()
    }

    fn keys_of(set: &Sorted<u64>) -> BTreeSet<u64> {
        set.iter().map(Result::unwrap).collect()
    }

    #[test]
    fn a_merge_has_what_is_new_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name);
        let watch = Watch::unlimited();
        let multiples = |of: u64| (1..4000).map(move |i| i * of);
        let runs = [2, 3, 5].map(|of| set_of(name(&format!("run{of}")), multiples(of)));
        let (old, older) = (set_of(name("old"), multiples(6)), set_of(name("none"), multiples(0)));
        let merged = Sorted::merge(name("new"), &runs, &[&old, &older], &watch).unwrap();
        let want: BTreeSet<u64> = [2, 3, 5].into_iter().flat_map(multiples).collect();
        let want: BTreeSet<u64> = want.difference(&multiples(6).collect()).copied().collect();
        assert_eq!((keys_of(&merged), merged.len), (want.clone(), want.len() as u64));
        assert_eq!(Sorted::<u64>::open(name("new")).unwrap().len, merged.len);
        let common = merged.common(&set_of(name("one"), [6, 25].into_iter()), &watch).unwrap();
        assert_eq!(common, Some(25));
        assert_eq!(merged.common(&old, &watch).unwrap(), None);
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let set = set_of(folder.path().join("set"), (1..200).map(|i| i * i));
        let path = Sorted::<u64>::path(&set.stem, 3);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            assert!(set.iter().any(|key| key.is_err()), "byte {at}");
        }
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(set.iter().any(|key| key.is_err()), "cut off");
    }
}
