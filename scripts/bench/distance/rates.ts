import { join } from "node:path";
import { DatabaseProxy } from "../../../test/support/store/postgres/proxy.ts";
import {
  type BenchCluster,
  clusterCpuTime,
  createNodesDatabase,
  startBenchCluster,
} from "../support/cluster.ts";
import { inTurn, median, quantile, spread } from "../support/figures.ts";
import { cpuTime, createFolder, type Running, serveWith, startTarget } from "../support/processes.ts";

/** Due checks a second of a saturated node. */
const MONITORS = 15_000;
/** The checks that are overdue at the start are spread over the first 8 s. */
const WARM_UP = 11_000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;

const JOBS = 200;
/** The first check-ins are not counted: the first one of a job is a change of its status, and the node compiles its code. */
const FIRST = 2 * JOBS;
/** Between two check-ins, in milliseconds. */
const PACE = 10;

interface Rates {
  /** Measured in turns. */
  binaries: string[];
  /** Milliseconds there and back. */
  distances: number[];
  rounds: number;
  seconds: number;
  only: string[];
}

/** A node behind a proxy, with a database of its own. */
interface Far extends AsyncDisposable {
  node: Running;
  ids: string[];
  proxy: DatabaseProxy;
  query<Row>(sql: string): Promise<Row[]>;
}

type Given = Parameters<typeof createNodesDatabase>[1];

export async function measureRates({ binaries, distances, rounds, seconds, only }: Rates): Promise<void> {
  await using cluster = await startBenchCluster();
  const subjects = binaries.flatMap((binary) => distances.map((distance) => ({ binary, distance })));
  if (only.includes("checks")) await measureChecks(cluster, { subjects, rounds, seconds });
  if (only.includes("checkins")) await measureCheckins(cluster, { subjects, rounds, seconds });
}

interface Measured {
  subjects: { binary: string; distance: number }[];
  rounds: number;
  seconds: number;
}

async function measureChecks(cluster: BenchCluster, { subjects, rounds, seconds }: Measured): Promise<void> {
  console.log(
    `\nHTTP checks of one node, ${MONITORS} due a second, ${rounds} runs of ${seconds} s in turns; medians (least to most)`,
  );
  const target = await startTarget();
  const given = Array.from({ length: MONITORS }, (_, at) => ({
    type: "HTTP" as const,
    config: { url: `http://127.0.1.${1 + (at % ADDRESSES)}:${target.said}/${at}`, interval: 1 },
  }));
  const found = subjects.map((subject) => ({
    ...subject,
    runs: [] as Awaited<ReturnType<typeof countChecks>>[],
  }));
  for (let round = 0; round < rounds; round++)
    for (const subject of inTurn(found, round))
      subject.runs.push(await countChecks(cluster, { ...subject, given, seconds }));
  await target.stop();
  for (const { binary, distance, runs } of found) {
    const of = (field: keyof (typeof runs)[number], digits: number) =>
      spread(
        runs.map((run) => run[field]),
        digits,
      );
    const near = found.find((other) => other.binary === binary)?.runs ?? [];
    const ratio =
      median(runs.map(({ perSecond }) => perSecond)) / median(near.map(({ perSecond }) => perSecond));
    console.log(
      `  ${binary} at ${distance} ms: ${of("perSecond", 0)} checks/s, ${ratio.toFixed(2)} x; statements a second ${of("statements", 0)}; CPU per check: node ${of("server", 3)} ms, database ${of("database", 3)} ms, proxy ${of("proxy", 3)} ms`,
    );
  }
}

async function countChecks(
  cluster: BenchCluster,
  { given, seconds, ...subject }: { binary: string; distance: number; given: Given; seconds: number },
) {
  await using far = await startFar(cluster, { ...subject, given });
  await Bun.sleep(WARM_UP);
  const count = async () =>
    Number((await far.query<{ count: string }>("SELECT count(*) FROM check_results"))[0]?.count);
  const own = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
  const read = async () => ({
    checks: await count(),
    at: performance.now(),
    statements: far.proxy.statements,
    server: cpuTime(far.node.pid),
    database: clusterCpuTime(cluster.pid),
    proxy: own(),
  });
  const before = await read();
  await Bun.sleep(seconds * 1000);
  const after = await read();
  const [checks, took] = [after.checks - before.checks, (after.at - before.at) / 1000];
  return {
    perSecond: checks / took,
    statements: (after.statements - before.statements) / took,
    server: (after.server - before.server) / checks,
    database: (after.database - before.database) / checks,
    proxy: (after.proxy - before.proxy) / checks,
  };
}

async function measureCheckins(
  cluster: BenchCluster,
  { subjects, rounds, seconds }: Measured,
): Promise<void> {
  console.log(
    `\nCheck-ins of ${JOBS} jobs, one every ${PACE} ms, ${rounds} runs of ${seconds} s in turns; milliseconds, and round trips`,
  );
  const given = Array.from({ length: JOBS }, () => ({
    type: "SCHEDULED" as const,
    config: { interval: 300 },
  }));
  const found = subjects.map((subject) => ({ ...subject, waits: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const { waits, ...subject } of inTurn(found, round)) {
      await using far = await startFar(cluster, { ...subject, given });
      waits.push(...(await checkIn(far, seconds)));
    }
  for (const { binary, distance, waits } of found) {
    const of = (share: number) => {
      const wait = quantile(waits, share);
      return `${wait.toFixed(1)} ms${distance > 0 ? ` = ${(wait / distance).toFixed(1)} round trips` : ""}`;
    };
    console.log(`  ${binary} at ${distance} ms: p50 ${of(0.5)}, p99 ${of(0.99)} (n = ${waits.length})`);
  }
}

/** @returns milliseconds of each */
async function checkIn({ node, ids }: Far, seconds: number): Promise<number[]> {
  const waits: number[] = [];
  const all: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; at < FIRST + (seconds * 1000) / PACE; at++) {
    await Bun.sleep(Math.max(0, start + at * PACE - performance.now()));
    const sentAt = performance.now();
    const one = fetch(`${node.said}/api/v1/monitors/${ids[at % ids.length]}/checkin`);
    all.push(
      one.then(async (answer) => {
        await answer.text();
        if (answer.status !== 200) throw new Error(`a check-in got ${answer.status}`);
        if (at >= FIRST) waits.push(performance.now() - sentAt);
      }),
    );
  }
  await Promise.all(all);
  return waits;
}

async function startFar(
  cluster: BenchCluster,
  { binary, distance, given }: { binary: string; distance: number; given: Given },
): Promise<Far> {
  await using stack = new AsyncDisposableStack();
  const url = new URL(await cluster.createDatabase());
  const database = stack.use(await createNodesDatabase(url.href, given));
  const proxy = stack.use(await DatabaseProxy.start({ dir: url.searchParams.get("host") ?? "" }));
  const folder = stack.use(createFolder());
  const through = proxy.url(url.pathname.slice(1));
  const options = ["--database-url", through, "--log-level", "error"];
  const node = await serveWith(binary, join(folder.path, "node"), ...options);
  stack.defer(() => node.stop());
  if (distance > 0) proxy.become({ delay: distance / 2 });
  const kept = stack.move();
  return {
    node,
    proxy,
    ids: database.ids,
    query: database.query,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
