import type { PushPayload } from "../../../domain/alerts/webhook-format.ts";
import { worker as english } from "../../languages/english/worker.ts";

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
interface Action {
  action: string;
  title: string;
}
/** The options of a notification that this file sets. */
interface ShownNotification {
  body: string;
  tag?: string | undefined;
  renotify?: boolean;
  silent?: boolean;
  timestamp?: number;
  /** The link. */
  data: string;
  icon: string;
  actions?: Action[];
}
interface ClickedNotification extends Pick<ShownNotification, "data" | "tag"> {
  title: string;
  actions?: Action[];
  close(): void;
}
interface Worker {
  registration: {
    showNotification(title: string, options: ShownNotification): Promise<void>;
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

/** The path of the base URL. */
const BASE = location.pathname.replace("/service-worker.js", "");
const FILES = SHELL.map((path) => BASE + path);
const IMAGE = BASE + ICON;
/** The caches of a host belong to all its paths. */
const CACHE = BASE + VERSION;

function on<Fields>(name: string, work: (event: Extendable & Fields) => Promise<unknown>): void {
  addEventListener(name, (event) => (event as Extendable).waitUntil(work(event as Extendable & Fields)));
}

/* The paths of the page. Everything else, such as public pages, the API and /docs, passes by. */
const PAGE = new RegExp(`^${BASE}/((${SECTIONS})(/.*)?)?$`);

/** The texts of the first view, in the language of the saved page. */
const TEXTS = new RegExp(`^${BASE}/assets/texts-.*-start\\.json$`);

on<object>("install", async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  const html = (await (await cache.match(`${BASE}/`, { ignoreVary: true }))?.text()) ?? "";
  // While the nodes are updated, one with another version may have answered.
  if (!FILES.every((path) => html.includes(path))) throw new Error("another version");
  const [, texts] = /data-texts="([^"]+)"/.exec(html) ?? [];
  await cache.addAll([`${texts}-start.json`, `${texts}-worker.json`]);
  await worker.skipWaiting();
});

on<object>("activate", async () => {
  const old = (await caches.keys()).filter((name) => name !== CACHE && name.startsWith(BASE));
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
  if (!isPage && !FILES.slice(1).includes(pathname) && !TEXTS.test(pathname)) return;
  const saved = () => caches.match(isPage ? `${BASE}/` : request, { ignoreVary: true });
  respondWith.call(
    event,
    fetch(request).catch(async (error) => (await saved()) ?? Promise.reject(error)),
  );
});

on<{ data: { json(): PushPayload } | null }>("push", async ({ data }) => {
  if (!data) return;
  const { title, body, link, tag, at, trouble, buttons } = data.json();
  const options = { body, tag, renotify: tag !== undefined, timestamp: at, data: link, icon: IMAGE };
  await worker.registration.showNotification(title, { ...options, actions: buttonsFor(trouble, buttons) });
});

/** Their names have the IDs, because a notification has no other data than its link. */
function buttonsFor(
  trouble: PushPayload["trouble"],
  { acknowledge, mute }: NonNullable<PushPayload["buttons"]> = {
    acknowledge: "Acknowledge",
    mute: "Mute 1 h",
  },
): Action[] {
  if (!trouble) return [];
  return [
    { action: `acknowledge ${trouble.outageId}`, title: acknowledge },
    { action: `mute ${trouble.monitorId}`, title: mute },
  ];
}

on<{ notification: ClickedNotification; action?: string }>(
  "notificationclick",
  async ({ notification, action }) => {
    notification.close();
    await (action ? act(notification, action) : openLink(notification.data));
  },
);

const HOUR = 3_600_000;

type Words = typeof english;

/** The requests of the buttons, with the session of the reader. */
const deeds = {
  acknowledge: {
    path: (id: string) => `/api/v1/outages/${id}/acknowledge`,
    body: () => ({}),
  },
  mute: {
    path: () => "/api/v1/maintenances",
    body(id: string, { mute: { maintenance: title } }: Words) {
      const now = Date.now();
      const [startsAt, endsAt] = [now, now + HOUR].map((at) => new Date(at).toISOString());
      return { title, startsAt, endsAt, selector: { monitorIds: [id] } };
    },
  },
};

function isDeed(name: string): name is keyof typeof deeds {
  return Object.hasOwn(deeds, name);
}

/** In the language of the saved page; in English if the browser has deleted them (behavior 27.5). */
async function findWords(): Promise<Words> {
  const cache = await caches.open(CACHE);
  const file = (await cache.keys()).find(({ url }) => url.endsWith("-worker.json"));
  const saved = file && (await cache.match(file));
  if (!saved) return english;
  const texts: { worker: Words } = await saved.json();
  return texts.worker;
}

/** Sends the request of a button, and shows the outcome in place of the notification. @param action see `buttonsFor` */
async function act(clicked: ClickedNotification, action: string): Promise<unknown> {
  const [name = "", id = ""] = action.split(" ");
  if (!isDeed(name)) return openLink(clicked.data);
  const [deed, all] = [deeds[name], await findWords()];
  const words = all[name];
  const { title, tag, data, actions = [] } = clicked;
  const answer = await fetch(BASE + deed.path(id), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(deed.body(id, all)),
  }).catch(() => undefined);
  // The session has ended: the page asks to sign in.
  if (answer?.status === 401) return openLink(data);
  const shared = { tag, data, icon: IMAGE };
  if (answer?.ok)
    return worker.registration.showNotification(words.done, { ...shared, body: title, silent: true });
  const why = answer ? await reasonOf(answer, words.denied, all) : all.unreachable;
  return worker.registration.showNotification(words.failed, { ...shared, body: `${why}\n${title}`, actions });
}

async function reasonOf(answer: Response, denied: string, { answered }: Words): Promise<string> {
  if (answer.status === 403) return denied;
  const { error } = await answer.json().catch(() => ({}));
  return typeof error === "string" ? error : answered.replace("{status}", String(answer.status));
}

/** Opens the link in a window of the page if there is one. It keeps the host of this page, where the reader is signed in. */
async function openLink(link: string): Promise<unknown> {
  const { pathname, search } = new URL(link);
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
}

/** Gives the channel of this browser its new subscription, if the reader is still signed in. */
on<{ oldSubscription: Subscription | null; newSubscription: Subscription | null }>(
  "pushsubscriptionchange",
  async ({ oldSubscription, newSubscription }) => {
    if (!oldSubscription) return;
    const renewed =
      newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription.options));
    const { data } = await (await fetch(`${BASE}/api/v1/alerts/report`)).json();
    const channel = data.find(
      ({ config }: { config: { url?: string } }) => config.url === oldSubscription.endpoint,
    );
    if (!channel) return;
    const { endpoint: url, keys } = renewed.toJSON();
    const options = { p256dh: keys.p256dh, auth: keys.auth };
    await fetch(`${BASE}/api/v1/alerts/${channel.id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { ...channel.config, url, options } }),
    });
  },
);
