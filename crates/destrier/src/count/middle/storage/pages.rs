//! Room for long lists: pages in memory as far as the limit goes, in a scratch file beyond it.
//!
//! Everything long that a count makes (states of a large part, entries of a half) is a [`PageList`] of pages of
//! one size. A full page stays in memory while the books say that there is room, else it is
//! written to the scratch file and its memory is used again. The file has no name from the moment it is made, so
//! that nothing is left of it however the run ends. Tables that must be in memory are charged as well.
//!
//! Invariant: what is charged is at least what pages and tables hold; no page is charged twice.
//! Cost: a lock for each page of 64 KiB; each page is written and read at most once.
//! Source: the buffer pools of databases.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::run::memory;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// What a page holds: states, or entries two by two.
pub(in crate::count::middle) type Item = u128;

/// Items of a page.
pub(in crate::count::middle) const PAGE: usize = 1 << 12;

/// Bytes of a page.
pub(in crate::count::middle) const PAGE_BYTES: u64 = (PAGE * size_of::<Item>()) as u64;

/// The memory and the scratch file of a count.
#[derive(Debug)]
pub(in crate::count::middle) struct Store {
    limit: u64,
    buckets: usize,
    used: AtomicU64,
    spare: Mutex<Vec<Vec<Item>>>,
    folder: PathBuf,
    /// Hears, once, that the folder is put to use.
    watch: Watch,
    file: Mutex<Option<PageFile>>,
    trouble: Mutex<Option<io::Error>>,
}

/// A file of pages, each of which can be used again.
#[derive(Debug)]
struct PageFile {
    file: File,
    pages: u64,
    free: Vec<u64>,
    /// The most pages there were at a time.
    most: u64,
}

/// A state of the books.
#[derive(Debug)]
pub(in crate::count::middle) struct Mark {
    used: u64,
    pages: u64,
    free: Vec<u64>,
}

/// A page in memory, or its place in the file and how many items it has.
#[derive(Debug)]
pub(in crate::count::middle) enum Page {
    Held(Vec<Item>),
    Away(u64, usize),
}

/// A long list. It is only ever added to, and then read once from the first page to the last.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct PageList {
    pages: Vec<Page>,
    length: usize,
}

impl PageList {
    /// How many items it has.
    pub(in crate::count::middle) fn len(&self) -> usize {
        self.length
    }

    /// Takes all pages of another one.
    pub(in crate::count::middle) fn append(&mut self, other: PageList) {
        self.pages.extend(other.pages);
        self.length += other.length;
    }

    /// The bytes of it that are in memory.
    pub(in crate::count::middle) fn held(&self) -> u64 {
        let held = |page: &Page| match page {
            Page::Held(items) => bytes(items),
            Page::Away(..) => 0,
        };
        self.pages.iter().map(held).sum()
    }

    /// The pages, in order.
    pub(in crate::count::middle) fn pages(&self) -> &[Page] {
        &self.pages
    }

    pub(in crate::count::middle) fn into_pages(self) -> Vec<Page> {
        self.pages
    }
}

impl Store {
    /// A store for so much memory; without a limit, for what the system has free.
    ///
    /// A part of a limit is left to what is not charged: the code, its fixed tables, the allocator's losses.
    pub(in crate::count::middle) fn new(limit: Option<u64>, folder: &Path, watch: &Watch) -> Store {
        let limit = limit.or_else(memory::free).unwrap_or(u64::MAX);
        let limit = limit - (limit / 4).min(FIXED + limit / 32);
        let pages = limit / (8 * threads::count() as u64 * PAGE_BYTES);
        Store {
            limit,
            buckets: 1 << pages.clamp(1, 256).ilog2(),
            used: AtomicU64::new(0),
            spare: Mutex::default(),
            folder: folder.to_owned(),
            watch: watch.clone(),
            file: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    /// The bytes that tables may take in all.
    pub(in crate::count::middle) fn limit(&self) -> u64 {
        self.limit
    }

    /// How many buckets entries are dealt into: as many as each thread can have a page of, and a power of two.
    pub(in crate::count::middle) fn buckets(&self) -> usize {
        self.buckets
    }

    /// The bytes that are left; none when more is in use than there should be.
    pub(in crate::count::middle) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used.load(Relaxed))
    }

    /// The most bytes that were in the scratch file at a time.
    pub(in crate::count::middle) fn away(&self) -> u64 {
        let file = self.file.lock().ok();
        let pages = file.and_then(|file| file.as_ref().map(|file| file.pages.max(file.most)));
        pages.unwrap_or(0) * PAGE_BYTES
    }

