import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { type AlertReview, createAlertReview } from "../../../src/runner/deliveries/alert-review.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

setDefaultTimeout(300_000);

const SECOND = 1000;

let database: TestDatabase;
let clock: TestClock;
let review: AlertReview | undefined;
let wakes: string[];
let logged: string[];
/** The times of the reviews. */
let reviews: number[];
/** Errors of the next reviews. */
let faults: Error[];
/** A review waits for it. */
let gate: Promise<void>;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
  [wakes, logged, reviews, faults] = [[], [], [], []];
  gate = Promise.resolve();
});

afterEach(async () => {
  await review?.stop();
  await database[Symbol.asyncDispose]();
});

/** @param waits whether virtual time waits for reviews */
function start({ waits = true } = {}): AlertReview {
  const { store } = database;
  const alertReviews: Store["alertReviews"] = {
    ...store.alertReviews,
    async review(...given) {
      reviews.push(given[0]);
      await gate;
      const fault = faults.shift();
      if (fault) throw fault;
      return store.alertReviews.review(...given);
    },
  };
  const log = createLogger({ level: "silent" });
  log.error = ((_: unknown, message: string) => logged.push(message)) as never;
  review = createAlertReview({
    store: waits ? trackedStore({ ...store, alertReviews }, clock) : { ...store, alertReviews },
    clock,
    log,
    wakeDispatcher: () => wakes.push("dispatcher"),
    wakeScheduler: () => wakes.push("scheduler"),
  });
  review.start();
  return review;
}

const tcp = { type: "TCP", config: { host: "a", port: 1, interval: 86_400 } } as const;

/** A monitor that works, has no slot soon, and notifies a channel. @returns its ID */
async function createMonitor(
  binding: { after?: number; every?: number },
  dependsOn: string[] = [],
): Promise<string> {
  const { store, owner } = database;
  const webhook = { name: "c", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } as const;
  const channel = await store.channels.create(owner, { ...webhook, enabled: true }, clock.now());
  const alertBindings = [{ alertChannelId: channel.id, ...binding }];
  const monitor = { name: "site", ...tcp, alertBindings, dependsOn };
  const { id } = await store.monitors.create(owner, monitor, clock.now());
  const nextCheckAt = await see(id, true);
  // Slots are random.
  return nextCheckAt > clock.now() + 60 * SECOND ? id : createMonitor(binding, dependsOn);
}

/** @returns when the next check is due */
async function see(monitorId: string, isUp: boolean): Promise<number> {
  const evidence = isUp
    ? ({ outcome: "reached", latencyMs: 1, detail: {} } as const)
    : ({ outcome: "failed", reason: "refused", detail: {} } as const);
  const check = { kind: "check", monitorId, revision: 0, evidence, at: clock.now() } as const;
  const [recorded] = await database.store.recording.record([check]);
  return recorded?.nextCheckAt ?? 0;
}

async function outcomeOf(monitorId: string): Promise<string | undefined> {
  const { store, owner } = database;
  const { items } = await store.results.list(owner.organizationId, { monitorId, limit: 1 });
  return items[0]?.alertOutcome?.status;
}

test("behavior 14.16: a delayed notification is released after a check when its time has come, and the dispatcher is woken", async () => {
  start();
  const monitor = await createMonitor({ after: 10 });
  await see(monitor, false);
  await clock.advance(9 * SECOND);
  expect(wakes).toEqual([]);
  await clock.advance(2 * SECOND);
  expect(wakes).toEqual(["scheduler"]);
  await see(monitor, false);
  await clock.advance(2 * SECOND);
  expect(wakes).toEqual(["scheduler", "dispatcher"]);
});

test("behavior 14.12: the scheduler is woken for the check of a monitor that others depend on", async () => {
  start();
  const parent = await createMonitor({});
  const child = await createMonitor({}, [parent]);
  await clock.advance(5 * SECOND);
  await see(child, false);
  await clock.advance(SECOND);
  expect(wakes).toEqual(["scheduler"]);
  await see(parent, false);
  await clock.advance(2 * SECOND);
  expect(await outcomeOf(child)).toBe("muted");
});

test("`run` resolves after what was stored before it is decided, also if a review is under way", async () => {
  const running = start();
  await clock.settle();
  const monitor = await createMonitor({ every: 300 });
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  const first = running.run();
  await see(monitor, false);
  const second = running.run();
  gate = Promise.resolve();
  held.resolve();
  await Promise.all([first, second]);
  expect(await outcomeOf(monitor)).toBe("pending");
  expect(wakes).toEqual(["dispatcher"]);
});

test("a request does not wait longer than some seconds for a review", async () => {
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  const running = start({ waits: false });
  let isAnswered = false;
  void running.run().then(() => {
    isAnswered = true;
  });
  expect(await clock.until(() => isAnswered)).toBe(true);
  held.resolve();
});

test("all that is due is decided in one run, a few monitors at a time", async () => {
  const monitors = [];
  for (let at = 0; at < 3; at++) monitors.push(await createMonitor({ every: 300 }));
  for (const monitor of monitors) await see(monitor, false);
  const running = start();
  await running.run();
  for (const monitor of monitors) expect(await outcomeOf(monitor)).toBe("pending");
  expect(wakes.length).toBeGreaterThan(0);
});

test("a fault is logged once, and the review is tried again each second", async () => {
  const monitor = await createMonitor({ every: 300 });
  await see(monitor, false);
  faults = [new Error("locked"), new Error("locked"), new Error("locked")];
  const running = start();
  await running.run();
  await clock.advance(3 * SECOND);
  expect(logged).toEqual(["could not review held notifications"]);
  expect(await outcomeOf(monitor)).toBe("pending");
  expect(wakes).toEqual(["dispatcher"]);
});

test("behavior 14.22: after the clock was set back, what is held is decided again at once", async () => {
  start();
  const parent = await createMonitor({});
  const child = await createMonitor({}, [parent]);
  await clock.advance(5 * SECOND);
  await see(child, false);
  await see(parent, false);
  await clock.advance(SECOND);
  expect(await outcomeOf(child)).toBe("muted");
  clock.setBack(3600 * SECOND);
  await see(parent, true);
  await clock.advance(2 * SECOND);
  expect(wakes).toContain("scheduler");
});

test("behavior 14.22: so is what was held before a start, with a clock that is set back since", async () => {
  const monitor = await createMonitor({ every: 300 });
  await see(monitor, false);
  clock.setBack(3600 * SECOND);
  await start().run();
  expect(wakes).toEqual(["dispatcher"]);
});

test("`stop` waits for the review under way, and ends the others", async () => {
  const running = start();
  await clock.settle();
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  running.wake();
  let isStopped = false;
  const stopped = running.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  held.resolve();
  await stopped;
  const before = reviews.length;
  await clock.advance(5 * SECOND);
  await running.run();
  expect(reviews.length).toBe(before);
});
