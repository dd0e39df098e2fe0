/**
 * Effect of clients without a key on check-ins and on the memory of the compiled server: connections that send the requests
 * that cost most, and connections that hold back the last byte of a body. Another process sends them.
 *
 * With `--beginnings`: effect of sign-ins that ten addresses begin on check-ins and on changes of a user, on PostgreSQL at a distance.
 *
 * strangers.ts [--beside BINARY] [--seconds N] [--flooding N] [--holding N]
 * strangers.ts --beginnings 10000 [--connections 50] [--distance MS] [--beside BINARY]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DatabaseProxy } from "../../test/support/store/postgres/proxy.ts";
import { startBenchCluster } from "./support/cluster.ts";
import { quantiles } from "./support/figures.ts";
import { cpuTime, createFolder, memory, type Running, run, serveWith } from "./support/processes.ts";

/** Milliseconds between two check-ins, and between two looks at the memory. */
const CHECKIN_EVERY = 20;
const LOOK_EVERY = 100;
/** Milliseconds between two changes of a user. */
const CHANGE_EVERY = 100;
const WARM_UP = 3000;

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    seconds: { type: "string", default: "60" },
    flooding: { type: "string", default: "10" },
    holding: { type: "string", default: "950" },
    beginnings: { type: "string" },
    connections: { type: "string", default: "50" },
    distance: { type: "string", default: "2.5" },
  },
});
const duration = Number(values.seconds) * 1000;

const binaries = ["dist/stillup", ...(values.beside === undefined ? [] : [values.beside])];
await (values.beginnings === undefined ? measureFloods() : measureBeginnings(Number(values.beginnings)));

async function measureFloods(): Promise<void> {
  console.log(`A check-in each ${CHECKIN_EVERY} ms over new connections, of one job, on a server without other work.
Flood: ${values.flooding} connections without a key, each with the costliest requests one after the other, for ${values.seconds} s.
Held: ${values.holding} connections without a key, each with a body except its last byte.
Memory: the most above that before, in MB (resident).
`);
  for (const binary of binaries) {
    using folder = createFolder();
    const server = await serveWith(binary, folder.path, "--log-level", "error");
    const job = await createJob(server.said, readFileSync(`${folder.path}/initial-owner-key`, "utf8").trim());
    await Bun.sleep(WARM_UP);
    console.log(binary);
    await report("quiet", server, job);
    await report("flooded", server, job, ["flood", values.flooding]);
    await Bun.sleep(WARM_UP);
    await report("held", server, job, ["hold", values.holding]);
    await server.stop();
  }
}

async function measureBeginnings(count: number): Promise<void> {
  console.log(`A check-in each ${CHECKIN_EVERY} ms over new connections, of one job, and a change of the organization each ${CHANGE_EVERY} ms.
Strangers: ${count} beginnings, half by a provider, half with passkeys, over ${values.connections} connections of ten addresses.
PostgreSQL at ${values.distance} ms.
`);
  await using cluster = await startBenchCluster();
  using provider = startProvider();
  for (const binary of binaries) {
    using folder = createFolder();
    const database = new URL(await cluster.createDatabase());
    using proxy = await DatabaseProxy.start({ dir: database.searchParams.get("host") ?? "" });
    const server = await serveWith(
      binary,
      folder.path,
      ...["--log-level", "error", "--base-url", "http://localhost"],
      ...["--database-url", proxy.url(database.pathname.slice(1))],
      ...["--oidc-issuer", provider.issuer, "--oidc-client-id", "stillup"],
    );
    const key = readFileSync(`${folder.path}/initial-owner-key`, "utf8").trim();
    const job = await createJob(server.said, key);
    proxy.become({ delay: Number(values.distance) / 2 });
    await Bun.sleep(WARM_UP);
    console.log(binary);
    const user = { url: server.said, pid: server.pid, key, job };
    await reportUser("quiet", user, () => Bun.sleep(5000).then(() => ""));
    await reportUser("beginnings", user, () => beginAt(user, count));
    await server.stop();
  }
}

