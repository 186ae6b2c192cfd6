// One run of the engine: a WebAssembly program with an input, an output, a clock, and nothing else of WASI.
//
// Idea: the engine is a program that reads a request and writes lines (`crates/wasm/src/main.rs`), so all that it needs
// from its host is six functions. They are here in full; every other function of WASI says that it is not there.
// Invariant: `run` never throws for what the engine does: a trap, a stack or a memory that is too small end in a refusal.

const BAD_FILE = 8;
const NO_SYSTEM = 52;

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const refused = (status, key, error) => ({ word: 'refused', status, value: { error, key } });

/** What is said when the program ended without an answer, by what it left behind. */
function broken(error, complaint) {
  if (/memory allocation of|out of memory/i.test(`${complaint} ${error}`))
    return refused(
      413,
      'error.memory_here',
      'this needs more memory than WebAssembly has here; the command `destrier` has no such limit',
    );
  if (error instanceof RangeError || /call stack|recursion/i.test(String(error)))
    return refused(
      413,
      'error.deep',
      'this search is too deep for the stack of this browser; the command `destrier` has no such limit',
    );
  return refused(500, 'said.broke_down', 'an internal error occurred; please report this');
}

/**
 * Runs the engine on one request.
 *
 * `request` has `call`, and where needed `job`, `query`, and `body` (text or bytes). Each line that the engine writes goes to
 * `hear(word, value)` as it comes; `isCancelled` is asked some times a second. What is returned is the last line:
 * `{ word: 'done', value }`, `{ word: 'file', value, bytes }` or `{ word: 'refused', status, value }`.
 */
export async function run(module, request, { hear = () => {}, isCancelled = () => false } = {}) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const { body = '', ...header } = request;
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const line = encoder.encode(`${JSON.stringify({ ...header, bytes: content.length })}\n`);
  const input = new Uint8Array(line.length + content.length);
  input.set(line);
  input.set(content, line.length);

  let read = 0;
  let last = null;
  let complaint = '';
  let pending = new Uint8Array(0);
  const parts = []; // of a file

  const take = (bytes) => {
    if (last?.word === 'file') {
      parts.push(bytes);
      return;
    }
    let all = bytes;
    if (pending.length > 0) {
      all = new Uint8Array(pending.length + bytes.length);
      all.set(pending);
      all.set(bytes, pending.length);
    }
    let from = 0;
    for (let end = all.indexOf(10); end >= 0 && last?.word !== 'file'; end = all.indexOf(10, from)) {
      const text = decoder.decode(all.subarray(from, end));
      from = end + 1;
      const word = text.slice(0, text.indexOf(' '));
      const rest = text.slice(word.length + 1);
      if (word === 'refused') last = { word, status: Number(rest.slice(0, 3)), value: JSON.parse(rest.slice(4)) };
      else last = { word, value: JSON.parse(rest) };
      hear(word, last.value);
    }
    pending = all.slice(from);
    if (last?.word === 'file' && pending.length > 0) parts.push(pending);
  };

  let memory = null;
  const view = () => new DataView(memory.buffer);
  const set = (place, value) => view().setUint32(place, value, true);
  /** The pieces of memory that a list of addresses and lengths names. */
  const pieces = (list, count) => {
    const table = view();
    return Array.from({ length: count }, (_, at) => {
      const [start, length] = [table.getUint32(list + 8 * at, true), table.getUint32(list + 8 * at + 4, true)];
      return new Uint8Array(memory.buffer, start, length);
    });
  };

  const system = {
    fd_read(file, list, count, place) {
      if (file !== 0) return BAD_FILE;
      let done = 0;
      for (const piece of pieces(list, count)) {
        const part = input.subarray(read, read + piece.length);
        piece.set(part);
        read += part.length;
        done += part.length;
        // Behind the request a byte stands for "stop".
        if (read === input.length && done === 0 && piece.length > 0 && isCancelled()) {
          piece[0] = 1;
          done = 1;
        }
        if (part.length < piece.length) break;
      }
      set(place, done);
      return 0;
    },
    fd_write(file, list, count, place) {
      if (file !== 1 && file !== 2) return BAD_FILE;
      let done = 0;
      for (const piece of pieces(list, count)) {
        const bytes = piece.slice(); // the memory may move, or be shared
        done += bytes.length;
        if (file === 1) take(bytes);
        else complaint += decoder.decode(bytes);
      }
      set(place, done);
      return 0;
    },
    clock_time_get(clock, _precision, place) {
      // Clock 0 tells the date.
      const time = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(place, BigInt(Math.round(time * 1e6)), true);
      return 0;
    },
    random_get(start, length) {
      // Keys of hash tables; nothing here is secret, and every run is the same.
      new Uint8Array(memory.buffer, start, length).fill(7);
      return 0;
    },
    environ_sizes_get(count, bytes) {
      set(count, 0);
      set(bytes, 0);
      return 0;
    },
    args_sizes_get(count, bytes) {
      set(count, 0);
      set(bytes, 0);
      return 0;
    },
    environ_get: () => 0,
    args_get: () => 0,
    fd_prestat_get: () => BAD_FILE,
    sched_yield: () => 0,
    proc_exit(code) {
      throw new Exit(code);
    },
  };
  const imports = {};
  for (const { module: place, name } of WebAssembly.Module.imports(module)) {
    imports[place] ??= {};
    imports[place][name] = system[name] ?? (() => NO_SYSTEM);
  }

  try {
    const instance = await WebAssembly.instantiate(module, imports);
    memory = instance.exports.memory;
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit && error.code === 0)) {
      return { ...broken(error, complaint), complaint: complaint || String(error) };
    }
  }
  if (last === null || !['done', 'file', 'refused'].includes(last.word)) {
    return { ...broken(null, complaint), complaint };
  }
  if (last.word !== 'file') return last;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { ...last, bytes };
}
