/**
 * Requests one monitor or a page of its results in turns, and sometimes the list of all monitors. At SIGTERM, it
 * prints the number of requests and their response times.
 *
 * requests.ts ORDER, in JSON
 */
import { quantiles } from "./figures.ts";

export interface Order {
  url: string;
  key: string;
  /** IDs of the requested monitors. */
  ids: string[];
  perSecond: number;
  /** One of this many requests is for the list of all monitors. */
  listEvery: number;
}

const { url, key, ids, perSecond, listEvery }: Order = JSON.parse(process.argv[2] ?? "{}");
const headers = { authorization: `Bearer ${key}` };
const start = performance.now();
const times: number[] = [];
const lists: number[] = [];
let asked = 0;
let failed = 0;

const timer = setInterval(() => {
  while (asked < ((performance.now() - start) / 1000) * perSecond) void request(asked++);
}, 2);

process.on("SIGTERM", async () => {
  clearInterval(timer);
  await Bun.sleep(500);
  console.log(`${asked} sent, ${failed} failed, others ${quantiles(times, 1)}, lists ${quantiles(lists, 1)}`);
  process.exit(0);
});

async function request(at: number): Promise<void> {
  const isList = at % listEvery === 0;
  const one = `monitors/${ids[at % ids.length]}`;
  const path = isList ? "monitors" : at % 2 ? one : `${one}/results?limit=20`;
  const sent = performance.now();
  const response = await fetch(`${url}/api/v1/${path}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) failed++;
  (isList ? lists : times).push(performance.now() - sent);
}
