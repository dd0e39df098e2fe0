import { expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { eventually } from "../support/eventually.ts";
import { longTest } from "../support/long.ts";
import { checkIn, createChannel, createMonitor } from "../support/requests/monitors.ts";
import { type PushedMessage, PushService } from "../support/servers/push-service.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

// A server of its own: where people have passwords, the sign-in of other files would ask for one.
const served = await untilEndOfFile(ServedPage.start(["--log-level", "info"]));
const service = await untilEndOfFile(new PushService());

/** A reader whose browser runs the service worker of the page. */
async function reader({ before = async (_: Page) => {} } = {}) {
  const { context, page } = await served.signedIn({ serviceWorkers: "allow" });
  await before(page);
  await page.goto("/");
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await becomes(() => page.evaluate("navigator.serviceWorker.controller !== null"), true);
  return { context, page };
}

longTest(
  "behavior 21.61: the page opens without the server, says so, and shows no status; nothing of the API is kept",
  async () => {
    const { context, page } = await reader();
    await context.setOffline(true);
    await page.goto("/outages");
    await page.getByText("Cannot reach the server.").waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).count()).toBe(0);
    const kept = await page.evaluate(
      "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys()))).then((all) => all.flat().map(({ url }) => new URL(url).pathname)))",
    );
    for (const path of kept as string[]) expect(path).toMatch(/^\/(assets\/.*)?$/);
    expect(page.goto("/status/nothing")).rejects.toThrow();
    await context.setOffline(false);
    await page.goto("/outages");
    await page.getByRole("heading", { name: "Outages" }).waitFor();
    await context.close();
  },
);

longTest(
  "behavior 21.62: a worker deletes the files of other versions, and takes over an open page",
  async () => {
    const { context, page } = await reader({
      // The registration of the page comes only after the sign-in form is shown.
      before: async (unregistered) => {
        await unregistered.goto("/healthz");
        await unregistered.evaluate(
          "caches.open('an older version').then((cache) => cache.put('/', new Response('old')))",
        );
      },
    });
    const names = () => page.evaluate("caches.keys()") as Promise<string[]>;
    await becomes(async () => (await names()).includes("an older version"), false);
    expect(await names()).toHaveLength(1);
    await context.close();
  },
);

/**
 * A browser whose reader permits notifications, with subscriptions at a push service, one after the other. Chromium without a window
 * never permits them, and its own subscriptions need the service of its maker: only these two are replaced in the page.
 */
async function subscribeAt(page: Page, ...given: ReturnType<PushService["subscribe"]>[]): Promise<void> {
  const subscriptions = given.map(({ url, options }) => ({ endpoint: url, keys: options }));
  await page.addInitScript(`{
    let permission = "default";
    let current = null;
    globalThis.asked = 0;
    Object.defineProperty(Notification, "permission", { get: () => permission });
    Notification.requestPermission = async () => { asked++; return (permission = "granted"); };
    const subscriptions = ${JSON.stringify(subscriptions)};
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      globalThis.usedKey = applicationServerKey;
      const { endpoint, keys } = subscriptions[0];
      const unsubscribe = async () => { current = null; globalThis.ended = true; subscriptions.shift(); };
      return (current = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe });
    };
    PushManager.prototype.getSubscription = async () => current;
  }`);
}

test("behavior 21.70: a device is notified after a click on the page, which asks for the permission only then", async () => {
  const { context, page } = await reader();
  await subscribeAt(page, service.subscribe());
  await page.goto("/channels");
  await page.getByRole("button", { name: "Notify this device" }).click();
  await page.getByLabel("Name", { exact: true }).fill("my phone");
  expect(await page.evaluate("asked")).toBe(0);
  await page.getByRole("dialog").getByRole("button", { name: "Notify this device" }).click();
  await page.getByText("This device is notified").waitFor();
  expect(await page.evaluate("asked")).toBe(1);
  const { publicKey } = (await served.api.get("/api/v1/webpush")).body.data;
  expect(await page.evaluate("usedKey")).toBe(publicKey);
  const [channel] = (await served.api.get("/api/v1/alerts")).body.data;
  expect(channel).toMatchObject({ name: "my phone", enabled: true, config: { format: "webpush" } });
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Delivered.").waitFor();
  expect(service.accepted).toHaveLength(1);
  await page.getByRole("link", { name: "my phone" }).first().click();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  await context.close();
});

