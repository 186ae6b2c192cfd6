// What carries questions and answers: here HTTP, by the browser's own means.
//
// A page without a server has another module in this place (`crates/wasm/site`), with the same two names.

export const fetch = (...request) => globalThis.fetch(...request);
export const { EventSource } = globalThis;
