/**
 * Effect of failing targets on healthy ones, in turns: healthy monitors alone; with as many monitors on names whose
 * DNS server never responds and on an address that never responds; with monitors of a hostile zone, checked each
 * second, whose names have 4,001 addresses that never respond. Meanwhile a new connection requests the API every 100
 * ms.
 *
 * A local DNS server answers only the names of healthy targets and of the hostile zone. The addresses belong to a
 * listening socket with a full backlog. The delay of a check is measured from its slot.
 *
 * With --receivers, measures only the effect of silent receivers of one organization on another, in
 * `support/alert-isolation.ts`.
 *
 * isolation.ts [--monitors N of each kind] [--hostile N] [--seconds N] [--rounds N] [--descriptors N] [--against BINARY]
 * isolation.ts --receivers N [--seconds N]
 */
import { createSocket } from "node:dgram";
import { type AddressInfo, createServer } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { decode, encode } from "dns-packet";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { measureSilentReceivers } from "./support/alert-isolation.ts";
import { median, quantile, quantiles, spread } from "./support/figures.ts";
import { cpuTime, createStore, memory, run, type StoredResult, startTarget } from "./support/processes.ts";
import { askApi } from "./support/requests-of-new-clients.ts";

const INTERVAL = 10;
const WARM_UP = 20_000;
const ADDRESSES = 4001;
const BESIDE = ["sick", "hostile", "nothing"] as const;
type Beside = (typeof BESIDE)[number];

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    hostile: { type: "string", default: "40" },
    seconds: { type: "string", default: "40" },
    rounds: { type: "string", default: "2" },
    receivers: { type: "string" },
    descriptors: { type: "string", default: "65536" },
    against: { type: "string" },
  },
});
if (values.receivers) {
  await measureSilentReceivers(Number(values.receivers), Number(values.seconds));
  process.exit(0);
}
const [each, seconds, rounds] = [Number(values.monitors), Number(values.seconds), Number(values.rounds)];
const hostile = Number(values.hostile);

interface Figures {
  latencies: number[];
  lateness: number[];
  checks: number;
  wrong: number;
  requests: number;
  refused: number;
}

console.log(`${each} healthy HTTP monitors by name at ${INTERVAL} s, beside ${each} on names without an answer and ${each} on an address without one,
or beside ${hostile} at 1 s of a zone whose names have ${ADDRESSES} addresses without an answer, or alone; at a limit of ${values.descriptors} descriptors;
${rounds} runs of ${seconds} s each after ${WARM_UP / 1000} s of warming up, taking turns; medians of the runs (least to most)
`);
const dns = await startDns();
const target = await startTarget();
const deaf = await run(["python3", `${import.meta.dir}/support/deaf.py`, "0.0.0.0"]);
const deafPort = deaf.said.split(":")[1];
for (const binary of [resolve("dist/stillup"), ...(values.against ? [resolve(values.against)] : [])]) {
  const figures = new Map<Beside, Figures[]>(BESIDE.map((beside) => [beside, []]));
  console.log(binary);
  for (let round = 0; round < rounds; round++) {
    for (const [beside, runs] of figures) runs.push(await measure(binary, beside));
  }
  for (const [beside, runs] of figures) console.log(summary(beside, runs, figures.get("nothing") ?? []));
}
await Promise.all([target.stop(), deaf.stop()]);
dns.close();

function summary(beside: Beside, runs: Figures[], alone: Figures[]): string {
  const of = (some: Figures[], share: number) => some.map(({ latencies }) => quantile(latencies, share));
  const ratio = (share: number) => (median(of(runs, share)) / median(of(alone, share))).toFixed(2);
  const sum = (pick: (one: Figures) => number) => runs.reduce((total, one) => total + pick(one), 0);
  const lateness = (share: number) => spread(runs.map((one) => quantile(one.lateness, share)));
  return `beside ${beside.padEnd(8)} latency p50 ${spread(of(runs, 0.5), 2)} ms, p99 ${spread(of(runs, 0.99), 2)} ms, ratio to alone ${ratio(0.5)}, ${ratio(0.99)}; late by p99 ${lateness(0.99)} ms, max ${lateness(1)} ms; checks ${spread(runs.map(({ checks }) => checks))}, not "up" in all runs ${sum((one) => one.wrong)}; requests of new clients ${sum((one) => one.requests)}, refused ${sum((one) => one.refused)}`;
}

