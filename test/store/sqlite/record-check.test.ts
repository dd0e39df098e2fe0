import { afterEach, beforeEach, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { type MonitorConfig, type MonitorType, parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { alone } from "../../support/store/alone.ts";
import { createSqliteDatabase, type SqliteDatabase } from "../../support/store/sqlite/sqlite-database.ts";

const START = Date.parse("2027-01-01T00:00:00Z");
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let database: SqliteDatabase;
beforeEach(async () => {
  database = await createSqliteDatabase();
});
afterEach(() => database[Symbol.dispose]());

async function create(type: MonitorType, given: object): Promise<string> {
  const config: MonitorConfig = parseConfig(type, given, "enterprise");
  const values = { name: type, type, config, alertChannelIds: [] };
  return (await database.store.monitors.create(database.owner, values, START)).id;
}

/** Records the next check. @returns its status */
async function check(evidence: Evidence, at: number) {
  const { checks } = database.store;
  const slots = await checks.listDueSlots(alone, { now: at, before: at + 1 });
  const [due] = await checks.claim(slots, alone, at);
  if (!due) throw new Error("no monitor is due");
  const { id: monitorId, revision } = due;
  const [recorded] = await database.store.recording.record([
    { kind: "check", monitorId, revision, evidence, at },
  ]);
  return recorded?.status;
}

const answer = (...values: string[]): Evidence => ({
  outcome: "looked_up",
  answer: { hostname: "example.com", lookups: [{ recordType: "A", values, failure: null }] },
});

const dns = { hostname: "example.com", recordType: "A", interval: 60 };

test("a DNS monitor remembers the records of previous checks", async () => {
  const id = await create("DNS", dns);
  expect(await check(answer("192.0.2.1"), START)).toBe("present");
  expect(await check(answer("192.0.2.2"), START + HOUR)).toBe("changed");
  expect(await check(answer("192.0.2.1"), START + 2 * HOUR)).toBe("present");
  const { items } = await database.store.results.list(database.owner.organizationId, {
    monitorId: id,
    limit: 10,
    cursor: undefined,
  });
  expect(items.map(({ status, latencyMs }) => [status, latencyMs])).toEqual([
    ["present", null],
    ["changed", null],
    ["present", null],
  ]);
  expect(items[1]?.detail).toEqual({ values: ["192.0.2.2"], added: ["192.0.2.2"], gone: ["192.0.2.1"] });
});

test("a DNS monitor with a changed hostname starts without a memory", async () => {
  const id = await create("DNS", dns);
  await check(answer("192.0.2.1"), START);
  const config = { ...dns, hostname: "www.example.com" };
  await database.store.monitors.update(database.owner, id, { config }, START + 1);
  expect(await check(answer("192.0.2.2"), START + 2)).toBe("present");
});

test("a DNS monitor keeps its memory after a pause and a change of its interval", async () => {
  const id = await create("DNS", dns);
  await check(answer("192.0.2.1"), START);
  const changes = [{ enabled: false }, { enabled: true, config: { ...dns, interval: 120 } }];
  for (const change of changes) await database.store.monitors.update(database.owner, id, change, START + 1);
  expect(await check(answer("192.0.2.2"), START + 2)).toBe("changed");
});

const site = { url: "http://example.com/", interval: 60 };

function answered(latencyMs: number | null): Evidence {
  return { outcome: "reached", latencyMs, detail: {} };
}

/** Records one check in each of several hours. @returns how many were degraded */
async function checkHourly(latencyMs: number, from: number, hours: number): Promise<number> {
  let degraded = 0;
  for (let hour = 0; hour < hours; hour++) {
    const status = await check(answered(latencyMs), from + hour * HOUR);
    if (status === "degraded") degraded++;
  }
  return degraded;
}

test("behavior 1.48, 1.49: a latency that stillup itself delayed neither makes a monitor degraded nor lets it recover", async () => {
  await create("HTTP", site);
  const late = (latencyMs: number, lateBy: number): Evidence => ({
    outcome: "reached",
    latencyMs,
    lateBy,
    detail: {},
  });
  for (let hour = 0; hour < 9; hour++) await check(answered(20), START + hour * HOUR);
  expect(await check(answered(null), START + 9 * HOUR)).toBe("up");
  // The tenth latency that counts. Until then, no check is degraded.
  expect(await check(answered(500), START + 10 * HOUR)).toBe("up");
  expect(await check(late(2000, 1900), START + 11 * HOUR)).toBe("up");
  expect(await check(answered(5000), START + 12 * HOUR)).toBe("degraded");
  expect(await check(late(9000, 8900), START + 13 * HOUR)).toBe("degraded");
  expect(await check(answered(null), START + 14 * HOUR)).toBe("degraded");
  expect(await check(late(20, 10), START + 15 * HOUR)).toBe("up");
  expect(await check(late(30_000, 100), START + 16 * HOUR)).toBe("degraded");
});

test("behavior 1.9: a check that took its whole interval does not skip the next slot", async () => {
  const id = await create("TCP", { host: "a", port: 1, interval: 10 });
  const evidence = { outcome: "failed", reason: "timeout", detail: {} } as const;
  const startAt = nextCheckAt(id, 10, START);
  const at = startAt + 10_002;
  await database.store.recording.record([
    { kind: "check", monitorId: id, revision: 0, evidence, at, startAt },
  ]);
  expect(await database.store.checks.listDueSlots(alone, { now: at, before: at })).toMatchObject([
    { nextCheckAt: startAt + 10_000 },
  ]);
});

test("the baseline from before a pause of more than 30 days does not count, also after its rollups are deleted", async () => {
  await create("HTTP", site);
  await checkHourly(20, START, 30 * 24);
  const end = START + 130 * DAY;
  await database.store.housekeeping.pruneRollups(end - 92 * DAY, 0);
  expect(await checkHourly(100, end, 24)).toBe(0);
});

const elsewhere = { url: "http://example.com:8080/", interval: 60 };

/** Changes the config after the last check. */
async function change(id: string, config: object, at: number): Promise<void> {
  await database.store.monitors.update(database.owner, id, { config }, at);
}

test("another scheme, host or port starts a new baseline, and another path or interval does not", async () => {
  const id = await create("HTTP", site);
  expect(await checkHourly(20, START, 20)).toBe(0);
  await change(id, { url: "http://example.com/slow", interval: 120 }, START + 20 * HOUR);
  expect(await checkHourly(500, START + 20 * HOUR, 1)).toBe(1);
  await change(id, elsewhere, START + 21 * HOUR);
  expect(await checkHourly(500, START + 21 * HOUR, 10)).toBe(0);
  expect(await check(answered(500), START + 31 * HOUR)).toBe("up");
  expect(await check(answered(2000), START + 32 * HOUR)).toBe("degraded");
});

test("a TCP monitor with a changed port starts a new baseline", async () => {
  const id = await create("TCP", { host: "example.com", port: 1, interval: 60 });
  await checkHourly(20, START, 20);
  await change(id, { host: "example.com", port: 2, interval: 60 }, START + 20 * HOUR);
  expect(await checkHourly(500, START + 20 * HOUR, 20)).toBe(0);
});

test("latencies of the previous target within the same hour never count for the new one", async () => {
  const MINUTE = HOUR / 60;
  const id = await create("HTTP", site);
  for (let at = 0; at < 20; at++) await check(answered(20), START + at * MINUTE);
  await change(id, elsewhere, START + 20 * MINUTE);
  for (let at = 20; at < 40; at++) expect(await check(answered(500), START + at * MINUTE)).toBe("up");
  // The hour is first within the window, then outside. After a pause in between, the baseline is read from the rollups.
  const later = [HOUR, 2 * HOUR, 20 * DAY, 29 * DAY];
  for (const after of later) expect(await check(answered(500), START + after)).toBe("up");
  const end = START + 29 * DAY;
  expect(await checkHourly(500, end + HOUR, 3 * 24)).toBe(0);
  expect(await check(answered(800), end + 4 * DAY)).toBe("degraded");
  // All hours of the previous window have left it.
  await database.store.housekeeping.pruneRollups(end + 80 * DAY, 0);
  expect(await checkHourly(5000, end + 100 * DAY, 12)).toBe(0);
});

const certificate = {
  authorized: true,
  authorizationError: null,
  subject: "CN=example.com",
  issuer: "CN=Authority",
  names: ["example.com"],
  validFrom: new Date(START - HOUR).toISOString(),
  validTo: new Date(START + 20 * DAY).toISOString(),
  fingerprint: "AA",
  protocol: "TLSv1.3",
};

test("a TLS monitor whose certificate was valid before keeps its status when the clock is set back", async () => {
  const id = await create("TLS", { host: "example.com" });
  const evidence: Evidence = { outcome: "certified", latencyMs: 12, certificate, detail: {} };
  const checkBack = async (at: number) => {
    await database.store.checks.recall(at);
    return check(evidence, at);
  };
  expect(await check(evidence, START)).toBe("active");
  expect(await checkBack(START - 2 * HOUR)).toBe("active");
  // The previous certificate does not count for another host.
  await change(id, { host: "www.example.com" }, START - 2 * HOUR);
  expect(await checkBack(START - 2 * HOUR)).toBe("expired");
});

test("a TLS monitor stores its certificate and judges it at the time of the check", async () => {
  const id = await create("TLS", { host: "example.com" });
  const evidence: Evidence = {
    outcome: "certified",
    latencyMs: 12.3456,
    certificate,
    detail: { phases: { tls: 7.25 } },
  };
  expect(await check(evidence, START)).toBe("active");
  expect(await check(evidence, START + 10 * DAY)).toBe("expiring_soon");
  expect(await check(evidence, START + 20 * DAY)).toBe("expired");
  const { items } = await database.store.results.list(database.owner.organizationId, {
    monitorId: id,
    limit: 1,
    cursor: undefined,
  });
  expect(items[0]).toMatchObject({ latencyMs: 12.35, detail: { ...certificate, phases: { tls: 7.25 } } });
});
