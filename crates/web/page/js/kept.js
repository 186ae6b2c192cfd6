// What the browser keeps for us, where it does.
//
// Idea: a reader may block storage, or have none left. Then nothing is kept, and nothing breaks.

function storage(name) {
  const attempt = (act) => {
    try {
      return act(globalThis[name]);
    } catch {
      return null;
    }
  };
  return {
    get: (key) => attempt((store) => store.getItem(key)),
    set: (key, value) => attempt((store) => store.setItem(key, value)),
    remove: (key) => attempt((store) => store.removeItem(key)),
  };
}

/** For good. */
export const kept = storage('localStorage');

/** As long as the tab is open. */
export const tab = storage('sessionStorage');