    /// What went wrong with the scratch file, if anything did.
    pub(in crate::count::middle) fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock().ok()?;
        let error = trouble.as_ref()?;
        Some(format!("the scratch folder {}: {error}", self.folder.display()))
    }

    /// Charges a table that has to be in memory; it gives the charge back when it goes.
    ///
    /// # Errors
    /// When it does not fit even with all pages in the scratch file.
    pub(in crate::count::middle) fn charge(&self, bytes: u64) -> Result<Charge<'_>, Halt> {
        if bytes > self.limit {
            return Err(Halt::Memory);
        }
        Ok(self.charge_anyway(bytes))
    }

    /// Charges what is there already.
    pub(in crate::count::middle) fn charge_anyway(&self, bytes: u64) -> Charge<'_> {
        self.used.fetch_add(bytes, Relaxed);
        Charge { store: self, bytes }
    }

    /// An empty page to write on.
    pub(in crate::count::middle) fn page(&self) -> Vec<Item> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        spare.unwrap_or_else(|| {
            self.used.fetch_add(PAGE_BYTES, Relaxed);
            Vec::with_capacity(PAGE)
        })
    }

    /// Takes back a page that is of no more use.
    pub(in crate::count::middle) fn give_back(&self, mut page: Vec<Item>) {
        page.clear();
        let over = self.used.load(Relaxed) > self.limit / 4 * 3;
        match self.spare.lock() {
            Ok(mut spare) if !over && page.capacity() == PAGE => spare.push(page),
            _ => {
                self.used.fetch_sub(bytes(&page), Relaxed);
            }
        }
    }

    /// Gives the memory of unused pages to others.
    pub(in crate::count::middle) fn trim(&self) {
        if let Ok(mut spare) = self.spare.lock() {
            self.used.fetch_sub(spare.len() as u64 * PAGE_BYTES, Relaxed);
            spare.clear();
        }
    }

    /// Puts a written page on a list: in memory if there is room, else in the file.
    ///
    /// # Errors
    /// When the file cannot be written; [`Store::trouble`] says why.
    pub(in crate::count::middle) fn lay(
        &self,
        list: &mut PageList,
        page: Vec<Item>,
    ) -> Result<(), Halt> {
        // Pages leave a quarter to tables that have to be in memory.
        let is_full = self.used.load(Relaxed) > self.limit / 4 * 3;
        self.put(list, page, is_full)
    }

    /// Moves the pages of a list that are in memory to the file.
    ///
    /// # Errors
    /// As [`Store::lay`].
    pub(in crate::count::middle) fn send_away(&self, list: &mut PageList) -> Result<(), Halt> {
        let mut moved = PageList::default();
        for page in std::mem::take(&mut list.pages) {
            match page {
                Page::Held(items) => self.put(&mut moved, items, true)?,
                Page::Away(..) => moved.pages.push(page),
            }
        }
        list.pages = moved.pages;
        Ok(())
    }

    fn put(&self, list: &mut PageList, page: Vec<Item>, away: bool) -> Result<(), Halt> {
        list.length += page.len();
        if page.is_empty() {
            self.give_back(page);
        } else if away {
            let at = self.write(&page).map_err(|error| self.fail(error))?;
            list.pages.push(Page::Away(at, page.len()));
            self.give_back(page);
        } else {
            list.pages.push(Page::Held(page));
        }
        Ok(())
    }

    /// Takes a page off a list for good.
    ///
    /// # Errors
    /// When it cannot be read back.
    pub(in crate::count::middle) fn take(&self, page: Page) -> Result<Vec<Item>, Halt> {
        match page {
            Page::Held(items) => Ok(items),
            Page::Away(at, length) => {
                let mut items = self.page();
                self.read(at, length, &mut items).map_err(|error| self.fail(error))?;
                if let Ok(mut file) = self.file.lock()
                    && let Some(file) = file.as_mut()
                {
                    file.free.push(at);
                }
                Ok(items)
            }
        }
    }

    /// Shows a page that stays where it is.
    ///
    /// # Errors
    /// When it cannot be read back.
    pub(in crate::count::middle) fn show<R>(
        &self,
        page: &Page,
        see: impl FnOnce(&[Item]) -> R,
    ) -> Result<R, Halt> {
        match page {
            Page::Held(items) => Ok(see(items)),
            Page::Away(at, length) => {
                let mut items = self.page();
                self.read(*at, *length, &mut items).map_err(|error| self.fail(error))?;
                let seen = see(&items);
                self.give_back(items);
                Ok(seen)
            }
        }
    }

    /// The state of the books, to go back to when everything that came since is gone.
    pub(in crate::count::middle) fn mark(&self) -> Mark {
        self.trim();
        let file = self.file.lock().ok();
        let file = file.as_ref().and_then(|file| file.as_ref());
        let (pages, free) = file.map_or((0, Vec::new()), |file| (file.pages, file.free.clone()));
        Mark { used: self.used.load(Relaxed), pages, free }
    }

    /// Goes back to an earlier state of the books.
    pub(in crate::count::middle) fn reset(&self, mark: Mark) {
        self.trim();
        self.used.store(mark.used, Relaxed);
        if let Ok(mut file) = self.file.lock()
            && let Some(file) = file.as_mut()
        {
            file.most = file.most.max(file.pages);
            (file.pages, file.free) = (mark.pages, mark.free);
        }
    }

    fn fail(&self, error: io::Error) -> Halt {
        if let Ok(mut trouble) = self.trouble.lock() {
            trouble.get_or_insert(error);
        }
        Halt::Memory
    }

    fn write(&self, items: &[Item]) -> io::Result<u64> {
        let mut guard = self.file.lock().map_err(|_| io::Error::other("a thread failed"))?;
        let file = if let Some(file) = guard.as_mut() {
            file
        } else {
            let file = tempfile::tempfile_in(&self.folder)?;
            self.watch.tell(|progress| progress.scratch = Some(self.folder.clone()));
            guard.insert(PageFile { file, pages: 0, free: Vec::new(), most: 0 })
        };
        let at = file.free.pop().unwrap_or_else(|| {
            file.pages += 1;
            file.pages - 1
        });
        file.file.seek(SeekFrom::Start(at * PAGE_BYTES))?;
        file.file.write_all(bytemuck::cast_slice(items))?;
        Ok(at)
    }

    fn read(&self, at: u64, length: usize, items: &mut Vec<Item>) -> io::Result<()> {
        items.resize(length, 0);
        let mut guard = self.file.lock().map_err(|_| io::Error::other("a thread failed"))?;
        let file = guard.as_mut().ok_or_else(|| io::Error::other("there is no scratch file"))?;
        file.file.seek(SeekFrom::Start(at * PAGE_BYTES))?;
        file.file.read_exact(bytemuck::cast_slice_mut(items))
    }
}

