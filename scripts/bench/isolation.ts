/**
 * Whether sick targets touch healthy ones: monitors on names whose DNS server never answers, and on an address that
 * never answers, beside as many healthy ones; and the healthy ones alone, in turns.
 *
 * The DNS server is one here that answers healthy names only; the address is a listening socket with a full backlog.
 *
 * With --receivers, only whether silent receivers of one organization touch another, in `support/alert-isolation.ts`.
 *
 * isolation.ts [--monitors N of each kind] [--seconds N] [--rounds N]
 * isolation.ts --receivers N [--seconds N]
 */
import { createSocket } from "node:dgram";
import { parseArgs } from "node:util";
import { decode, encode } from "dns-packet";
import { measureSilentReceivers } from "./support/alert-isolation.ts";
import { median, quantile, quantiles, spread } from "./support/figures.ts";
import {
  cpuTime,
  createStore,
  memory,
  run,
  type StoredResult,
  serve,
  startTarget,
} from "./support/processes.ts";

const INTERVAL = 10;
const WARM_UP = 20_000;

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    seconds: { type: "string", default: "40" },
    rounds: { type: "string", default: "2" },
    receivers: { type: "string" },
  },
});
if (values.receivers) {
  await measureSilentReceivers(Number(values.receivers), Number(values.seconds));
  process.exit(0);
}
const [each, seconds, rounds] = [Number(values.monitors), Number(values.seconds), Number(values.rounds)];

interface Figures {
  latencies: number[];
  checks: number;
  wrong: number;
}

console.log(`${each} healthy HTTP monitors by name at ${INTERVAL} s, beside ${each} on names without an answer and ${each} on an address without one, or alone;
${rounds} runs of ${seconds} s each after ${WARM_UP / 1000} s of warming up, taking turns; medians of the runs (least to most)
`);
const dns = await startDns();
const target = await startTarget();
const deaf = await run(["python3", `${import.meta.dir}/support/deaf.py`]);
const among: Figures[] = [];
const alone: Figures[] = [];
for (let round = 0; round < rounds; round++) {
  among.push(await measure(true));
  alone.push(await measure(false));
}
await Promise.all([target.stop(), deaf.stop()]);
dns.close();
const of = (runs: Figures[], share: number) => runs.map(({ latencies }) => quantile(latencies, share));
for (const [name, runs] of [
  ["beside sick", among],
  ["alone", alone],
] as const) {
  const wrong = runs.reduce((sum, one) => sum + one.wrong, 0);
  console.log(
    `${name.padEnd(11)} latency p50 ${spread(of(runs, 0.5), 2)} ms, p99 ${spread(of(runs, 0.99), 2)} ms; checks ${spread(runs.map(({ checks }) => checks))}; not "up" in all runs ${wrong}`,
  );
}
console.log(
  `ratio       p50 ${(median(of(among, 0.5)) / median(of(alone, 0.5))).toFixed(2)}, p99 ${(median(of(among, 0.99)) / median(of(alone, 0.99))).toFixed(2)}`,
);

async function measure(withSick: boolean): Promise<Figures> {
  const numbers = Array.from({ length: each }, (_, at) => at);
  const http = (url: string) => ({ type: "HTTP" as const, config: { url, interval: INTERVAL } });
  const healthy = numbers.map((at) => http(`http://n${at}.healthy.test:${target.said}/${at}`));
  const nameless = numbers.map((at) => http(`http://n${at}.silent.test/`));
  const unheard = numbers.map((at) => http(`http://${deaf.said}/${at}`));
  using store = await createStore([...healthy, ...(withSick ? [...nameless, ...unheard] : [])]);
  const server = await serve(
    store.folder,
    ...["--log-level", "warn", "--dns-servers", `127.0.0.1:${dns.address().port}`],
  );
  await Bun.sleep(WARM_UP);
  const [from, cpu] = [Date.now(), cpuTime(server.pid)];
  await Bun.sleep(seconds * 1000);
  const used = (cpuTime(server.pid) - cpu) / (Date.now() - from);
  const resident = memory(server.pid);
  await server.stop();
  const rows = store.results(from);
  const good = rows.filter(({ monitor }) => monitor <= each);
  const latencies = good.flatMap(({ latencyMs }) => latencyMs ?? []);
  const reasons = Object.entries(Object.groupBy(rows, kindOf));
  console.log(
    `healthy ${quantiles(latencies)}; ${(100 * used).toFixed(0)} % of a core, ${resident.toFixed(0)} MB; ${reasons.map(([kind, all]) => `${kind} ${all?.length}`).join(", ")}`,
  );
  return { latencies, checks: good.length, wrong: good.filter(({ status }) => status !== "up").length };
}

function kindOf({ monitor, status, detail }: StoredResult): string {
  const kind = ["healthy", "silent name", "silent address"][Math.floor((monitor - 1) / each)];
  return `${kind} ${status === "up" ? "up" : (detail?.reason ?? status)}`;
}

/** Answers names below healthy.test, and the question whether it is alive; of all others it says nothing. */
async function startDns() {
  const server = createSocket("udp4");
  server.on("message", (packet, { port, address }) => {
    const { id, questions = [] } = decode(packet);
    const [question] = questions;
    if (!question || !/^$|^\.$|healthy\.test$/.test(question.name)) return;
    const { name, type } = question;
    const answers = type === "A" ? [{ type, name, data: `127.0.1.${1 + (name.length % 8)}` } as const] : [];
    server.send(encode({ type: "response", id, questions, answers }), port, address);
  });
  await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
  return server;
}
