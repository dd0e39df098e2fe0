import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Detail } from "../../../src/domain/checks/observation.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { createKey } from "../../../src/store/ids.ts";
import type { NewMonitor } from "../../../src/store/monitors/monitors.ts";
import { readMeasured } from "../../../src/store/results/timings.ts";
import type { Database } from "../../../src/store/sqlite/database.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { statusOfCode } from "../../../src/store/status-codes.ts";
import { type Store as ProductStore, createStore as storeOf } from "../../../src/store/store.ts";

/** A fresh folder that goes with the `using` block. */
export function createFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "stillup-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** A data directory of its own, with monitors that are there before the server starts. */
export interface Store extends Disposable {
  folder: string;
  /** The key of an owner. */
  key: string;
  /** The IDs of the monitors, in the order of their making. */
  ids: string[];
  /** The results that were recorded in a stretch of time, in milliseconds since 1970. */
  results(from: number, to?: number): StoredResult[];
  /** Reads or changes the database, beside the server if that runs. */
  query<Row>(sql: string): Row[];
}

export async function createStore(given: Pick<NewMonitor, "type" | "config">[]): Promise<Store> {
  const folder = createFolder();
  const engine = openEngine(folder.path);
  const db = engine.writer;
  const product = storeOf(engine);
  db.$client.run("PRAGMA synchronous = OFF");
  const { key, ids } = await fill(product, given);
  return {
    folder: folder.path,
    key,
    ids,
    results: (from, to = Number.MAX_SAFE_INTEGER) => readResults(db, from, to),
    query: <Row>(sql: string) => db.$client.query<Row, []>(sql).all(),
    [Symbol.dispose]() {
      product.close();
      folder[Symbol.dispose]();
    },
  };
}

export interface StoredResult {
  /** The inner number of the monitor: 1 for the first. */
  monitor: number;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

function readResults(db: Database, from: number, to: number): StoredResult[] {
  return db.$client
    .query<
      {
        monitor: number;
        status: number;
        timings: Uint8Array | null;
        text: string | null;
        createdAt: number;
      },
      [number, number]
    >(
      `SELECT check_results.monitor_pk AS monitor, status, timings, text, check_results.created_at AS createdAt
       FROM check_results JOIN monitors ON monitors.pk = check_results.monitor_pk LEFT JOIN details ON details.pk = detail_pk
       WHERE check_results.created_at >= ? AND check_results.created_at < ?`,
    )
    .all(from, to)
    .map(({ monitor, status, timings, text, createdAt }) => ({
      monitor,
      status: statusOfCode(status),
      ...readMeasured(timings, text === null ? undefined : JSON.parse(text)),
      createdAt,
    }));
}

async function fill(store: ProductStore, given: Pick<NewMonitor, "type" | "config">[]) {
  const now = Date.now();
  const plan = "enterprise" as const;
  const { id } = await store.organizations.create({ name: "Bench", plan, subscription: "active" }, now);
  const key = createKey();
  await store.apiKeys.create({ organizationId: id, name: "bench", role: "owner", expiresAt: null, key }, now);
  const ids: string[] = [];
  for (const [at, values] of given.entries()) {
    const monitor = { name: `monitor ${at}`, alertChannelIds: [], ...values };
    ids.push((await store.monitors.create({ organizationId: id, plan }, monitor, now)).id);
  }
  return { key, ids };
}

export interface Running {
  pid: number;
  /** The first line that it wrote. */
  said: string;
  stop(): Promise<void>;
  /** Ends it like a crash. */
  kill(): void;
}

/** The compiled server. @returns with its address in `said` */
export function serve(folder: string, ...more: string[]): Promise<Running> {
  return serveWith("dist/stillup", folder, ...more);
}

/** Like `serve`, with another binary. */
export async function serveWith(binary: string, folder: string, ...more: string[]): Promise<Running> {
  return serveWithin(undefined, binary, "--data-dir", folder, ...more);
}

/** Like `serveWith`, with a limit of file descriptors. @param descriptors default: the limit of this program */
export async function serveWithin(
  descriptors: number | undefined,
  binary: string,
  ...more: string[]
): Promise<Running> {
  const limit = descriptors === undefined ? [] : ["prlimit", `--nofile=${descriptors}:${descriptors}`];
  const running = await run([...limit, resolve(binary), "serve", "--port", "0", ...more]);
  return { ...running, said: running.said.replace(/.*listening on /, "") };
}

/** A server of `target.ts`. @returns with its port in `said` */
export function startTarget(...more: string[]): Promise<Running> {
  return run([process.execPath, join(import.meta.dir, "target.ts"), ...more]);
}

/** Runs a program until it has written its first line. */
export async function run(command: string[]): Promise<Running> {
  // Without it, a program does not get what this one has set.
  const { env } = process;
  const child = Bun.spawn(command, { env, stdout: "pipe", stderr: "ignore" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return {
    pid: child.pid,
    said: new TextDecoder().decode(value).trim(),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

/** Milliseconds of processor time, user and system, that a process has used. */
export function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10;
}

/** Resident megabytes. */
export function memory(pid: number): number {
  return megabytes(pid, "VmRSS");
}

/**
 * Resident megabytes that are not of a file. How much of its binary is resident differs between two copies of the same file:
 * it depends on how the system has cached them.
 */
export function ownMemory(pid: number): number {
  return megabytes(pid, "RssAnon");
}

function megabytes(pid: number, field: string): number {
  const [, kilobytes] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
