/**
 * Results a second that the recorder alone commits, each with its rollups and its monitor, on one core and a real
 * file, with a sync for each group. For comparison, plain inserts of results in transactions of the same size, which
 * is the minimum cost of the store.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Recording } from "../../src/domain/monitors/recording-plan.ts";
import { openEngine } from "../../src/store/sqlite/engine.ts";
import type { Database } from "../../src/store/sqlite/open.ts";
import { createStore, type Store } from "../../src/store/store.ts";

const ROUNDS = 5;
const MONITORS = 1000;
const RESULTS = 20_000;
const GROUPS = [1, 10, 100, 500];

console.log(
  `${RESULTS} results of ${MONITORS} monitors a run, medians of ${ROUNDS} runs (least to most), results a second\n`,
);
const folder = mkdtempSync(join(tmpdir(), "stillup-bench-"));
const engine = openEngine(folder);
const db = engine.writer;
const store = createStore(engine);
const owner = await createOwner(store);
const ids: string[] = [];
for (let at = 0; at < MONITORS; at++) ids.push(await createOne("HTTP", at));
for (let at = 0; at < MONITORS; at++) ids.push(await createOne("SCHEDULED", at));

for (const size of GROUPS) {
  const bare = await measure(() => insertBare(db, size));
  for (const [name, recordingOf] of Object.entries({ check, checkin })) {
    const whole = await measure(() => recordAll(size, recordingOf));
    console.log(
      `${name.padEnd(8)} in groups of ${String(size).padStart(3)}: ${show(whole)}, ${(median(whole) / median(bare)).toFixed(2)} x bare inserts (${show(bare)})`,
    );
  }
}
await store.close();
rmSync(folder, { recursive: true });

async function createOwner(store: Store) {
  const plan = "enterprise" as const;
  const { id } = await store.organizations.create(
    { name: "Bench", plan, subscription: "active" },
    Date.now(),
  );
  return { organizationId: id, plan };
}

async function createOne(type: "HTTP" | "SCHEDULED", at: number): Promise<string> {
  const config = type === "HTTP" ? { url: `http://127.0.0.1/${at}`, interval: 60 } : { interval: 300 };
  return (await store.monitors.create(owner, { name: `${type} ${at}`, type, config }, Date.now())).id;
}

function check(at: number): Recording {
  const detail = {
    statusCode: 200,
    address: "127.0.0.1",
    phases: { resolve: 0.01, connect: 0.2, firstByte: 1 },
  };
  const evidence = { outcome: "reached", latencyMs: 1.2 + (at % 10) / 10, detail } as const;
  return { kind: "check", monitorId: ids[at % MONITORS] ?? "", revision: 0, evidence, at: Date.now() };
}

function checkin(at: number): Recording {
  return { kind: "checkin", monitorId: ids[MONITORS + (at % MONITORS)] ?? "", status: "ok", at: Date.now() };
}

async function recordAll(size: number, recordingOf: (at: number) => Recording): Promise<void> {
  for (let at = 0; at < RESULTS; at += size) {
    await store.recording.record(Array.from({ length: size }, (_, more) => recordingOf(at + more)));
    await store.recording.syncResults();
  }
}

function insertBare(store: Database, size: number): void {
  const insert = store.$client.query(
    "INSERT INTO check_results (monitor_pk, status, timings, created_at) VALUES (?, 1, zeroblob(6), ?)",
  );
  for (let at = 0; at < RESULTS; at += size) {
    store.$client
      .transaction(() => {
        for (let more = 0; more < size; more++) insert.run(1 + ((at + more) % MONITORS), Date.now());
      })
      .immediate();
  }
}

async function measure(run: () => void | Promise<void>): Promise<number[]> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await run();
    rates.push(RESULTS / ((performance.now() - start) / 1000));
  }
  return rates;
}

function show(rates: number[]): string {
  const [least, middle, most] = [Math.min(...rates), median(rates), Math.max(...rates)].map(Math.round);
  return `${middle} (${least} to ${most})`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
