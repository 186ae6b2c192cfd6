// Keeps the page for the next visit, with or without a network, and isolates it.
//
// Idea: all files are fetched when this is installed, under the name of their version, and answered from there; a new
// version replaces them all at once. Isolation (the two headers) lets a page share memory with its workers, so that a
// search can be stopped and still say what it has; hosts of static files rarely let one set headers.
// `ci/site.sh` writes the version and the files into the next two lines.

const VERSION = 'VERSION';
const FILES = [];

addEventListener('install', (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(fresh))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(old)
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const respond = async () => {
    const cache = await caches.open(VERSION);
    const found = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
    const headers = new Headers(found.headers);
    headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('cross-origin-embedder-policy', 'require-corp');
    headers.set('cross-origin-resource-policy', 'same-origin');
    return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
  };
  event.respondWith(respond());
});
