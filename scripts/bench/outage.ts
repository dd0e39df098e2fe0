/**
 * Time until an outage is recorded: HTTP monitors by name, each with several addresses that never respond, on a
 * server with few file descriptors. Meanwhile a new connection requests the API every 100 ms.
 *
 * The addresses belong to one listening socket with a full backlog, and a local DNS server has the names. The
 * server starts with all monitors overdue, and does not know the names yet.
 *
 * outage.ts [--monitors N] [--addresses N] [--descriptors N] [--interval SECONDS] [--patience SECONDS] [--rounds N] [--against BINARY]
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/support/servers/dns-server.ts";
import { spread } from "./support/figures.ts";
import { createStore, run, type Store } from "./support/processes.ts";
import { askApi } from "./support/requests-of-new-clients.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "150" },
    addresses: { type: "string", default: "8" },
    descriptors: { type: "string", default: "1024" },
    interval: { type: "string", default: "60" },
    patience: { type: "string", default: "60" },
    rounds: { type: "string", default: "2" },
    against: { type: "string" },
  },
});
const [monitors, addresses, descriptors] = [values.monitors, values.addresses, values.descriptors].map(
  Number,
) as [number, number, number];
const [interval, patience, rounds] = [values.interval, values.patience, values.rounds].map(Number) as [
  number,
  number,
  number,
];

interface Figures {
  /** Seconds; the timeout if not all were recorded. */
  took: number;
  down: number;
  unknown: number;
  mostDescriptors: number;
  requests: number;
  refused: number;
}

const binaries = [resolve("dist/stillup"), ...(values.against ? [resolve(values.against)] : [])];
console.log(`${monitors} HTTP monitors at ${interval} s by name, each name with ${addresses} addresses that never answer, at a limit of ${descriptors} descriptors;
${rounds} runs of each binary, taking turns, each from the start of the server until all are recorded, at most ${patience} s; medians of the runs (least to most)
`);
const deaf = await run(["python3", `${import.meta.dir}/support/deaf.py`, "0.0.0.0"]);
const port = deaf.said.split(":")[1];
const names = Array.from({ length: monitors }, (_, at) => `n${at}.out.test`);
const dns = await startDnsServer(
  Object.fromEntries(
    names.flatMap((name) => [
      [
        `A ${name}`,
        Array.from({ length: addresses }, (_, at) => ({ type: "A", name, data: `127.0.3.${at + 1}` })),
      ],
      [`AAAA ${name}`, []],
    ]),
  ),
);
const figures = new Map<string, Figures[]>(binaries.map((binary) => [binary, []]));
for (let round = 0; round < rounds; round++) {
  for (const [binary, runs] of figures) runs.push(await measure(binary));
}
await deaf.stop();
dns[Symbol.dispose]();
for (const [binary, runs] of figures) {
  const of = (pick: (one: Figures) => number) => runs.map(pick);
  console.log(
    `${binary}
  until all are recorded ${spread(
    of(({ took }) => took),
    1,
  )} s; down ${spread(of(({ down }) => down))}, unknown ${spread(of(({ unknown }) => unknown))}
  most descriptors ${spread(of(({ mostDescriptors }) => mostDescriptors))}; requests ${spread(of(({ requests }) => requests))}, refused ${spread(of(({ refused }) => refused))}`,
  );
}

async function measure(binary: string): Promise<Figures> {
  const config = (name: string) => ({ url: `http://${name}:${port}/`, interval });
  using store = await createStore(names.map((name) => ({ type: "HTTP" as const, config: config(name) })));
  const server = await run([
    ...["prlimit", `--nofile=${descriptors}`, binary, "serve", "--port", "0", "--data-dir", store.folder],
    ...["--log-level", "error", "--dns-servers", `${dns.address}:${dns.port}`],
  ]);
  const asked = askApi(server.said.replace(/.*listening on /, ""));
  const start = performance.now();
  let mostDescriptors = 0;
  let left = monitors;
  while (left > 0 && performance.now() - start < patience * 1000) {
    await Bun.sleep(100);
    mostDescriptors = Math.max(mostDescriptors, readdirSync(`/proc/${server.pid}/fd`).length);
    left = count(store, "unknown");
  }
  const took = (performance.now() - start) / 1000;
  const seen = { took, down: count(store, "down"), unknown: left, mostDescriptors, ...asked.stop() };
  await server.stop();
  return seen;
}

function count(store: Store, status: string): number {
  const [row] = store.query<{ count: number }>(
    `SELECT count(*) AS count FROM monitors WHERE status = '${status}'`,
  );
  return row?.count ?? 0;
}
