import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import pino from "pino";
import { createRecorder, type Recorder } from "../../src/runner/checks/recorder.ts";
import { createHeartbeats, type Heartbeats } from "../../src/runner/heartbeats.ts";
import { createMetrics, type Metrics } from "../../src/runner/metrics/metrics.ts";
import { updateMonitor } from "../../src/store/monitors/monitor-update.ts";
import { excuseOutage } from "../../src/store/sqlite/recording/heartbeats.ts";
import { monitors, service } from "../../src/store/sqlite/schema.ts";
import { shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { Ledger } from "../support/ledger.ts";

let ledger: Ledger;
let recorder: Recorder;
let heartbeats: Heartbeats;
let takesWrites: boolean;
let metrics: Metrics;
let errors: string[];

const HOUR = 3_600_000;

beforeEach(async () => {
  ledger = await Ledger.create();
  metrics = createMetrics();
  errors = [];
  takesWrites = true;
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
  const onWrite = (taken: boolean) => {
    takesWrites = taken;
  };
  recorder = createRecorder({
    db: ledger.db,
    log,
    onNotable: () => {},
    onWrite,
    onCommit: metrics.committed,
  });
  heartbeats = createHeartbeats({
    db: ledger.db,
    recorder,
    log,
    takesWrites: () => takesWrites,
    onWrite,
    onMissed: metrics.missed,
  });
});

afterEach(async () => {
  await heartbeats.stop();
  ledger[Symbol.dispose]();
});

test("a job that could not check in, because nothing could be written, is not late", async () => {
  const { $client: database } = ledger.db;
  const job = await ledger.job();
  await ledger.checkin(job, "ok");
  await heartbeats.start();
  const deadline = Date.now() + 10_000;
  database.run(`UPDATE monitors SET deadline = ${deadline}`);
  database.run("PRAGMA query_only = ON");
  {
    using _ = shiftClock(15_000);
    await eventually(() => !takesWrites);
    expect(recorder.held()).toBe(0);
    database.run("PRAGMA query_only = OFF");
    const moved = await eventually(() => {
      const [row] = database.query<{ deadline: number }, []>("SELECT deadline FROM monitors").all();
      return row && row.deadline > deadline && row.deadline;
    });
    expect(moved - deadline).toBeWithin(15_000, 25_000);
    await eventually(() => takesWrites);
  }
  expect(await ledger.find(job)).toMatchObject({ status: "ok" });
});

function deadlineOf(id: string): number {
  const row = ledger.db.select().from(monitors).where(eq(monitors.id, id)).get();
  if (row?.deadline == null) throw new Error(`monitor ${id} has no deadline`);
  return row.deadline;
}

function aliveAt(): number {
  return ledger.db.select().from(service).get()?.aliveAt ?? 0;
}

function setAliveAt(time: number): void {
  ledger.db.$client.run(`INSERT OR REPLACE INTO service (pk, alive_at) VALUES (1, ${time})`);
}

async function missedCount(): Promise<number> {
  const exposed = await metrics.expose(1, {});
  return Number(/^stillup_missed_checkins_total (\d+)$/m.exec(exposed)?.[1] ?? 0);
}

/** Fails if the rhythm is computed. */
function breakRhythm(id: string): void {
  const config = JSON.stringify({ interval: 300, cron: "0 3 * * *", timezone: "Mars/Olympus" });
  const run = Date.now() - 2 * HOUR;
  ledger.db.$client
    .query(
      "UPDATE monitors SET config = ?, heartbeat = json_set(heartbeat, '$.run', ?), deadline = ? WHERE id = ?",
    )
    .run(config, run, run + HOUR, id);
}

test("it is noted each second that the service runs", async () => {
  await heartbeats.start();
  const first = aliveAt();
  const second = await eventually(() => aliveAt() > first && aliveAt(), 4000);
  await eventually(() => aliveAt() > second, 4000);
});

test("a clock that is set back takes the deadlines with it", async () => {
  const job = await ledger.job();
  await ledger.checkin(job, "ok");
  await heartbeats.start();
  const deadline = deadlineOf(job);
  using _ = shiftClock(-24 * HOUR);
  await eventually(() => deadlineOf(job) < deadline);
  expect(deadline - deadlineOf(job)).toBeWithin(24 * HOUR - 5000, 24 * HOUR + 5000);
  const moved = deadlineOf(job);
  const alive = aliveAt();
  await eventually(() => aliveAt() > alive);
  expect(deadlineOf(job)).toBe(moved);
});

test("a clock that was set back while the service was stopped takes the deadlines with it", async () => {
  const job = await ledger.job();
  const now = Date.now();
  await ledger.checkin(job, "ok", now + 24 * HOUR);
  setAliveAt(now + 24 * HOUR);
  await heartbeats.start();
  expect(deadlineOf(job)).toBeWithin(now + 25 * HOUR, now + 25 * HOUR + 60_000);
});

test("a job whose rhythm can't be computed keeps no other from being late, and is logged once", async () => {
  const [broken, dead] = [await ledger.job(), await ledger.job()];
  const now = Date.now();
  for (const job of [broken, dead]) await ledger.checkin(job, "ok", now - 26 * HOUR);
  breakRhythm(broken);
  setAliveAt(now - 60_000);
  await heartbeats.start();
  await eventually(async () => (await ledger.find(dead)).status === "havent_heard");
  const late = await ledger.job();
  await ledger.checkin(late, "ok", Date.now() - 26 * HOUR);
  await eventually(async () => (await ledger.find(late)).status === "havent_heard");
  expect((await ledger.find(broken)).status).toBe("ok");
  expect(errors.filter((line) => line.includes("can't be computed"))).toHaveLength(1);
  expect(errors).toHaveLength(1);
});

test("each missed run is counted, found late or before an outage", async () => {
  const [silent, dead] = [await ledger.job(), await ledger.job()];
  const now = Date.now();
  await ledger.checkin(dead, "ok", now - 75 * HOUR);
  setAliveAt(now - 60_000);
  await heartbeats.start();
  expect(await missedCount()).toBe(3);
  await ledger.checkin(silent, "ok", now - 51 * HOUR);
  await eventually(async () => (await ledger.find(silent)).status === "havent_heard");
  expect(await missedCount()).toBe(5);
});

test("a resume or an edit gives the next outage a window of its own again", async () => {
  const uncomputable = (_: number, error: unknown) => {
    throw error;
  };
  const changes = [[{ enabled: false }, { enabled: true }], [{ config: { grace: 3600 } }]];
  for (const steps of changes) {
    const job = await ledger.job();
    const start = Date.now();
    await ledger.checkin(job, "ok", start);
    setAliveAt(start + HOUR);
    await excuseOutage(ledger.db, start + 30 * HOUR, uncomputable);
    const changed = start + 31 * HOUR;
    for (const step of steps) await updateMonitor(ledger.db, ledger.owner, job, step, changed);
    setAliveAt(changed + 24.5 * HOUR);
    const end = changed + 40 * HOUR;
    await excuseOutage(ledger.db, end, uncomputable);
    expect(deadlineOf(job)).toBe(end + 25 * HOUR);
  }
});