/// Bytes for the code and what has a fixed size, of a limit that is not small.
const FIXED: u64 = 24 << 20;

/// A charge to the books, taken back when dropped.
#[derive(Debug)]
pub(in crate::count::middle) struct Charge<'s> {
    store: &'s Store,
    bytes: u64,
}

impl Charge<'_> {
    /// Changes what is charged.
    pub(in crate::count::middle) fn set(&mut self, bytes: u64) {
        self.store.used.fetch_add(bytes, Relaxed);
        self.store.used.fetch_sub(self.bytes, Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        self.store.used.fetch_sub(self.bytes, Relaxed);
    }
}

/// The bytes of a page in memory.
fn bytes(page: &Vec<Item>) -> u64 {
    (page.capacity() * size_of::<Item>()) as u64
}

/// Adds items to a list, a page at a time.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Writer {
    list: PageList,
    page: Vec<Item>,
    /// The first page grows with what is written on it, so that many short lists take little; later ones are
    /// the store's.
    is_stores: bool,
}

impl Writer {
    #[inline]
    pub(in crate::count::middle) fn push(&mut self, item: Item, store: &Store) -> Result<(), Halt> {
        if self.page.len() == PAGE {
            self.turn_over(store)?;
        }
        self.page.push(item);
        Ok(())
    }

    #[cold]
    fn turn_over(&mut self, store: &Store) -> Result<(), Halt> {
        let blank = store.page();
        let full = std::mem::replace(&mut self.page, blank);
        if !std::mem::replace(&mut self.is_stores, true) {
            store.used.fetch_add(bytes(&full), Relaxed);
        }
        store.lay(&mut self.list, full)
    }

    /// The list as it is now.
    pub(in crate::count::middle) fn finish(mut self, store: &Store) -> Result<PageList, Halt> {
        let page = std::mem::take(&mut self.page);
        if !self.is_stores {
            store.used.fetch_add(bytes(&page), Relaxed);
        }
        store.lay(&mut self.list, page)?;
        Ok(self.list)
    }

    /// Pours everything into another writer, which leaves no page half full.
    pub(in crate::count::middle) fn pour(
        self,
        into: &mut Writer,
        store: &Store,
    ) -> Result<(), Halt> {
        into.list.append(self.list);
        for &item in &self.page {
            into.push(item, store)?;
        }
        if self.is_stores {
            store.give_back(self.page);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_come_back_as_they_were_laid_from_memory_and_from_disk() {
        for limit in [0, 3 * PAGE_BYTES, 1 << 30] {
            let store = Store::new(Some(limit), &std::env::temp_dir(), &Watch::unlimited());
            let mut writers = [Writer::default(), Writer::default()];
            for item in 0..10 * PAGE as u128 + 5 {
                writers[usize::try_from(item % 2).unwrap()].push(item, &store).unwrap();
            }
            let lists = writers.map(|writer| writer.finish(&store).unwrap());
            assert_eq!(store.away() > 0, limit < 1 << 30);
            for (first, list) in (0..).zip(lists) {
                let mut want = (first..10 * PAGE as u128 + 5).step_by(2);
                for page in list.into_pages() {
                    let seen = store.show(&page, <[Item]>::to_vec).unwrap();
                    let items = store.take(page).unwrap();
                    assert_eq!(seen, items);
                    assert!(items.iter().all(|&item| want.next() == Some(item)));
                    store.give_back(items);
                }
                assert_eq!(want.next(), None);
            }
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let store = Store::new(Some(0), Path::new("/nowhere/at all"), &Watch::unlimited());
        let mut page = store.page();
        page.resize(PAGE, 1);
        assert_eq!(store.lay(&mut PageList::default(), page), Err(Halt::Memory));
        assert!(store.trouble().unwrap().contains("/nowhere/at all"));
    }
}