async function measure(binary: string, beside: Beside): Promise<Figures> {
  const numbers = Array.from({ length: each }, (_, at) => at);
  const http = (url: string, interval = INTERVAL) => ({ type: "HTTP" as const, config: { url, interval } });
  const healthy = numbers.map((at) => http(`http://n${at}.healthy.test:${target.said}/${at}`));
  const others = {
    sick: [
      ...numbers.map((at) => http(`http://n${at}.silent.test/`)),
      ...numbers.map((at) => http(`http://127.0.2.1:${deafPort}/${at}`)),
    ],
    hostile: Array.from({ length: hostile }, (_, at) => http(`http://n${at}.hostile.test:${deafPort}/`, 1)),
    nothing: [],
  };
  using store = await createStore([...healthy, ...others[beside]]);
  const { pid, said, stop } = await run([
    ...["prlimit", `--nofile=${values.descriptors}`, binary, "serve", "--port", "0"],
    ...["--data-dir", store.folder, "--log-level", "error", "--dns-servers", `127.0.0.1:${dns.port}`],
  ]);
  await Bun.sleep(WARM_UP);
  const api = askApi(said.replace(/.*listening on /, ""));
  const [from, cpu] = [Date.now(), cpuTime(pid)];
  await Bun.sleep(seconds * 1000);
  const used = (cpuTime(pid) - cpu) / (Date.now() - from);
  const resident = memory(pid);
  const asked = api.stop();
  await stop();
  const rows = store.results(from);
  const good = rows.filter(({ monitor }) => monitor <= each);
  const latencies = good.flatMap(({ latencyMs }) => latencyMs ?? []);
  const lateness = good.map((row) => latenessOf(row, store.ids[row.monitor - 1] ?? ""));
  const reasons = Object.entries(Object.groupBy(rows, (row) => kindOf(row, beside)));
  console.log(
    `beside ${beside}: healthy ${quantiles(latencies)}; late by ${quantiles(lateness, 0)}; ${(100 * used).toFixed(0)} % of a core, ${resident.toFixed(0)} MB; ${reasons.map(([kind, all]) => `${kind} ${all?.length}`).join(", ")}`,
  );
  const wrong = good.filter(({ status }) => status !== "up").length;
  return { latencies, lateness, checks: good.length, wrong, ...asked };
}

/** Milliseconds from the slot to the start of the check. */
function latenessOf({ createdAt, latencyMs }: StoredResult, id: string): number {
  // Times are whole milliseconds: a punctual check may seem to start just before its slot.
  const startedAt = createdAt - (latencyMs ?? 0) + 2;
  return startedAt - (nextCheckAt(id, INTERVAL, startedAt) - INTERVAL * 1000);
}

function kindOf({ monitor, status, detail }: StoredResult, beside: Beside): string {
  const kinds = ["healthy", ...(beside === "hostile" ? ["hostile"] : ["silent name", "silent address"])];
  const kind = kinds[Math.min(kinds.length - 1, Math.floor((monitor - 1) / each))];
  return `${kind} ${status === "up" ? "up" : (detail?.reason ?? status)}`;
}

/**
 * Answers names below healthy.test, names below hostile.test (over TCP), and the query of the root. It ignores all other
 * queries.
 */
async function startDns() {
  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (query: Buffer) => socket.write(answerOfThousands(query.subarray(2))));
  });
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (packet, from) => {
    const { id, questions = [] } = decode(packet);
    const [question] = questions;
    if (!question || !/^$|^\.$|(healthy|hostile)\.test$/.test(question.name)) return;
    const { name, type } = question;
    const isHostile = type === "A" && name.endsWith("hostile.test");
    const answers =
      type === "A" && !isHostile ? [{ type, name, data: `127.0.1.${1 + (name.length % 8)}` } as const] : [];
    const TRUNCATED = 0x0200;
    udp.send(
      encode({ type: "response", id, flags: isHostile ? TRUNCATED : 0, questions, answers }),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((done) => udp.bind(port, "127.0.0.1", done));
  return {
    port,
    close() {
      udp.close();
      tcp.close();
    },
  };
}

/** A DNS message over TCP, after its length. Each record refers to the name of the question by a pointer. */
function answerOfThousands(query: Buffer): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const records = Buffer.alloc(ADDRESSES * 16);
  for (let at = 0; at < ADDRESSES; at++) {
    records.write("c00c0001000100000000", at * 16, "hex");
    records.writeUInt16BE(4, at * 16 + 10);
    records.writeUInt32BE(0x7f_10_00_01 + at, at * 16 + 12);
  }
  const head = Buffer.alloc(14);
  head.writeUInt16BE(12 + question.length + records.length, 0);
  query.copy(head, 2, 0, 2);
  head.writeUInt16BE(0x8180, 4);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(ADDRESSES, 8);
  return Buffer.concat([head, question, records]);
}
