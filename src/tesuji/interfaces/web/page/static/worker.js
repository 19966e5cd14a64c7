// Where the server does not answer, its own page says how to start it. Nothing else is kept: games live on the server.
const KEPT = "tesuji-offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(["/offline", "/icon.svg"])).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match("/offline")));
  else if (path === "/icon.svg") event.respondWith(fetch(event.request).catch(() => caches.match(path)));
});
