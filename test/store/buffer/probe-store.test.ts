import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KEPT_FOR } from "../../../src/domain/locations/protocol.ts";
import { openProbeStore, type ProbeStore } from "../../../src/store/buffer/probe-store.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2027, 5, 1, 12);
const DAY = 86_400_000;

let dir: TempDir;
const opened: ProbeStore[] = [];

beforeEach(() => {
  dir = tempDir();
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  dir[Symbol.dispose]();
});

function open(now = NOW, dataDir = dir.path) {
  const store = openProbeStore(dataDir);
  opened.push(store);
  const faults: unknown[] = [];
  const buffer = store.openBuffer({ now, onFault: (error) => void (error && faults.push(error)) });
  return { store, buffer, faults };
}

function close({ store }: { store: ProbeStore }): void {
  opened.splice(opened.indexOf(store), 1);
  store.close();
}

const seen = (at: number, monitorId = "a") => ({
  monitorId,
  revision: 3,
  at,
  startAt: at - 5,
  evidence: { outcome: "reached", latencyMs: 5, detail: { statusCode: 200 } },
});

const everything = { freshSince: NOW - 120_000, limit: 500 };

test("behavior 13.42: what was not acknowledged is there after a restart, with the same numbers", () => {
  const first = open();
  for (const at of [NOW, NOW + 1, NOW + 2]) first.buffer.add(seen(at));
  const before = first.buffer.next(everything);
  first.buffer.delete([before[0]?.sequence as number]);
  const stream = first.store.stream();
  close(first);
  const second = open(NOW + 1000);
  expect(second.store.stream()).toBe(stream);
  expect(second.buffer.next(everything)).toEqual(before.slice(1));
  expect(second.buffer.waiting()).toBe(2);
});

test("behavior 13.42: no number is used twice, also if all were acknowledged, or the clock or the database is older", () => {
  const numberOf = ({ buffer }: ReturnType<typeof open>) => {
    buffer.add(seen(NOW));
    const [{ sequence } = { sequence: 0 }] = buffer.next(everything);
    buffer.delete([sequence]);
    return sequence;
  };
  const first = open();
  const used = [numberOf(first), numberOf(first)];
  close(first);
  const second = open(NOW - DAY);
  used.push(numberOf(second));
  close(second);
  // An empty database in place of one that was lost after the latest copy of it.
  using other = tempDir();
  used.push(numberOf(open(NOW + 1000, other.path)));
  expect(used).toEqual([...new Set(used)].sort((a, b) => a - b));
});

test("behavior 13.44: fresh observations are sent before older ones, and the oldest of these first", () => {
  const { buffer } = open();
  const times = [NOW - 300_000, NOW - 400_000, NOW - 1000, NOW - 2000];
  for (const at of times) buffer.add(seen(at));
  const timesOf = (limit: number) => buffer.next({ ...everything, limit }).map(({ at }) => at);
  expect(timesOf(2)).toEqual([NOW - 2000, NOW - 1000]);
  expect(timesOf(3)).toEqual([NOW - 400_000, NOW - 2000, NOW - 1000]);
  expect(timesOf(500)).toEqual([NOW - 400_000, NOW - 300_000, NOW - 2000, NOW - 1000]);
});

test("a batch is not larger than the server takes, and is never empty", () => {
  const { buffer } = open();
  const large = { ...seen(NOW), evidence: { outcome: "reached", detail: { text: "x".repeat(200_000) } } };
  for (let count = 0; count < 5; count++) buffer.add(large);
  expect(buffer.next(everything)).toHaveLength(2);
  buffer.add({ ...large, at: NOW - 1, evidence: { text: "x".repeat(2_000_000) } });
  expect(buffer.next(everything)).toHaveLength(1);
});

test("behavior 13.43: what is older than 24 h is dropped and counted, also over a restart", () => {
  const first = open();
  for (const at of [NOW - KEPT_FOR - 2, NOW - KEPT_FOR - 1, NOW]) first.buffer.add(seen(at));
  first.buffer.tidy(NOW);
  expect(first.buffer.waiting()).toBe(1);
  first.store.saveTime({ shift: 0, aliveAt: NOW });
  close(first);
  expect(open().buffer.dropped()).toBe(2);
});

test("text with an unpaired surrogate is repaired, because the server refuses it", () => {
  const { buffer } = open();
  buffer.add({ ...seen(NOW), evidence: { outcome: "failed", detail: { message: "a\ud800" } } });
  expect(buffer.next(everything)[0]?.evidence).toEqual({ outcome: "failed", detail: { message: "a\ufffd" } });
});

test("the work list and the time are there after a restart", () => {
  const first = open();
  const config = { url: "http://127.0.0.1/", interval: 60 };
  const item = { monitorId: "a", revision: 1, type: "HTTP" as const, config, offset: 0 };
  const work = { location: { id: "l", name: "fra" }, revision: 7, monitors: [item] };
  first.store.saveWork(work);
  first.store.saveTime({ shift: 12, aliveAt: NOW });
  close(first);
  const second = open();
  expect(second.store.work()).toEqual(work);
  expect(second.store.time()).toEqual({ shift: 12, aliveAt: NOW });
});

test("behavior 13.47: only the owner can read the files, and a second probe on the directory is refused", () => {
  const dataDir = join(dir.path, "new");
  const { buffer } = open(NOW, dataDir);
  buffer.add(seen(NOW));
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(dataDir)) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
  expect(() => openProbeStore(dataDir)).toThrow("another stillup probe is running");
});

test("behavior 13.45: of a deleted list of monitors, nothing is left in the files", () => {
  const { store } = open();
  const location = { id: "l", name: "fra" };
  const config = { url: "http://127.0.0.1/", interval: 60, body: "hidden ".repeat(3000) };
  const item = { monitorId: "a", revision: 1, type: "HTTP" as const, config, offset: 0 };
  store.saveWork({ location, revision: 1, monitors: [item, { ...item, monitorId: "b" }] });
  store.saveWork({ location, revision: 2, monitors: [item] });
  store.saveWork({ location, revision: 0, monitors: [] });
  for (const file of readdirSync(dir.path))
    expect(readFileSync(join(dir.path, file)).includes("hidden")).toBe(false);
});

test("behavior 13.47: a damaged database is kept beside a new one", () => {
  writeFileSync(join(dir.path, "probe.db"), "no database at all ".repeat(1000));
  const { store, buffer } = open();
  buffer.add(seen(NOW));
  expect(store.isReplaced).toBe(true);
  expect(buffer.waiting()).toBe(1);
  expect(existsSync(join(dir.path, "probe.db.damaged"))).toBe(true);
});
