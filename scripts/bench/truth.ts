/**
 * Accuracy of the reported latency while the API is busy: a target that responds after 50 ms and logs its own delay,
 * 200 checks a second, and 200 requests a second on the API of the same process, lists of 1,000 monitors included.
 * The error is the reported latency minus 50 ms and minus the delay of the target. For comparison, the error of the
 * same checks without the requests. In production, target and clients are on other machines: here the target has a
 * higher priority, and the clients have a lower one.
 *
 * truth.ts [--seconds N] [--rounds N]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, quantile, quantiles, spread } from "./support/figures.ts";
import { cpuTime, createStore, type Running, type Store, serve, startTarget } from "./support/processes.ts";
import type { Order } from "./support/requests.ts";

const DELAY = 50;
const CHECKS = 200;
const REQUESTS = 200;
const OTHER_MONITORS = 800;
/** One of this many requests is for the list of all monitors. */
const LIST_EVERY = 40;
const WARM_UP = 5000;
/** A nice value. */
const AFTER_OTHERS = "15";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "20" }, rounds: { type: "string", default: "3" } },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];

console.log(`${CHECKS} checks/s of a target that answers after ${DELAY} ms, ${rounds} runs of ${seconds} s with ${REQUESTS} requests/s
(each ${LIST_EVERY}th lists ${CHECKS + OTHER_MONITORS} monitors, the others one monitor or a page of its results) and as many without, taking turns; medians of the runs (least to most)
`);
const busy: number[][] = [];
const quiet: number[][] = [];
for (let round = 0; round < rounds; round++) {
  busy.push(await measure(true));
  quiet.push(await measure(false));
}
const of = (runs: number[][], share: number) => runs.map((errors) => quantile(errors, share));
for (const [name, runs] of [
  ["with requests", busy],
  ["without", quiet],
] as const) {
  console.log(
    `${name.padEnd(14)} error p50 ${spread(of(runs, 0.5), 3)} ms, p99 ${spread(of(runs, 0.99), 3)} ms`,
  );
}
console.log(
  `ratio          p50 ${(median(of(busy, 0.5)) / median(of(quiet, 0.5))).toFixed(2)}, p99 ${(median(of(busy, 0.99)) / median(of(quiet, 0.99))).toFixed(2)}`,
);

async function measure(withRequests: boolean): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "stillup-bench-"));
  const seenFile = join(folder, "seen.json");
  const target = await startTarget("--delay", String(DELAY), "--seen", seenFile);
  preferTarget(target.pid);
  using store = await createStore([
    ...Array.from({ length: CHECKS }, (_, at) => ({
      type: "HTTP" as const,
      config: { url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`, interval: 1 },
    })),
    ...Array.from({ length: OTHER_MONITORS }, () => ({
      type: "SCHEDULED" as const,
      config: { interval: 300 },
    })),
  ]);
  const server = await serve(store.folder, "--log-level", "warn");
  const load = withRequests ? ask(server, store) : undefined;
  await Bun.sleep(WARM_UP);
  const [from, cpu] = [Date.now(), cpuTime(server.pid)];
  await Bun.sleep(seconds * 1000);
  const to = Date.now();
  const used = (cpuTime(server.pid) - cpu) / (to - from);
  const answered = await load?.stop();
  await server.stop();
  await target.stop();
  const rows = store.results(from, to).filter(({ latencyMs }) => latencyMs !== null);
  const seen: [number, number, number][] = await Bun.file(seenFile).json();
  rmSync(folder, { recursive: true });
  const byPath = Map.groupBy(seen, ([path]) => path);
  const errors = rows.flatMap(({ monitor, createdAt, latencyMs }) => {
    const late = latenessAt(byPath.get(monitor - 1), createdAt);
    return late === undefined || latencyMs === null ? [] : [latencyMs - DELAY - late];
  });
  console.log(
    `${errors.length} of ${rows.length} checks matched; error ${quantiles(errors, 3)}; ${(100 * used).toFixed(0)} % of a core${answered ? `; requests ${answered}` : ""}`,
  );
  return errors;
}

/** Otherwise the time that the target waits for a core would count as an error of stillup. */
function preferTarget(pid: number): void {
  const { success } = Bun.spawnSync(["chrt", "--all-tasks", "--fifo", "--pid", "1", String(pid)]);
  if (!success) console.log("not allowed to raise the priority of the target: its delays count as errors");
}

/** Delay of the target in the check that ended at a time. @param answers responses to the monitor of the check */
function latenessAt(answers: [number, number, number][] = [], end: number): number | undefined {
  return answers.find(([, at]) => at <= end + 1 && at > end - 900)?.[2];
}

/** @returns a function that stops the requests and returns their outcome */
function ask({ said: url }: Running, { key, ids }: Store) {
  const order: Order = { url, key, ids: ids.slice(0, CHECKS), perSecond: REQUESTS, listEvery: LIST_EVERY };
  const script = join(import.meta.dir, "support", "requests.ts");
  const child = Bun.spawn(["nice", "-n", AFTER_OTHERS, process.execPath, script, JSON.stringify(order)]);
  return {
    async stop() {
      child.kill("SIGTERM");
      return (await child.stdout.text()).trim();
    },
  };
}
