/**
 * Check-ins a second that the compiled server acknowledges, each after it is on the disk, with a light load
 * generator. For comparison, requests that store nothing, over the same connections, and the syncs of the disk in each
 * round. With --against, also by another binary, in turns. With --runs, also starts and ends of runs, as many of each.
 *
 * With --rate, check-ins are sent at that rate whether or not the previous ones are acknowledged, to each binary in
 * turn. Prints the latencies of each ten seconds. strace can delay each sync of the disk.
 *
 * checkins.ts [--connections N] [--seconds N] [--rounds N] [--runs] [--against BINARY]
 * checkins.ts --rate N [--seconds N] [--sync-delay MILLISECONDS] [--against BINARY]
 */
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inTurn, median, quantiles, spread } from "./support/figures.ts";
import { load } from "./support/load.ts";
import {
  cpuTime,
  createFolder,
  createStore,
  type Running,
  run,
  type Store,
  serveWith,
} from "./support/processes.ts";
import { syncsPerSecond } from "./support/syncs.ts";

const MONITORS = 1000;
/** Milliseconds of one summary of latencies. */
const STRETCH = 10_000;
const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "128" },
    seconds: { type: "string", default: "6" },
    rounds: { type: "string", default: "3" },
    rate: { type: "string" },
    "sync-delay": { type: "string", default: "0" },
    runs: { type: "boolean", default: false },
    against: { type: "string" },
  },
});
const binaries = [values.against, "dist/stillup"].filter((one) => one !== undefined);
const [connections, seconds, rounds] = [
  Number(values.connections),
  Number(values.seconds),
  Number(values.rounds),
];

const kinds: readonly Kind[] = values.runs ? ["checkin", "run", "status"] : ["checkin", "status"];

interface Figures {
  perSecond: number;
  /** Milliseconds. */
  cpuEach: number;
  latencies: number[];
}

if (values.rate) await measureAtRate(Number(values.rate));
else await measureAtMost();

async function measureAtMost(): Promise<void> {
  console.log(`${connections} connections, each with one request at a time, ${MONITORS} monitors, ${rounds} runs of ${seconds} s each, taking turns;
medians (least to most); counted are answers of 200 and, for checkins and runs, rows in the database
`);
  await using stack = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const binary of binaries) subjects.push(stack.use(await startSubject(binary)));
  for (const subject of subjects) await measure(subject, "checkin", 2);
  const folder = stack.use(createFolder());
  const syncs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    syncs.push(syncsPerSecond(folder.path));
    for (const subject of inTurn(subjects, round))
      for (const kind of kinds) subject.found[kind].push(await measure(subject, kind, seconds));
  }
  console.log(`the disk: ${spread(syncs, 0)} syncs/s of 4 KiB, before each round`);
  for (const { binary, found } of subjects) {
    const of = (kind: Kind, field: "perSecond" | "cpuEach") => found[kind].map((one) => one[field]);
    console.log(binary);
    for (const kind of kinds)
      console.log(
        `  ${kind.padEnd(8)} ${spread(of(kind, "perSecond"), 0)} /s, ${spread(of(kind, "cpuEach"), 3)} ms CPU of the server each, ${quantiles(found[kind].flatMap(({ latencies }) => latencies))}`,
      );
    const rate = (kind: Kind) => median(of(kind, "perSecond"));
    console.log(
      `  ratio    ${(rate("checkin") / rate("status")).toFixed(2)} x the rate of requests that only read`,
    );
    if (values.runs)
      console.log(
        `           ${(rate("run") / rate("checkin")).toFixed(2)} x the rate of check-ins for runs`,
      );
  }
  const [against, ours] = subjects;
  if (!against || !ours) return;
  const ratio = (field: "perSecond" | "cpuEach") =>
    (
      median(ours.found.checkin.map((one) => one[field])) /
      median(against.found.checkin.map((one) => one[field]))
    ).toFixed(2);
  console.log(`ratio of check-ins: ${ratio("perSecond")} x the rate, ${ratio("cpuEach")} x the CPU each`);
}

type Kind = "checkin" | "run" | "status";

/** A running server with jobs in a database that it has created itself. */
interface Subject extends AsyncDisposable {
  binary: string;
  server: Running;
  key: string;
  ids: string[];
  countRows(): number;
  found: Record<Kind, Figures[]>;
}

