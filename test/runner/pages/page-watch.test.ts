import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createPageWatch, type PageWatch } from "../../../src/runner/pages/mail-sender.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { alone } from "../../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { createPublicPage, subscribe, takeMails } from "../../support/store/subscribers.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

// Each second of virtual time takes some queries.
setDefaultTimeout(300_000);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let database: TestDatabase;
let clock: TestClock;
let watches: PageWatch[];
let wakes: number;
let announced: number;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
  [watches, wakes, announced] = [[], 0, 0];
});

afterEach(async () => {
  for (const watch of watches) await watch.stop();
  await database[Symbol.asyncDispose]();
});

/** @param isElsewhere whether another node watches */
function start({ isElsewhere = (): boolean => false } = {}): void {
  const { store } = database;
  const take: Store["claims"]["take"] = async (...claim) => !isElsewhere() && store.claims.take(...claim);
  const announce: Store["announcements"]["announce"] = (...round) => {
    announced++;
    return store.announcements.announce(...round);
  };
  const watched: Store = {
    ...store,
    claims: { ...store.claims, take },
    announcements: { ...store.announcements, announce },
  };
  const watch = createPageWatch({
    store: trackedStore(watched, clock),
    clock,
    claimant: () => alone,
    log: createLogger({ level: "silent" }),
    wakeMails: () => wakes++,
  });
  watches.push(watch);
  watch.start();
}

/** Jobs that are components of one public page with a confirmed subscriber. */
async function page(count: number): Promise<string[]> {
  const { store, owner } = database;
  const monitorIds: string[] = [];
  for (let at = 0; at < count; at++) {
    const job = { name: `job ${at}`, type: "SCHEDULED" as const, config: { interval: 300 } };
    const { id } = await store.monitors.create(owner, { ...job, alertChannelIds: [] }, clock.now());
    monitorIds.push(id);
  }
  const own = { store, organizationId: owner.organizationId };
  const { slug } = await createPublicPage(own, { monitorIds, minOutage: 10 }, clock.now());
  await subscribe(store, slug, "ada@example.com", clock.now());
  return monitorIds;
}

async function record(monitorId: string, status: "ok" | "fail"): Promise<void> {
  await database.store.recording.record([{ kind: "checkin", monitorId, status, at: clock.now() }]);
}

const mails = async () => (await takeMails(database.store, clock.now())).map(({ mail }) => mail);

describe("behavior 15.78: an outage", () => {
  test("is noticed when it is longer than minOutage and when it is over, and the sender is woken", async () => {
    const [job = ""] = await page(1);
    start();
    await record(job, "fail");
    await clock.advance(10 * SECOND);
    expect([wakes, await mails()]).toEqual([0, []]);
    await clock.advance(2 * SECOND);
    expect(wakes).toBe(1);
    expect(await mails()).toMatchObject([{ kind: "outage", endedAt: null }]);
    await clock.advance(MINUTE);
    expect(wakes).toBe(1);
    await record(job, "ok");
    await clock.advance(2 * SECOND);
    expect(wakes).toBe(2);
    expect(await mails()).toMatchObject([{ kind: "outage", endedAt: expect.any(Number) }]);
  });

  test("is noticed by one node, and by another one after that stopped", async () => {
    const [job = ""] = await page(1);
    let isElsewhere = true;
    start({ isElsewhere: () => isElsewhere });
    await record(job, "fail");
    await clock.advance(15 * SECOND);
    expect(announced).toBe(0);
    isElsewhere = false;
    await clock.advance(SECOND);
    expect(wakes).toBe(1);
  });
});

test("behavior 15.86: many outages one after the other are few messages, which leave none out", async () => {
  const jobs = await page(60);
  start();
  for (const job of jobs) {
    await record(job, "fail");
    await clock.advance(2 * SECOND);
  }
  await clock.advance(2 * MINUTE);
  const sent = await mails();
  expect(sent.length).toBeWithin(5, 10);
  const counts = sent.map((mail) => (mail.kind === "several" ? mail.count : 1));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
});

test("each page is announced on its own, so that recordings need not wait for all of them", async () => {
  const [job = ""] = await page(1);
  const own = { store: database.store, organizationId: database.owner.organizationId };
  const other = await createPublicPage(own, { monitorIds: [job], minOutage: 10 }, clock.now());
  await subscribe(database.store, other.slug, "grace@example.com", clock.now());
  start();
  await record(job, "fail");
  await clock.advance(12 * SECOND);
  expect([announced, wakes, (await mails()).length]).toEqual([2, 2, 2]);
});

test("a page that is off announces nothing", async () => {
  const [job = ""] = await page(1);
  const { organizationId } = database.owner;
  const [own] = await database.store.pages.list(organizationId);
  await database.store.pages.update(organizationId, own?.id ?? "", { visibility: "off" }, clock.now());
  start();
  await record(job, "fail");
  await clock.advance(MINUTE);
  expect([announced, wakes]).toEqual([0, 0]);
});