longTest(
  "behavior 21.56, 21.70: a reader sees that the subscription of the device has ended, and renews it for the same channel",
  async () => {
    const { context, page } = await reader();
    await subscribeAt(page, service.subscribe(), service.subscribe());
    await page.goto("/channels");
    const notify = async () => {
      await page.getByRole("button", { name: "Notify this device" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Notify this device" }).click();
      await page.getByText("This device is notified").waitFor();
    };
    await notify();
    const before = (await served.api.get("/api/v1/alerts")).body.data;
    // The page sends a second test before it renews the subscription.
    service.answers = [1, 2].map(() => new Response("", { status: 410 }));
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("button", { name: "Notify this device" }).waitFor();
    await page.getByText("the device has ended its subscription").waitFor();
    await notify();
    expect(await page.getByText("the device has ended its subscription").count()).toBe(0);
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Delivered.").waitFor();
    expect((await served.api.get("/api/v1/alerts")).body.data).toHaveLength(before.length);
    await context.close();
  },
);

longTest(
  "behavior 21.70: a disabled device is notified again, and renews its subscription only if that has ended",
  async () => {
    const subscription = service.subscribe();
    const { id } = await createChannel(served.api, {
      name: "disabled",
      config: subscription,
      enabled: false,
    });
    const { context, page } = await reader();
    await subscribeAt(page, subscription, service.subscribe());
    await page.goto("/channels");
    await page.evaluate("PushManager.prototype.subscribe({})");
    const again = async () => {
      await page.getByRole("link", { name: "Overview" }).click();
      await page.getByRole("link", { name: "Channels" }).click();
      await page.getByRole("button", { name: "Notify this device" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Notify this device" }).click();
      await page.getByText("This device is notified").waitFor();
      return page.evaluate("globalThis.ended === true");
    };
    expect(await again()).toBe(false);
    expect((await served.api.get(`/api/v1/alerts/${id}`)).body.data.enabled).toBe(true);
    service.answers = [new Response("", { status: 410 })];
    await served.api.patch(`/api/v1/alerts/${id}`, { enabled: false });
    expect(await again()).toBe(true);
    await context.close();
  },
);

longTest("behavior 21.70: a browser that blocks notifications says what to do", async () => {
  const { context, page } = await reader();
  await page.goto("/channels");
  await page.getByText("Allow them for this site").waitFor();
  expect(await page.getByRole("button", { name: "Notify this device" }).count()).toBe(0);
  await context.close();
});

longTest.each([
  ["a browser that refuses the service worker", "ServiceWorkerContainer.prototype.register"],
  ["a browser without a push service", "PushManager.prototype.subscribe"],
])("behavior 21.70: %s says what it needs, and does not blame the server", async (_, refused) => {
  const { context, page } = await reader();
  await subscribeAt(page, service.subscribe());
  await page.addInitScript(`${refused} = async () => { throw new DOMException("refused", "AbortError"); };`);
  await page.goto("/channels");
  const words = page.getByText("it must trust the certificate of stillup");
  const offer = page.getByRole("button", { name: "Notify this device" });
  await words.or(offer).waitFor();
  if (await offer.isVisible()) {
    await offer.click();
    await page.getByRole("dialog").getByRole("button", { name: "Notify this device" }).click();
  }
  await words.waitFor();
  await context.close();
});

/** The server with another answer to its service worker that stores the page, as in the middle of an update. */
function startDuringUpdate(answer: () => Response) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      // A navigation has another destination.
      const isForWorker = pathname === "/" && request.headers.get("sec-fetch-dest") === "empty";
      if (isForWorker) return answer();
      const forwarded = new Request(served.api.url + pathname + search, request);
      return fetch(forwarded, { decompress: false });
    },
  });
}