async function startSubject(binary: string): Promise<Subject> {
  const folder = createFolder();
  const server = await serveWith(binary, folder.path, "--log-level", "warn");
  const key = readFileSync(join(folder.path, "initial-owner-key"), "utf8").trim();
  const ids: string[] = [];
  for (let at = 0; at < MONITORS; at++) ids.push(await createJob(server.said, key));
  const db = new Database(join(folder.path, "stillup.db"), { readonly: true });
  const count = db.query<{ count: number }, []>(
    values.runs
      ? "SELECT (SELECT count(*) FROM check_results) + (SELECT count(*) FROM job_runs) AS count"
      : "SELECT count(*) AS count FROM check_results",
  );
  return {
    binary,
    server,
    key,
    ids,
    countRows: () => count.get()?.count ?? 0,
    found: { checkin: [], run: [], status: [] },
    async [Symbol.asyncDispose]() {
      await server.stop();
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

/** @returns the ID */
async function createJob(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/monitors`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "a job", type: "SCHEDULED", config: { interval: 300 } }),
  });
  const body = (await answer.json()) as { data: { id: string } };
  if (!answer.ok) throw new Error(`POST /api/v1/monitors: ${answer.status} ${JSON.stringify(body)}`);
  return body.data.id;
}

async function measure(
  { server, key, ids, countRows }: Subject,
  kind: Kind,
  duration: number,
): Promise<Figures> {
  /** Each job starts, and ends when all others have started. */
  const part = (at: number) => (Math.floor(at / MONITORS) % 2 === 0 ? "/start" : "/0");
  const pathOf = (at: number) =>
    kind === "status"
      ? "/api/v1/status"
      : `/api/v1/monitors/${ids[at % MONITORS]}/checkin${kind === "run" ? part(at) : ""}`;
  const [before, cpu, start] = [countRows(), cpuTime(server.pid), performance.now()];
  const { answered, latencies } = await load(server.said, { key, pathOf, connections, duration });
  const elapsed = (performance.now() - start) / 1000;
  const used = cpuTime(server.pid) - cpu;
  const stored = countRows() - before;
  if (kind !== "status" && stored < answered) throw new Error(`${answered} answered, ${stored} stored`);
  return { perSecond: answered / elapsed, cpuEach: used / answered, latencies };
}

async function createJobs(): Promise<Store> {
  return createStore(
    Array.from({ length: MONITORS }, () => ({ type: "SCHEDULED", config: { interval: 300 } })),
  );
}

async function measureAtRate(rate: number): Promise<void> {
  const delay = Number(values["sync-delay"]);
  console.log(`${rate} checkins/s for ${seconds} s, independent of the responses, ${MONITORS} monitors;
${delay} ms added to each sync; latencies by ${STRETCH / 1000} s, and the descriptors that were open at its end\n`);
  for (const binary of binaries) {
    using store = await createJobs();
    const server = await serveSlowly(binary, store.folder, delay);
    console.log(binary);
    await sendAtRate(store, server, rate);
    await server.stop();
  }
}

/** Delays each sync: `-D` keeps the process ID of the server, `--seccomp-bpf` traces no other call. */
async function serveSlowly(binary: string, folder: string, delay: number): Promise<Running> {
  const inject = `inject=fdatasync:delay_enter=${delay * 1000}`;
  const strace = [
    "strace",
    "-D",
    "-f",
    "--seccomp-bpf",
    "-o",
    "/dev/null",
    "-e",
    "trace=fdatasync",
    "-e",
    inject,
  ];
  const command = [resolve(binary), "serve", "--port", "0", "--data-dir", folder, "--log-level", "warn"];
  const running = await run(delay > 0 ? [...strace, ...command] : command);
  return { ...running, said: running.said.replace(/.*listening on /, "") };
}

async function sendAtRate(store: Store, server: Running, rate: number): Promise<void> {
  const headers = { authorization: `Bearer ${store.key}` };
  const stretches: number[][] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  const send = async (at: number) => {
    // From the due time: a late sender must not hide a delay.
    const due = start + (at * 1000) / rate;
    const answer = await fetch(`${server.said}/api/v1/monitors/${store.ids[at % MONITORS]}/checkin`, {
      headers,
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    const stretch = Math.floor((due - start) / STRETCH);
    stretches[stretch] ??= [];
    stretches[stretch].push(performance.now() - due);
  };
  const open: number[] = [];
  for (let at = 0; at < rate * seconds; at++) {
    const early = start + (at * 1000) / rate - performance.now();
    if (early > 0) await Bun.sleep(early);
    if (at % ((rate * STRETCH) / 1000) === 0) open.push(descriptors(server.pid));
    answers.push(send(at));
  }
  open.push(descriptors(server.pid));
  await Promise.all(answers);
  for (const [at, latencies] of stretches.entries())
    console.log(
      `  ${String((at * STRETCH) / 1000).padStart(3)} s  ${quantiles(latencies)}, ${open[at + 1]} descriptors`,
    );
  console.log(`  all    ${quantiles(stretches.flat())}\n`);
}

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
