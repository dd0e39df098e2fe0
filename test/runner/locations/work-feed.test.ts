import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { POLL_FOR, type Work } from "../../../src/domain/locations/protocol.ts";
import { createWorkFeed, type WorkFeed } from "../../../src/runner/locations/remote-probes.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { createPlace, type Place } from "../../support/store/places.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

let database: TestDatabase;
let clock: TestClock;
let feed: WorkFeed;
let place: Place;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
  feed = createWorkFeed({ store: trackedStore(database.store, clock), clock });
  place = await createPlace(database, "fra", clock.now());
});

afterEach(async () => {
  feed.stop();
  await clock.settle();
  await database[Symbol.asyncDispose]();
});

interface Request {
  answer: Work | undefined;
  abort(): void;
}

/** Sends a request with the markers of an answer. */
function ask(known?: Pick<Work, "revision" | "after">): Request {
  const abort = new AbortController();
  const request: Request = { answer: undefined, abort: () => abort.abort() };
  const probe = { ...place, organizationId: database.owner.organizationId };
  void feed
    .next(probe, { revision: known?.revision, after: known?.after }, abort.signal)
    .then((work) => (request.answer = work));
  return request;
}

async function firstWork(): Promise<Work> {
  const request = ask();
  return clock.until(() => request.answer);
}

describe("behavior 13.34: a request for work", () => {
  test("is answered after 25 s with the time and no monitors if there is nothing new", async () => {
    const first = await firstWork();
    expect(first.monitors).toEqual([]);
    const start = clock.monotonic();
    const request = ask(first);
    await clock.advance(POLL_FOR - 1000);
    expect(request.answer).toBeUndefined();
    const { now, ...answer } = await clock.until(() => request.answer);
    expect(clock.monotonic() - start).toBeLessThanOrEqual(POLL_FOR + 1000);
    expect(now).toBeGreaterThan(first.now);
    const { revision, after } = first;
    expect(answer).toEqual({ location: { id: place.id, name: "fra" }, revision, after, rechecks: [] });
  });

  test("behavior 13.36: is refused if it asks for all monitors again and again, but not if it is held", async () => {
    const probe = { ...place, organizationId: database.owner.organizationId };
    const all = { revision: undefined, after: undefined };
    const { signal } = new AbortController();
    for (let sent = 0; sent < 10; sent++) await feed.next(probe, all, signal);
    await expect(feed.next(probe, all, signal)).rejects.toThrow("Too many requests for all monitors");
    const held = ask({ revision: 0, after: 0 });
    await clock.settle();
    await clock.advance(500);
    expect(held.answer).toBeUndefined();
    await clock.advance(1000);
    expect(held.answer?.monitors).toEqual([]);
  });

  test("is answered when the feed stops, as are all later ones", async () => {
    const first = await firstWork();
    const request = ask(first);
    await clock.advance(1000);
    expect(request.answer).toBeUndefined();
    feed.stop();
    await clock.advance(0);
    expect(request.answer).toBeDefined();
    const later = ask(first);
    await clock.advance(0);
    expect(later.answer).toBeDefined();
  });

  test("ends with its connection", async () => {
    const request = ask(await firstWork());
    await clock.advance(1000);
    request.abort();
    await clock.advance(0);
    expect(request.answer).toBeDefined();
  });

  test("is answered if a third one arrives, the oldest first", async () => {
    const first = await firstWork();
    const requests = [ask(first), ask(first), ask(first)];
    await clock.advance(1000);
    expect(requests.map(({ answer }) => answer !== undefined)).toEqual([true, false, false]);
  });

  test("is held beside one other, also if many arrive at once", async () => {
    const first = await firstWork();
    const requests = Array.from({ length: 50 }, () => ask(first));
    await clock.advance(1000);
    expect(requests.filter(({ answer }) => answer === undefined)).toEqual(requests.slice(-2));
  });
});