longTest.each([
  ["no page", () => new Response("", { status: 404 })],
  ["the page of another version", () => new Response("<!doctype html>")],
])(
  "behavior 21.61, 21.70: a browser whose service worker gets %s does not install it, and says what it needs",
  async (_, answer) => {
    await using front = startDuringUpdate(answer);
    const { context, page } = await served.browser.reader(front.url.href, { serviceWorkers: "allow" });
    await subscribeAt(page, service.subscribe());
    await page.goto("/");
    await page.getByLabel("API key").fill(served.api.key ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("button", { name: "Notify this device" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Notify this device" }).click();
    await page.getByText("load and store its files").waitFor();
    expect(await page.evaluate("navigator.serviceWorker.controller")).toBeNull();
    await context.close();
  },
);

longTest("behavior 21.70: a reader who closed the question of the browser can try again", async () => {
  const { context, page } = await reader();
  await subscribeAt(page, service.subscribe());
  await page.addInitScript('Notification.requestPermission = async () => "default";');
  await page.goto("/channels");
  await page.getByRole("button", { name: "Notify this device" }).click();
  const submit = page.getByRole("dialog").getByRole("button", { name: "Notify this device" });
  await submit.click();
  await page.getByText("Allow notifications when the browser asks.").waitFor();
  expect(await submit.isEnabled()).toBe(true);
  await context.close();
});

const openPage = (context: BrowserContext) => async (path: string) => {
  const page = await context.newPage();
  await page.goto(path);
  return page;
};

longTest(
  "behavior 21.63: a message is shown, and a click on it opens its link at the host of the page, in its window",
  async () => {
    const { context, page } = await reader();
    const [worker] = context.serviceWorkers();
    const others = await Promise.all(["/status/shop", "/wall", "/invite/x"].map(openPage(context)));
    const payload = {
      ...{ title: "🔴 Shop front is down", body: "Refused.", tag: "a1", at: 1_795_271_405_000 },
      link: "https://elsewhere.example.com/outages/a1",
    };
    // Chromium without a window shows none, and lets a worker focus a window only after a real click.
    const shown = await worker?.evaluate(`new Promise((done) => {
      registration.showNotification = async (title, options) => done({ title, ...options });
      dispatchEvent(new PushEvent("push", { data: ${JSON.stringify(JSON.stringify(payload))} }));
    })`);
    expect(shown).toMatchObject({
      ...{ title: payload.title, body: payload.body, tag: "a1", timestamp: payload.at, renotify: true },
      ...{ data: payload.link, icon: expect.stringMatching(/^\/assets\/icon-192-\w+\.png$/) },
    });
    await worker?.evaluate(`{
      WindowClient.prototype.focus = async function () { return this; };
      const click = new ExtendableEvent("notificationclick");
      click.notification = { data: ${JSON.stringify(payload.link)}, close() {} };
      dispatchEvent(click);
    }`);
    await page.waitForURL(`${served.api.url}/outages/a1`);
    expect(context.pages()).toHaveLength(4);
    expect(others.map((other) => new URL(other.url()).pathname)).toEqual([
      "/status/shop",
      "/wall",
      "/invite/x",
    ]);
    await context.close();
  },
);

longTest.each([
  ["no window of the page", "/wall"],
  ["a window that cannot get the focus", "/outages"],
])("behavior 21.63: a click on a message with %s opens a new one", async (_, path) => {
  const { context, page } = await reader();
  const [worker] = context.serviceWorkers();
  await page.goto(path);
  const opened = await worker?.evaluate(`new Promise((done) => {
      WindowClient.prototype.focus = async () => { throw new DOMException("no window", "InvalidAccessError"); };
      Clients.prototype.openWindow = async (url) => done(url);
      const click = new ExtendableEvent("notificationclick");
      click.notification = { data: "https://elsewhere.example.com/outages/a1", close() {} };
      dispatchEvent(click);
    })`);
  expect(opened).toBe(`${served.api.url}/outages/a1`);
  await context.close();
});

longTest(
  "behavior 21.64: a subscription that the browser renews replaces the previous one of its channel",
  async () => {
    const { context } = await reader();
    const [worker] = context.serviceWorkers();
    const [previous, { url: endpoint, options: keys }] = [service.subscribe(), service.subscribe()];
    const { id } = await createChannel(served.api, { config: previous });
    await worker?.evaluate(`{
      const renewal = new ExtendableEvent("pushsubscriptionchange");
      const oldSubscription = { endpoint: ${JSON.stringify(previous.url)}, options: {} };
      const newSubscription = { toJSON: () => (${JSON.stringify({ endpoint, keys })}) };
      dispatchEvent(Object.assign(renewal, { oldSubscription, newSubscription }));
    }`);
    const path = `/api/v1/alerts/${id}`;
    await becomes(async () => (await served.api.get(path)).body.data.config.url, endpoint);
    const { body } = await served.api.post(`${path}/test`);
    expect(body.data).toMatchObject({ status: "delivered" });
    await context.close();
  },
);

type Payload = PushedMessage["payload"];
type Worker = ReturnType<BrowserContext["serviceWorkers"]>[number] | undefined;
interface Shown {
  title: string;
  body: string;
  data: string;
  actions: { action: string; title: string }[];
}

/** The next notification that the worker shows after an event. Chromium without a window shows none itself. */
function shownAfter(worker: Worker, event: string): Promise<Shown> {
  return worker?.evaluate(`new Promise((done) => {
    registration.showNotification = async (title, options) => done({ title, ...options });
    ${event}
  })`) as Promise<Shown>;
}

const push = (payload: Payload) =>
  `dispatchEvent(new PushEvent("push", { data: ${JSON.stringify(JSON.stringify(payload))} }));`;

/** A click on a button of a notification, as the browser reports it. */
const click = (shown: Shown, button: string) => `{
  const event = new ExtendableEvent("notificationclick");
  event.action = ${JSON.stringify(shown.actions.find(({ title }) => title === button)?.action)};
  event.notification = { ...${JSON.stringify(shown)}, close() {} };
  dispatchEvent(event);
}`;

/** A monitor that is down, with the message about it that the push service has for the device. */
async function pushedTrouble() {
  const { id: channelId } = await createChannel(served.api, { config: service.subscribe() });
  const job = await createMonitor(served.api, "SCHEDULED", { alertChannelIds: [channelId] });
  const before = service.accepted.length;
  await checkIn(served.api, job.id, "ok", "fail");
  const { payload } = await eventually(() => service.accepted[before]);
  const outage = async () => (await served.api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data[0];
  return { job, payload, outage };
}

/** A reader whose browser has the session of a person. */
async function person(email: string, role: "viewer" | "admin") {
  const { context, page } = await reader();
  const { id, inviteUrl } = (await served.api.post("/api/v1/people", { email, role })).body.data;
  const token = new URL(inviteUrl).pathname.split("/").at(-1);
  const body = JSON.stringify({ name: "Ana", password: "correct horse battery staple" });
  await page.evaluate(`fetch("/api/v1/invites/${token}", {
    method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)},
  }).then(({ status }) => { if (status >= 300) throw new Error(String(status)); })`);
  const [worker] = context.serviceWorkers();
  return { context, page, worker, id };
}

test("behavior 23.56, 23.57: one tap on a notification acknowledges in the name of the person, and another one mutes if the role permits it", async () => {
  const { context, worker, id } = await person("tap@example.com", "viewer");
  const { job, payload, outage } = await pushedTrouble();
  const shown = await shownAfter(worker, push(payload));
  expect(shown.actions.map(({ title }) => title)).toEqual(["Acknowledge", "Mute 1 h"]);
  const done = await shownAfter(worker, click(shown, "Acknowledge"));
  expect(done).toMatchObject({ title: "Acknowledged", body: shown.title, data: shown.data, silent: true });
  expect(await outage()).toMatchObject({ acknowledgedBy: "Ana", endedAt: null });

  const refused = await shownAfter(worker, click(shown, "Mute 1 h"));
  expect(refused).toMatchObject({ title: "Not muted", actions: shown.actions });
  expect(refused.body).toBe(`Only an admin can mute a monitor.\n${shown.title}`);
  const maintenances = async () => (await served.api.get("/api/v1/maintenances")).body.data;
  expect(await maintenances()).toEqual([]);

  await served.api.patch(`/api/v1/people/${id}`, { role: "admin" });
  expect(await shownAfter(worker, click(shown, "Mute 1 h"))).toMatchObject({ title: "Muted for an hour" });
  const [window] = await maintenances();
  expect(window).toMatchObject({ selector: { monitorIds: [job.id] }, state: "active", cron: null });
  expect(Date.parse(window.endsAt) - Date.parse(window.startsAt)).toBe(3_600_000);
  await context.close();
});

test("behavior 27.5: a notification says the outcome of a button in the language of the page, or in English without its texts", async () => {
  const { context, page, worker } = await person("word@example.com", "viewer");
  const { payload } = await pushedTrouble();
  const shown = await shownAfter(worker, push(payload));
  const store = (change: string) =>
    page.evaluate(`(async () => {
      const [name] = await caches.keys();
      const cache = await caches.open(name);
      const [file] = (await cache.keys()).filter(({ url }) => url.endsWith("-worker.json"));
      const { worker } = await (await cache.match(file)).json();
      ${change}
    })()`);
  await store(`const mute = { ...worker.mute, failed: "Nicht stummgeschaltet", denied: "Nur ein Admin." };
    await cache.put(file, new Response(JSON.stringify({ worker: { ...worker, mute } })));`);
  const refused = await shownAfter(worker, click(shown, "Mute 1 h"));
  expect(refused).toMatchObject({ title: "Nicht stummgeschaltet", body: `Nur ein Admin.\n${shown.title}` });
  await store("await cache.delete(file);");
  expect(await shownAfter(worker, click(shown, "Mute 1 h"))).toMatchObject({ title: "Not muted" });
  await context.close();
});

longTest(
  "behavior 23.57: a notification says why an outage was not acknowledged, and a session that has ended opens the page",
  async () => {
    const { context, worker } = await person("late@example.com", "viewer");
    const { job, payload } = await pushedTrouble();
    const shown = await shownAfter(worker, push(payload));
    await context.clearCookies();
    const opened = await worker?.evaluate(`new Promise((done) => {
    WindowClient.prototype.focus = async () => { throw new DOMException("no window", "InvalidAccessError"); };
    Clients.prototype.openWindow = async (url) => done(url);
    ${click(shown, "Acknowledge")}
  })`);
    expect(opened).toBe(payload.link);
    await context.close();

    const { context: other, worker: second } = await person("later@example.com", "viewer");
    await checkIn(served.api, job.id, "ok");
    const refused = await shownAfter(second, click(shown, "Acknowledge"));
    expect(refused.title).toBe("Not acknowledged");
    expect(refused.body).toStartWith("the outage has ended");
    await other.setOffline(true);
    const away = await shownAfter(second, click(shown, "Acknowledge"));
    expect(away.body).toStartWith("The server can't be reached.");
    await other.close();
  },
);

test("behavior 23.51: the page of a link needs no script and no session, fits 320 pixels, and is accessible in both themes", async () => {
  await using receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      received.push((await request.json()) as (typeof received)[number]);
      return new Response();
    },
  });
  const received: { actions: { url: string }[] }[] = [];
  const config = { url: receiver.url.href, format: "ntfy", options: { topic: "a" } };
  const { id } = await createChannel(served.api, { name: "Ops", config });
  const job = await createMonitor(served.api, "SCHEDULED", { alertChannelIds: [id], name: "N".repeat(80) });
  await checkIn(served.api, job.id, "ok", "fail");
  const link = (await eventually(() => received[0])).actions[1]?.url ?? "";
  const context = await served.browser.chromium.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  const page = await context.newPage();
  await page.goto(link);
  expect(await page.getByRole("button").allInnerTexts()).toEqual(["Acknowledge"]);
  await using looking = await served.browser.reader(served.server.url, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  const views = [link, `${link}0`];
  for (const view of views) {
    await looking.page.goto(view);
    await isAccessibleInBothSchemes(looking.page);
    expect(await smallTargets(looking.page)).toEqual([]);
    expect(await looking.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
      320,
    );
  }
  await page.getByRole("button").click();
  await page.getByRole("heading", { name: "Acknowledged" }).waitFor();
  const [outage] = (await served.api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
  expect(outage).toMatchObject({ acknowledgedBy: "Ops (by notification)" });
  await looking.page.goto(link);
  await looking.page.getByRole("heading", { name: "Already acknowledged" }).waitFor();
  await isAccessibleInBothSchemes(looking.page);
  await context.close();
});
