import { join } from "node:path";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { DatabaseProxy } from "../../../test/support/store/postgres/proxy.ts";
import { createNodesDatabase, startBenchCluster } from "../support/cluster.ts";
import { createFolder, createStore, type Running, serveWith, startTarget } from "../support/processes.ts";

/** @property distance milliseconds there and back @property kinds of changes, separated by commas */
interface Applies {
  changes: number;
  distance: number;
  nodes: number;
  engine: string;
  binary: string;
  kinds: string;
}

const BACKGROUND = 1200;
const JOBS = 40;
const INTERVAL = 60_000;
/** Between the check-ins of the load, in milliseconds. */
const PACE = 10;
const LATE = 2000;

/**
 * An apply of thousands of changes, while the nodes check and take check-ins: how long it takes, what check-ins wait meanwhile, and
 * which checks are late. On PostgreSQL, a proxy puts the database at a distance. In turns: monitors are created, get other names,
 * other intervals, and are deleted.
 *
 * "late": of the monitors that the document does not name, slots without a request at the target within 2 s. Each created monitor,
 * and each with another interval, is due at once: "all checked" is when the last one of them was.
 */
export async function measureApplies(given: Applies): Promise<void> {
  const { changes, distance, engine, binary } = given;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(createFolder());
  const seenFile = join(folder.path, "seen.json");
  const target = await startTarget("--seen", seenFile);
  const urlOf = (path: number) => `http://127.0.1.${1 + (path % 64)}:${target.said}/${path}`;
  const background = Array.from({ length: BACKGROUND }, (_, at) => ({
    type: "HTTP" as const,
    config: { url: urlOf(at), interval: INTERVAL / 1000 },
  }));
  const { nodes, key, ids, far } = await (engine === "sqlite" ? startSqlite() : startPostgres());
  console.log(
    `${changes} changes beside ${BACKGROUND} other monitors, ${engine} at ${far ? distance : 0} ms, nodes: ${nodes.length}, ${binary}\n`,
  );

  const jobs = await Array.fromAsync({ length: JOBS }, createJob);

  const document = ({ name = "monitor", interval = 300, count = changes }) => ({
    channels: { ops: { type: "WEBHOOK", config: { url: "http://127.0.0.1:9/" }, enabled: false } },
    defaults: { alertChannelIds: ["ops"], tags: ["web"] },
    monitors: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `m${at}`,
        { name: `${name} ${at}`, type: "HTTP", config: { url: urlOf(BACKGROUND + at), interval } },
      ]),
    ),
  });
  const kinds: Record<string, () => Promise<Response>> = {
    create: () => apply("", document({})),
    rename: () => apply("", document({ name: "renamed" })),
    interval: () => apply("", document({ name: "renamed", interval: 600 })),
    export: () => send("/api/v1/export/refs", { method: "POST" }),
    delete: () => apply("?prune=all", document({ count: 1 })),
  };
  const measured: { kind: string; from: number; to: number; line: string }[] = [];
  await Bun.sleep(15_000);
  for (const kind of given.kinds.split(",")) measured.push(await measure(kind));
  await Bun.sleep(LATE + 1000);
  for (const node of nodes) await node.stop();
  await target.stop();
  const seen: [path: number, at: number][] = await Bun.file(seenFile).json();
  for (const { kind, from, to, line } of measured)
    console.log(`${line} late ${countLate(from, to)}, all checked ${allChecked(kind, from)}`);

  async function measure(kind: string) {
    far?.become();
    const isOver = { value: false };
    const from = Date.now();
    const load = checkIns(isOver);
    const answer = await (kinds[kind]?.() ?? Promise.reject(new Error(`no kind ${kind}`)));
    const text = await answer.text();
    const to = Date.now();
    isOver.value = true;
    const { waits, failed } = await load;
    const sorted = waits.sort((a, b) => a - b);
    const at = (part: number) =>
      `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)}`;
    const line = `${kind.padEnd(9)}${answer.status} in ${to - from} ms; check-ins ${waits.length}, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms, not 200: ${JSON.stringify(failed)};`;
    console.log(`${line}${answer.ok ? "" : ` ${text.slice(0, 200)}`}`);
    // Monitors that became due are checked before the next measurement.
    await Bun.sleep(kind === "rename" ? 4000 : 25_000);
    return { kind, from, to, line };
  }

  async function createJob(): Promise<string> {
    const body = JSON.stringify({ name: "job", type: "SCHEDULED", config: { interval: 300 } });
    const headers = { "content-type": "application/json" };
    const answer = await send("/api/v1/monitors", { method: "POST", headers, body });
    const { data } = (await answer.json()) as { data: { id: string } };
    return data.id;
  }

  function apply(query: string, body: object): Promise<Response> {
    return send(`/api/v1/apply${query}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  function send(path: string, init: RequestInit, node = 0): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    return fetch(`${nodes[node]?.said}${path}`, { ...init, headers, signal: AbortSignal.timeout(200_000) });
  }

  /** Check-ins at a steady pace, at each node in turn. @returns milliseconds of each */
  async function checkIns(isOver: { value: boolean }) {
    const waits: number[] = [];
    const failed: Record<number, number> = {};
    const all: Promise<void>[] = [];
    for (let at = 0; !isOver.value; at++) {
      const start = performance.now();
      const job = jobs[at % JOBS];
      const one = send(`/api/v1/monitors/${job}/checkin`, {}, at % nodes.length);
      all.push(
        one.then(async (answer) => {
          await answer.text();
          waits.push(performance.now() - start);
          if (answer.status !== 200) failed[answer.status] = (failed[answer.status] ?? 0) + 1;
        }),
      );
      await Bun.sleep(PACE);
    }
    await Promise.all(all);
    return { waits, failed };
  }

  /** The slots of monitors that the document does not name. */
  function countLate(from: number, to: number): string {
    let [late, slots, most] = [0, 0, 0];
    const times = Map.groupBy(seen, ([path]) => path);
    for (let path = 0; path < BACKGROUND; path++) {
      for (
        let slot = nextCheckAt(ids[path] ?? "", INTERVAL / 1000, from - LATE);
        slot < to;
        slot += INTERVAL
      ) {
        slots++;
        const first =
          (times.get(path) ?? []).find(([, at]) => at >= slot - 5)?.[1] ?? Number.POSITIVE_INFINITY;
        most = Math.max(most, first - slot);
        if (first - slot > LATE) late++;
      }
    }
    return `${late} of ${slots} slots, the most ${Math.round(most)} ms`;
  }

  function allChecked(kind: string, from: number): string {
    if (kind !== "create" && kind !== "interval") return "-";
    const end = from + 30_000;
    const found = seen.flatMap(([path, at]) =>
      path >= BACKGROUND && at >= from && at < end ? [[path, at] as const] : [],
    );
    const first = new Map(found.toReversed());
    return `${first.size} after ${Math.round(Math.max(...first.values()) - from)} ms`;
  }

  async function startPostgres() {
    const cluster = stack.use(await startBenchCluster());
    const url = await cluster.createDatabase();
    const first = await serveWith(binary, join(folder.path, "first"), "--database-url", url);
    await first.stop();
    const database = stack.use(await createNodesDatabase(url, background));
    const socket = new URL(url);
    const upstream = { dir: socket.searchParams.get("host") ?? "" };
    const proxies: DatabaseProxy[] = [];
    const started: Running[] = [];
    for (let at = 0; at < Number(given.nodes); at++) {
      const proxy = stack.use(await DatabaseProxy.start(upstream));
      proxies.push(proxy);
      const through = proxy.url(socket.pathname.slice(1));
      const options = ["--database-url", through, "--log-level", "error"];
      started.push(await serveWith(binary, join(folder.path, `node-${at}`), ...options));
    }
    const become = () => {
      for (const proxy of proxies) proxy.become({ delay: Number(distance) / 2 });
    };
    become();
    return { nodes: started, key: database.key, ids: database.ids, far: { become } };
  }

  async function startSqlite() {
    const store = stack.use(await createStore(background));
    const node = await serveWith(binary, store.folder, "--log-level", "error");
    return { nodes: [node], key: store.key, ids: store.ids, far: undefined };
  }
}
