// A thread for the engine: it runs one request after another, and reports each line as it comes.

import { run } from './engine.js';

let module = null;

addEventListener('message', async ({ data }) => {
  if (data.module) {
    module = data.module;
    return;
  }
  const { request, flag } = data;
  const isCancelled = () => flag !== undefined && Atomics.load(flag, 0) !== 0;
  const last = await run(module, request, { hear: (word, value) => postMessage({ word, value }), isCancelled });
  postMessage({ last }, last.bytes ? [last.bytes.buffer] : []);
});
