/**
 * Cost of a replay of alerting (behavior 25.1): of one monitor, and of many, over 90 days of checks at 60 s, packed as a server packs them.
 * The server is this program: it reads the past, replays it with changes, and replays it again with other changes. Meanwhile it
 * counts the statuses of all monitors, as `GET /status` does, every 50 ms, and measures how late each of these begins. For
 * comparison, the same is measured before, without a replay. The figures are of an idle machine only if nothing else runs on it.
 *
 * Latencies are log-normal, 0.05 % of the checks fail: 65 failures of each monitor, of which no outage was recorded.
 *
 * replay.ts [--monitors N] [--days N] [--folder FOLDER]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Selector } from "../../src/domain/monitors/selector.ts";
import type { ReplayChanges } from "../../src/domain/replay/changes.ts";
import type { ReplayedPast } from "../../src/domain/replay/history.ts";
import { createReplays } from "../../src/runner/replays/replays.ts";
import { openConnections } from "../../src/store/sqlite/connections.ts";
import { engineOn, type SqliteEngine } from "../../src/store/sqlite/driver.ts";
import { internDetail } from "../../src/store/sqlite/recording/save-states.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { systemClock } from "../../test/support/clock.ts";
import { quantile } from "./support/figures.ts";
import { HttpsMonitors } from "./support/https-monitors.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    days: { type: "string", default: "90" },
    folder: { type: "string", default: tmpdir() },
  },
});
const DAY = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;
const WARM_UP = 3;
const [monitors, days] = [Number(values.monitors), Number(values.days)];

const folder = mkdtempSync(join(values.folder, "stillup-replay-"));
const engine = engineOn(openConnections(folder));
const store = createStore(engine);
try {
  console.log(`Writing ${days} days of ${monitors.toLocaleString("en")} monitors at 60 s …`);
  const { organizationId, ids } = await fill(store, engine);
  console.log(
    "\nmilliseconds: of the processor, until the end, and the longest turn of the event loop; of the requests beside, at 99 % and at most",
  );
  await idle(organizationId);
  const [first = ""] = ids;
  for (const [name, selector] of [
    ["1 monitor", { monitorIds: [first] }],
    [`${monitors} monitors`, { all: true as const }],
  ] satisfies [string, Selector][])
    await measureReplays(name, organizationId, selector);
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}

/** The requests beside take time of the processor as well: about a millisecond each. */
async function idle(organizationId: string): Promise<void> {
  await measured("requests only, for 2 s", organizationId, () => Bun.sleep(2000));
}

async function measureReplays(name: string, organizationId: string, selector: Selector): Promise<void> {
  let reads = 0;
  const counted: Store["replays"] = {
    ...store.replays,
    load(...wanted) {
      reads++;
      return store.replays.load(...wanted);
    },
  };
  const replays = createReplays({ store: { ...store, replays: counted }, clock: systemClock() });
  const replay = (changes: ReplayChanges) => replays.run(organizationId, { selector, days, changes });
  const range = { from: Date.now() - days * DAY, to: Date.now() };
  // Functions are compiled by the first ones.
  for (let round = 0; round < WARM_UP; round++) await store.replays.load(organizationId, { selector, range });
  const before = settledMemory();
  let past: ReplayedPast | undefined;
  await measured(`${name}: the past alone`, organizationId, async () => {
    past = await store.replays.load(organizationId, { selector, range });
  });
  const kept = past ? [...past.monitors.values()].reduce((sum, { checks }) => sum + checks.count, 0) : 0;
  past = undefined;
  await measured(`${name}: confirmations 2`, organizationId, () => replay({ confirmations: 2 }));
  const memory = settledMemory() - before;
  await measured(`${name}: then after 300`, organizationId, () => replay({ after: 300 }));
  console.log(
    `  ${kept.toLocaleString("en")} results kept, ${(memory / MB).toFixed(0)} MB above idle after the first replay, the past was read ${reads} times`,
  );
}

function settledMemory(): number {
  Bun.gc(true);
  return process.memoryUsage().rss;
}

/** Runs work beside requests, and prints its cost. */
async function measured(name: string, organizationId: string, work: () => Promise<unknown>): Promise<void> {
  const watch = { isOver: false, longest: 0, last: performance.now(), late: [] as number[] };
  const turns = watchTurns(watch);
  const requests = watchRequests(watch, organizationId);
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  watch.isOver = true;
  await Promise.all([turns, requests]);
  const figures = [(user + system) / 1000, elapsed, watch.longest].map((one) => one.toFixed(0).padStart(7));
  const late = watch.late.length === 0 ? [0] : watch.late;
  const beside = `${quantile(late, 0.99).toFixed(0)} and ${Math.max(...late).toFixed(0)}`;
  console.log(`${name.padEnd(34)}${figures.join("")}   ${beside}`);
}

type Watch = { isOver: boolean; longest: number; last: number; late: number[] };

async function watchTurns(watch: Watch): Promise<void> {
  while (!watch.isOver) {
    watch.last = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1));
    watch.longest = Math.max(watch.longest, performance.now() - watch.last - 1);
  }
}

async function watchRequests(watch: Watch, organizationId: string): Promise<void> {
  for (let due = performance.now(); !watch.isOver; due = Math.max(due + 50, performance.now())) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    await store.monitors.countStatuses(organizationId);
    watch.late.push(performance.now() - due);
  }
}

async function fill(filled: Store, { writer }: SqliteEngine) {
  writer.$client.run("PRAGMA synchronous = OFF");
  const start = Math.floor(Date.now() / DAY) * DAY - days * DAY;
  const values = { name: "A", plan: "enterprise", subscription: "active" } as const;
  const { id: organizationId } = await filled.organizations.create(values, start);
  const owner = { organizationId, plan: values.plan };
  const webhook = { name: "c", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } as const;
  const channel = await filled.channels.create(owner, webhook, start);
  const ids: string[] = [];
  for (let at = 0; at < monitors; at++) {
    const config = { url: "http://127.0.0.1:1/", interval: 60 };
    const site = { name: `m${at}`, type: "HTTP" as const, config, alertChannelIds: [channel.id] };
    ids.push((await filled.monitors.create(owner, site, start)).id);
    internDetail(writer, at + 1, { statusCode: 200, address: "192.0.2.1" }, start);
    internDetail(writer, at + 1, { reason: "refused", message: "connect ECONNREFUSED" }, start);
  }
  const history = new HttpsMonitors(monitors, start);
  for (let day = 0; day < days; day++) history.writePackedDay(writer);
  writer.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return { organizationId, ids };
}
