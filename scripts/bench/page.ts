/**
 * The page with many monitors with history: time until the overview is shown on this machine and on a throttled
 * phone, smoothness of scrolling, and memory of the tab while results arrive. All values are from the tracing and the
 * metrics of a real Chromium. For comparison, the sign-in page of the same server in the same run.
 *
 * page.ts [--monitors N] [--rounds N] [--minutes N of live updates]
 */
import { parseArgs } from "node:util";
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { TestBrowser } from "../../test/support/browser/browser.ts";
import { median, spread } from "./support/figures.ts";
import { fillHistory } from "./support/history.ts";
import { createStore, serve, startTarget } from "./support/processes.ts";
import { type Trace, traced } from "./support/trace.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    minutes: { type: "string", default: "10" },
  },
});
const [monitors, rounds, minutes] = [Number(values.monitors), Number(values.rounds), Number(values.minutes)];
/** One an hour for 90 days: the page shows hours and days, independent of the number of their results. */
const RESULTS = 2160;
const INTERVAL = 60;
/** Number of monitors that fail and recover. */
const FLAPPING = 20;
const LONG_TASK = 50;

const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
/** "Slow 4G" of Lighthouse, set in the browser for each request, and its slowdown of the processor. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SLOWDOWN = 4;

/** Marks the paint of the first rows, of their histories and of all rows. */
const OBSERVER = `
  const rows = () => [...document.querySelectorAll("main .monitor-row")];
  const told = {
    rows: () => rows().length > 0,
    usable: () => rows().length > 0 && rows().filter((row) => row.getBoundingClientRect().top < innerHeight)
      .every((row) => row.querySelector(".history path")),
    all: () => rows().length === ${monitors},
    gate: () => document.querySelector("#key") !== null,
  };
  const look = () => {
    waiting = false;
    for (const [name, isThere] of Object.entries(told)) {
      if (!isThere()) continue;
      delete told[name];
      performance.mark("seen-" + name);
    }
  };
  let waiting = false;
  // Read after the paint: the layout is done, so this costs the page nothing.
  new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(() => setTimeout(look));
    waiting = true;
  }).observe(document, { childList: true, subtree: true });
`;

const target = await startTarget();
const flapping = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data: (socket) => {
      const up = Math.floor(Date.now() / 90_000) % 2 === 0;
      socket.end(up ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" : undefined);
    },
  },
});
using store = await createStore(
  Array.from({ length: monitors }, (_, at) => ({
    type: "HTTP",
    config: {
      url: `http://127.0.0.1:${at < FLAPPING ? flapping.port : target.said}/${at}`,
      interval: INTERVAL,
    },
  })),
);
fillHistory(store.folder, { monitors, results: RESULTS });
const server = await serve(store.folder, "--log-level", "warn");
await using browser = await TestBrowser.start();
console.log(
  `${monitors} HTTP monitors with ${RESULTS} results each over 90 days; Chromium ${browser.chromium.version()}; ${rounds} loads of each page, taking turns, each with an empty cache;
medians (least to most) of milliseconds from the start of the navigation to the paint; the first is of the page's head, which
needs no script\n`,
);

for (const [name, options, throttled] of [
  ["this machine", DESK, false],
  [`phone: processor ${SLOWDOWN}× slower, 150 ms and 1.6 Mbit/s for each request`, PHONE, true],
] as const) {
  const overview: Trace[] = [];
  const gate: Trace[] = [];
  for (let round = 0; round < rounds; round++) {
    overview.push(await load(options, throttled, "usable", store.key));
    gate.push(await load(options, throttled, "gate"));
  }
  const of = (traces: Trace[], mark: string) => traces.map((trace) => trace.since(mark) ?? Number.NaN);
  console.log(`${name}
  page that asks for a key  first paint ${spread(of(gate, "firstContentfulPaint"))}, form ${spread(of(gate, "seen-gate"))}
  overview                  first paint ${spread(of(overview, "firstContentfulPaint"))}, first rows ${spread(of(overview, "seen-rows"))}, with their histories ${spread(of(overview, "seen-usable"))}, all rows ${spread(of(overview, "seen-all"))}
                            longest task ${spread(overview.map(({ tasks }) => Math.max(...tasks)))}
  ratio                     usable ${(median(of(overview, "seen-usable")) / median(of(gate, "seen-gate"))).toFixed(2)} times the form\n`);
}

