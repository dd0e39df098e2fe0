/**
 * Effect of clients without a key on check-ins and on the memory of the compiled server: connections that send the requests
 * that cost most, and connections that hold back the last byte of a body. Another process sends them.
 *
 * strangers.ts [--beside BINARY] [--seconds N] [--flooding N] [--holding N]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { quantiles } from "./support/figures.ts";
import { createFolder, memory, type Running, run, serveWith } from "./support/processes.ts";

/** Milliseconds between two check-ins, and between two looks at the memory. */
const CHECKIN_EVERY = 20;
const LOOK_EVERY = 100;
const WARM_UP = 3000;

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    seconds: { type: "string", default: "60" },
    flooding: { type: "string", default: "10" },
    holding: { type: "string", default: "950" },
  },
});
const duration = Number(values.seconds) * 1000;

console.log(`A check-in each ${CHECKIN_EVERY} ms over new connections, of one job, on a server without other work.
Flood: ${values.flooding} connections without a key, each with the costliest requests one after the other, for ${values.seconds} s.
Held: ${values.holding} connections without a key, each with a body except its last byte.
Memory: the most above that before, in MB (resident).
`);
for (const binary of ["dist/stillup", ...(values.beside === undefined ? [] : [values.beside])]) {
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

/** Sends each check-in when it is due, independent of the answers before it. */
async function checkIn(url: string, time: number): Promise<{ latencies: number[]; failed: number }> {
  const latencies: number[] = [];
  let failed = 0;
  const one = async () => {
    const start = performance.now();
    const response = await fetch(url, { keepalive: false }).catch(() => undefined);
    await response?.arrayBuffer();
    // The limit of one monitor: see behavior 8.17.
    if (!response?.ok) failed++;
    latencies.push(performance.now() - start);
  };
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; at * CHECKIN_EVERY < time; at++) {
    await Bun.sleep(Math.max(0, start + at * CHECKIN_EVERY - performance.now()));
    sent.push(one());
  }
  await Promise.all(sent);
  return { latencies, failed };
}
