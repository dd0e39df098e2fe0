/**
 * Effect of sign-ins with passwords on checks and on the event loop of the compiled server: people at as many addresses sign in at a
 * rate. The delay of a check is how long after the slot of its monitor the target sees it. The event loop is
 * measured by requests of /healthz, one after the other, from another thread.
 *
 * For comparison, another process verifies as many passwords with the same cost, while stillup runs the same checks. Whatever
 * these checks are later by is the cost of the busy machine, and not of stillup: both share its cores.
 *
 * sign-ins.ts [--checks PER_SECOND] [--people N] [--rate PER_SECOND] [--seconds N] [--rounds N]
 */
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { quantile, quantiles, spread } from "./support/figures.ts";
import { join } from "./support/people.ts";
import { cpuTime, createFolder, createStore, memory, run, serve, startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    checks: { type: "string", default: "200" },
    people: { type: "string", default: "50" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
  },
});
const [checks, people, rate] = [Number(values.checks), Number(values.people), Number(values.rate)];
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const WARM_UP = 5000;
/** Milliseconds between two requests of the thread that measures the event loop. */
const PROBE_EVERY = 5;

using folder = createFolder();
const seenFile = resolve(folder.path, "seen.json");
const target = await startTarget("--seen", seenFile);
using store = await createStore(
  Array.from({ length: checks }, (_, at) => ({
    type: "HTTP",
    config: { url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`, interval: 1 },
  })),
);
const server = await serve(store.folder, "--log-level", "error", "--trusted-proxies", "127.0.0.1");
for (let person = 0; person < people; person++) await join(server.said, { person, key: store.key });
const [known] = store.query<{ hash: string }>("SELECT password_hash AS hash FROM people LIMIT 1");
const prober = new Worker(`${import.meta.dir}/support/health-prober.ts`);
prober.postMessage({ url: `${server.said}/healthz`, every: PROBE_EVERY });

console.log(`${checks} HTTP checks a second; ${people} people, each at an address, ${rate} sign-ins a second; ${rounds} rounds of ${seconds} s of each,
taking turns, after ${WARM_UP / 1000} s of warming up; load of the machine before it ${loadavg()
  .map((load) => load.toFixed(1))
  .join(", ")}; medians of the rounds (least to most)
`);

interface Round {
  from: number;
  to: number;
  /** Milliseconds that each sign-in took. */
  signIns: number[];
  refused: number;
  /** Milliseconds of each request of /healthz. */
  pauses: number[];
  /** Share of a core that stillup uses. */
  cores: number;
}

type Work = (time: number) => Promise<Pick<Round, "signIns" | "refused">>;

const quiet: Work = async (time) => {
  await Bun.sleep(time);
  return { signIns: [], refused: 0 };
};
const kinds: Record<string, Work> = {
  quiet,
  "sign-ins": signIns,
  "bare hashes": bareHashes,
};
const figures = new Map<string, Round[]>(Object.keys(kinds).map((name) => [name, []]));
await Bun.sleep(WARM_UP);
for (let round = 0; round < rounds; round++)
  for (const [name, of] of figures) of.push(await measure(kinds[name] ?? quiet));
prober.terminate();
console.log(
  `memory of stillup: ${memory(server.pid).toFixed(0)} MB, after as many hashes as it has threads for\n`,
);
await server.stop();
await target.stop();
const seen: [path: number, at: number, late: number][] = await Bun.file(seenFile).json();

for (const [name, of] of figures) console.log(summary(name, of));
const added = (name: string) =>
  spread(
    (figures.get(name) ?? []).map((one, at) => {
      const quiet = figures.get("quiet")?.[at];
      return quantile(delays(one), 0.99) - (quiet ? quantile(delays(quiet), 0.99) : Number.NaN);
    }),
    2,
  );
console.log(`
p99 of the delay of checks added by ${rate} sign-ins a second: ${added("sign-ins")} ms, by as many bare hashes: ${added("bare hashes")} ms
p99 of /healthz with sign-ins to that with bare hashes: ${ratio("sign-ins", "bare hashes")}, to that without either: ${ratio("sign-ins", "quiet")}`);

async function measure(work: Work): Promise<Round> {
  await take();
  const [from, cpu, start] = [Date.now(), cpuTime(server.pid), performance.now()];
  const done = await work(seconds * 1000);
  const cores = (cpuTime(server.pid) - cpu) / (performance.now() - start);
  return { from, to: Date.now(), ...done, cores, pauses: await take() };
}

/** Measurements of the prober since the last call. */
function take(): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  prober.onmessage = ({ data }) => resolve(data);
  prober.postMessage("take");
  return promise;
}

/** By another process, because a program of Bun sends only so many requests at once. */
async function signIns(time: number): Promise<Pick<Round, "signIns" | "refused">> {
  const script = `${import.meta.dir}/support/sign-in-load.ts`;
  const load = [server.said, String(people), String(rate), String(time / 1000)];
  const environment = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "10000" };
  const sender = Bun.spawn([process.execPath, script, ...load], { env: environment });
  const { taken, refused } = JSON.parse(await new Response(sender.stdout).text());
  return { signIns: taken, refused };
}

async function bareHashes(time: number): Promise<Pick<Round, "signIns" | "refused">> {
  const script = `${import.meta.dir}/support/hashes.ts`;
  const bare = await run([process.execPath, script, known?.hash ?? "", String(rate)]);
  await Bun.sleep(time);
  await bare.stop();
  return { signIns: [], refused: 0 };
}

/** How late each check of a round began, in milliseconds. */
function delays({ from, to }: Pick<Round, "from" | "to">): number[] {
  return seen
    .filter(([, at]) => at >= from && at < to)
    .map(([path, at]) => at - (nextCheckAt(store.ids[path] ?? "", 1, at) - 1000));
}

function summary(name: string, of: Round[]): string {
  const late = (share: number) =>
    spread(
      of.map((one) => quantile(delays(one), share)),
      2,
    );
  const perSecond = spread(of.map((one) => delays(one).length / ((one.to - one.from) / 1000)));
  const signed = of.flatMap((one) => one.signIns);
  const refused = of.reduce((sum, one) => sum + one.refused, 0);
  const rates = spread(of.map((one) => one.signIns.length / ((one.to - one.from) / 1000)));
  const own = signed.length === 0 ? "" : `; ${rates} sign-ins/s: ${quantiles(signed, 0)}, ${refused} refused`;
  return `${name.padEnd(12)} checks ${perSecond}/s, late p50 ${late(0.5)} ms, p99 ${late(0.99)} ms; /healthz ${quantiles(of.flatMap((one) => one.pauses))}; stillup ${spread(of.map(({ cores }) => 100 * cores))} % of a core${own}`;
}

function ratio(name: string, base: string): string {
  const p99 = (of: string) =>
    quantile(
      (figures.get(of) ?? []).flatMap((one) => one.pauses),
      0.99,
    );
  return (p99(name) / p99(base)).toFixed(2);
}
