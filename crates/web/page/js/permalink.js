// The question in the address: `#tour?board=8x8&closed=true`.
//
// Idea: the words are those of the API and of the command line. The address follows the question as it changes, so
// it can be copied at any time; opening it restores room and question.

/** The address of a question. */
export function toHash(room, question) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(question)) {
    if (key === 'kind' || value === undefined || value === null || value === false || value === '') continue;
    words.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = words.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return text ? `#${room}?${text}` : `#${room}`;
}

/** The room and the question of an address. */
export function fromHash(hash) {
  const [room, words = ''] = hash.replace(/^#/, '').split('?');
  return { room, question: Object.fromEntries(new URLSearchParams(words)) };
}
