// Where the server does not answer, its own page says how to start it. Nothing else is kept: games live on the server.
const KEPT = "tesuji-offline";

self.addEventListener("install", (event) => {
  // What is part of a page goes past the worker, and a page is asked for while the worker wakes up: it costs no time.
  event.addRoutes?.([{ condition: { urlPattern: "/_nicegui/*" }, source: "network" }]).catch(() => {});
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(["/offline", "/icon.svg"])).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

async function page(event) {
  try { return (await event.preloadResponse) ?? (await fetch(event.request)); }
  catch { return caches.match("/offline"); }
}

self.addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate") event.respondWith(page(event));
  else if (path === "/icon.svg") event.respondWith(fetch(event.request).catch(() => caches.match(path)));
});
