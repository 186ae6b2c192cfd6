// The states of a search, and what late events may do: nothing.

import test from 'node:test';
import assert from 'node:assert/strict';
import { Search } from '../../page/js/search.js';

/** A job that the test tells what to say. */
function job() {
  const one = { cancelled: 0 };
  one.ask = (hears) => {
    one.hears = hears;
    const answer = new Promise((resolve, reject) => {
      one.done = resolve;
      one.fail = reject;
    });
    return { answer, cancel: () => (one.cancelled += 1) };
  };
  return one;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a search goes through its states in order', async () => {
  const states = [];
  const search = new Search((state) => states.push(state));
  const one = job();
  const heard = [];
  search.start(one.ask, {
    queued: (n) => heard.push(n),
    progress: (n) => heard.push(n),
    done: (n) => heard.push(n.state),
  });
  one.hears.queued(3);
  one.hears.progress(7);
  one.done({ state: 'done' });
  await settled();
  assert.deepEqual(states, ['queued', 'running', 'showing', 'over']);
  assert.deepEqual(heard, [3, 7, 'done']);
});

test('what comes of a search that was dropped is nobody’s', async () => {
  const search = new Search();
  const one = job();
  const heard = [];
  search.start(one.ask, {
    progress: () => heard.push('progress'),
    trace: () => heard.push('trace'),
    done: () => heard.push('done'),
  });
  one.hears.progress({});
  search.drop();
  assert.equal(one.cancelled, 1);
  one.hears.progress({});
  one.hears.trace({});
  one.done({ state: 'done' });
  await settled();
  assert.deepEqual(heard, ['progress']);
  assert.equal(search.state, 'idle');
});

test('a new search drops the one before', async () => {
  const search = new Search();
  const [old, fresh] = [job(), job()];
  const heard = [];
  search.start(old.ask, { done: () => heard.push('old') });
  search.start(fresh.ask, { done: () => heard.push('fresh') });
  assert.equal(old.cancelled, 1);
  old.done({ state: 'done' });
  fresh.done({ state: 'done' });
  await settled();
  assert.deepEqual(heard, ['fresh']);
});

test('stopping waits for what the search has, and ends a showing', async () => {
  const search = new Search();
  const one = job();
  const heard = [];
  let shown;
  search.start(one.ask, {
    show: () => new Promise((resolve) => (shown = resolve)),
    skip: () => shown(),
    done: ({ state }) => heard.push(state),
  });
  search.stop();
  assert.equal(one.cancelled, 1);
  one.done({ state: 'done' });
  await settled();
  assert.equal(search.state, 'showing');
  search.stop();
  await settled();
  assert.deepEqual([search.state, ...heard], ['over', 'done']);
});

test('a search that is dropped while it is shown is not told as done', async () => {
  const search = new Search();
  const one = job();
  const heard = [];
  let shown;
  search.start(one.ask, { show: () => new Promise((resolve) => (shown = resolve)), done: () => heard.push('done') });
  one.done({ state: 'done' });
  await settled();
  search.drop();
  shown();
  await settled();
  assert.deepEqual([heard.length, one.cancelled, search.state], [0, 0, 'idle']);
});

test('a refusal and a failed job are told once', async () => {
  const search = new Search();
  const heard = [];
  for (const end of [
    (one) => one.fail(new Error('no')),
    (one) => one.done({ state: 'failed', error: 'no', field: 'board' }),
  ]) {
    const one = job();
    search.start(one.ask, { refused: (error) => heard.push([error.message, error.field]) });
    end(one);
    await settled();
    assert.equal(search.state, 'over');
  }
  assert.deepEqual(heard, [
    ['no', undefined],
    ['no', 'board'],
  ]);
});