/** A provider with its metadata only: a sign-in needs no more until it returns. */
function startProvider(): Disposable & { issuer: string } {
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      Response.json({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ["code"] },
      }),
  });
  const issuer: string = `http://127.0.0.1:${server.port}`;
  return { issuer, [Symbol.dispose]: () => void server.stop(true) };
}

interface User {
  url: string;
  /** The process of the server. */
  pid: number;
  key: string;
  /** The ID of a SCHEDULED monitor. */
  job: string;
}

/** @returns how many answers of each status the strangers got */
async function beginAt({ url, pid, job }: User, count: number): Promise<string> {
  const command = [
    process.execPath,
    `${import.meta.dir}/support/strangers.ts`,
    url,
    job,
    "begin",
    values.connections,
    `${count}`,
  ];
  const [start, cpuBefore] = [performance.now(), cpuTime(pid)];
  const lines = (await new Response(Bun.spawn(command).stdout).text()).trim().split("\n");
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  return `strangers ${seconds} s, of it ${cpuTime(pid) - cpuBefore} ms of processor time of the server: ${lines.at(-1)}`;
}

/** Measures check-ins and changes until something has ended. */
async function reportUser(name: string, user: User, during: () => Promise<string>): Promise<void> {
  let isOver = false;
  const ended = during().finally(() => (isOver = true));
  const whileOpen = (every: number, one: () => Promise<Response>) => atPace(every, () => !isOver, one);
  const [checkIns, changes, strangers] = await Promise.all([
    whileOpen(CHECKIN_EVERY, () =>
      fetch(`${user.url}/api/v1/monitors/${user.job}/checkin`, { keepalive: false }),
    ),
    whileOpen(CHANGE_EVERY, () =>
      fetch(`${user.url}/api/v1/organization`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${user.key}` },
        body: JSON.stringify({ name: `Name ${performance.now()}` }),
      }),
    ),
    ended,
  ]);
  for (const [what, { latencies, statuses }] of Object.entries({ checkIns, changes }))
    console.log(`${name.padEnd(10)} ${what.padEnd(9)} ${quantiles(latencies)} ${JSON.stringify(statuses)}`);
  if (strangers !== "") console.log(`${name.padEnd(10)} ${strangers}`);
}

/** By the API, because each binary has its own version of the database. @returns the ID of a SCHEDULED monitor */
async function createJob(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/monitors`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ name: "job", type: "SCHEDULED", config: {} }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

/** Measures check-ins and memory while strangers do something. */
async function report(name: string, server: Running, job: string, strangers?: string[]): Promise<void> {
  const before = memory(server.pid);
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, memory(server.pid))), LOOK_EVERY);
  const script = `${import.meta.dir}/support/strangers.ts`;
  const others = strangers && (await run([process.execPath, script, server.said, job, ...strangers]));
  const time = name === "held" ? Math.min(duration, 15_000) : name === "quiet" ? duration / 4 : duration;
  const { latencies, failed } = await checkIn(`${server.said}/api/v1/monitors/${job}/checkin`, time);
  clearInterval(looking);
  others?.kill();
  const above = (most - before).toFixed(0);
  console.log(`${name.padEnd(8)} check-ins ${quantiles(latencies)}, ${failed} failed; memory +${above} MB`);
}

async function checkIn(url: string, time: number): Promise<{ latencies: number[]; failed: number }> {
  const end = performance.now() + time;
  const isOpen = () => performance.now() < end;
  const { latencies, statuses } = await atPace(CHECKIN_EVERY, isOpen, () => fetch(url, { keepalive: false }));
  // The limit of one monitor: see behavior 8.17.
  return { latencies, failed: latencies.length - (statuses[200] ?? 0) };
}

/** Sends each request when it is due, independent of the answers before it. @returns how many have each status; 0: no answer */
async function atPace(every: number, isOpen: () => boolean, send: () => Promise<Response>) {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const one = async () => {
    const start = performance.now();
    const response = await send().catch(() => undefined);
    await response?.arrayBuffer();
    const status = response?.status ?? 0;
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.push(performance.now() - start);
  };
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; isOpen(); at++) {
    await Bun.sleep(Math.max(0, start + at * every - performance.now()));
    sent.push(one());
  }
  await Promise.all(sent);
  return { latencies, statuses };
}
