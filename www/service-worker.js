// Keeps the page for visits without a network: the files of one build, together or not at all.
// `cargo xtask build` fills in the two lines that follow. As they stand here, the worker takes itself away again,
// with all that an earlier one has kept: a page still being worked on must not come from a store.
const BUILD = "";
const FILES = {};

// Stores belong to an origin, on which there may be other pages, and this one in other folders.
const PREFIX = `warpspan:${registration.scope}:`;
const STORE = PREFIX + BUILD;

addEventListener("install", (event) => event.waitUntil(BUILD ? keep() : skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(BUILD ? begin() : leave()));
// Only a visitor who says so gets a new build while the page is open.
addEventListener("message", ({ data }) => data === "take over" && skipWaiting());
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const here = address.origin + address.pathname;
  if (!BUILD || request.method !== "GET" || !here.startsWith(registration.scope)) return;
  const name = here.slice(registration.scope.length);
  const file = name === "" || name === "index.html" ? "./" : name;
  if (request.mode !== "navigate") {
    event.respondWith(answer(request, file, address.searchParams.get("build") ?? BUILD));
  } else if (file === "./") {
    event.respondWith(answer(request, file, BUILD));
    event.waitUntil(tidy());
  }
});

// All files are there, and are those of this build, before any of them is kept. They are asked for as the page asks
// for them, past what the browser has of older ones.
async function keep() {
  const get = async ([file, integrity]) => {
    const found = await fetch(`${file}?build=${BUILD}`, { cache: "no-cache", integrity });
    if (!found.ok) throw new Error(`${file}: ${found.status}`);
    const headers = new Headers(found.headers);
    for (const packed of ["Content-Encoding", "Content-Length"]) headers.delete(packed);
    // An answer without an address of its own: scripts see the one they were asked for under.
    return [file, new Response(await found.blob(), { headers })];
  };
  const files = await Promise.all(Object.entries(FILES).map(get));
  const store = await caches.open(STORE);
  await Promise.all(files.map(([file, found]) => store.put(file, found)));
}

async function begin() {
  await tidy();
  await clients.claim();
}

// Takes older stores away, but for the latest while the page is open somewhere: it may be of that build.
async function tidy() {
  const open = await clients.matchAll({ type: "window" });
  const older = (await stores()).filter((store) => store !== STORE);
  const gone = open.length > 0 ? older.slice(0, -1) : older;
  await Promise.all(gone.map((store) => caches.delete(store)));
}

async function leave() {
  await Promise.all((await stores()).map((store) => caches.delete(store)));
  await registration.unregister();
}

async function stores() {
  return (await caches.keys()).filter((store) => store.startsWith(PREFIX));
}

// A page of another build gets files of that build or none: never a mixture.
async function answer(request, file, build) {
  const kept = (store) => caches.match(new URL(file, registration.scope), { cacheName: store });
  const own = await kept(PREFIX + build);
  if (own) return own;
  if (Object.hasOwn(FILES, file)) return build === BUILD ? fetch(request) : missing();
  for (const store of await stores()) {
    const found = await kept(store);
    if (found) return found;
  }
  return fetch(request).catch(missing);
}

function missing() {
  return new Response("Not found\n", { status: 404, headers: { "Content-Type": "text/plain" } });
}
