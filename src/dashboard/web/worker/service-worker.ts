import type { PushPayload } from "../../../domain/alerts/webhook-format.ts";

/* The service worker of the page (behavior 21.61 to 21.64). It shows notifications, and the page without data while the server is away. */

/** The HTML file and what it loads first, the beginnings of its paths, and their version: see `installable.ts`. */
declare const SHELL: string[];
declare const SECTIONS: string;
declare const VERSION: string;
declare const ICON: string;

/** The parts of the browser's types that this file uses: the types of pages and of workers exclude each other. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Subscription {
  endpoint: string;
  options: object;
  toJSON(): { endpoint: string; keys: { p256dh: string; auth: string } };
}
interface Window {
  url: string;
  navigate(url: string): Promise<Window | null>;
  focus(): Promise<Window>;
}
interface Worker {
  registration: {
    showNotification(title: string, options: object): Promise<void>;
    pushManager: { subscribe(options: object): Promise<Subscription> };
  };
  clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
}
const worker = globalThis as unknown as Worker;

function on<Fields>(name: string, work: (event: Extendable & Fields) => Promise<unknown>): void {
  addEventListener(name, (event) => (event as Extendable).waitUntil(work(event as Extendable & Fields)));
}

/* The paths of the page. Everything else, such as public pages, the API and /docs, passes by. */
const PAGE = new RegExp(`^/((${SECTIONS})(/.*)?)?$`);

on<object>("install", async () => {
  const cache = await caches.open(VERSION);
  await cache.addAll(SHELL);
  const html = await (await cache.match("/", { ignoreVary: true }))?.text();
  // While the nodes are updated, one with another version may have answered.
  if (!SHELL.every((path) => html?.includes(path))) throw new Error("another version");
  await worker.skipWaiting();
});

on<object>("activate", async () => {
  const old = (await caches.keys()).filter((name) => name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
});

/** The network always comes first, so that no file of an earlier version is shown while the server answers. */
addEventListener("fetch", (event) => {
  const { request, respondWith } = event as Event & {
    request: Request;
    respondWith: (answer: Promise<Response>) => void;
  };
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const isPage = request.mode === "navigate" && PAGE.test(pathname);
  if (!isPage && !SHELL.slice(1).includes(pathname)) return;
  const saved = () => caches.match(isPage ? "/" : request, { ignoreVary: true });
  respondWith.call(
    event,
    fetch(request).catch(async (error) => (await saved()) ?? Promise.reject(error)),
  );
});

on<{ data: { json(): PushPayload } | null }>("push", async ({ data }) => {
  if (!data) return;
  const { title, body, link, tag, at } = data.json();
  const options = { body, tag, renotify: tag !== undefined, timestamp: at, data: link, icon: ICON };
  await worker.registration.showNotification(title, options);
});

/** Opens the link in a window of the page if there is one. It keeps the host of this page, where the reader is signed in. */
on<{ notification: { data: string; close(): void } }>("notificationclick", async ({ notification }) => {
  notification.close();
  const { pathname, search } = new URL(notification.data);
  const target = location.origin + pathname + search;
  const windows = await worker.clients.matchAll({ type: "window" });
  // Others at this host, such as a wall or a public page, stay what they are.
  const open = windows.find(({ url }) => PAGE.test(new URL(url).pathname));
  const openWindow = () => worker.clients.openWindow(target);
  if (!open) return openWindow();
  // On iOS, the window may be one of an app that the system has ended.
  return open
    .focus()
    .then(() => open.navigate(target))
    .catch(openWindow);
});

/** Gives the channel of this browser its new subscription, if the reader is still signed in. */
on<{ oldSubscription: Subscription | null; newSubscription: Subscription | null }>(
  "pushsubscriptionchange",
  async ({ oldSubscription, newSubscription }) => {
    if (!oldSubscription) return;
    const renewed =
      newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription.options));
    const { data } = await (await fetch("/api/v1/alerts/report")).json();
    const channel = data.find(
      ({ config }: { config: { url?: string } }) => config.url === oldSubscription.endpoint,
    );
    if (!channel) return;
    const { endpoint: url, keys } = renewed.toJSON();
    const options = { p256dh: keys.p256dh, auth: keys.auth };
    await fetch(`/api/v1/alerts/${channel.id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { ...channel.config, url, options } }),
    });
  },
);