store.query(
  `UPDATE monitor_states SET next_check_at = ${Date.now()} + monitor_pk * ${(INTERVAL * 1000) / monitors}`,
);
const { page, cdp, close } = await open(DESK, false, store.key);
await goTo(page, "all");
const scrolling = await traced(browser.chromium, page, () => scroll(cdp));
const still = await traced(browser.chromium, page, () => Bun.sleep(10_000));
console.log(`scrolling from end to end and back, while ${Math.round(monitors / INTERVAL)} results come in each second
  longest task ${Math.max(...scrolling.tasks).toFixed(0)} ms, ${scrolling.tasks.filter((task) => task > LONG_TASK).length} over ${LONG_TASK} ms of ${scrolling.tasks.length}
  not scrolling, for 10 s: longest ${Math.max(...still.tasks).toFixed(0)} ms, ${still.tasks.filter((task) => task > LONG_TASK).length} over ${LONG_TASK} ms\n`);
await watchMemory();
await close();
await server.stop();
await target.stop();
flapping.stop(true);

interface Opened {
  page: Page;
  cdp: CDPSession;
  close: () => Promise<void>;
}

/** A tab of a new user with empty caches, signed in if there is a key. */
async function open(options: BrowserContextOptions, throttled: boolean, key?: string): Promise<Opened> {
  const context = await browser.chromium.newContext({ baseURL: server.said, ...options });
  if (key) {
    const signIn = { data: { key }, headers: { origin: server.said } };
    await context.request.post("/api/v1/session", signIn);
  }
  const page = await context.newPage();
  await page.addInitScript(OBSERVER);
  const cdp = await context.newCDPSession(page);
  if (throttled) {
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", SLOW_4G);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  }
  return { page, cdp, close: () => context.close() };
}

async function load(options: BrowserContextOptions, throttled: boolean, mark: string, key?: string) {
  const { page, close } = await open(options, throttled, key);
  const trace = await traced(browser.chromium, page, async () => {
    await goTo(page, mark);
    await entered(page, "first-contentful-paint");
    if (mark === "usable") await entered(page, "seen-all");
  });
  await close();
  return trace;
}

async function goTo(page: Page, mark: string): Promise<void> {
  await page.goto("/");
  await entered(page, `seen-${mark}`);
}

/** Waits for an entry in the timeline of the browser. */
async function entered(page: Page, name: string): Promise<void> {
  while (!(await page.evaluate<boolean>(`performance.getEntriesByName("${name}").length > 0`))) {
    await Bun.sleep(50);
  }
}

async function scroll(cdp: CDPSession): Promise<void> {
  const gesture = { x: 640, y: 500, speed: 8000, gestureSourceType: "mouse" } as const;
  const distance = monitors * 70;
  await cdp.send("Input.synthesizeScrollGesture", { ...gesture, yDistance: -distance });
  await cdp.send("Input.synthesizeScrollGesture", { ...gesture, yDistance: distance });
}

/** Each minute, after a garbage collection. */
async function watchMemory(): Promise<void> {
  let requests = 0;
  page.on("request", () => requests++);
  await cdp.send("Performance.enable");
  const heaps: number[] = [];
  console.log(`memory of the tab over ${minutes} minutes of live updates, after a garbage collection`);
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await Bun.sleep(60_000);
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    heaps.push(metric("JSHeapUsedSize") / 1024 ** 2);
    console.log(
      `  minute ${minute}: ${heaps.at(-1)?.toFixed(1)} MB of script, ${metric("Nodes")} nodes, ${metric("JSEventListeners")} listeners, after ${requests} requests`,
    );
  }
  const [, first = Number.NaN, ...later] = heaps;
  console.log(`  ratio of the last to that of minute 1: ${((later.at(-1) ?? first) / first).toFixed(3)}`);
}
