/* The page without a connection.
 *
 * Pages come from the network whenever it answers; the last one seen is kept for when it does not.
 * Files under /assets/ have other names when they change, so what was used once is kept; when the page has
 * come to rest it asks for all others, so that lessons and rules are there without a connection, too. Each
 * build has a cache of its own, named by its first script: with a new build the old one goes.
 * Nothing of the API is ever kept, and nothing of the socket is even seen here.
 */

const PREFIX = 'stichwerk ';
const PAGE = '/';
const BESIDE = ['/icon.svg', '/manifest.webmanifest', '/icon-192.png'];
const OURS = /^\/(t|stichtag|calendar|replay|rules|learn|settings|offline)?(\/|$)/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    fetch(PAGE)
      .then(keepPage)
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The page is at rest: keep every file of it, and say so. */
self.addEventListener('message', (event) => {
  if (event.data !== 'keep') return;
  event.waitUntil(
    keepEverything().then((done) => event.source?.postMessage(done ? 'kept' : 'not kept')),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (OURS.test(pathname)) event.respondWith(page(event));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(asset(request));
  } else if (BESIDE.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => kept(pathname)));
  }
});

/** The page: the newest there is. */
async function page(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok) event.waitUntil(keepPage(answer.clone()));
    return answer;
  } catch {
    return kept(PAGE);
  }
}

/** A file that never changes: in whichever cache it is. */
async function asset(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await (await current())?.put(request, answer.clone());
  return answer;
}

async function kept(path) {
  return (await caches.match(path)) ?? Response.error();
}

/** The cache of the build whose page is kept. */
async function current() {
  const page = await caches.match(PAGE);
  return page && caches.open(cacheName(await page.text()));
}

/** The name of the cache of a page's build; undefined: this is no page of ours. */
function cacheName(text) {
  const script = filesIn(text).find((file) => file.endsWith('.js'));
  return script && PREFIX + script;
}

/** Keep a page; what is of another build is forgotten. */
async function keepPage(answer) {
  const text = await answer.clone().text();
  const name = cacheName(text);
  if (!answer.ok || !name) return;
  const cache = await caches.open(name);
  await cache.put(PAGE, answer);
  await forgetOthers(name);
  await keepAll(cache, [...filesIn(text), ...BESIDE]);
}

/** Forget all builds but one. A file that was on its way may bring its old cache back: so again at rest. */
async function forgetOthers(name) {
  const others = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== name);
  await Promise.all(others.map((key) => caches.delete(key)));
}

/** Every file of this build: each names those that it needs. */
async function keepEverything() {
  const text = await (await caches.match(PAGE))?.text();
  if (!text) return false;
  await forgetOthers(cacheName(text));
  const cache = await caches.open(cacheName(text));
  const seen = new Set();
  let wave = filesIn(text);
  while (wave.length) {
    wave.forEach((url) => seen.add(url));
    await keepAll(cache, wave);
    const answers = await Promise.all(
      wave.filter((url) => /\.(?:js|css)$/.test(url)).map((url) => cache.match(url)),
    );
    if (answers.includes(undefined)) return false; // the connection is gone, or the build
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    wave = [...new Set(texts.flatMap(filesIn))].filter((url) => !seen.has(url));
  }
  return true;
}

/** The files that a page, a script or a style sheet names. */
function filesIn(text) {
  const names = text.matchAll(/["'`(](?:\.\/|\/?assets\/)([\w.~-]+\.(?:js|css|woff2))["'`)]/g);
  return [...names].map((found) => `/assets/${found[1]}`);
}

async function keepAll(cache, urls) {
  const missing = async (url) => ((await cache.match(url)) ? undefined : cache.add(url));
  await Promise.all(urls.map((url) => missing(url).catch(() => undefined)));
}
