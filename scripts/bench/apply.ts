/**
 * How long an apply of a configuration document takes, by POST to a server in this process: of new monitors, of the same ones again,
 * and with another field in each. For comparison, as many monitors are created one by one over the same API.
 *
 * "longest pause" is for how long the event loop of the server was blocked during the apply of new monitors. "check-in" is how long a
 * check-in took that was sent while they were written: on SQLite, it waits for the transaction.
 *
 * apply.ts [monitors] (TEST_ENGINE=sqlite|postgres: the engine)
 */
import { ApiServer } from "../../test/support/product/api-server.ts";
import type { Client } from "../../test/support/requests/client.ts";
import { engineOfTests } from "../../test/support/store/engines.ts";

const MONITORS = Number(process.argv[2] ?? 1000);
const APPLY = "/api/v1/apply";
const monitor = (at: number) => ({
  type: "HTTP",
  config: { url: `https://shop.example.com/${at}`, interval: 60 },
});
const documentWith = (defaults: object) => ({
  channels: { ops: { type: "WEBHOOK", config: { url: "https://hooks.example.com/" } } },
  defaults: { alertChannelIds: ["ops"], tags: ["web"], ...defaults },
  monitors: Object.fromEntries(Array.from({ length: MONITORS }, (_, at) => [`m${at}`, monitor(at)])),
});

await using server = await ApiServer.start();
console.log(`${MONITORS} HTTP monitors with a channel and a tag, on ${engineOfTests().name}\n`);

const { admin: single } = await server.organization("single", "enterprise");
const oneByOne = await timed(async () => {
  for (let at = 0; at < MONITORS; at++)
    await single.post("/api/v1/monitors", { name: `m${at}`, ...monitor(at) });
});
const { admin } = await server.organization("applied", "enterprise");
const job = (await admin.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} })).body.data;
const pauses = watchPauses();
const checkin = Bun.sleep(50).then(() => timed(() => admin.get(`/api/v1/monitors/${job.id}/checkin`)));
const created = await apply(admin, {});
const longest = pauses.longest();
print("one by one", oneByOne, "");
print("apply, new", created, `${(oneByOne / created).toFixed(1)} x as fast as one by one`);
const unchanged = await apply(admin, {});
print("apply, unchanged", unchanged, `${(created / unchanged).toFixed(1)} x as fast as new`);
print("apply, all changed", await apply(admin, { tags: ["shop"], confirmations: 1 }), "");
print("longest pause", longest, "");
print("check-in meanwhile", await checkin, "");

function apply(client: Client, defaults: object): Promise<number> {
  return timed(async () => {
    const { status, body } = await client.post(APPLY, documentWith(defaults));
    if (status !== 200) throw new Error(`the apply was answered with ${status}: ${body.error}`);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function watchPauses() {
  let [last, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last);
    last = now;
  }, 1);
  return {
    longest() {
      clearInterval(timer);
      return most;
    },
  };
}

function print(what: string, milliseconds: number, comparison: string): void {
  console.log(`${what.padEnd(20)}${Math.round(milliseconds).toString().padStart(7)} ms  ${comparison}`);
}
