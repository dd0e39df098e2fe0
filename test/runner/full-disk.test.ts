import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Recording } from "../../src/domain/monitors/recording-plan.ts";
import { createLogger } from "../../src/log.ts";
import { createRecorder, type Recorder } from "../../src/runner/checks/recorder.ts";
import { createMetrics } from "../../src/runner/metrics/metrics.ts";
import { createStorageHealth } from "../../src/runner/runner.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { createDatabase, type TestDatabase } from "../support/store/database.ts";
import { fillDisk } from "../support/store/faults.ts";
import { trackedStore } from "../support/store/tracked-store.ts";

let database: TestDatabase;
let recorder: Recorder;
let monitorId: string;
let logged: string[];
let clock: TestClock;

beforeEach(async () => {
  database = await createDatabase();
  logged = [];
  const log = createLogger({ level: "silent" });
  log.error = log.warn = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  clock = createTestClock();
  recorder = createRecorder({
    store: trackedStore(database.store, clock),
    clock,
    log,
    storage: createStorageHealth(),
    metrics: createMetrics(),
    wakeDispatcher: () => {},
  });
  const config = { host: "a", port: 1, interval: 60 };
  monitorId = (
    await database.store.monitors.create(database.owner, { name: "m", type: "TCP", config }, clock.now())
  ).id;
});

afterEach(() => database[Symbol.asyncDispose]());

/** With a new detail that needs its own page. */
async function check(at: number) {
  const detail = { message: `${at}`, values: Array.from({ length: 20 }, () => "x".repeat(255)) };
  const evidence = { outcome: "failed", reason: "refused", detail } as const;
  return recordNow({ kind: "check", monitorId, revision: 0, evidence, at });
}

/** Waits in virtual time until the recording is committed or held. */
async function recordNow(recording: Recording) {
  const recorded = recorder.record(recording);
  await clock.advance(200);
  return recorded;
}

async function times(): Promise<number[]> {
  const { items } = await database.store.results.list(database.owner.organizationId, {
    monitorId,
    limit: 200,
  });
  return items.map(({ createdAt }) => createdAt).reverse();
}

describe("while the disk is full", () => {
  test("results of checks are held, and written in order when there is space again", async () => {
    const now = clock.now();
    await check(now);
    const makeRoom = await fillDisk(database.db);
    for (const at of [1, 2, 3]) expect(await check(now + at)).toBe("held");
    expect(await times()).toEqual([now]);
    await makeRoom();
    await clock.until(() => recorder.held() === 0);
    expect(await times()).toEqual([now, now + 1, now + 2, now + 3]);
    expect(await check(now + 4)).toMatchObject({ status: "down" });
    expect(logged).toEqual([
      "the database can't be written to: results are held in memory",
      "the database takes results again: what was held is written",
    ]);
  });

  test("a held result that can't be written does not keep the others from being written", async () => {
    const now = clock.now();
    const makeRoom = await fillDisk(database.db);
    expect(await check(now + 1)).toBe("held");
    const circular: { self?: object } = {};
    circular.self = circular;
    const evidence = { outcome: "reached", latencyMs: 1, detail: { ...circular } } as const;
    await recordNow({ kind: "check", monitorId, revision: 0, evidence, at: now + 2 });
    expect(await check(now + 3)).toBe("held");
    await makeRoom();
    await clock.until(() => recorder.held() === 0);
    expect(await times()).toEqual([now + 1, now + 3]);
    expect(logged).toContain("a held result can't be written and is lost");
  });

  test("held results are written at the stop, if there is space by then", async () => {
    const now = clock.now();
    const makeRoom = await fillDisk(database.db);
    expect(await check(now)).toBe("held");
    await makeRoom();
    await recorder.flush();
    expect(await times()).toEqual([now]);
  });

  test("behavior 1.50, 7.11: a check-in is answered 503, and the next one is accepted again", async () => {
    await using server = await ApiServer.start();
    const { owner } = await server.organization("A", "enterprise");
    const { body } = await owner.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
    const path = `/api/v1/monitors/${body.data.id}/checkin`;
    expect((await owner.get(path)).status).toBe(200);

    const makeRoom = await fillDisk(server.db);
    // A group of check-ins fills the free pages with a few commits.
    const refused = await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => owner.get(path)));
      return answers.find(({ status }) => status !== 200);
    });
    expect(refused).toMatchObject({
      status: 503,
      body: { error: "the database can't take this now: try again later" },
    });
    const long = { name: "x".repeat(200), type: "SCHEDULED", config: {} };
    const made = await eventually(async () => {
      const answer = await owner.post("/api/v1/monitors", long);
      return answer.status !== 201 && answer;
    });
    expect(made.status).toBe(503);
    expect((await owner.get("/api/v1/status")).status).toBe(200);

    await makeRoom();
    expect((await owner.get(path)).status).toBe(200);
  }, 300_000);
});
