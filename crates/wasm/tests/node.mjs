// Runs the engine in Node, with the very module that the page uses: `node node.mjs SITE`.
//
// A request is a line of JSON on the input, with its body in hexadecimal digits; the answer is a line of JSON on the output.

import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const site = process.argv[2];
const { run } = await import(pathToFileURL(`${site}/js/engine.js`));
const module = await WebAssembly.compile(await readFile(`${site}/destrier.wasm`));

for await (const line of createInterface({ input: process.stdin })) {
  const { body, cancel_after: most, ...request } = JSON.parse(line);
  const heard = [];
  const answer = await run(
    module,
    { ...request, body: Buffer.from(body, 'hex') },
    { hear: (word) => heard.push(word), isCancelled: () => most !== undefined && heard.length > most },
  );
  const bytes = answer.bytes ? Buffer.from(answer.bytes).toString('hex') : undefined;
  console.log(JSON.stringify({ ...answer, bytes, heard }));
}
